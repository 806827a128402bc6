"""Simulated AWS answers in AWS' own forms."""

from __future__ import annotations

import json
import re
from ipaddress import IPv6Network
from typing import Any

import pulumi
import pulumi_aws
import pytest
from pulumi_aws import datazone, ec2, eks, iam, kms, neptunegraph, s3, secretsmanager, sns

from penstock.catalog.answers import answer_forms
from penstock.graph.graph import Resource
from penstock.graph.values import UNKNOWN
from penstock.rules.judge import judge
from penstock.rules.levels import RuleKind
from penstock.rules.settings import Settings
from penstock.simulate import sdk_types
from penstock.simulate.clouds import CreateRequest, simulated
from penstock.simulate.run import rehearse

TABLE = answer_forms("aws")
FORMS = sorted(token for token, form in TABLE.items() if "answers" not in form)
FUNCTIONS = sorted(token for token, form in TABLE.items() if "answers" in form)


def sdk_member(token: str) -> Any:
    module, name = token.split(":")[1].split("/", maxsplit=1)[0], token.rsplit(":", 1)[-1]
    return getattr(pulumi_aws if module == "index" else getattr(pulumi_aws, module), name, None)


@pytest.mark.parametrize("token", FORMS)
def test_the_table_speaks_of_types_and_outputs_that_the_sdk_has(token: str) -> None:
    assert sdk_member(token)
    outputs = sdk_types.output_types(token)

    assert outputs
    assert set(TABLE[token].get("outputs", {})) <= set(outputs)
    assert TABLE[token].get("named", "id") in {*outputs, "id"}


@pytest.mark.parametrize("token", FUNCTIONS)
def test_the_table_speaks_of_functions_that_the_sdk_has(token: str) -> None:
    module = getattr(pulumi_aws, token.split(":")[1].split("/", maxsplit=1)[0]) if "index" not in token else pulumi_aws
    snake = re.sub(r"(?<!^)(?=[A-Z])", "_", token.rsplit(":", 1)[-1]).lower()

    assert hasattr(module, snake)


def made(program: Any, **kwargs: Any) -> Resource:
    *_, last = rehearse(program, **kwargs).graph
    return last


@pytest.mark.parametrize(
    ("program", "output", "form"),
    [
        (lambda: ec2.Vpc("v"), "id", r"vpc-[0-9a-f]{17}"),
        (lambda: ec2.Vpc("v"), "arn", r"arn:aws:ec2:eu-west-1:123456789012:vpc/vpc-[0-9a-f]{17}"),
        (lambda: iam.Role("r", assume_role_policy="{}"), "arn", r"arn:aws:iam::123456789012:role/r-[0-9a-f]{7}"),
        (
            lambda: iam.OpenIdConnectProvider("o", url="https://oidc.example.com/id/A1", client_id_lists=["c"]),
            "arn",
            r"arn:aws:iam::123456789012:oidc-provider/oidc\.example\.com/id/A1",
        ),
        (lambda: neptunegraph.Graph("g", provisioned_memory=16), "id", r"g-[0-9a-f]{10}"),
        (
            lambda: neptunegraph.Graph("g", provisioned_memory=16),
            "arn",
            r"arn:aws:neptune-graph:eu-west-1:123456789012:graph/g-[0-9a-f]{10}",
        ),
        (
            lambda: datazone.Project("p", name="my project", domain_identifier="dzd-1"),
            "id",
            r"[0-9a-f]{14}",
        ),
        (lambda: s3.Bucket("b"), "arn", r"arn:aws:s3:::b-[0-9a-f]{7}"),
        (lambda: s3.Bucket("b", bucket="mine"), "bucketDomainName", r"mine\.s3\.amazonaws\.com"),
        (
            lambda: secretsmanager.Secret("s", name="n"),
            "id",
            r"arn:aws:secretsmanager:eu-west-1:123456789012:secret:n-[0-9a-f]{6}",
        ),
        (
            lambda: eks.Cluster("c", name="c", role_arn="r", vpc_config={"subnet_ids": ["s"]}),
            "endpoint",
            r"https://[0-9A-F]{32}\.gr7\.eu-west-1\.eks\.amazonaws\.com",
        ),
    ],
)
def test_identities_have_the_form_of_the_region_and_account(program: Any, output: str, form: str) -> None:
    resource = made(program, config={"aws:region": "eu-west-1"})

    assert re.fullmatch(form, {"id": resource.id, **resource.outputs}[output])


