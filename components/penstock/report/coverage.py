"""The coverage of a report: what of a program was judged by no rule, was not rehearsed, or rests on invented answers.

A report without findings says something of what was looked at only. This is the rest, counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from penstock.core.findings import Finding
from penstock.core.wording import plural
from penstock.graph.graph import Graph, Lookup, Resource
from penstock.kubernetes.model.pods.places import is_unread
from penstock.rules.judge import Report

_OWN_PACK: Final = Path(__file__).parents[1] / "pack" / "policy_pack"
_PACK_FILES: Final = ("PulumiPolicy.yaml", "*/PulumiPolicy.yaml", "*/*/PulumiPolicy.yaml")
_CLOSED: Final = ("PROGRAM-001", "PROGRAM-002", "PROGRAM-004")
"""The findings on what another program or a provider in the program itself creates, and a rehearsal does not run."""
_MOST_SHOWN: Final = 5


@dataclass(frozen=True, slots=True)
class Coverage:
    """What was looked at.

    `without_rule` and `without_policy` are the resources by type to which no provider rule, or no enabled policy,
    applies; None where such rules were not evaluated. `unread` counts objects of custom kinds that may run pods no
    rule finds, by type; they are in both of the former. `closed` counts what is not rehearsed, `lookups` the functions
    whose results are invented, by token; `packs` are the folders of policy packs that were not run.
    """

    resources: int
    without_rule: Mapping[str, int] | None = None
    without_policy: Mapping[str, int] | None = None
    unread: Mapping[str, int] = field(default_factory=dict)
    closed: int = 0
    lookups: Mapping[str, int] | None = None
    packs: tuple[str, ...] = ()


def coverage_of(
    graph: Graph,
    *,
    judgement: Report | None = None,
    policies: Report | None = None,
    findings: Iterable[Finding] = (),
    folder: Path | None = None,
) -> Coverage:
    """Return the coverage of the rules on a Graph; `folder` is the project's, whose own policy packs are not run."""
    resources = [each for each in graph if each.custom and not each.external and not each.type.startswith("pulumi:")]
    unread = {each.urn: each.type for each in resources if is_unread(each)}
    return Coverage(
        resources=len(resources),
        without_rule=_without(judgement, resources, unread),
        without_policy=_without(policies, resources, unread),
        unread=dict(Counter(unread.values()).most_common()),
        closed=sum(finding.code in _CLOSED for finding in findings),
        lookups=Counter(lookup.token for lookup in graph.lookups if _is_invented(lookup)),
        packs=tuple(_packs(folder)) if folder is not None else (),
    )


def lines(coverage: Coverage | None) -> Iterator[str]:
    """The coverage in sentences."""
    if coverage is None or not coverage.resources:
        return
    rules, policies = coverage.without_rule, coverage.without_policy
    met = [
        f"{coverage.resources - sum(missed.values())} {by}"
        for missed, by in ((rules, "by provider rules"), (policies, "by policies"))
        if missed is not None
    ]
    if met:
        yield f"Of {plural(coverage.resources, 'resource')} judged: {', '.join(met)}."
    rules = {type_: count for type_, count in (rules or {}).items() if type_ not in coverage.unread}
    if rules:
        yield f"No provider rule applies to {_counted(rules)}."
    if coverage.unread:
        yield f"Custom kinds whose pods no rule reads: {_counted(coverage.unread)}."
    not_run = [
        f"{plural(coverage.closed, 'part')} that other programs create" if coverage.closed else "",
        f"policy pack {', '.join(coverage.packs)}" if coverage.packs else "",
    ]
    if any(not_run):
        yield f"Not run: {', '.join(filter(None, not_run))}."
    if coverage.lookups:
        yield f"Invented results of look-ups: {_counted(coverage.lookups)}."


def document(coverage: Coverage) -> dict[str, Any]:
    """The same as data."""
    return {
        "resources": coverage.resources,
        "without_provider_rule": coverage.without_rule,
        "without_policy": coverage.without_policy,
        "unread_kinds": coverage.unread,
        "not_rehearsed": coverage.closed,
        "invented_lookups": coverage.lookups,
        "policy_packs_not_run": list(coverage.packs),
    }


def _without(
    report: Report | None, resources: Iterable[Resource], unread: Mapping[str, str]
) -> Mapping[str, int] | None:
    if report is None:
        return None
    missed = Counter(each.type for each in resources if each.urn not in report.judged or each.urn in unread)
    return dict(missed.most_common())


def _is_invented(lookup: Lookup) -> bool:
    return any(value not in (None, "", [], {}) for key, value in lookup.answer.items() if key not in lookup.documented)


def _packs(folder: Path) -> Iterator[str]:
    for pattern in _PACK_FILES:
        for file in sorted(folder.glob(pattern)):
            if file.parent.resolve() != _OWN_PACK.resolve():
                yield str(file.parent.relative_to(folder))


def _counted(kinds: Mapping[str, int]) -> str:
    shown = [f"{count} × {kind}" if count > 1 else kind for kind, count in list(kinds.items())[:_MOST_SHOWN]]
    more = len(kinds) - len(shown)
    return ", ".join(shown) + (f" and {plural(more, 'more type')}" if more else "")
