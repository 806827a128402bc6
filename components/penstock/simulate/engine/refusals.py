"""Inputs that a provider refuses of one resource before it is created: the SDK's types and the cloud's rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from penstock.core.clock import utc_today
from penstock.graph.graph import DEFAULT_OPTIONS, Graph, Resource
from penstock.graph.verdict import NotKnown
from penstock.graph.view import Site, View
from penstock.rules import registry
from penstock.rules.judge import evaluate
from penstock.rules.levels import RuleKind, RuleSeverity
from penstock.rules.settings import Settings
from penstock.simulate.clouds import CreateRequest
from penstock.simulate.sdk_types import Mismatch

_PROVIDER = "provider"


def refused(request: CreateRequest) -> Iterator[Mismatch]:
    """Yield the inputs that the provider rules refuse of a resource, seen alone.

    A plugin never sees what else a program builds: a rule that would look there is undetermined, and lets it pass.
    """
    package = request.type.partition(":")[0]
    settings = Settings()
    provider = _resource(_PROVIDER, f"pulumi:providers:{package}", "", request.provider)
    resource = _resource(request.urn, request.type, f"{_PROVIDER}::", request.inputs)
    view = View(resource, _Alone(Graph("", "", {each.urn: each for each in (provider, resource)})))
    for rule in registry.rules_on(request.type, RuleKind.PROVIDER):
        if rule.severity is not RuleSeverity.HIGH:
            continue
        for failure in evaluate(rule, view, settings, utc_today()).verdict.failures:
            yield Mismatch(rule.id, failure.path or None, failure.message, failure.hint or rule.fix)


def _resource(urn: str, type_: str, provider: str, inputs: Mapping[str, Any]) -> Resource:
    return Resource(
        urn=urn,
        type=type_,
        name=urn.rpartition("::")[2],
        custom=True,
        id="",
        inputs=inputs,
        outputs={},
        parent="",
        provider=provider,
        dependencies=(),
        property_dependencies={},
        options=DEFAULT_OPTIONS,
        place=None,
    )


class _Alone(Site):
    """What a provider knows of the resources beside the one it is asked for: nothing."""

    def of_type(self, *types: str) -> list[View]:  # noqa: ARG002 - whatever is asked
        raise NotKnown

    def named(self, type_: str, name: str) -> View | None:  # noqa: ARG002
        raise NotKnown

    def referrers(self, target: View, type_: str, path: str) -> list[View]:  # noqa: ARG002
        raise NotKnown
