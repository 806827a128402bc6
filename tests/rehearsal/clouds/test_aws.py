"""Simulated AWS answers in AWS' own forms."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pulumi
import pulumi_aws
import pytest
from pulumi_aws import ec2, eks, iam, s3, secretsmanager

from penstock.rehearsal import clouds, sdk_types
from penstock.rehearsal.graph import Resource
from penstock.rehearsal.run import rehearse

TABLE: dict[str, Any] = tomllib.loads(Path(clouds.__file__).with_name("aws.toml").read_text(encoding="utf-8"))
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
