"""The tables of questions agree with the models and documents of the APIs that they ask."""

from __future__ import annotations

import re
from pathlib import Path

import boto3
import jmespath
import pytest
from tests.environments import STACKS, rehearsed

from penstock.aws.preflight.account import READS
from penstock.aws.preflight.things import AwsQuestion, parameters, questions
from penstock.catalog.tables import rows
from penstock.preconditions.named import named_things

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "preflight.md"
WORDS = {"name": "n", "text": "t", "group": "g", "account": "a", "service": "s"}
WITHOUT_QUESTION = {
    "aws": {"aws-marketplace-addon", "aws-marketplace-image"},
    "gcp": {"gcp-marketplace-image", "gcp-key-ring", "gcp-repository", "gcp-user"},
    "azure": {"az-principal"},
}
"""Kinds whose state no single call of the cloud shows to a caller."""


@pytest.mark.parametrize("question", questions(), ids=lambda each: f"{each.kind} {each.operation}")
def test_an_operation_of_aws_reads_and_takes_the_parameters(question: AwsQuestion) -> None:
    client = boto3.client(question.service, "us-east-1", aws_access_key_id="x", aws_secret_access_key="x")
    api = client.meta.method_to_api_mapping[question.operation]
    shape = client.meta.service_model.operation_model(api).input_shape

    given = parameters(question, WORDS)

    assert question.operation.startswith(READS)
    assert set(given) <= set(shape.members)
    assert all(isinstance(given[key], list) == (shape.members[key].type_name == "list") for key in given)
    assert set(shape.required_members) <= set(given)
    jmespath.compile(question.items.format_map(WORDS))
    if question.state:
        jmespath.compile(question.state)


@pytest.mark.parametrize("question", questions(), ids=lambda each: f"{each.kind} {each.operation}")
def test_items_and_states_are_members_of_the_answer(question: AwsQuestion) -> None:
    client = boto3.client(question.service, "us-east-1", aws_access_key_id="x", aws_secret_access_key="x")
    api = client.meta.method_to_api_mapping[question.operation]
    shape = client.meta.service_model.operation_model(api).output_shape
    first = re.match(r"[A-Za-z]+", question.items)

    item = shape
    if first is not None:
        item = shape.members[first[0]]
        item = item.member if item.type_name == "list" else item
    state = re.match(r"[A-Za-z]+", question.state)

    assert state is None or state[0] in item.members


@pytest.mark.parametrize("provider", WITHOUT_QUESTION)
def test_every_kind_of_named_thing_has_a_question(provider: str) -> None:
    asked = {row["kind"] for row in rows(f"{provider}/questions")}

    kinds = {each.kind for each in named_things(provider)}

    assert kinds - asked == WITHOUT_QUESTION[provider]


@pytest.mark.slow
@pytest.mark.parametrize("provider", ["aws", "gcp", "azure"])
def test_every_type_of_the_environments_has_its_permissions(provider: str) -> None:
    package = {"azure": "azure-native"}.get(provider, provider)
    known = {row["type"] for row in rows(f"{provider}/permissions")}
    used = {
        each.type
        for stack in STACKS
        if stack.startswith(provider)
        for each in rehearsed(stack).graph
        if each.type.startswith(f"{package}:")
    }

    assert used - known - {"gcp:billing/budget:Budget"} == set()


def test_the_guide_grants_every_action_that_aws_is_asked_by() -> None:
    granted = set(re.findall(r'"([a-z0-9-]+:\w+)"', GUIDE.read_text(encoding="utf-8")))
    prefixes = {"elbv2": "elasticloadbalancing", "efs": "elasticfilesystem"}

    def action(question: AwsQuestion) -> str:
        client = boto3.client(question.service, "us-east-1", aws_access_key_id="x", aws_secret_access_key="x")
        api = client.meta.method_to_api_mapping[question.operation]
        return f"{prefixes.get(question.service, question.service)}:{api}"

    assert {action(each) for each in questions()} - granted == set()


def test_the_guide_grants_every_permission_that_google_cloud_is_asked_by() -> None:
    text = GUIDE.read_text(encoding="utf-8")

    assert [row["permission"] for row in rows("gcp/questions") if row["permission"] not in text] == []
