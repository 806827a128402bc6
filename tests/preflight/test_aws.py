"""Answers of an account of AWS: moto's, and what moto lacks in the form of the API references."""

from __future__ import annotations

import json
import sys
from typing import Any

import boto3
import pytest
from tests.environments import rehearsed
from tests.graphs import graph_of, resource
from tests.preflight.asking import about, replies
from tests.preflight.awsserver import AwsServer

from penstock.aws.preflight import AwsInquiry
from penstock.aws.preflight.account import open_account
from penstock.core.errors import CannotAsk
from penstock.graph.graph import Graph
from penstock.graph.view import Site
from penstock.preflight import Reply, Status

pytestmark = pytest.mark.slow

TRAIN = "aws-train"
ADOPT = "aws-adopt"
RESERVATION = "Active capacity reservation"
TRUST = '{"Version":"2012-10-17","Statement":[]}'
MANIFEST = "application/vnd.docker.distribution.manifest.v2+json"
PROVIDER = "pulumi:providers:aws"


def inquiry(graph: Graph, region: str) -> AwsInquiry:
    return AwsInquiry(open_account(region), Site(graph))


def answers(stack: str, region: str) -> dict[str, Reply]:
    graph = rehearsed(stack).graph
    return dict(replies("aws", inquiry(graph, region), graph))


def client(service: str, region: str = "us-east-1") -> Any:
    """A client that sets an account up."""
    return boto3.client(service, region_name=region)


def program(*resources: Any) -> Graph:
    return graph_of(resource(PROVIDER, "aws", inputs={"region": "us-east-1"}), *resources)


def test_every_precondition_of_a_rehearsal_is_answered(aws: AwsServer) -> None:
    for each in (TRAIN, ADOPT, "aws-blocks", "aws-trainium"):
        found = answers(each, "us-east-1")

        assert {precondition.what for precondition in rehearsed(each).preconditions} <= set(found)
    assert aws.called


def test_only_reads_are_sent(aws: AwsServer) -> None:
    answers(TRAIN, "us-east-1")
    answers(ADOPT, "eu-north-1")

    reads = ("Describe", "Get", "List", "Simulate", "GET ")
    assert len(set(aws.called)) > 8
    assert [each for each in aws.called if not each.startswith(reads)] == []


def test_a_call_that_may_change_something_is_never_sent(aws: AwsServer) -> None:
    account = open_account("us-east-1")
    aws.called.clear()

    with pytest.raises(RuntimeError, match="may change something"):
        account.call("ec2", "create_vpc", CidrBlock="10.0.0.0/16")
    assert aws.called == []


def test_a_role_is_met_once_it_is_there(aws: AwsServer) -> None:
    assert about(answers(TRAIN, "us-east-1"), "IAM role platform").status is Status.NOT_MET

    client("iam").create_role(RoleName="platform", AssumeRolePolicyDocument=TRUST)

    assert about(answers(TRAIN, "us-east-1"), "IAM role platform").status is Status.MET
    assert aws.called


def test_a_role_of_another_account_cannot_be_asked(aws: AwsServer) -> None:
    arn = "arn:aws:iam::999999999999:role/platform"
    graph = program(resource("aws:eks/accessEntry:AccessEntry", "admin", inputs={"principalArn": arn}))

    reply = about(replies("aws", inquiry(graph, "us-east-1"), graph), "IAM role platform")

    assert reply.status is Status.NOT_ASKED
    assert "999999999999" in reply.found
    assert "GetRole" not in aws.called


@pytest.mark.parametrize(
    ("quotas", "defaults", "status", "shown"),
    [
        ({"L-417A185B": 4000}, {}, Status.MET, "4,000 vCPU"),
        ({"L-417A185B": 3071}, {}, Status.NOT_MET, "3,071 vCPU"),
        ({}, {"L-417A185B": 0}, Status.NOT_MET, "0 vCPU"),
        ({}, {}, Status.NOT_ASKED, "NoSuchResourceException"),
    ],
)
def test_a_quota_is_the_applied_one_or_else_the_default(
    aws: AwsServer, quotas: dict[str, float], defaults: dict[str, float], status: Status, shown: str
) -> None:
    aws.quotas, aws.default_quotas = quotas, defaults

    reply = about(answers(TRAIN, "us-east-1"), "L-417A185B")

    assert reply.status is status
    assert shown in reply.found


def test_quotas_that_a_new_account_has_are_asked_too(aws: AwsServer) -> None:
    aws.quotas = {"L-0263D0A3": 2}

    assert not any("L-0263D0A3" in each.what for each in rehearsed(TRAIN).preconditions)
    assert about(answers(TRAIN, "us-east-1"), "L-0263D0A3").status is Status.NOT_MET


