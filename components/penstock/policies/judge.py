"""The judge of policies: the rules of the packs in force, with what exempts resources from them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from penstock.graph.graph import Graph
from penstock.policies import exemptions
from penstock.rules.judge import Answer, Report, judge
from penstock.rules.levels import RuleKind
from penstock.rules.settings import Settings


def judge_policies(
    graph: Graph,
    settings: Settings,
    *,
    today: date | None = None,
    of_state: Iterable[Answer] | None = None,
    beside: Report | None = None,
) -> Report:
    """Evaluate the policies in force on a Graph; the arguments are those of `rules.judge.judge`."""
    return judge(
        graph,
        settings,
        RuleKind.POLICY,
        today=today,
        exemption_of=exemptions.exemption_of,
        of_state=of_state,
        beside=beside,
    )
