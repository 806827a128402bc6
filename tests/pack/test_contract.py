"""The real policy pack, over its protocol, says of a program exactly what the rules say of its Graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fnmatch import fnmatchcase
from itertools import groupby
from typing import Any

import pytest
from pulumi.runtime.proto import analyzer_pb2 as rpc
from tests.pack import engine
from tests.pack.engine import Engine
from tests.programs import IT, graph_of
from tests.rules.cases import RuleCase, cases_by_rule, policy_cases
from tests.rules.verdicts import rules_by_id

from penstock.app.judge import judge_policies
from penstock.catalog.former_types import present
from penstock.core.findings import Severity
from penstock.graph.graph import STACK_TYPE
from penstock.pack.config import OWN
from penstock.policies import exemptions
from penstock.rules.levels import Enforcement
from penstock.rules.settings import Settings

pytestmark = pytest.mark.slow
LEVELS = {Severity.ERROR: rpc.MANDATORY, Severity.WARNING: rpc.ADVISORY}


@pytest.fixture(scope="module")
def pack() -> Iterator[Engine]:
    with engine.started() as running:
        yield running


def is_reported(case: RuleCase) -> bool:
    """Return whether Pulumi tells a policy pack of all that matters: it does not of retainOnDelete."""
    return not any(options.retain_on_delete for options in case.options.values())


def asking(case: RuleCase) -> Settings:
    """The case's settings, with its rule in force."""
    settings = case.settings.model_copy(update={"rules": {case.rule: Enforcement.MANDATORY, **case.settings.rules}})
    if rules_by_id()[case.rule].in_production and settings.environment is None:
        return settings.model_copy(update={"environment": "prod"})
    return settings


def block(settings: Settings) -> dict[str, Any]:
    return settings.model_dump(mode="json", exclude_none=True)


@pytest.mark.parametrize("rule", sorted({case.rule for case in policy_cases()}))
def test_the_pack_says_what_the_rules_say(pack: Engine, rule: str) -> None:
    wrong: list[str] = []
    for settings, cases in groupby(filter(is_reported, cases_by_rule()[rule]), key=asking):
        pack.stack(**block(settings))
        wrong += [f"{case}: {each}" for case in cases for each in differences(pack, case, settings)]

    assert not wrong, "\n".join(wrong)


def differences(pack: Engine, case: RuleCase, settings: Settings) -> Iterator[str]:
    """What the pack says of a case otherwise than the rules."""
    program = graph_of(case.program, preview=case.preview, options=case.options)
    graph = replace(engine.with_providers(program), exports=case.exports)
    report = judge_policies(graph, settings)

    reported = pack.registered(graph)
    at_once = {each.policyName for each in reported}
    reported += pack.finished(graph)

    heard = Counter(
        (each.policyName, each.urn, each.message.split("\n")[1], each.enforcementLevel)
        for each in reported
        if each.policyName != OWN
    )
    said = Counter((each.code, each.urn, each.message, LEVELS[each.severity]) for each in report.findings if each.urn)
    if heard != said:
        yield f"the pack says {heard - said}, the rules {said - heard}"
    if sum("undetermined until" in each.message for each in reported) != bool(report.count("unknown")):
        yield "undetermined checks are reported where there are none, or not where there are some"
    if case.outcome == "fail" and case.rule not in at_once and not waits(case):
        yield "one could tell that this is wrong before it is made, and does not"


def waits(case: RuleCase) -> bool:
    """Return whether only other resources can tell that a rule is broken."""
    rule, type_ = rules_by_id()[case.rule], present(case.program[IT][0])
    excusable = any(
        each.relation and rule.id in each.rules and any(fnmatchcase(type_, pattern) for pattern in each.types)
        for each in exemptions.all_exemptions()
    )
    return rule.joins or type_ == STACK_TYPE or excusable or case.preview