@pytest.mark.parametrize(("account", "status"), [("123456789012", Status.MET), ("210987654321", Status.NOT_MET)])
def test_the_account_guard_is_held_to_the_caller(aws: AwsServer, account: str, status: Status) -> None:
    guarded = resource(PROVIDER, "guarded", inputs={"region": "us-east-1", "allowedAccountIds": f'["{account}"]'})
    graph = graph_of(guarded)

    reply = about(replies("aws", inquiry(graph, "us-east-1"), graph), f"of account {account}")

    assert reply.status is status
    assert "123456789012" in reply.found
    assert aws.called


def test_denied_actions_are_named(aws: AwsServer) -> None:
    aws.denied = {"ec2:CreateVpc": "implicitDeny", "iam:CreateRole": "explicitDeny"}

    reply = about(answers(TRAIN, "us-east-1"), "actions allowed")

    assert reply.status is Status.NOT_MET
    assert "ec2:CreateVpc" in reply.found
    assert "iam:CreateRole explicitly denied" in reply.found
    assert aws.called.count("SimulatePrincipalPolicy") == 2  # a call takes a hundred actions


def test_allowed_actions_are_met(aws: AwsServer) -> None:
    assert about(answers(TRAIN, "us-east-1"), "actions allowed").status is Status.MET
    assert "SimulatePrincipalPolicy" in aws.called


@pytest.mark.parametrize(
    ("held", "status", "shown"),
    [
        ({}, Status.MET, "2 of them free, and up to 2 needed"),
        ({"availableInstanceCount": "1"}, Status.NOT_MET, "1 of them free"),
        ({"instanceType": "p4d.24xlarge"}, Status.NOT_MET, "p5.48xlarge"),
        ({"state": "scheduled"}, Status.NOT_ASKED, "not begun"),
        ({"state": "expired"}, Status.NOT_MET, "expired"),
    ],
)
def test_a_reservation_is_active_large_enough_and_of_the_machine_type(
    aws: AwsServer, held: dict[str, str], status: Status, shown: str
) -> None:
    aws.reservations = [
        {
            "capacityReservationId": "cr-0123456789abcdef0",
            "instanceType": "p5.48xlarge",
            "availabilityZone": "eu-north-1a",
            "totalInstanceCount": "2",
            "availableInstanceCount": "2",
            "state": "active",
            **held,
        }
    ]

    reply = about(answers(ADOPT, "eu-north-1"), RESERVATION)

    assert (reply.status, shown in reply.found) == (status, True), reply.found


def test_an_adopted_network_is_asked_for_its_free_addresses(aws: AwsServer) -> None:
    ec2 = client("ec2")
    network = ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
    subnets = [
        ec2.create_subnet(VpcId=network, CidrBlock=f"10.0.{number}.0/28")["Subnet"]["SubnetId"] for number in (0, 1)
    ]
    scaling = {"minSize": 0, "desiredSize": 0, "maxSize": 12}
    small = resource(
        "aws:eks/nodeGroup:NodeGroup",
        "small",
        inputs={"subnetIds": subnets[:1], "scalingConfig": {**scaling, "maxSize": 11}, "instanceTypes": ["m7i.large"]},
    )
    large = resource(
        "aws:eks/nodeGroup:NodeGroup",
        "large",
        inputs={"subnetIds": subnets[1:], "scalingConfig": scaling, "instanceTypes": ["m7i.large"]},
    )
    graph = program(small, large)

    found = replies("aws", inquiry(graph, "us-east-1"), graph)

    assert "11 addresses free" in about(found, subnets[0]).found
    assert [about(found, each).status for each in subnets] == [Status.MET, Status.NOT_MET]
    assert aws.called


def test_a_zone_that_does_not_offer_the_machine_is_named(aws: AwsServer) -> None:
    subnet = resource(
        "aws:ec2/subnet:Subnet", "s", inputs={"availabilityZone": "us-east-1e", "cidrBlock": "10.0.0.0/24"}
    )
    pool = resource(
        "aws:ec2/instance:Instance",
        "m",
        inputs={"instanceType": "p4d.24xlarge", "subnetId": "s-id", "region": "us-east-1"},
    )
    graph = program(subnet, pool)

    reply = about(replies("aws", inquiry(graph, "us-east-1"), graph), "p4d.24xlarge offered in us-east-1e")

    assert reply.status is Status.NOT_MET
    assert "us-east-1a" in reply.found
    assert aws.called


