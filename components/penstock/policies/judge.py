"""Asks the rules of the packs in force about everything in a Graph, and tells what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from itertools import chain

from penstock.findings import Finding, Severity, Source
from penstock.policies import catalogue as rules
from penstock.policies import exemptions, packs, state_rules
from penstock.policies.exemptions import Exemption
from penstock.policies.rule import Concern, Rule
from penstock.policies.settings import Doubt, Enforcement, Settings, level
from penstock.policies.waivers import Origin, Waiver
from penstock.resources.former_types import by_present_names
from penstock.resources.graph import DEFAULT_OPTIONS, STACK_TYPE, Graph, Resource
from penstock.resources.verdict import UNKNOWN, Failure, Outcome, Verdict, asked
from penstock.resources.view import Site, View

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


def judge(
    graph: Graph, settings: Settings, *, today: date | None = None, of_state: Iterable[Answer] | None = None
) -> Report:
    """What the rules in force say of a Graph; waivers that have expired by `today` excuse nothing.

    `of_state` is what is wrong with the state that the Graph was read from, where it is one that is audited.
    """
    day = today or date.today()  # noqa: DTZ011 a waiver ends with the day where its owner is
    site = Site(by_present_names(with_stack(graph)))
    kept = [_waived(answer, settings, day) for answer in of_state or ()]
    counts = Counter((answer.rule.concern, answer.outcome) for answer in kept)
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
    excuses_nothing = partial(_excuses_nothing, answers=kept, graph=site.graph, audits=of_state is not None)
    findings = (*_findings(kept, settings), *_of_waivers(settings, day, excuses_nothing))
    return Report(settings, tuple(kept), counts, findings)


def ask(rule: Rule, it: View, settings: Settings, today: date) -> Answer:
    """What a rule says of a resource. One that fails itself cannot tell: a slip of ours must not stop a deployment."""
    try:
        verdict = asked(lambda view: rule.check.judge(view, settings), it)
        exemption = exemptions.of(rule.id, it) if verdict.outcome is Outcome.FAIL else None
    except Exception:  # noqa: BLE001 whatever it is, there are other rules
        verdict, exemption = UNKNOWN, None
    answer = Answer(rule, it.resource, verdict, exemption=exemption)
    return answer if exemption is not None else _waived(answer, settings, today)


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


def _waived(answer: Answer, settings: Settings, today: date) -> Answer:
    """An answer with the waiver that excuses it, if it needs one and there is one."""
    if answer.verdict.outcome is not Outcome.FAIL:
        return answer
    rule, urn = answer.rule.id, answer.resource.urn
    live = (each for each in settings.waivers if each.holds_on(today) and each.covers(rule, urn))
    return replace(answer, waiver=next(live, None))


def _excuses_nothing(waiver: Waiver, rule: Rule, *, answers: Iterable[Answer], graph: Graph, audits: bool) -> bool:
    """Whether a waiver of a rule excuses nothing for certain, where `answers` are all that do not hold.

    Whoever sees a program judges those of rules, and an audit those of what it finds in the state: each excuses what
    the other does not see. What nobody can tell yet, and what the program leaves alone, may need its waiver.
    """
    if (rule in state_rules.RULES) is not audits:
        return False
    broken = (each.resource for each in answers if each.rule is rule)
    left_alone = (each for each in graph if each.external and rule in rules.rules_on(each.type))
    return not any(waiver.covers(rule.id, each.urn) for each in chain(broken, left_alone))


def _of_waivers(settings: Settings, today: date, excuses_nothing: Callable[[Waiver, Rule], bool]) -> Iterator[Finding]:
    """What is wrong with waivers: one that names no rule, that has expired, or that excuses nothing."""
    known = {rule.id: rule for rule in (*rules.catalogue(), *state_rules.RULES)} if settings.waivers else {}
    for index, waiver in enumerate(settings.waivers):
        origin = waiver.origin or Origin(f"waivers[{index}]")
        rule = known.get(waiver.rule)
        if rule is None:
            message = f"no rule is called {waiver.rule!r}"
            yield _of_waiver(origin, "POLICY-001", message, "Name the rule that it waives.")
        elif not waiver.holds_on(today):
            mend = f"Mend what it excused, or let {waiver.owner} set another day."
            hint = "Remove it." if excuses_nothing(waiver, rule) else mend
            yield _of_waiver(origin, "POLICY-002", f"the waiver of {waiver.rule} expired on {waiver.expires}", hint)
        elif excuses_nothing(waiver, rule):
            message = f"the waiver of {waiver.rule} excuses nothing: no resource like {waiver.urn} breaks the rule"
            yield _of_waiver(origin, "POLICY-003", message, "Remove it.")


def _of_waiver(origin: Origin, code: str, message: str, hint: str) -> Finding:
    return Finding(
        code=code,
        severity=Severity.ERROR if code == "POLICY-001" else Severity.WARNING,
        source=Source.POLICY,
        message=message,
        hint=hint,
        path=origin.path,
        file=origin.file,
        line=origin.line,
        column=origin.column,
    )


def with_stack(graph: Graph) -> Graph:
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
