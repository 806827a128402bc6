"""The judge: evaluates rules on everything in a Graph, and reports the findings and what excuses a failure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import chain
from pathlib import Path
from traceback import extract_tb
from typing import Protocol

from penstock.catalog.former_types import by_present_names
from penstock.core.clock import utc_today
from penstock.core.findings import Finding, Severity, Source
from penstock.core.wording import listed, plural
from penstock.graph.graph import DEFAULT_OPTIONS, STACK_TYPE, Graph, Resource
from penstock.graph.provenance import ValueProvenance
from penstock.graph.verdict import UNKNOWN, Failure, NotKnown, Outcome, Verdict
from penstock.graph.view import Site, View
from penstock.rules import overlaps, packs, registry
from penstock.rules.levels import Category, Enforcement, RuleKind, RuleSeverity, UndeterminedLevel
from penstock.rules.rule import Rule
from penstock.rules.settings import Settings
from penstock.rules.time_limit import TimeLimitExceeded, within
from penstock.rules.waiver_findings import of_waivers
from penstock.rules.waivers import Waiver
from penstock.secrets import detection

INTERNAL = "INTERNAL"
"""The code of a finding about a rule that raised or answered no verdict."""

_SEVERITIES = {Enforcement.MANDATORY: Severity.ERROR, Enforcement.ADVISORY: Severity.WARNING}
_SOURCES = {RuleKind.PROVIDER: Source.CLOUD, RuleKind.POLICY: Source.POLICY}
_CUSTOM_RULE_S = 5.0
_LONGEST_ERROR = 300
"""Seconds that a user's own rule may take on one resource; ours take a tenth of a millisecond."""

_INDEX = re.compile(r"\[\d+\]")
_FIGURE = re.compile(r"(?<![\w./:-])\d+(?:-\d+)?(?![\w/:-]|\.\w)")
"""A number alone, such as a port or a range of ports; no part of a name, an address or a version."""


class NoVerdict(Exception):
    """A rule has answered something else than a verdict; the text is the kind of that."""


class Exempting(Protocol):
    """A fact that exempts a resource from a rule."""

    @property
    def name(self) -> str:
        """The name of the fact."""

    @property
    def reason(self) -> str:
        """Why the rule does not mean the resource."""

    @property
    def source(self) -> str:
        """Who says so."""

    @property
    def unverified(self) -> bool:
        """True where no primary source confirms the rule."""


ExemptionOf = Callable[[str, View], Exempting | None]
"""Finds what exempts a resource from a rule, by its id. May raise `NotKnown`."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The verdict of one rule on one resource, and what excuses a failure.

    `defect` says how the rule itself failed, and `defect_line` where; its verdict is then unknown. `covered_by` is the
    id of a provider rule that reports the same misconfiguration. `invented` is what a failure would rest on that the
    simulation invented; the verdict is then unknown.
    """

    rule: Rule
    resource: Resource
    verdict: Verdict
    waiver: Waiver | None = None
    exemption: Exempting | None = None
    defect: str = ""
    defect_line: int | None = None
    covered_by: str = ""
    invented: str = ""

    @property
    def outcome(self) -> str:
        """The verdict's outcome; `waived`, `exempt` or `covered` for an excused failure, `error` for a defect."""
        if self.defect:
            return "error"
        if self.waiver is not None:
            return "waived"
        if self.covered_by:
            return "covered"
        return "exempt" if self.exemption is not None else self.verdict.outcome.value

    @property
    def why_undetermined(self) -> str:
        """The reason of an undetermined verdict."""
        if self.invented:
            return f"it would fail on what the simulation invented: {self.invented}"
        return "a value that it reads is not known yet"


@dataclass(frozen=True, slots=True)
class Report:
    """The answers of all rules of a kind on all resources.

    `answers` are those that a person may want to see: failures, excused ones, undetermined ones and defects. `counts`
    are all of them by category and outcome (pass, fail, unknown, waived, exempt, covered, error). `judged` are the URNs
    of the resources to which at least one rule applies, `passed_by_rule` the checks that passed by the rule's id.
    """

    settings: Settings
    answers: tuple[Answer, ...]
    counts: Counter[tuple[Category, str]]
    findings: tuple[Finding, ...]
    judged: frozenset[str] = frozenset()
    passed_by_rule: Counter[str] = field(default_factory=Counter)

    def of(self, outcome: str) -> tuple[Answer, ...]:
        """Return the answers of one outcome."""
        return tuple(answer for answer in self.answers if answer.outcome == outcome)

    def count(self, outcome: str) -> int:
        """Return how many answers of one outcome there are, over all categories."""
        return sum(number for (_, other), number in self.counts.items() if other == outcome)

    @property
    def passed(self) -> int:
        """How many checks passed."""
        return self.count(Outcome.PASS)

    @property
    def undetermined(self) -> tuple[Answer, ...]:
        """The answers that a value not known yet left open."""
        return self.of(Outcome.UNKNOWN)


