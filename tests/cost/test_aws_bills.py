"""Bills of AWS resources that need more than rows: databases, tasks, snapshots, options of machines."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

import pytest
from tests.benchmarks.price_coverage import PROVIDERS, coverage_of, priced_types, program_of
from tests.programs import IT, Program, Ref, graph_of, urn_of

from penstock.cost import Cost, Line, cost_of
from penstock.description.usage import parse_usage
from penstock.graph.values import UNKNOWN

RDS = "aws:rds/instance:Instance"
CACHE = "aws:elasticache/cluster:Cluster"
AURORA, AURORA_NODE = "aws:rds/cluster:Cluster", "aws:rds/clusterInstance:ClusterInstance"
EFS = "aws:efs/fileSystem:FileSystem"
INSTANCE, GROUP = "aws:ec2/instance:Instance", "aws:autoscaling/group:Group"


def bill(
    type_: str,
    inputs: Mapping[str, Any],
    usage: Mapping[str, Any] | None = None,
    *,
    region: str = "us-east-1",
    others: Program | None = None,
    today: date | None = None,
) -> Cost:
    provider = (PROVIDERS["aws"][0], {"region": region})
    program = {"provider": provider, **(others or {}), IT: (type_, inputs)}
    return cost_of(graph_of(program), parse_usage(usage or {}), today)


def line(cost: Cost, what: str) -> Line:
    found = [each for each in cost.lines if what in each.what]
    assert len(found) == 1, [each.what for each in cost.lines] + [each.why for each in cost.unpriced]
    return found[0]


def database(**inputs: Any) -> Mapping[str, Any]:
    return {"engine": "mysql", "instanceClass": "db.t3.large", **inputs}


@pytest.mark.parametrize("name", priced_types()["aws"])
def test_no_type_that_other_tools_price_is_silent(name: str) -> None:
    assert coverage_of("aws", priced_types()["aws"][name]) != "silent"


@pytest.mark.parametrize("name", priced_types()["aws"])
def test_what_is_not_known_yet_is_priced_or_named(name: str) -> None:
    resources = priced_types()["aws"][name]
    type_, inputs = next(iter(resources.items()))

    for key in inputs:
        program = program_of("aws", {**resources, type_: {**inputs, key: UNKNOWN}})
        found, urn = cost_of(graph_of(program)), urn_of(IT, program)
        assert urn in {*(each.urn for each in found.lines), *(each.urn for each in found.unpriced)}, key


@pytest.mark.parametrize(
    ("type_", "inputs"),
    [
        ("aws:acm/certificate:Certificate", {"domainName": "example.com"}),
        ("aws:apigateway/stage:Stage", {"stageName": "prod"}),
        ("aws:ssm/parameter:Parameter", {"type": "String"}),
        ("aws:route53/record:Record", {"type": "A", "aliases": [{"name": "balancer"}]}),
        ("aws:sns/topicSubscription:TopicSubscription", {"protocol": "sqs"}),
    ],
)
def test_what_is_free_is_neither_priced_nor_named(type_: str, inputs: Mapping[str, Any]) -> None:
    found = bill(type_, inputs)

    assert not found.lines
    assert not found.unpriced


@pytest.mark.parametrize(
    ("type_", "inputs", "what", "region", "hour"),
    [
        (CACHE, {"engine": "valkey", "nodeType": "cache.r7g.large"}, "cache.r7g", "eu-central-1", 0.2104),
        (RDS, database(engine="postgres", instanceClass="db.m6g.xlarge"), "db.m6g", "eu-west-1", 0.352),
        (RDS, database(engine="mysql", instanceClass="db.r7g.large"), "db.r7g", "eu-central-1", 0.291),
        ("aws:redshift/cluster:Cluster", {"nodeType": "ra3.4xlarge"}, "ra3.4xlarge", "eu-central-1", 3.894),
        (
            "aws:msk/cluster:Cluster",
            {"numberOfBrokerNodes": 1, "brokerNodeGroupInfo": {"instanceType": "kafka.m7g.large"}},
            "kafka.m7g",
            "eu-central-1",
            0.2445,
        ),
        (
            "aws:opensearch/domain:Domain",
            {"clusterConfig": {"instanceType": "m6g.large.search"}},
            "m6g.large",
            "eu-central-1",
            0.153,
        ),
    ],
)
def test_a_node_has_the_list_price_of_its_region(
    type_: str, inputs: Mapping[str, Any], what: str, region: str, hour: float
) -> None:
    found = line(bill(type_, inputs, region=region), what)

    assert (found.unit_usd, found.confidence) == (hour, "list")


@pytest.mark.parametrize("region", ["ap-southeast-6", "cn-north-1"])
def test_a_node_elsewhere_has_the_list_price_with_a_mark(region: str) -> None:
    found = line(bill(CACHE, {"nodeType": "cache.r6g.xlarge"}, region=region), "cache.r6g.xlarge")

    assert found.confidence == "other-region"
    assert found.low_usd < found.monthly_usd < found.high_usd


def test_a_node_without_a_price_is_named_with_its_class() -> None:
    (unpriced,) = bill(CACHE, {"nodeType": "cache.x9.large"}).unpriced

    assert unpriced.why == "1 × cache.x9.large, redis: no price known"


@pytest.mark.parametrize(
    ("engine", "version", "today", "copies", "usd"),
    [
        ("postgres", "12", date(2026, 11, 29), 1, 146),
        ("postgres", "12.22", date(2026, 11, 29), 2, 292),
        ("postgres", "11.22", date(2026, 11, 29), 1, 292),
        ("mysql", "5.7.44", date(2025, 11, 29), 1, 146),
        ("mysql", "8.0.40", date(2026, 8, 1), 1, 146),
    ],
)
def test_a_version_past_standard_support_is_billed_by_the_vcpu(
    engine: str, version: str, today: date, copies: int, usd: float
) -> None:
    inputs = database(engine=engine, engineVersion=version, multiAz=copies == 2)

    assert line(bill(RDS, inputs, today=today), "extended support").monthly_usd == pytest.approx(usd)


@pytest.mark.parametrize(
    "inputs",
    [
        database(engine="postgres", engineVersion="17.6"),
        database(engine="postgres", engineVersion="14"),
        database(engine="mysql", engineVersion="8.4.6"),
        database(engine="mariadb", engineVersion="10.6"),
        database(
            engine="postgres", engineVersion="12", engineLifecycleSupport="open-source-rds-extended-support-disabled"
        ),
    ],
)
def test_a_version_within_support_has_no_charge(inputs: Mapping[str, Any]) -> None:
    found = bill(RDS, inputs, today=date(2026, 11, 29))

    assert not [each for each in found.lines if "extended support" in each.what]


@pytest.mark.parametrize("output", ["id", "arn", "identifier"])
def test_a_replica_has_the_engine_and_the_storage_of_its_source(output: str) -> None:
    source: Program = {"main": (RDS, database(engine="postgres", allocatedStorage=100, storageType="gp3"))}
    found = bill(RDS, {"replicateSourceDb": Ref("main", output), "instanceClass": "db.t3.large"}, others=source)

    assert [each.monthly_usd for each in found.lines] == [105.85, 105.85, 11.5, 11.5]


def test_serverless_aurora_scales_between_its_capacity_units() -> None:
    scaling = {"minCapacity": 0.5, "maxCapacity": 16}
    cluster: Program = {"main": (AURORA, {"engine": "aurora-mysql", "serverlessv2ScalingConfiguration": scaling})}
    inputs = {"instanceClass": "db.serverless", "engine": "aurora-mysql", "clusterIdentifier": Ref("main")}
    found = line(bill(AURORA_NODE, inputs, others=cluster), "capacity units")

    assert (found.low_usd, found.monthly_usd, found.high_usd) == pytest.approx((43.8, 43.8, 1401.6))


@pytest.mark.parametrize(
    ("cpu", "memory"), [("1024", "2048"), ("1 vCPU", "2 GB"), ("1vcpu", "2GB"), ("1.0 vCPU", "2 GB")]
)
def test_tasks_on_fargate_cost_their_vcpu_and_memory(cpu: str, memory: str) -> None:
    task: Program = {"task": ("aws:ecs/taskDefinition:TaskDefinition", {"cpu": cpu, "memory": memory})}
    inputs = {"launchType": "FARGATE", "desiredCount": 5, "taskDefinition": Ref("task")}
    found = bill("aws:ecs/service:Service", inputs, others=task)

    assert line(found, "vCPU").monthly_usd == pytest.approx(147.75, abs=0.01)
    assert line(found, "memory").monthly_usd == pytest.approx(32.45, abs=0.01)


def test_tasks_of_a_size_that_is_not_one_have_no_figure() -> None:
    task: Program = {"task": ("aws:ecs/taskDefinition:TaskDefinition", {"cpu": "large", "memory": "2 TB"})}
    inputs = {"launchType": "FARGATE", "desiredCount": 5, "taskDefinition": Ref("task")}
    found = bill("aws:ecs/service:Service", inputs, others=task)

    assert [each.missing for each in found.unpriced] == ["amount", "amount"]


def test_an_environment_costs_its_balancer_and_its_database() -> None:
    settings = {
        ("aws:rds:dbinstance", "DBInstanceClass"): "db.m6g.xlarge",
        ("aws:rds:dbinstance", "DBEngine"): "postgres",
        ("aws:rds:dbinstance", "MultiAZDatabase"): "true",
        ("aws:rds:dbinstance", "DBAllocatedStorage"): "100",
        ("aws:elasticbeanstalk:environment", "LoadBalancerType"): "network",
    }
    given = [{"namespace": space, "name": name, "value": value} for (space, name), value in settings.items()]
    environment = "aws:elasticbeanstalk/environment:Environment"
    found = bill(environment, {"settings": given}, region="eu-west-1")

    assert line(found, "network load balancer").monthly_usd == pytest.approx(18.40, abs=0.01)
    assert line(found, "database storage").monthly_usd == pytest.approx(25.30)
    assert line(found, "in two zones").monthly_usd == pytest.approx(513.92)
    assert [each.missing for each in found.unpriced if "machines" in each.why] == ["amount"]


@pytest.mark.parametrize(
    ("region", "usd"), [("us-east-1", 0.09), ("sa-east-1", 0.15), ("ap-south-1", 0.1093), ("af-south-1", 0.154)]
)
def test_traffic_to_the_internet_has_the_price_of_its_region(region: str, usd: float) -> None:
    found = bill("aws:ec2/vpc:Vpc", {"cidrBlock": "10.0.0.0/16"}, {"network": {"egress_gb": 10_240}}, region=region)

    assert line(found, "internet").monthly_usd == pytest.approx(10_240 * usd, abs=0.01)
    assert line(found, "internet").confidence == "list"


def test_provisioned_throughput_of_files_is_bounded_until_storage_is_declared() -> None:
    found = line(bill(EFS, {"provisionedThroughputInMibps": 100}), "throughput")

    assert (found.low_usd, found.high_usd) == (0, 600)


def test_a_snapshot_costs_at_most_the_size_of_its_volume() -> None:
    volume: Program = {"disk": ("aws:ebs/volume:Volume", {"size": 10, "availabilityZone": "us-east-1a"})}
    found = line(bill("aws:ebs/snapshot:Snapshot", {"volumeId": Ref("disk")}, others=volume), "snapshot")

    assert (found.low_usd, found.high_usd) == (0, 0.5)


@pytest.mark.parametrize(
    ("inputs", "named"),
    [
        ({"instanceType": "t3.medium"}, True),
        ({"instanceType": "t3.medium", "creditSpecification": {"cpuCredits": "standard"}}, False),
        ({"instanceType": "t2.medium"}, False),
        ({"instanceType": "t2.medium", "creditSpecification": {"cpuCredits": "unlimited"}}, True),
        ({"instanceType": "m6i.xlarge"}, False),
    ],
)
def test_unlimited_credits_are_named(inputs: Mapping[str, Any], named: bool) -> None:
    found = [each for each in bill(INSTANCE, inputs).unpriced if "CPU credits" in each.why]

    assert bool(found) == named
    assert all(each.unit_usd == 0.05 for each in found)


def test_declared_credits_are_billed() -> None:
    found = bill(INSTANCE, {"instanceType": "t3.medium"}, {"services": {IT: {"credit_hours": 1460}}})

    assert line(found, "CPU credits").monthly_usd == pytest.approx(73)


def test_detailed_monitoring_of_an_instance_and_of_a_group_is_billed() -> None:
    one = bill(INSTANCE, {"instanceType": "m6i.xlarge", "monitoring": True})
    template: Program = {
        "nodes": (
            "aws:ec2/launchTemplate:LaunchTemplate",
            {"instanceType": "m6i.xlarge", "monitoring": {"enabled": True}},
        )
    }
    sizes = {"minSize": 6, "maxSize": 6, "desiredCapacity": 6}
    several = bill(GROUP, {"launchTemplate": {"id": Ref("nodes")}, **sizes}, others=template)

    assert line(one, "monitoring").monthly_usd == pytest.approx(2.10)
    assert line(several, "monitoring").monthly_usd == pytest.approx(12.60)


def test_ebs_optimisation_of_an_old_family_has_a_price_of_its_own() -> None:
    found = bill(INSTANCE, {"instanceType": "r3.xlarge", "ebsOptimized": True})

    assert line(found, "EBS optimisation").monthly_usd == pytest.approx(14.60)
    assert not [each for each in bill(INSTANCE, {"instanceType": "m6i.xlarge", "ebsOptimized": True}).lines
                if "optimisation" in each.what]  # fmt: skip
