"""Identity on Kubernetes: tools that people log in to, and what turns their login off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from penstock.catalog.records import records
from penstock.graph.property_path import Location
from penstock.graph.values import Secret, Unknown
from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, Verdict, each, fail, together
from penstock.graph.view import Block, View
from penstock.kubernetes.facts.charts import HELM_CHARTS
from penstock.kubernetes.model.pods import containers as pods
from penstock.kubernetes.model.pods.containers import WORKLOADS
from penstock.kubernetes.policies.helm_values import has_files, has_unknown, value_entries
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.IDENTITY)

_DATA = Path(__file__).parent / "data"
_VARIABLE, _COMMAND, _VALUE = "variable", "command", "value"
_PASSWORD = "--ServerApp.password=hidden"  # noqa: S105 - no password
"""An unknown word of a command at best: Jupyter asks for the password where its token is off."""
_BEHIND_A_LOGIN = tuple(f"kubernetes:kubeflow.org/{version}:Notebook" for version in ("v1", "v1beta1", "v1alpha1"))
"""Kubeflow's gateway asks who somebody is before it lets him to a notebook, whose own token is off therefore."""


@dataclass(frozen=True, slots=True)
class _Opening:
    """A setting by which a tool lets everybody in: the form of a variable, an option or a value of its chart."""

    place: str
    form: re.Pattern[str]
    of: str


def _openings() -> tuple[_Opening, ...]:
    return records(_Opening, "open_logins", folder=_DATA)


@RULES.rule(
    on=(*WORKLOADS, *HELM_CHARTS),
    severity=HIGH,
    rationale=(
        "Whoever reaches the port is in: a notebook without a token runs any command with the pod's rights, and each "
        "pod of the cluster reaches it unless a network policy forbids that."
    ),
    fix="Remove what turns the login off, and give the tool its token, its password or the company's single sign-on.",
)
def k8s_login_not_off(it: View, _: Settings) -> Verdict:
    """No tool is configured to let everybody in without a login."""
    if it.type in _BEHIND_A_LOGIN:
        return NOT_APPLICABLE
    if it.type in HELM_CHARTS:
        entries = value_entries(it)
        said = each(entries, lambda entry: _of_value(entry.path, entry.key, entry.value))
        return UNKNOWN if not said.failures and (has_files(it) or has_unknown(entries)) else said
    return each(pods.containers(it), _of_container)


def _of_container(container: Block) -> Verdict:
    return together(
        (each(container.blocks("env"), _of_variable), *(_of_command(place) for place in _commands(container)))
    )


def _of_variable(variable: Block) -> Verdict:
    name = variable.text("name")
    return _judged_by(_VARIABLE, f"{name}={variable.text('value')}", variable.at("value"))


def _commands(container: Block) -> Iterator[Location]:
    for path in ("command", "args"):
        yield from (place for place in container.locations(path) if place.value is not None)


def _of_command(place: Location) -> Verdict:
    if not isinstance(place.value, list | tuple):
        return UNKNOWN
    hidden = [isinstance(word, Unknown | Secret) for word in place.value]
    words = [_PASSWORD if is_hidden else word for word, is_hidden in zip(place.value, hidden, strict=True)]
    said = _judged_by(_COMMAND, " ".join(word for word in words if isinstance(word, str)), place.path)
    return said if said.failures or not any(hidden) else UNKNOWN


def _of_value(path: str, key: str, value: Any) -> Verdict:
    """A value of a chart, which may be a variable of its containers, too."""
    if not isinstance(value, str | bool):
        return PASS
    said = _judged_by(_VARIABLE, f"{key}={value}", path)
    return said if said.failures else _judged_by(_VALUE, f"{path}={value}", path)


def _judged_by(place: str, text: str, path: str) -> Verdict:
    for opening in _openings():
        if opening.place != place:
            continue
        found = opening.form.search(text) if place == _COMMAND else opening.form.fullmatch(text)
        if found:
            return fail(f"{path} turns the login of {opening.of} off", path=path)
    return PASS
