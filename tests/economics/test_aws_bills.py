"""Bills of AWS resources beside the published figures of Infracost's golden files (us-east-1 unless a case says so).

Each case names the golden file, without `_test.golden`, and the line there; the amounts are those that it publishes.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple

import pytest
from tests.benchmarks.price_coverage import PROVIDERS, coverage_of, priced_types, program_of
from tests.programs import IT, Program, Ref, graph_of, urn_of

from penstock.economics.cost import Cost, Line, cost_of
from penstock.resources.values import UNKNOWN
from penstock.spec.usage import parse_usage

RDS = "aws:rds/instance:Instance"
CACHE, CACHES = "aws:elasticache/cluster:Cluster", "aws:elasticache/replicationGroup:ReplicationGroup"
AURORA, AURORA_NODE = "aws:rds/cluster:Cluster", "aws:rds/clusterInstance:ClusterInstance"
SEARCH, ELASTIC = "aws:opensearch/domain:Domain", "aws:elasticsearch/domain:Domain"
BROKER, KAFKA, REDSHIFT = "aws:mq/broker:Broker", "aws:msk/cluster:Cluster", "aws:redshift/cluster:Cluster"
WINDOWS, ZFS, EFS = (
    "aws:fsx/windowsFileSystem:WindowsFileSystem",
    "aws:fsx/openZfsFileSystem:OpenZfsFileSystem",
    "aws:efs/fileSystem:FileSystem",
)
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


def search(**inputs: Any) -> Mapping[str, Any]:
    kind = {"instanceType": "c4.2xlarge.search", "instanceCount": 3}
    masters = {"dedicatedMasterEnabled": True, "dedicatedMasterType": "c4.8xlarge.search", "dedicatedMasterCount": 1}
    warm = {"warmEnabled": True, "warmType": "ultrawarm1.medium.search", "warmCount": 2}
    return {"clusterConfig": {**kind, **masters, **warm}, **inputs}


PUBLISHED: list[tuple[str, str, Mapping[str, Any], str, float]] = [
    ("db_instance", RDS, database(), "mysql on db.t3.large", 99.28),
    ("db_instance", RDS, database(multiAz=True), "mysql on db.t3.large, in two zones", 198.56),
    ("db_instance", RDS, database(multiAz=True, allocatedStorage=30), "database storage", 6.90),
    ("db_instance", RDS, database(engine="postgres"), "postgres on db.t3.large", 105.85),
    ("db_instance", RDS, database(engine="mariadb"), "mariadb on db.t3.large", 99.28),
    ("db_instance", RDS, database(engine="aurora-postgresql"), "aurora-postgresql on db.t3.large", 119.72),
    ("db_instance", RDS, database(engine="oracle-se2"), "oracle-se2 on db.t3.large", 219),
    ("db_instance", RDS, database(engine="oracle-se2-cdb"), "oracle-se2-cdb on db.t3.large", 219),
    ("db_instance", RDS, database(engine="oracle-ee"), "oracle-ee on db.t3.large", 99.28),
    (
        "db_instance",
        RDS,
        database(engine="oracle-se1", licenseModel="bring-your-own-license"),
        "oracle-se1 on db.t3.large",
        99.28,
    ),
    ("db_instance", RDS, database(engine="sqlserver-ex"), "sqlserver-ex on db.t3.large", 118.26),
    ("db_instance", RDS, database(engine="sqlserver-web"), "sqlserver-web on db.t3.large", 169.36),
    ("db_instance", RDS, database(engine="sqlserver-se", instanceClass="db.m5.xlarge"), "sqlserver-se", 893.52),
    ("db_instance", RDS, database(engine="sqlserver-ee", instanceClass="db.m5.xlarge"), "sqlserver-ee", 1705.28),
    ("db_instance", RDS, database(allocatedStorage=40, storageType="standard"), "40 GiB of database", 4),
    (
        "db_instance",
        RDS,
        database(
            instanceClass="db.m5.large", performanceInsightsEnabled=True, performanceInsightsRetentionPeriod=731
        ),
        "Performance Insights",
        7.63,
    ),
    ("rds_cluster_instance", AURORA_NODE, {"instanceClass": "db.r4.large"}, "db.r4.large", 211.70),
    ("rds_cluster_instance", AURORA_NODE, {"instanceClass": "db.r4.8xlarge"}, "db.r4.8xlarge", 3387.20),
    ("rds_cluster_instance", AURORA_NODE, {"instanceClass": "db.t3.medium"}, "db.t3.medium", 59.86),
    ("elasticache_cluster", CACHE, {"engine": "redis", "nodeType": "cache.m6g.12xlarge"}, "cache.m6g", 2596.61),
    (
        "elasticache_cluster",
        CACHE,
        {"engine": "memcached", "nodeType": "cache.m4.large", "numCacheNodes": 2},
        "cache.m4.large",
        227.76,
    ),
    (
        "elasticache_replication_group",
        CACHES,
        {"nodeType": "cache.m4.large", "numNodeGroups": 4, "replicasPerNodeGroup": 3},
        "cache.m4.large",
        1822.08,
    ),
    (
        "elasticache_replication_group",
        CACHES,
        {"nodeType": "cache.r5.4xlarge", "numCacheClusters": 3},
        "cache.r5.4xlarge",
        3775.56,
    ),
    ("opensearch_domain", SEARCH, search(), "3 × c4.2xlarge.search", 1285.53),
    ("opensearch_domain", SEARCH, search(), "dedicated masters", 1713.31),
    ("opensearch_domain", SEARCH, search(), "warm nodes", 347.48),
    (
        "elasticsearch_domain",
        ELASTIC,
        {"clusterConfig": {"instanceType": "c4.2xlarge.elasticsearch", "instanceCount": 3}},
        "3 × c4.2xlarge.search",
        1285.53,
    ),
    ("redshift_cluster", REDSHIFT, {"nodeType": "ra3.4xlarge", "numberOfNodes": 6}, "ra3.4xlarge", 14278.80),
    ("redshift_cluster", REDSHIFT, {"nodeType": "dc2.large", "numberOfNodes": 4}, "dc2.large", 730),
    (
        "msk_cluster",
        KAFKA,
        {"numberOfBrokerNodes": 4, "brokerNodeGroupInfo": {"instanceType": "kafka.m5.24xlarge"}},
        "kafka.m5.24xlarge",
        29433.60,
    ),
    (
        "msk_cluster",
        KAFKA,
        {
            "numberOfBrokerNodes": 2,
            "brokerNodeGroupInfo": {
                "instanceType": "kafka.t3.small",
                "storageInfo": {"ebsStorageInfo": {"volumeSize": 500}},
            },
        },
        "storage of 2 brokers",
        100,
    ),
    ("mq_broker", BROKER, {"engineType": "ActiveMQ", "hostInstanceType": "mq.t2.micro"}, "mq.t2.micro", 21.90),
    (
        "mq_broker",
        BROKER,
        {
            "engineType": "ActiveMQ",
            "hostInstanceType": "mq.m5.large",
            "deploymentMode": "ACTIVE_STANDBY_MULTI_AZ",
        },
        "2 × mq.m5.large",
        420.48,
    ),
    (
        "mq_broker",
        BROKER,
        {"engineType": "RabbitMQ", "hostInstanceType": "mq.m5.xlarge", "deploymentMode": "CLUSTER_MULTI_AZ"},
        "3 × mq.m5.xlarge",
        1261.44,
    ),
    (
        "docdb_cluster_instance",
        "aws:docdb/clusterInstance:ClusterInstance",
        {"instanceClass": "db.r5.4xlarge"},
        "db.r5.4xlarge",
        1617.68,
    ),
    ("dms", "aws:dms/replicationInstance:ReplicationInstance",
     {"replicationInstanceClass": "dms.t2.micro", "allocatedStorage": 20, "multiAz": True}, "dms.t2.micro", 26.28),
    ("dms", "aws:dms/replicationInstance:ReplicationInstance",
     {"replicationInstanceClass": "dms.t2.micro", "allocatedStorage": 20, "multiAz": True}, "storage", 4.60),
    ("fsx_windows_file_system", WINDOWS,
     {"deploymentType": "MULTI_AZ_1", "storageCapacity": 300, "throughputCapacity": 1024}, "MB/s", 4608),
    ("fsx_windows_file_system", WINDOWS,
     {"deploymentType": "MULTI_AZ_1", "storageType": "HDD", "storageCapacity": 300, "throughputCapacity": 1024},
     "GiB", 7.50),
    ("directory_service_directory", "aws:directoryservice/directory:Directory",
     {"type": "MicrosoftAD", "edition": "Enterprise"}, "Enterprise", 292),
    ("directory_service_directory", "aws:directoryservice/directory:Directory", {"size": "Large"}, "SimpleAD", 219),
    ("directory_service_directory", "aws:directoryservice/directory:Directory",
     {"type": "ADConnector", "size": "Small"}, "ADConnector", 73),
    ("api_gateway_stage", "aws:apigateway/stage:Stage",
     {"cacheClusterEnabled": True, "cacheClusterSize": "237"}, "237 GB", 2774),
    ("ec2_host", "aws:ec2/dedicatedHost:DedicatedHost", {"instanceFamily": "c5"}, "c5", 2457.18),
    ("dx_connection", "aws:directconnect/connection:Connection", {"bandwidth": "1Gbps"}, "1Gbps", 219),
    ("elb", "aws:elb/loadBalancer:LoadBalancer", {"internal": True}, "classic", 18.25),
    ("global_accelerator", "aws:globalaccelerator/accelerator:Accelerator", {}, "accelerator", 18.25),
    ("route53_resolver_endpoint", "aws:route53/resolverEndpoint:ResolverEndpoint",
     {"ipAddresses": [{"subnetId": "a"}, {"subnetId": "b"}]}, "addresses", 182.50),
    ("route53_health_check", "aws:route53/healthCheck:HealthCheck", {"type": "HTTP"}, "health check", 0.50),
    ("vpn_connection", "aws:ec2/vpnConnection:VpnConnection", {"transitGatewayId": "tgw"}, "transit gateway", 36.50),
    ("networkfirewall_firewall", "aws:networkfirewall/firewall:Firewall",
     {"subnetMappings": [{"subnetId": "a"}]}, "firewall endpoints", 288.35),
    ("transfer_server", "aws:transfer/server:Server", {"protocols": ["SFTP", "FTPS", "FTP"]}, "protocols", 657),
    ("wafv2_web_acl", "aws:wafv2/webAcl:WebAcl", {"rules": [{"name": str(n)} for n in range(16)]}, "rules", 16),
    ("mwaa_environment", "aws:mwaa/environment:Environment", {"environmentClass": "mw1.large"}, "mw1.large", 722.70),
    ("cloudhsm_v2_hsm", "aws:cloudhsmv2/hsm:Hsm", {}, "security module", 1168),
    ("acmpca_certificate_authority", "aws:acmpca/certificateAuthority:CertificateAuthority",
     {"usageMode": "SHORT_LIVED_CERTIFICATE"}, "short-lived", 50),
    ("cloudwatch_metric_alarm", "aws:cloudwatch/metricAlarm:MetricAlarm", {"period": 10}, "high resolution", 0.30),
    ("kinesis_stream", "aws:kinesis/stream:Stream", {"shardCount": 4}, "4 shards", 43.80),
    ("kinesis_stream", "aws:kinesis/stream:Stream",
     {"streamModeDetails": {"streamMode": "ON_DEMAND"}}, "on demand", 29.20),
]  # fmt: skip


@pytest.mark.parametrize(("golden", "type_", "inputs", "what", "usd"), PUBLISHED)
def test_a_line_equals_the_published_one(
    golden: str, type_: str, inputs: Mapping[str, Any], what: str, usd: float
) -> None:
    found = line(bill(type_, inputs), what)

    assert found.monthly_usd == pytest.approx(usd, rel=0.001, abs=0.006), golden
    assert found.confidence == "list"


class Used(NamedTuple):
    """A resource with the usage of its golden file, and the sum of the lines there."""

    golden: str
    type_: str
    inputs: Mapping[str, Any]
    usage: Mapping[str, Any]
    usd: float
    region: str = "us-east-1"


USED: list[Used] = [
    Used("acmpca_certificate_authority", "aws:acmpca/certificateAuthority:CertificateAuthority", {},
     {"services": {IT: {"certificates": 20_001}}}, 400 + 750 + 3150 + 10),
    Used("api_gateway_rest_api", "aws:apigateway/restApi:RestApi", {},
     {"services": {IT: {"requests": 21e9}}}, 1165.50 + 1867.60 + 45220 + 1510),
    Used("apigatewayv2_api", "aws:apigatewayv2/api:Api", {"protocolType": "WEBSOCKET"},
     {"services": {IT: {"messages": 1.5e9, "minutes": 1e7}}}, 1000 + 400 + 2.50),
    Used("backup_vault", "aws:backup/vault:Vault", {},
     {"storage": {IT: {"backup_gb": 10_000}}, "services": {IT: {"rds_gb": 10_000, "dynamodb_gb": 10_000}}},
     550 + 950 + 1120, "us-west-1"),
    Used("cloudtrail", "aws:cloudtrail/trail:Trail", {},
     {"services": {IT: {"management_events": 100_000, "data_events": 200_000}}}, 2 + 0.20),
    Used("config_config_rule", "aws:cfg/rule:Rule", {}, {"services": {IT: {"evaluations": 1e6}}}, 670),
    Used("glue_job", "aws:glue/job:Job", {"maxCapacity": 20}, {"services": {IT: {"hours": 60}}}, 528),
    Used("grafana_workspace", "aws:grafana/workspace:Workspace", {},
     {"services": {IT: {"editors": 2, "viewers": 3}}}, 18 + 15),
    Used("kinesis_firehose_delivery_stream", "aws:kinesis/firehoseDeliveryStream:FirehoseDeliveryStream", {},
     {"services": {IT: {"gb": 7e6}}}, 17920 + 46080 + 118848, "eu-west-2"),
    Used("kinesisanalyticsv2_application", "aws:kinesisanalyticsv2/application:Application",
     {"runtimeEnvironment": "FLINK-1_20"},
     {"services": {IT: {"kpu_hours": 7300}}, "storage": {IT: {"gb": 500}}}, 927.10 + 92.71 + 58, "eu-west-2"),
    Used("lambda_function", "aws:lambda/function:Function", {},
     {"services": {IT: {"requests": 15e9, "gb_seconds": 61.44e9}}}, 3000 + 100_000 + 135_000 + 619_203),
    Used("neptune_cluster", "aws:neptune/cluster:Cluster", {},
     {"storage": {IT: {"gb": 100, "backup_gb": 1000}}, "services": {IT: {"requests": 1e7}}},
     11.60 + 22 + 2.32, "eu-west-2"),
    Used("rds_cluster", AURORA, {"engine": "aurora-mysql", "backtrackWindow": 3600},
     {"storage": {IT: {"gb": 100, "backup_gb": 400}},
      "services": {IT: {"requests": 52.56e6, "change_records": 66_576e6}}},
     10 + 8.40 + 10.51 + 798.91),
    Used("redshift_cluster", REDSHIFT, {"nodeType": "ds2.8xlarge"},
     {"storage": {IT: {"backup_gb": 612_000}}, "services": {IT: {"spectrum_tb": 0.5}}},
     4964 + 2.50 + 1177.60 + 11_264 + 1024.80),
    Used("route53_record", "aws:route53/record:Record", {"geolocationRoutingPolicies": [{"continent": "EU"}]},
     {"services": {IT: {"queries": 1.5e9}}}, 700 + 175),
    Used("sfn_state_machine", "aws:sfn/stateMachine:StateMachine", {"type": "EXPRESS"},
     {"services": {IT: {"requests": 1e8, "gb_hours": 29_687.5}}}, 100 + 60.01 + 119.95 + 405.27),
    Used("efs_file_system", EFS, {"provisionedThroughputInMibps": 100}, {"storage": {IT: {"gb": 230}}}, 69 + 531),
    Used("fsx_windows_file_system", "aws:fsx/backup:Backup", {}, {"storage": {IT: {"gb": 10_000}}}, 500),
    Used("transfer_server", "aws:transfer/server:Server", {}, {"services": {IT: {"gb": 60}}}, 219 + 2.40),
]  # fmt: skip


@pytest.mark.parametrize("case", USED, ids=lambda case: case.golden)
def test_declared_usage_is_billed_as_published(case: Used) -> None:
    found = bill(case.type_, case.inputs, case.usage, region=case.region)

    assert found.monthly_usd == pytest.approx(case.usd, rel=0.001)
    assert not found.unmatched
    assert not found.misdeclared
    assert {each.confidence for each in found.lines} == {"list"}


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


@pytest.mark.parametrize("region", ["eu-central-1", "sa-east-1", "ap-northeast-1"])
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


def test_tasks_on_fargate_cost_their_vcpu_and_memory() -> None:
    task: Program = {"task": ("aws:ecs/taskDefinition:TaskDefinition", {"cpu": "1024", "memory": "2048"})}
    inputs = {"launchType": "FARGATE", "desiredCount": 5, "taskDefinition": Ref("task")}
    found = bill("aws:ecs/service:Service", inputs, others=task)

    assert line(found, "vCPU").monthly_usd == pytest.approx(147.75, abs=0.01)
    assert line(found, "memory").monthly_usd == pytest.approx(32.45, abs=0.01)


def test_an_environment_costs_its_balancer_and_its_database() -> None:
    settings = {
        ("aws:rds:dbinstance", "DBInstanceClass"): "db.t3.large",
        ("aws:rds:dbinstance", "MultiAZDatabase"): "true",
        ("aws:rds:dbinstance", "DBAllocatedStorage"): "100",
        ("aws:elasticbeanstalk:environment", "LoadBalancerType"): "network",
    }
    given = [{"namespace": space, "name": name, "value": value} for (space, name), value in settings.items()]
    environment = "aws:elasticbeanstalk/environment:Environment"
    found = bill(environment, {"settings": given}, region="eu-west-1")

    assert line(found, "network load balancer").monthly_usd == pytest.approx(18.40, abs=0.01)
    assert line(found, "database storage").monthly_usd == pytest.approx(25.30)
    assert line(found, "in two zones").monthly_usd == pytest.approx(198.56)
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
