"""Cases of cloud rules: small programs as data, and the verdict of one rule on the resource called `it`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from penstock.resources.graph import DEFAULT_OPTIONS, STACK_TYPE, Graph, Options, Resource
from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import NOT_APPLICABLE, Outcome, Verdict
from penstock.resources.view import Site, View
from penstock.rules import registry
from penstock.rules.judge import with_stack
from penstock.rules.levels import RuleKind
from penstock.rules.rule import Rule
from penstock.rules.settings import Settings

Program = Mapping[str, tuple[str, Mapping[str, Any]]]
"""Resources by name: the type token and the inputs of each. A `Ref` among the inputs is another's id or output."""

IT = "it"

RULES: tuple[Rule, ...] = tuple(registry.rules_of(RuleKind.PROVIDER))
"""Every provider rule."""


@dataclass(frozen=True)
class Ref:
    """A property of another resource of the program; its id unless another is named."""

    name: str
    output: str = "id"


@dataclass(frozen=True)
class Case:
    """A rule, the verdict that is expected of it, and the program; `preview` leaves ids and outputs unknown.

    A case that fails tells where the failure points (`path`) and what its message and hint must contain; `called` is
    the name of `it` in the program, where that matters.
    """

    code: str
    outcome: Outcome
    program: Program
    path: str = ""
    says: str = ""
    preview: bool = False
    quotas: Mapping[str, float] = field(default_factory=dict)
    called: str = IT

    def __str__(self) -> str:
        return f"{self.code}-{self.outcome.name.lower()}"


def graph_of(
    program: Program, *, preview: bool = False, called: str = IT, options: Mapping[str, Options] | None = None
) -> Graph:
    """The Graph of a program, its references resolved; each resource has an id, an ARN and a name of its own."""
    resources: dict[str, Resource] = {}
    for name, (type_, inputs) in program.items():
        sources: dict[str, set[str]] = {}
        resolved = {
            key: _resolved(value, program, sources.setdefault(key, set()), preview=preview)
            for key, value in inputs.items()
        }
        urn = urn_of(name, program)
        resources[urn] = Resource(
            urn=urn,
            type=type_,
            name=called if name == IT else name,
            custom=not type_.startswith(("penstock:", STACK_TYPE)),
            id="" if preview else f"{name}-id",
            inputs=resolved,
            outputs={} if preview else {"arn": f"arn:{name}", "name": resolved.get("name", f"{name}-name")},
            parent="",
            provider=_provider(type_, program),
            dependencies=tuple(sorted(set().union(*sources.values()))),
            property_dependencies={key: tuple(sorted(urns)) for key, urns in sources.items() if urns},
            options=(options or {}).get(name, DEFAULT_OPTIONS),
            place=None,
        )
    return Graph("project", "stack", resources)


def verdict(case: Case) -> Verdict:
    """What the rule says."""
    rule = rule_of(case.code)
    site = Site(with_stack(graph_of(case.program, preview=case.preview, called=case.called)), case.quotas)
    (stack,) = site.graph.of_type(STACK_TYPE)
    judged = stack if rule.is_of_stack else site.graph[urn_of(IT, case.program)]
    it = View(judged, site)
    return rule.judge(it, Settings()) if rule.judges(it.type) else NOT_APPLICABLE


def rule_of(code: str) -> Rule:
    """The one rule of an id."""
    (rule,) = [rule for rule in RULES if rule.id == code]
    return rule


def check(case: Case) -> None:
    """Asserts that the rule says what the case expects."""
    said = verdict(case)
    assert said.outcome is case.outcome, said
    if case.outcome is Outcome.FAIL:
        assert case.path in {failure.path for failure in said.failures}
        assert any(case.says in f"{failure.message} {failure.hint}" for failure in said.failures), said


def _resolved(value: Any, program: Program, sources: set[str], *, preview: bool) -> Any:
    if isinstance(value, Ref):
        sources.add(urn_of(value.name, program))
        if preview:
            return UNKNOWN
        inputs = program[value.name][1]
        known = {
            "arn": f"arn:{value.name}",
            "name": inputs.get("name", f"{value.name}-name"),
            "metadata.name": inputs.get("metadata", {}).get("name"),
        }
        return known.get(value.output, f"{value.name}-{value.output}")
    if isinstance(value, Mapping):
        return {key: _resolved(item, program, sources, preview=preview) for key, item in value.items()}
    if isinstance(value, list):
        return [_resolved(item, program, sources, preview=preview) for item in value]
    return value


def _provider(type_: str, program: Program) -> str:
    """The program's own provider of a type's package, if it has one."""
    own = f"pulumi:providers:{type_.partition(':')[0]}"
    return next((f"{urn_of(name, program)}::id" for name, (other, _) in program.items() if other == own), "")


def urn_of(name: str, program: Program) -> str:
    return f"urn:pulumi:stack::project::{program[name][0]}::{name}"
