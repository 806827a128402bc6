"""Cases of our Kubernetes rules, decided by a cluster: who decides each rule, and where the two differ and why."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import yaml
from tests.cluster.api import Api, Object
from tests.cluster.nodes import node_objects
from tests.cluster.objects import NotWritten, manifests
from tests.cluster.observed import Observed, admitted, run
from tests.programs import IT
from tests.rules.cases import RuleCase, cases_by_rule
from tests.rules.verdicts import rules_by_id

from penstock.graph.verdict import NotKnown, Outcome, TypeMismatch
from penstock.graph.view import Site, View
from penstock.kubernetes.rules import nodes

_DATA: Final = Path(__file__).parent / "data"
ADMISSION: Final = ("admission", "kueue")
"""Deciders that take or refuse an object as soon as they see it."""
NOBODY: Final = "nobody"

SEEN: Final[Mapping[str, Callable[[Observed], Iterable[str]]]] = {
    "scheduler": lambda observed: observed.unplaced,
    "pods": lambda observed: observed.without_pods,
    "events": lambda observed: observed.without_target,
    "endpoints": lambda observed: observed.without_endpoints,
    "queues": lambda observed: observed.unqueued,
}
"""What counts as trouble, by what in a cluster decides a rule."""

_EMPTY_NODE: Final[Object] = {
    "apiVersion": "v1",
    "kind": "Node",
    "metadata": {"name": "any", "labels": {"kubernetes.io/hostname": "any"}},
    "status": {kind: {"cpu": "1k", "memory": "8Ti", "pods": "1000"} for kind in ("capacity", "allocatable")},
}


@dataclass(frozen=True, slots=True)
class Decision:
    """What a cluster made of a case.

    Attributes:
        case: the case.
        name: of its rule and outcome, with a number.
        predicted: whether a rule of the same decider foresees trouble.
        words: those of the cluster about trouble, empty where all went well; None where it cannot decide the case.
        undecided: why it cannot; empty where it can.
    """

    case: RuleCase
    name: str
    predicted: bool
    words: str | None
    undecided: str = ""

    @property
    def differs(self) -> bool:
        """True where the cluster has trouble with what rules pass, or none with what they fail."""
        return self.words is not None and bool(self.words) != self.predicted


class _Undecided(Exception):
    """A cluster cannot decide a case."""


@cache
def deciders() -> Mapping[str, str]:
    """What decides each Kubernetes rule in a cluster."""
    with (_DATA / "deciders.csv").open(encoding="utf-8") as stream:
        return {row["rule"]: row["decider"] for row in csv.DictReader(stream)}


@cache
def explained() -> Mapping[str, str]:
    """Why a cluster decides a case otherwise, by the case's name."""
    found: Mapping[str, str] = yaml.safe_load((_DATA / "disagreements.yaml").read_text(encoding="utf-8")) or {}
    return found


def decidable(*by: str) -> list[tuple[str, RuleCase]]:
    """The cases that pass or fail, of the rules that something in a cluster decides, by name."""
    found: list[tuple[str, RuleCase]] = []
    for rule, decider in deciders().items():
        seen: Counter[str] = Counter()
        for case in cases_by_rule()[rule]:
            if decider in by and case.outcome in (Outcome.PASS, Outcome.FAIL):
                seen[case.outcome] += 1
                found.append((f"{rule}-{case.outcome}-{seen[case.outcome]}", case))
    return found


def decide(api: Api, name: str, case: RuleCase) -> Decision:
    """What a cluster makes of a case."""
    decider = deciders()[case.rule]
    judged_by = [rule for rule, other in deciders().items() if other == decider]
    predicted = any(fails(case, rule) for rule in judged_by) if IT in case.program else case.outcome == Outcome.FAIL
    try:
        return Decision(case, name, predicted, _words(api, case, decider))
    except _Undecided as why:
        return Decision(case, name, predicted, None, str(why))


def admits_requests(case: RuleCase) -> bool:
    """Whether the cluster of a case lets pods past the taint of a device that they request, as GKE does."""
    if IT not in case.program:
        return False
    try:
        return any(offer.admits_requests for offer in nodes.offers(_it(case)))
    except (NotKnown, TypeMismatch):
        return False


def _words(api: Api, case: RuleCase, decider: str) -> str:
    try:
        objects = manifests(case.graph)
    except NotWritten:
        raise _Undecided("a value is not known before the program runs") from None
    if IT not in case.program:
        if not objects:
            raise _Undecided("it has no object of a server")
        return "; ".join(run(api, objects, [_EMPTY_NODE]).refused.values())
    mine = [manifest for urn, manifest in objects if urn == case.urn]
    if not mine:
        raise _Undecided("it is no object of a server")
    if not api.serves(mine[0]) and case.path != "apiVersion":
        raise _Undecided(f"the server has no {mine[0]['kind']}")
    if decider in ADMISSION:
        return _about(case, admitted(api, objects, case.urn))
    if lacking := [manifest["kind"] for _, manifest in objects if not api.serves(manifest)]:
        raise _Undecided(f"the server has no {lacking[0]}")
    observed = run(api, objects, _nodes(_it(case)))
    return observed.refused.get(case.urn) or "; ".join(SEEN[decider](observed))


def fails(case: RuleCase, rule: str) -> bool:
    """Return whether a rule fails a case, whichever rule the case is of."""
    found = rules_by_id()[rule]
    it = _it(case)
    try:
        return found.judges(it.type) and found.judge(it, case.settings).outcome == Outcome.FAIL
    except (NotKnown, TypeMismatch):
        return False


def _it(case: RuleCase) -> View:
    graph = case.graph
    return View(graph[case.urn], Site(graph))


def _about(case: RuleCase, words: str) -> str:
    """The words of a server, unless they are about something else than the property at which the rule fails."""
    if case.outcome != Outcome.FAIL or case.path in (None, "apiVersion"):
        return words
    steps = re.sub(r"\[[^]]*\]", "", str(case.path)).split(".")
    about = [step for step in (steps[-1], *steps[-2:-1], case.says) if step]
    unread = "must match the regular expression" in words  # of a quantity; the server names no property then
    return words if unread or any(each.lower() in words.lower() for each in about) else ""


def table(decisions: Iterable[Decision]) -> str:
    """The agreement by what decides, as a table."""
    rows: dict[str, Counter[str]] = {}
    for each in decisions:
        row = rows.setdefault(deciders()[each.case.rule], Counter())
        row["undecided" if each.words is None else "differ" if each.differs else "agree"] += 1
    lines = [f"{'decided by':<12}{'cases':>7}{'agree':>7}{'differ':>8}{'undecided':>11}"]
    for decider, row in sorted(rows.items()):
        lines.append(f"{decider:<12}{row.total():>7}{row['agree']:>7}{row['differ']:>8}{row['undecided']:>11}")
    return "\n".join(lines)


def _nodes(view: View) -> list[Object]:
    """The nodes of the program that a resource is in; one that takes any plain pod where the program tells of none."""
    try:
        return list(node_objects(nodes.offers(view)))
    except (NotKnown, TypeMismatch):
        return [_EMPTY_NODE]