@dataclass(frozen=True, slots=True)
class _Evaluation:
    """The context that all answers of one run share."""

    settings: Settings
    today: date
    exemption_of: ExemptionOf | None = None
    covering: Mapping[tuple[str, str], str] = field(default_factory=dict)
    given_up: set[str] = field(default_factory=set)


def judge(
    graph: Graph,
    settings: Settings,
    kind: RuleKind,
    *,
    quotas: Mapping[str, float] | None = None,
    today: date | None = None,
    exemption_of: ExemptionOf | None = None,
    of_state: Iterable[Answer] | None = None,
    beside: Report | None = None,
    before: Graph | None = None,
) -> Report:
    """Evaluate the rules of a kind that are in force on a Graph.

    Args:
        graph: what a program builds.
        settings: which rules are in force, and how; waivers excuse failures until they expire.
        kind: provider rules or policies.
        quotas: those of the account, by code, as its user declares them; without one nothing is held to it.
        today: the day that waivers are compared with.
        exemption_of: finds what exempts a resource from a rule.
        of_state: what is wrong with the state that the Graph was read from, where it is one that is audited.
        beside: the report of provider rules on the same Graph: what they refuse, no policy reports again.
        before: what exists already, where that is known.
    """
    day = today or utc_today()
    evaluation = _Evaluation(settings, day, exemption_of, _covering(beside))
    site = Site(by_present_names(with_stack(graph)), quotas, day, before)
    kept = [_excused(answer, evaluation) for answer in of_state or ()]
    counts = Counter((answer.rule.category, answer.outcome) for answer in kept)
    packages = frozenset(resource.type.partition(":")[0] for resource in site.graph)
    passed_by_rule: Counter[str] = Counter()
    enabled: dict[str, tuple[Rule, ...]] = {}
    judged: set[str] = set()
    for resource in site.graph:
        if resource.external:
            continue
        if resource.type not in enabled:
            enabled[resource.type] = packs.enabled(registry.rules_on(resource.type, kind, packages), settings)
        view = View(resource, site)
        applies = False
        for rule in enabled[resource.type]:
            answer = _answer(rule, view, evaluation)
            if isinstance(answer, Answer):
                kept.append(answer)
                counts[rule.category, answer.outcome] += 1
            else:
                counts[rule.category, answer.value] += 1
                if answer is Outcome.PASS:
                    passed_by_rule[rule.id] += 1
            applies = applies or answer is not Outcome.NOT_APPLICABLE
        if applies:
            judged.add(resource.urn)
    findings = chain.from_iterable(findings_of(answer, settings, site.graph) for answer in kept)
    broken = [(answer.rule, answer.resource) for answer in kept]
    hygiene = of_waivers(settings, day, kind, broken, site.graph, audits=of_state is not None)
    return Report(settings, tuple(kept), counts, (*findings, *hygiene), frozenset(judged), passed_by_rule)


def evaluate(
    rule: Rule, resource: View, settings: Settings, today: date, exemption_of: ExemptionOf | None = None
) -> Answer:
    """Return the answer of one rule on one resource. A rule that raises has a defect, and the others go on."""
    answer = _answer(rule, resource, _Evaluation(settings, today, exemption_of))
    return answer if isinstance(answer, Answer) else Answer(rule, resource.resource, Verdict(answer))