def test_china_and_govcloud_have_their_own_partition() -> None:
    assert made(lambda: ec2.Vpc("v"), config={"aws:region": "cn-north-1"}).outputs["arn"].startswith("arn:aws-cn:")
    assert (
        made(lambda: ec2.Vpc("v"), config={"aws:region": "us-gov-west-1"}).outputs["arn"].startswith("arn:aws-us-gov:")
    )


def test_what_the_cloud_adds_to_an_object_stands_beside_what_was_given() -> None:
    config = made(lambda: eks.Cluster("c", role_arn="r", vpc_config={"subnet_ids": ["s"]})).outputs["vpcConfig"]

    assert config["subnetIds"] == ["s"]
    assert config["clusterSecurityGroupId"].startswith("sg-")


def test_an_explicit_provider_decides_region_and_account() -> None:
    def program() -> None:
        there = pulumi_aws.Provider("p", region="ap-northeast-1", allowed_account_ids=["210987654321"])
        ec2.Vpc("v", opts=pulumi.ResourceOptions(provider=there))

    assert made(program).outputs["arn"].startswith("arn:aws:ec2:ap-northeast-1:210987654321:vpc/")


def test_a_caller_learns_its_account() -> None:
    graph = rehearse(lambda: pulumi.export("account", pulumi_aws.get_caller_identity_output().account_id)).graph

    assert graph.exports == {"account": "123456789012"}


def test_every_output_of_a_type_we_never_named_has_a_value_of_its_type() -> None:
    resource = made(lambda: pulumi_aws.sqs.Queue("q"))

    assert resource.outputs["arn"].startswith("arn:aws:sqs:us-east-1:")
    assert isinstance(resource.outputs["url"], str)


def test_what_a_program_may_leave_to_the_cloud_has_a_form_it_can_take_apart() -> None:
    instance = made(lambda: ec2.Instance("i", ami="ami-1", instance_type="t3.micro")).outputs

    assert len(instance["privateIp"].split(".")) == 4
    assert instance["availabilityZone"] == "us-east-1a"
    assert instance["subnetId"].startswith("subnet-")
    assert "ami" not in instance  # it was given
    assert "userData" not in instance  # it is declared as optional


def test_the_table_never_replaces_what_was_given() -> None:
    assert "privateIp" not in made(lambda: ec2.Instance("i", instance_type="t3.micro", private_ip="10.9.8.7")).outputs


def test_a_part_of_an_object_is_as_it_was_given() -> None:
    machine = made(lambda: ec2.Instance("m", root_block_device={"volume_size": 200}))

    assert machine.outputs["rootBlockDevice"]["volumeSize"] == 200
    assert machine.outputs["rootBlockDevice"]["volumeId"].startswith("vol-")


def test_a_setting_that_no_block_switched_on_stays_off() -> None:
    assert "website" not in made(lambda: s3.Bucket("b")).outputs


LOADED = (kms, sns)  # an SDK tells its types once a program has loaded it


def there(type_: str, id_: str) -> dict[str, Any]:
    """The outputs of a resource of this type and id that is there already."""
    return dict(simulated("aws").create(CreateRequest(f"urn:{type_}", type_, "mine", {}, {}, id=id_)).outputs)


@pytest.mark.parametrize(
    ("type_", "id_", "output", "value"),
    [
        ("aws:s3/bucket:Bucket", "ext", "arn", "arn:aws:s3:::ext"),
        ("aws:s3/bucket:Bucket", "ext", "bucket", "ext"),
        (
            "aws:ec2/placementGroup:PlacementGroup",
            "ext",
            "arn",
            "arn:aws:ec2:us-east-1:123456789012:placement-group/ext",
        ),
        ("aws:ec2/vpc:Vpc", "vpc-1", "arn", "arn:aws:ec2:us-east-1:123456789012:vpc/vpc-1"),
        ("aws:ec2/vpc:Vpc", "vpc-1", "cidrBlock", "10.0.0.0/16"),
        ("aws:kms/key:Key", "0-1", "arn", "arn:aws:kms:us-east-1:123456789012:key/0-1"),
        ("aws:eks/nodeGroup:NodeGroup", "mine:nodes", "nodeGroupName", "nodes"),
        ("aws:iam/policy:Policy", "arn:aws:iam::1:policy/p", "arn", "arn:aws:iam::1:policy/p"),
        ("aws:sns/topic:Topic", "arn:aws:sns:eu-west-1:1:t", "arn", "arn:aws:sns:eu-west-1:1:t"),
        ("aws:sns/topic:Topic", "arn:aws:sns:eu-west-1:1:t", "name", "t"),
    ],
)
def test_what_is_there_already_is_described_by_its_id(type_: str, id_: str, output: str, value: str) -> None:
    assert there(type_, id_)[output] == value


