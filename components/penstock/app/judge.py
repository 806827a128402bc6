"""Policies on resources of any origin: a rehearsal, an exported state or the Pulumi engine."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from penstock.core.clock import utc_today
from penstock.graph.graph import Graph
from penstock.graph.view import View
from penstock.policies import exemptions
from penstock.rules.judge import Answer, Report, evaluate, judge
from penstock.rules.levels import RuleKind
from penstock.rules.rule import Rule
from penstock.rules.settings import Settings


def judge_policies(
    graph: Graph,
    settings: Settings,
    *,
    today: date | None = None,
    of_state: Iterable[Answer] | None = None,
    beside: Report | None = None,
) -> Report:
    """Evaluate the enabled policies on a Graph; the arguments are those of `rules.judge.judge`."""
    return judge(
        graph,
        settings,
        RuleKind.POLICY,
        today=today,
        exemption_of=exemptions.exemption_of,
        of_state=of_state,
        beside=beside,
    )


def evaluate_policy(rule: Rule, view: View, settings: Settings) -> Answer:
    """Evaluate one policy on one resource today."""
    return evaluate(rule, view, settings, utc_today(), exemptions.exemption_of)
