"""Changes of one property of a program: each place of an input with the values that weaken what is there."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from tests.programs import IT
from tests.rules.cases import RuleCase, policy_cases
from tests.rules.verdicts import TODAY, rules_by_id

from penstock.graph.graph import STACK_TYPE, Graph, Resource
from penstock.graph.reads import RecordedReads, Steps
from penstock.graph.values import UNKNOWN, Secret, Unknown
from penstock.graph.verdict import Outcome
from penstock.graph.view import Site, View
from penstock.rules.judge import with_stack

WORLD = ("0.0.0.0/0", "*", "")
"""Texts that let everything in."""
IN_DOCUMENTS = ("Allow", "Deny", "*", "allUsers", "s3:*", "iam:*")
ELSEWHERE = "elsewhere"
"""The name of nothing in any case."""
TOKEN = "hf_" + "aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3b"
"""A text of the form of an access token."""
BAD_PART = {"password": TOKEN, "privileged": True}
"""Entries that no object should have."""


@dataclass(frozen=True)
class Place:
    """A place among the inputs of a resource of a case, and what is there."""

    case: RuleCase
    graph: Graph = field(repr=False)
    urn: str
    steps: Steps
    value: Any = field(repr=False)

    def __str__(self) -> str:
        return f"{self.case.rule} {self.owner} {'.'.join(self.pattern)}"

    @property
    def resource(self) -> Resource:
        """The resource whose input it is."""
        return self.graph[self.urn]

    @property
    def owner(self) -> str:
        """`it`, or the type of another resource that the case's rule reads."""
        return IT if self.urn == self.case.urn else self.resource.type

    @property
    def pattern(self) -> tuple[str, ...]:
        """The path, whichever item of a list it leads through."""
        return tuple("[]" if isinstance(step, int) else step for step in self.steps)

    @property
    def is_made(self) -> bool:
        """True where another resource's output is in the property."""
        return str(self.steps[0]) in self.resource.property_dependencies

    def with_value(self, value: Any, *, made: bool = False) -> Graph:
        """The program with another value there; one that is `made` comes from the same resources as before."""
        return self._with_inputs(_put(self.resource.inputs, self.steps, value), made=made)

    def without(self) -> Graph:
        """The program without it."""
        return self._with_inputs(_without(self.resource.inputs, self.steps), made=False)

    def _with_inputs(self, inputs: Mapping[str, Any], *, made: bool) -> Graph:
        resource, top = self.resource, str(self.steps[0])
        outputs = dict(resource.outputs)
        if top in outputs:
            outputs[top] = inputs.get(top, f"{resource.name}-name")
        sources = {key: urns for key, urns in resource.property_dependencies.items() if made or key != top}
        changed = replace(resource, inputs=inputs, outputs=outputs, property_dependencies=sources)
        return replace(self.graph, resources={**self.graph.resources, self.urn: changed})


def places_read(case: RuleCase) -> Iterator[Place]:
    """Each place of a case's program that its rule reads."""
    graph = with_stack(case.graph)
    reads = RecordedReads(graph)
    outcome_on(case, reads.graph)
    yield from (place for place in places(case, graph) if (place.urn, place.steps) in reads)


def places_missed(case: RuleCase) -> Iterator[Place]:
    """Each place of a case's program that its rule looks at, and where nothing is."""
    graph = with_stack(case.graph)
    reads = RecordedReads(graph)
    outcome_on(case, reads.graph)
    present = {(place.urn, place.steps) for place in places(case, graph)}
    for urn, steps in sorted(reads, key=str):
        if steps and (urn, steps) not in present and (len(steps) == 1 or (urn, steps[:-1]) in present):
            yield Place(case, graph, urn, steps, None)


def places(case: RuleCase, graph: Graph) -> Iterator[Place]:
    """Each place of a case's program."""
    for resource in graph:
        for steps, value in _within(resource.inputs):
            yield Place(case, graph, resource.urn, steps, value)


def stack_of(graph: Graph) -> Resource:
    """The stack of a program."""
    (stack,) = graph.of_type(STACK_TYPE)
    return stack


def outcome_on(case: RuleCase, graph: Graph) -> Outcome:
    """The outcome of a case's rule on another program in place of its own; raises what the rule raises."""
    rule = rules_by_id()[case.rule]
    site = Site(graph, case.quotas, TODAY, case.existing)
    judged = stack_of(graph) if rule.is_of_stack or IT not in case.program else graph[case.urn]
    return rule.judge(View(judged, site), case.settings).outcome