def answered(program: Any) -> Any:
    """What a program exports of what a function answered."""
    return rehearse(lambda: pulumi.export("it", program())).graph.exports["it"]


@pytest.mark.parametrize(
    ("program", "form"),
    [
        (lambda: ec2.get_vpc(default=True).id, r"vpc-[0-9a-f]{17}"),
        (lambda: ec2.get_vpc(id="vpc-1").id, "vpc-1"),
        (lambda: ec2.get_vpc(default=True).region, "us-east-1"),
        (lambda: ec2.get_vpc_ipam_pool().id, r"ipam-pool-[0-9a-f]{17}"),
        (lambda: pulumi_aws.get_regions().names[1], r"[a-z]+-[a-z]+-\d"),
        (lambda: pulumi_aws.ssmincidents.get_replication_set().regions[0].name, r"name-\w+"),
        (lambda: ec2.get_subnets().ids[0], r"subnet-[0-9a-f]{17}"),
        (lambda: ec2.get_ami(owners=["amazon"]).id, r"ami-[0-9a-f]{17}"),
        (lambda: pulumi_aws.ssm.get_parameter_output(name="/x").value.apply(str.upper), r"VALUE-[0-9A-F]{8}"),
        (lambda: pulumi_aws.sqs.get_queue(name="q").url, r"https://sqs\.us-east-1\.amazonaws\.com/123456789012/q"),
        (lambda: pulumi_aws.sqs.get_queue(name="q").arn, "arn:aws:sqs:us-east-1:123456789012:q"),
        (
            lambda: pulumi_aws.lb.get_load_balancer(name="b").arn,
            r"arn:aws:elasticloadbalancing:\S+:loadbalancer/app/b/\w{16}",
        ),
        (lambda: pulumi_aws.lambda_.get_function(function_name="f").vpc_config.subnet_ids[0], r"subnet-[0-9a-f]{17}"),
    ],
)
def test_a_function_answers_as_the_sdk_declares(program: Any, form: str) -> None:
    assert re.fullmatch(form, answered(program))


def test_a_found_cluster_has_all_that_the_sdk_says_it_has() -> None:
    assert len(answered(lambda: eks.get_cluster(name="central").vpc_config.subnet_ids)) == 2
    assert answered(lambda: eks.get_cluster(name="central").vpc_config.endpoint_public_access) is True


@pytest.mark.parametrize("given", [{"assign_generated_ipv6_cidr_block": True}, {"ipv6_ipam_pool_id": "ipam-pool-1"}])
def test_a_network_has_a_range_of_ipv6_where_it_asks_for_one(given: dict[str, Any]) -> None:
    block = answered(lambda: ec2.Vpc("v", cidr_block="10.0.0.0/16", **given).ipv6_cidr_block)

    assert IPv6Network(block).prefixlen == 56
    assert answered(lambda: ec2.Vpc("v", cidr_block="10.0.0.0/16").ipv6_cidr_block) == ""


def test_the_body_of_an_object_is_not_known() -> None:
    answer = simulated("aws").invoke("aws:s3/getObject:getObject", {"bucket": "b", "key": "k"}, {})

    assert answer.results["body"] is UNKNOWN
    assert answer.results["arn"] == "arn:aws:s3:::b/k"


def test_look_ups_answer_as_the_resource_does() -> None:
    zone = answered(lambda: pulumi_aws.route53.get_zone(name="e.com").name_servers)

    assert len(zone) == 4
    assert len(set(answered(lambda: pulumi_aws.rds.get_orderable_db_instance(engine="x").availability_zones))) == 3


@pytest.mark.parametrize(
    ("program", "form"),
    [
        (lambda: pulumi_aws.rds.get_engine_version(engine="postgres").version_actual, r"\d+\.\d+"),
        (lambda: pulumi_aws.rds.get_engine_version(engine="postgres").parameter_group_family, r"postgres\d+"),
        (lambda: pulumi_aws.rds.get_orderable_db_instance(engine="mysql").engine_version, r"8\.\d\.\d+"),
        (lambda: pulumi_aws.rds.get_orderable_db_instance(engine="mysql").instance_class, r"db\.[a-z0-9]+\.\w+"),
        (
            lambda: (
                pulumi_aws.rds.get_orderable_db_instance(
                    engine="mysql", preferred_instance_classes=["db.r6.xlarge", "db.m4.large"]
                ).instance_class
            ),
            r"db\.r6\.xlarge",
        ),
    ],
)
def test_versions_and_classes_of_databases_have_their_form(program: Any, form: str) -> None:
    assert re.fullmatch(form, answered(program))


