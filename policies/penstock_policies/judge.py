"""Asks the rules of the packs in force about everything in a Graph, and tells what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date

from penstock.findings import Finding, Severity, Source
from penstock.resources.former_types import by_present_names
from penstock.resources.graph import DEFAULT_OPTIONS, STACK_TYPE, Graph, Resource
from penstock.resources.verdict import UNKNOWN, Failure, Outcome, Verdict, asked
from penstock.resources.view import Site, View
from penstock_policies import exemptions, packs, rules
from penstock_policies.exemptions import Exemption
from penstock_policies.rule import Concern, Rule
from penstock_policies.settings import Doubt, Enforcement, Settings, level
from penstock_policies.waivers import Waiver

_SEVERITIES = {Enforcement.MANDATORY: Severity.ERROR, Enforcement.ADVISORY: Severity.WARNING}


@dataclass(frozen=True, slots=True)
class Answer:
    """What one rule says of one resource, and what excuses it where it is broken."""

    rule: Rule
    resource: Resource
    verdict: Verdict
    waiver: Waiver | None = None
    exemption: Exemption | None = None

    @property
    def outcome(self) -> str:
        """The verdict's outcome; `waived` or `exempt` where something excuses a failure."""
        if self.waiver is not None:
            return "waived"
        return "exempt" if self.exemption is not None else self.verdict.outcome.value


@dataclass(frozen=True, slots=True)
class Report:
    """What all rules say of all resources.

    `answers` are those that a person may want to see: what failed, what is excused and what could not be told. `counts`
    are all of them by concern and outcome (pass, fail, unknown, waived, exempt).
    """

    settings: Settings
    answers: tuple[Answer, ...]
    counts: Counter[tuple[Concern, str]]
    findings: tuple[Finding, ...]

    def of(self, outcome: str) -> tuple[Answer, ...]:
        """The answers of one outcome."""
        return tuple(answer for answer in self.answers if answer.outcome == outcome)

    def count(self, outcome: str) -> int:
        """How many answers of one outcome there are, over all concerns."""
        return sum(number for (_, other), number in self.counts.items() if other == outcome)


def judge(graph: Graph, settings: Settings, *, today: date | None = None) -> Report:
    """What the rules in force say of a Graph; waivers that have expired by `today` excuse nothing."""
    day = today or date.today()  # noqa: DTZ011 a waiver ends with the day where its owner is
    site = Site(by_present_names(_with_stack(graph)))
    counts: Counter[tuple[Concern, str]] = Counter()
    kept: list[Answer] = []
    asked_of: dict[str, tuple[Rule, ...]] = {}
    for resource in site.graph:
        if resource.external:
            continue
        if resource.type not in asked_of:
            asked_of[resource.type] = packs.asked(rules.rules_on(resource.type), settings)
        view = View(resource, site)
        for rule in asked_of[resource.type]:
            answer = ask(rule, view, settings, day)
            counts[rule.concern, answer.outcome] += 1
            if answer.outcome not in (Outcome.PASS, Outcome.NOT_APPLICABLE):
                kept.append(answer)
    return Report(settings, tuple(kept), counts, (*_findings(kept, settings), *_of_waivers(kept, settings, day)))


def ask(rule: Rule, it: View, settings: Settings, today: date) -> Answer:
    """What a rule says of a resource. One that fails itself cannot tell: a slip of ours must not stop a deployment."""
    try:
        verdict = asked(lambda view: rule.check.judge(view, settings), it)
        exemption = exemptions.of(rule.id, it) if verdict.outcome is Outcome.FAIL else None
    except Exception:  # noqa: BLE001 whatever it is, there are other rules
        verdict, exemption = UNKNOWN, None
    answer = Answer(rule, it.resource, verdict, exemption=exemption)
    if verdict.outcome is not Outcome.FAIL or exemption is not None:
        return answer
    return replace(answer, waiver=next((each for each in _live(settings, today) if each.covers(rule.id, it.urn)), None))


def findings_of(answer: Answer, settings: Settings) -> Iterator[Finding]:
    """The findings of one answer: one for each failure, or one for a doubt that the settings want to see."""
    rule = answer.rule
    if answer.outcome == Outcome.FAIL:
        severity = _SEVERITIES[level(settings, rule.id, rule.concern, rule.weight)]
        for failure in answer.verdict.failures:
            yield _finding(answer, severity, failure)
    elif answer.outcome == Outcome.UNKNOWN and settings.unknown is not Doubt.COUNTED:
        severity = _SEVERITIES[Enforcement(settings.unknown.value)]
        yield _finding(answer, severity, Failure(f"nobody can tell yet whether this holds: {rule.what}"))


def _findings(answers: Iterable[Answer], settings: Settings) -> Iterator[Finding]:
    for answer in answers:
        yield from findings_of(answer, settings)


def _finding(answer: Answer, severity: Severity, failure: Failure) -> Finding:
    place = answer.resource.place
    return Finding(
        code=answer.rule.id,
        severity=severity,
        source=Source.POLICY,
        message=failure.message,
        hint=failure.hint or answer.rule.fix,
        urn=failure.urn or answer.resource.urn,
        path=failure.path or None,
        file=place.file if place else None,
        line=place.line if place else None,
    )


def _live(settings: Settings, today: date) -> Iterator[Waiver]:
    return (waiver for waiver in settings.waivers if waiver.holds_on(today))


def _of_waivers(answers: Iterable[Answer], settings: Settings, today: date) -> Iterator[Finding]:
    """What is wrong with waivers: one that names no rule, that has expired, or that excuses nothing."""
    failed = [(answer.rule.id, answer.resource.urn) for answer in answers if answer.verdict.outcome is Outcome.FAIL]
    known = {rule.id for rule in rules.catalogue()} if settings.waivers else ()
    for index, waiver in enumerate(settings.waivers):
        needed = any(waiver.covers(rule, urn) for rule, urn in failed)
        if waiver.rule not in known:
            yield _of_waiver(index, "POLICY-001", f"no rule is called {waiver.rule!r}", "Name the rule that it waives.")
        elif not waiver.holds_on(today):
            hint = f"Mend what it excused, or let {waiver.owner} set another day." if needed else "Remove it."
            yield _of_waiver(index, "POLICY-002", f"the waiver of {waiver.rule} expired on {waiver.expires}", hint)
        elif not needed:
            message = f"the waiver of {waiver.rule} excuses nothing: no resource like {waiver.urn} breaks the rule"
            yield _of_waiver(index, "POLICY-003", message, "Remove it.")


def _of_waiver(index: int, code: str, message: str, hint: str) -> Finding:
    return Finding(
        code=code,
        severity=Severity.ERROR if code == "POLICY-001" else Severity.WARNING,
        source=Source.POLICY,
        message=message,
        hint=hint,
        path=f"waivers[{index}]",
    )


def _with_stack(graph: Graph) -> Graph:
    """The Graph with a resource for the stack, of which rules on everything together speak."""
    if graph.of_type(STACK_TYPE):
        return graph
    name = f"{graph.project}-{graph.stack}"
    stack = Resource(
        urn=f"urn:pulumi:{graph.stack}::{graph.project}::{STACK_TYPE}::{name}",
        type=STACK_TYPE,
        name=name,
        custom=False,
        id="",
        inputs={},
        outputs=graph.exports,
        parent="",
        provider="",
        dependencies=(),
        property_dependencies={},
        options=DEFAULT_OPTIONS,
        place=None,
    )
    return replace(graph, resources={**graph.resources, stack.urn: stack})