def weaker_programs(case: RuleCase) -> Iterator[Graph]:
    """The program of a case with something more or less of what its rule looks at, but for what is at one place."""
    for place in places_missed(case):
        yield from (graph for _, graph in of_cases(place, Outcome.FAIL))
    graph = with_stack(case.graph)
    for urn in graph.resources:
        if urn not in (case.urn, stack_of(graph).urn):
            yield replace(graph, resources={other: each for other, each in graph.resources.items() if other != urn})
    for failing in policy_cases():
        if failing.rule == case.rule and failing.outcome == Outcome.FAIL and IT in case.program:
            program = {**case.program, **failing.program, IT: case.program[IT]}
            yield with_stack(replace(failing, program=program).graph)


def weaker(place: Place) -> Iterator[tuple[str, Graph]]:
    """The program with each value at a place that would be worse for one rule or another, and its name."""
    if not isinstance(place.steps[-1], int):
        yield "absent", place.without()
    yield from of_cases(place, Outcome.FAIL)
    for value in _weaker(place.value):
        if not _is_same(value, place.value):
            yield f"{value!r:.60}", place.with_value(value)


def of_cases(place: Place, outcome: Outcome) -> Iterator[tuple[str, Graph]]:
    """The program with each value that is at the place, or at one of its name, in cases of its rule of an outcome."""
    for pattern in dict.fromkeys((place.pattern, _name(place.pattern))):
        for value in _values_in_cases(outcome)[place.case.rule, pattern]:
            if not _is_same(value, place.value):
                yield f"{value!r:.60}", place.with_value(value)


@cache
def _values_in_cases(outcome: Outcome) -> Mapping[tuple[str, tuple[str, ...]], list[Any]]:
    found: dict[tuple[str, tuple[str, ...]], list[Any]] = defaultdict(list)
    for case in policy_cases():
        if case.outcome == outcome:
            for place in places(case, case.graph):
                for pattern in {place.pattern, _name(place.pattern)}:
                    others = found[case.rule, pattern]
                    if not isinstance(place.value, Unknown) and not any(_is_same(place.value, each) for each in others):
                        others.append(place.value)
    return found


def _name(pattern: tuple[str, ...]) -> tuple[str, ...]:
    """The last key of a pattern, with the steps into lists behind it."""
    at = max((at for at, step in enumerate(pattern) if step != "[]"), default=0)
    return pattern[at:]


def _weaker(value: Any) -> Iterator[Any]:
    match value:
        case bool():
            yield not value
        case int() | float():
            yield from (0, 1, -1, 10**6, value - 1, value + 1)
        case str():
            yield from (*WORLD, ELSEWHERE, TOKEN)
            yield from {"true": ("false",), "false": ("true",)}.get(value, ())
            with suppress(ValueError):
                float(value)
                yield from ("0", "1", "100000")
            yield from _weaker_documents(value)
        case list() | tuple():
            yield from ([], [*value, "*"], [*value, "0.0.0.0/0"], [*value, BAD_PART])
        case Mapping():
            yield from ({}, {**value, **BAD_PART})


def _weaker_documents(text: str) -> Iterator[str]:
    """A document with each value in it weakened, and without each of them."""
    if text[:1] not in ("{", "["):
        return
    try:
        document = json.loads(text)
    except ValueError:
        return
    for steps, value in _within(document):
        yield json.dumps(_without(document, steps))
        new = [*_weaker(value), *(IN_DOCUMENTS if isinstance(value, str) else ())]
        yield from (json.dumps(_put(document, steps, each)) for each in new)


def unknown(place: Place) -> Iterator[tuple[str, Graph]]:
    """The program with a place unknown: from nowhere, from the same resources as before, and as a secret."""
    yield "unknown", place.with_value(UNKNOWN)
    yield "secret", place.with_value(Secret(place.value))
    if place.is_made:
        yield "unknown of the same resources", place.with_value(UNKNOWN, made=True)


def _within(value: Any, steps: Steps = ()) -> Iterator[tuple[Steps, Any]]:
    """Every place below a value."""
    items = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for step, item in items:
        yield (*steps, step), item
        yield from _within(item, (*steps, step))


def _put(value: Any, steps: Steps, new: Any) -> Any:
    if not steps:
        return new
    if isinstance(value, Unknown):
        return value
    step, *rest = steps
    if isinstance(value, Mapping):
        return {**value, step: _put(value.get(str(step)), tuple(rest), new)}
    return [_put(item, tuple(rest), new) if index == step else item for index, item in enumerate(value)]


def _without(value: Any, steps: Steps) -> Any:
    step, *rest = steps
    if rest:
        return _put(value, (step,), _without(value[step], tuple(rest)))
    if isinstance(value, Mapping):
        return {key: item for key, item in value.items() if key != step}
    return [item for index, item in enumerate(value) if index != step]


def _is_same(value: Any, other: Any) -> bool:
    return type(value) is type(other) and bool(value == other)
