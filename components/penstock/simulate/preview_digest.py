"""Reads what `pulumi preview --json` prints: the resources of a program in any language, before they exist."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from penstock.core.errors import UnusableState
from penstock.core.findings import Finding, Severity, Source
from penstock.core.wording import plural, shortened
from penstock.graph.graph import DEFAULT_OPTIONS, Graph, Resource, in_order
from penstock.graph.values import REDACTED
from penstock.secrets.detection import without_secrets
from penstock.simulate.monitor.prior_state import name_of
from penstock.simulate.monitor.providers import PREFIX
from penstock.simulate.wire import SEALED_SECRET

_GONE: Final = frozenset({"delete", "delete-replaced", "discard", "discard-replaced", "remove-pending-replace"})
"""Operations after which a resource is gone (pulumi sdk/go/common/apitype, OpType; Pulumi 3.260)."""

_LONGEST_ERROR: Final = 300
"""Characters of an error in a finding."""


def state_of(content: Mapping[str, Any], file: Path) -> dict[str, Any]:
    """Return the resources of a preview in the form of an exported state.

    Raises:
        UnusableState: the file does not have the form that `pulumi preview --json` prints.
    """
    steps = content.get("steps", [])
    if not isinstance(steps, list) or not all(isinstance(step, Mapping) for step in steps):
        raise UnusableState(f"{file}: steps is not a list of steps; print the file with `pulumi preview --json`")
    states = {state["urn"]: _sealed(state) for state in _new_states(steps)}
    if not states and not any(errors(content)):
        raise UnusableState(f"{file} has no resources; print it with `pulumi preview --json --show-sames`")
    return {"deployment": {"resources": list(states.values())}}


def with_default_providers(graph: Graph, content: Mapping[str, Any]) -> Graph:
    """Return the Graph of a preview with the default providers that it leaves out, configured by its stack."""
    config = content.get("config")
    providers = _default_providers(graph, config if isinstance(config, Mapping) else {})
    return replace(graph, resources=in_order({**providers, **graph.resources}))


def _new_states(steps: list[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    for step in steps:
        state = step.get("newState")
        if step.get("op") not in _GONE and isinstance(state, Mapping) and isinstance(state.get("urn"), str):
            yield state


def _sealed(value: Any) -> Any:
    """A value in which the text that stands for a secret is a secret, as in a state."""
    if isinstance(value, Mapping):
        return {key: _sealed(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_sealed(item) for item in value]
    return SEALED_SECRET if value == REDACTED else value


def _default_providers(graph: Graph, config: Mapping[str, Any]) -> dict[str, Resource]:
    """The providers that resources name and the preview does not list, with their part of the configuration."""
    named = {each.provider_urn: each.provider for each in graph if each.provider_urn not in graph.resources}
    found = {}
    for urn, reference in named.items():
        type_ = urn.split("::")[2].rpartition("$")[2] if urn else ""
        if not type_.startswith(PREFIX):
            continue
        prefix = f"{type_.removeprefix(PREFIX)}:"
        own = {str(key).removeprefix(prefix): value for key, value in config.items() if str(key).startswith(prefix)}
        found[urn] = Resource(
            urn=urn,
            type=type_,
            name=name_of(urn),
            custom=True,
            id=reference.rpartition("::")[2],
            inputs=own,
            outputs={},
            parent="",
            provider="",
            dependencies=(),
            property_dependencies={},
            options=DEFAULT_OPTIONS,
            place=None,
        )
    return found


def is_preview(content: Mapping[str, Any]) -> bool:
    """Return whether a JSON object has the form of a preview; one that failed at once has no steps."""
    return "steps" in content or "diagnostics" in content


def errors(content: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield a finding for each error that made a preview fail."""
    listed = content.get("diagnostics")
    for each in listed if isinstance(listed, list) else ():
        if not isinstance(each, Mapping) or each.get("severity") != "error":
            continue
        text, urn = (str(each.get(key) or "") for key in ("message", "urn"))
        error = " ".join(without_secrets(text).split()).removeprefix("error: ")
        yield Finding(
            code="PROGRAM-013",
            severity=Severity.ERROR,
            source=Source.PROGRAM,
            message=f"The preview failed: {shortened(error, _LONGEST_ERROR)}",
            hint="Fix the error, then print the preview again: resources may be missing from this one.",
            urn=urn or None,
        )


def left_out(content: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield a warning if a preview lacks unchanged resources."""
    steps, summary = content.get("steps", []), content.get("changeSummary")
    same = summary.get("same", 0) if isinstance(summary, Mapping) else 0
    hidden = same - sum(step.get("op") == "same" for step in steps) if isinstance(same, int) else 0
    if hidden > 0:
        yield Finding(
            code="PROGRAM-012",
            severity=Severity.WARNING,
            source=Source.PROGRAM,
            message=f"The preview leaves out {plural(hidden, 'unchanged resource')}, which no rule can judge.",
            hint="Print it with `pulumi preview --json --show-sames`.",
        )