def _answer(rule: Rule, resource: View, evaluation: _Evaluation) -> Answer | Outcome:
    """The answer of a rule; only its outcome where it passes or does not apply, as nearly all do."""
    exemption = None
    if rule.id in evaluation.given_up:
        return Answer(rule, resource.resource, UNKNOWN)
    try:
        verdict = _verdict(rule, resource, evaluation.settings)
        if verdict.outcome is Outcome.PASS or verdict.outcome is Outcome.NOT_APPLICABLE:
            return verdict.outcome
        if verdict.outcome is Outcome.FAIL:
            verdict, failed = _on_what_is_known(rule, resource, verdict, evaluation.settings), verdict
            if verdict.outcome is not Outcome.FAIL:
                return Answer(rule, resource.resource, UNKNOWN, invented=_inventions(resource, failed))
        if verdict.outcome is Outcome.FAIL and evaluation.exemption_of is not None:
            exemption = evaluation.exemption_of(rule.id, resource)
    except NotKnown:
        verdict = UNKNOWN
    except TimeLimitExceeded:
        evaluation.given_up.add(rule.id)  # it would take as long on every other resource
        return Answer(rule, resource.resource, UNKNOWN, defect=f"took longer than {_CUSTOM_RULE_S:g} s")
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever it is, there are other rules
        defect, line = _defect(rule, error)
        return Answer(rule, resource.resource, UNKNOWN, defect=defect, defect_line=line)
    return _excused(Answer(rule, resource.resource, verdict, exemption=exemption), evaluation)


def _on_what_is_known(rule: Rule, resource: View, verdict: Verdict, settings: Settings) -> Verdict:
    """A failure as far as it does not rest on what the simulation invented: so far it fails also without that."""
    known = resource.site.once(_known)
    if known is resource.site:
        return verdict
    again = _verdict(rule, View(known.graph[resource.urn], known), settings)
    places = {(failure.urn, failure.path) for failure in again.failures}
    left = tuple(failure for failure in verdict.failures if (failure.urn, failure.path) in places)
    return Verdict(Outcome.FAIL, left) if left else UNKNOWN


def _known(site: Site) -> Site:
    """The site without what the simulation invented; the same one where all is known."""
    graph = site.once(_provenance).known
    return site if graph is site.graph else Site(graph, site.quotas, site.today, site.before)


def _provenance(site: Site) -> ValueProvenance:
    return ValueProvenance(site.graph)


def _inventions(resource: View, verdict: Verdict) -> str:
    """What was invented of the values that a failure rests on."""
    provenance = resource.site.once(_provenance)
    places = ((failure.urn or resource.urn, failure.path) for failure in verdict.failures)
    found = [each for place in places if (each := provenance.invention(*place))] or provenance.inventions(resource.urn)
    return listed(dict.fromkeys(map(str, found))) if found else "values of other resources"


def _verdict(rule: Rule, resource: View, settings: Settings) -> Verdict:
    """The verdict of a rule. Only a rule of a user's own may loop, or answer something else."""
    if rule not in registry.custom_rules():
        return rule.judge(resource, settings)
    verdict = within(_CUSTOM_RULE_S, lambda: rule.judge(resource, settings))
    if not isinstance(verdict, Verdict):
        raise NoVerdict(type(verdict).__name__)
    if not isinstance(verdict.outcome, Outcome) or not all(isinstance(each, Failure) for each in verdict.failures):
        raise NoVerdict("an ill-formed Verdict (allow, fail and each make others)")
    return verdict


def _defect(rule: Rule, error: BaseException) -> tuple[str, int | None]:
    """The error of a rule, and its own line that raised it. Only a custom rule's error shows its text, redacted."""
    if isinstance(error, NoVerdict):
        return f"answered {error} in place of a verdict", None
    frames = extract_tb(error.__traceback__)
    own = next((frame for frame in reversed(frames) if frame.filename == rule.file), frames[-1])
    is_custom = rule in registry.custom_rules()
    text = " ".join(detection.without_secrets(str(error)).split())[:_LONGEST_ERROR] if is_custom else ""
    raised = f"raised {type(error).__name__}" + (f": {text}" if text else "")
    return f"{raised} at {Path(own.filename).name}:{own.lineno}", own.lineno


def findings_of(answer: Answer, settings: Settings, graph: Graph | None = None) -> Iterator[Finding]:
    """Return the findings of one answer.

    One for each misconfiguration, whatever the number of its places; one for a defect of the rule; one for an
    undetermined rule where the settings want to see it. `graph` holds the resources that failures name.
    """
    rule = answer.rule
    if answer.outcome == Outcome.FAIL:
        severity = _severity(rule, settings)
        for places in _misconfigurations(answer.verdict.failures):
            yield _finding(answer, severity, places, graph)
    elif answer.outcome == "error":
        yield _internal(answer)
    elif answer.outcome == Outcome.UNKNOWN and _shows_undetermined(rule, settings):
        failure = Failure(f"undetermined until its values are known: {rule.title}")
        yield _finding(answer, _SEVERITIES[Enforcement(settings.unknown.value)], [failure], graph)