def test_a_range_that_another_network_has_is_not_free(aws: AwsServer) -> None:
    assert about(answers(TRAIN, "us-east-1"), "Range 10.40.0.0/16").status is Status.MET

    network = client("ec2").create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
    assert about(answers(TRAIN, "us-east-1"), "Range 10.40.0.0/16").status is Status.MET
    other = client("ec2").create_vpc(CidrBlock="10.40.128.0/17")["Vpc"]["VpcId"]

    reply = about(answers(TRAIN, "us-east-1"), "Range 10.40.0.0/16")
    assert reply.status is Status.NOT_MET
    assert other in reply.found
    assert network not in reply.found
    assert aws.called


@pytest.mark.parametrize(
    ("versions", "status"), [({"1.35": "STANDARD_SUPPORT"}, Status.MET), ({"1.34": "x"}, Status.NOT_MET)]
)
def test_a_version_is_one_that_eks_offers(aws: AwsServer, versions: dict[str, str], status: Status) -> None:
    aws.versions = versions

    assert about(answers(TRAIN, "us-east-1"), "Kubernetes 1.35").status is status


def test_a_missing_permission_is_named(aws: AwsServer) -> None:
    aws.unauthorized = {"DescribeVpcs"}

    reply = about(answers(TRAIN, "us-east-1"), "Range 10.40.0.0/16")

    assert reply.status is Status.NOT_ASKED
    assert "ec2:DescribeVpcs" in reply.found
    assert "ec2:DescribeVpcs" in reply.fix


def test_throttled_calls_are_sent_again(aws: AwsServer) -> None:
    account = open_account("us-east-1")
    aws.throttled = 2

    assert account.call("ec2", "describe_vpcs", "us-east-1")["Vpcs"]
    assert aws.called.count("DescribeVpcs") == 3


@pytest.mark.parametrize(("tags", "status"), [(["team"], Status.MET), ([], Status.NOT_MET)])
def test_cost_tags_are_active_or_named(aws: AwsServer, tags: list[str], status: Status) -> None:
    aws.active_tags = tags
    filters = [{"name": "TagKeyValue", "values": ["user:team$ml"]}]
    graph = program(resource("aws:budgets/budget:Budget", "b", inputs={"costFilters": filters}))

    assert about(replies("aws", inquiry(graph, "us-east-1"), graph), "Cost allocation tag").status is status


def test_a_name_that_a_deleted_secret_has_is_not_free(aws: AwsServer) -> None:
    graph = program(resource("aws:secretsmanager/secret:Secret", "s", inputs={"name": "token"}))

    def reply() -> Reply:
        return about(replies("aws", inquiry(graph, "us-east-1"), graph), "Name token")

    assert reply().status is Status.MET
    secrets = client("secretsmanager")
    secrets.create_secret(Name="token", SecretString="x")
    assert "this stack's own" in reply().found
    secrets.delete_secret(SecretId="token", RecoveryWindowInDays=7)

    assert reply().status is Status.NOT_MET
    assert "deleted" in reply().found
    assert "GetSecretValue" not in aws.called


def test_an_image_is_in_its_repository_or_is_not(aws: AwsServer) -> None:
    image = "123456789012.dkr.ecr.us-east-1.amazonaws.com/trainer:1"
    pod = {"spec": {"containers": [{"name": "c", "image": image}]}}
    graph = program(resource("kubernetes:core/v1:Pod", "p", inputs=pod))

    def reply() -> Reply:
        return about(replies("aws", inquiry(graph, "us-east-1"), graph), "Image")

    assert reply().status is Status.NOT_MET
    registry = client("ecr")
    registry.create_repository(repositoryName="trainer")
    assert reply().status is Status.NOT_MET
    config = {"digest": f"sha256:{'0' * 64}"}
    manifest = json.dumps({"schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": []})
    registry.put_image(repositoryName="trainer", imageManifest=manifest, imageTag="1")

    assert reply().status is Status.MET
    assert aws.called


def test_without_credentials_the_command_to_log_in_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE", "AWS_SESSION_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    for name in ("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"):
        monkeypatch.setenv(name, "/dev/null")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")

    with pytest.raises(CannotAsk, match="aws sso login"):
        open_account("us-east-1")


def test_without_the_sdk_the_extra_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "boto3", None)

    with pytest.raises(CannotAsk, match=r"penstock-iac\[preflight-aws\]"):
        open_account("us-east-1")


def test_an_answer_of_another_form_is_no_answer(aws: AwsServer) -> None:
    aws.versions = {"1.35": "STANDARD_SUPPORT"}
    aws.broken = {"/cluster-versions"}

    reply = about(answers(TRAIN, "us-east-1"), "Kubernetes 1.35")

    assert reply.status is Status.NOT_ASKED
    assert "form" in reply.found
