"""Bounds of the AWS APIs on single fields, on any resource."""

from __future__ import annotations

from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st
from tests.programs import Program
from tests.rules.cases import RuleCase
from tests.rules.verdicts import verdict

from penstock.aws.types import EKS_NODE_GROUP, FSX_LUSTRE_FILE_SYSTEM, KMS_KEY
from penstock.catalog import api_limits
from penstock.catalog.api_limits import FieldLimit, LimitKind
from penstock.graph.values import Secret
from penstock.graph.verdict import Outcome

FUNCTION = "aws:lambda/function:Function"
TYPES = (
    EKS_NODE_GROUP,
    KMS_KEY,
    FSX_LUSTRE_FILE_SYSTEM,
    FUNCTION,
    "aws:sagemaker/endpointConfiguration:EndpointConfiguration",
)


def one(type_: str, **inputs: Any) -> Program:
    """A program of one resource."""
    return {"it": (type_, inputs)}


def limits(kind: LimitKind) -> st.SearchStrategy[tuple[str, FieldLimit]]:
    """A type and one of its limits."""
    return st.sampled_from([(type_, limit) for type_ in TYPES for limit in api_limits.limits_of(type_, kind)])


def program(type_: str, limit: FieldLimit, value: Any) -> Program:
    """A resource that has a value where a limit is."""
    for step in reversed(limit.path.steps[1:]):
        value = {step: value} if isinstance(step, str) else [value]
    return one(type_, **{limit.path.top: value})


@given(limits(LimitKind.WORD), st.text("abcXYZ_-.", min_size=1), st.data())
def test_the_words_of_an_api_pass_and_no_others(about: tuple[str, FieldLimit], other: str, data: st.DataObject) -> None:
    type_, limit = about
    assume(other not in limit.words)
    word = data.draw(st.sampled_from(limit.words))

    assert verdict(RuleCase("aws-api-enum-value", Outcome.PASS, program(type_, limit, word))).outcome is Outcome.PASS
    refused = verdict(RuleCase("aws-api-enum-value", Outcome.FAIL, program(type_, limit, other)))
    assert [failure.path for failure in refused.failures] == [str(limit.path).replace("[]", "[0]")]


@given(limits(LimitKind.NUMBER), st.integers(-(10**9), 10**9).filter(bool))
def test_a_number_passes_just_where_it_is_in_range(about: tuple[str, FieldLimit], number: int) -> None:
    type_, limit = about
    within = (limit.minimum is None or limit.minimum <= number) and (limit.maximum is None or number <= limit.maximum)

    said = verdict(RuleCase("aws-api-number-range", Outcome.PASS, program(type_, limit, number)))

    assert said.outcome is (Outcome.PASS if within else Outcome.FAIL)


@given(limits(LimitKind.PATTERN), st.data())
def test_what_has_the_form_passes(about: tuple[str, FieldLimit], data: st.DataObject) -> None:
    type_, limit = about
    assert limit.pattern is not None
    text = data.draw(st.from_regex(limit.pattern, fullmatch=True))
    assume(text and len(text) <= 1000)

    assert verdict(RuleCase("aws-api-text-pattern", Outcome.PASS, program(type_, limit, text))).outcome is Outcome.PASS


def test_a_message_never_repeats_a_secret() -> None:
    case = RuleCase(
        "aws-api-enum-value",
        Outcome.FAIL,
        one(EKS_NODE_GROUP, capacityType="spot", taints=Secret([{"effect": "hidden"}])),
    )

    said = verdict(case)

    assert said.outcome is Outcome.FAIL
    assert "hidden" not in str(said)