def _severity(rule: Rule, settings: Settings) -> Severity:
    enforcement = packs.level(rule, settings)
    if rule.kind is RuleKind.PROVIDER and rule.severity is RuleSeverity.LOW and enforcement is Enforcement.ADVISORY:
        return Severity.INFO
    return _SEVERITIES[enforcement]


def _shows_undetermined(rule: Rule, settings: Settings) -> bool:
    return rule.kind is RuleKind.POLICY and settings.unknown is not UndeterminedLevel.COUNTED


def _misconfigurations(failures: Iterable[Failure]) -> list[list[Failure]]:
    """The failures of one rule on one resource, together where only items of lists and figures in the words differ."""
    found: dict[tuple[str, ...], list[Failure]] = {}
    for failure in failures:
        alike = (failure.urn, _INDEX.sub("[]", failure.path), *map(_without_figures, (failure.message, failure.hint)))
        found.setdefault(alike if "[" in failure.path else (*alike, str(len(found))), []).append(failure)
    return list(found.values())


def _without_figures(text: str) -> str:
    return _FIGURE.sub("#", _INDEX.sub("[]", text))


def _finding(answer: Answer, severity: Severity, failures: list[Failure], graph: Graph | None) -> Finding:
    first = failures[0]
    about = graph.resources.get(first.urn, answer.resource) if graph is not None and first.urn else answer.resource
    place = about.place
    more = f" (and at {plural(len(failures) - 1, 'more place')})"
    return Finding(
        code=answer.rule.id,
        severity=severity,
        source=_SOURCES[answer.rule.kind],
        message=first.message + (more if len(failures) > 1 else ""),
        hint=first.hint or answer.rule.fix,
        urn=first.urn or about.urn,
        path=first.path or None,
        places=tuple(failure.path for failure in failures) if len(failures) > 1 else (),
        file=place.file if place else None,
        line=place.line if place else None,
    )


def _internal(answer: Answer) -> Finding:
    rule = answer.rule
    file = rule.file if rule in registry.custom_rules() else None
    return Finding(
        code=INTERNAL,
        severity=Severity.ERROR,
        source=_SOURCES[rule.kind],
        message=f"rule {rule.id} {answer.defect}; it was not evaluated on {answer.resource.name}",
        hint=("Correct the rule." if file else "This is a defect of Penstock: report it with the rule's id.")
        + f" To go on without it, set `rules: {{{rule.id}: disabled}}` below `penstock:policies`.",
        urn=answer.resource.urn,
        file=file,
        line=answer.defect_line if file else None,
    )


def _covering(report: Report | None) -> dict[tuple[str, str], str]:
    """The provider rules that refuse a value, by the resource and the path of the value."""
    if report is None:
        return {}
    return {
        (failure.urn or answer.resource.urn, failure.path): answer.rule.id
        for answer in report.of(Outcome.FAIL)
        if _severity(answer.rule, report.settings) is Severity.ERROR
        for failure in answer.verdict.failures
        if failure.path
    }


def _excused(answer: Answer, evaluation: _Evaluation) -> Answer:
    """An answer with what excuses its failure, if it has one and there is something."""
    if answer.verdict.outcome is not Outcome.FAIL or answer.exemption is not None:
        return answer
    rule, urn = answer.rule.id, answer.resource.urn
    for waiver in evaluation.settings.waivers:
        if waiver.holds_on(evaluation.today) and waiver.covers(rule, urn):
            return replace(answer, waiver=waiver)
    if evaluation.covering:
        return _without_covered(answer, evaluation.covering)
    return answer


def _without_covered(answer: Answer, covering: Mapping[tuple[str, str], str]) -> Answer:
    """An answer without the failures that a provider rule reports already; covered where none is left."""
    left, by = [], ""
    for failure in answer.verdict.failures:
        found = covering.get((failure.urn or answer.resource.urn, failure.path), "")
        if found and not overlaps.are_different(answer.rule.id, found):
            by = found
        else:
            left.append(failure)
    if not left:
        return replace(answer, covered_by=by)
    return replace(answer, verdict=Verdict(Outcome.FAIL, tuple(left))) if by else answer


def with_stack(graph: Graph) -> Graph:
    """Return the Graph with a resource for the stack, which rules on everything together judge."""
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