def test_the_same_question_gets_the_same_answer() -> None:
    vpc, again, other = (answered(lambda t=tag: ec2.get_vpc(tags={"a": t}).id) for tag in ("x", "x", "y"))

    assert vpc == again != other


def test_a_policy_document_is_the_one_that_iam_reads() -> None:
    text = answered(lambda: iam.get_policy_document(statements=[{"actions": ["s3:GetObject"]}]).json)

    assert json.loads(text)["Statement"] == [{"Effect": "Allow", "Action": "s3:GetObject"}]


def test_a_secret_in_a_policy_document_makes_it_secret() -> None:
    def program() -> Any:
        statement = {"actions": ["s3:*"], "resources": [pulumi.Output.secret("hunter2")]}
        return iam.get_policy_document_output(statements=[statement]).json  # type: ignore[list-item]

    assert "hunter2" not in str(answered(program))


@pytest.mark.parametrize("preview", [False, True])
def test_a_policy_given_as_an_object_is_answered_as_text(preview: bool) -> None:
    found: list[object] = []

    def program() -> None:
        statement = {"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": {"Service": "ec2.amazonaws.com"}}
        policy: Any = {"Version": "2012-10-17", "Statement": [statement]}
        role = iam.Role("role", assume_role_policy=policy)
        role.assume_role_policy.apply(lambda policy: found.append(json.loads(policy)["Version"]))

    rehearse(program, preview=preview)

    assert found == ([] if preview else ["2012-10-17"])


def subnet(**zone: str) -> Resource:
    def program() -> None:
        vpc = ec2.Vpc("v", cidr_block="10.0.0.0/16")
        ec2.Subnet("s", vpc_id=vpc.id, cidr_block="10.0.0.0/24", **zone)  # type: ignore[call-overload]

    return made(program, config={"aws:region": "us-east-1"})


def test_a_subnet_is_in_the_zone_that_its_id_names() -> None:
    by_id = subnet(availability_zone_id="use1-az2")
    by_name = subnet(availability_zone=by_id.outputs["availabilityZone"])

    assert by_id.outputs["availabilityZone"] != subnet(availability_zone_id="use1-az4").outputs["availabilityZone"]
    assert by_name.outputs["availabilityZoneId"] == "use1-az2"
    assert subnet(availability_zone="us-east-1-dfw-2a").outputs["availabilityZoneId"] == "use1-dfw2-az1"
    assert subnet(availability_zone_id="use1-dfw2-az1").outputs["availabilityZone"] == "us-east-1-dfw-2a"


def test_look_ups_of_zones_give_names_and_ids_that_belong_together() -> None:
    seen: dict[str, Any] = {}

    def program() -> None:
        zones = pulumi_aws.get_availability_zones(state="available", exclude_zone_ids=["use1-az3"])
        seen["zones"] = dict(zip(zones.names, zones.zone_ids, strict=True))
        seen["one"] = pulumi_aws.get_availability_zone(zone_id="use1-az5").name
        seen["subnets"] = [ec2.get_subnet(id=each) for each in ec2.get_subnets().ids]

    rehearse(program, config={"aws:region": "us-east-1"})

    assert len(seen["zones"]) == 5
    assert "use1-az3" not in seen["zones"].values()
    assert seen["zones"][seen["one"]] == "use1-az5"
    assert len({each.availability_zone for each in seen["subnets"]}) == 3
    pairs = {(each.availability_zone, each.availability_zone_id) for each in seen["subnets"]}
    assert pairs <= {*seen["zones"].items(), ("us-east-1c", "use1-az3")}


def test_subnets_by_id_and_by_name_are_not_compared() -> None:
    """Two mount targets in use1-az1 and us-east-1a are in one zone in some accounts only."""

    def program(**second: str) -> None:
        vpc = ec2.Vpc("v", cidr_block="10.0.0.0/16")
        files = pulumi_aws.efs.FileSystem("f", encrypted=True)
        for name, zone in {"a": {"availability_zone_id": "use1-az1"}, "b": second}.items():
            made = ec2.Subnet(name, vpc_id=vpc.id, cidr_block="10.0.0.0/24", **zone)  # type: ignore[call-overload]
            pulumi_aws.efs.MountTarget(name, file_system_id=files.id, subnet_id=made.id)

    def reported(**second: str) -> set[str]:
        graph = rehearse(lambda: program(**second), config={"aws:region": "us-east-1"}).graph
        return {finding.code for finding in judge(graph, Settings(), RuleKind.PROVIDER).findings}

    rule = "aws-efs-mount-target-per-zone"
    assert rule in reported(availability_zone_id="use1-az1")
    assert rule not in reported(availability_zone_id="use1-az2")
    assert rule not in reported(availability_zone="us-east-1a")
