"""The real policy pack, over its protocol, says of a program exactly what the rules say of its Graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Any

import pytest
from pulumi.runtime.proto import analyzer_pb2 as rpc
from tests.pack import engine
from tests.pack.engine import Engine
from tests.policies.cases import PolicyCase, cases, rule_of
from tests.rulecases import IT, graph_of

from penstock.findings import Severity
from penstock.pack.config import OWN
from penstock.policies import exemptions
from penstock.policies.judge import judge_policies
from penstock.resources.former_types import present
from penstock.resources.graph import STACK_TYPE
from penstock.rules.levels import Enforcement
from penstock.rules.settings import Settings

CASES = [each for each in cases() if not any(options.retain_on_delete for options in each.options.values())]
"""Pulumi does not tell a policy pack of retainOnDelete."""
LEVELS = {Severity.ERROR: rpc.MANDATORY, Severity.WARNING: rpc.ADVISORY}


@pytest.fixture(scope="module")
def pack() -> Iterator[Engine]:
    with engine.started() as running:
        yield running


def asking(case: PolicyCase) -> Settings:
    """The case's settings, with its rule in force."""
    settings = case.settings.model_copy(update={"rules": {case.rule: Enforcement.MANDATORY, **case.settings.rules}})
    if rule_of(case.rule).in_production and settings.environment is None:
        return settings.model_copy(update={"environment": "prod"})
    return settings


def block(settings: Settings) -> dict[str, Any]:
    return settings.model_dump(mode="json", exclude_none=True)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_pack_says_what_the_rules_say(pack: Engine, case: PolicyCase) -> None:
    settings = asking(case)
    program = graph_of(case.program, preview=case.preview, options=case.options)
    graph = replace(engine.with_providers(program), exports=case.exports)
    report = judge_policies(graph, settings)
    pack.stack(**block(settings))

    told = pack.registered(graph)
    at_once = {each.policyName for each in told}
    told += pack.finished(graph)

    heard = Counter(
        (each.policyName, each.urn, each.message.split("\n")[1], each.enforcementLevel)
        for each in told
        if each.policyName != OWN
    )
    assert heard == Counter(
        (each.code, each.urn, each.message, LEVELS[each.severity]) for each in report.findings if each.urn
    )
    assert sum("nobody can answer" in each.message for each in told) == bool(report.count("unknown"))
    assert (
        case.outcome != "fail" or case.rule in at_once or waits(case)
    )  # nothing is made that one could tell was wrong


def waits(case: PolicyCase) -> bool:
    """Whether only other resources can tell that a rule is broken."""
    rule, type_ = rule_of(case.rule), present(case.program[IT][0])
    excusable = any(
        each.relation and rule.id in each.rules and any(fnmatchcase(type_, pattern) for pattern in each.types)
        for each in exemptions.table()
    )
    return rule.joins or type_ == STACK_TYPE or excusable or case.preview
