"""The values of pinned charts: which of them the chart reads, and which its schema refuses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from penstock.core.spelling import MISSPELT, near_matches, suggestion
from penstock.core.wording import listed
from penstock.graph.values import MAPPING, UNKNOWN, Secret
from penstock.graph.verdict import NOT_APPLICABLE, PASS, Verdict, fail, together
from penstock.graph.view import View
from penstock.kubernetes.facts import chart_values
from penstock.kubernetes.facts.chart_values import ValueKey, ValueKeys
from penstock.kubernetes.facts.charts import HELM_CHARTS, Chart
from penstock.kubernetes.rules.charts import pinned
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_MOST_NAMED = 8
_FEW = 3
"""A name that a chart has in more places, such as `enabled`, says nothing of which of them was meant."""

_JSON_TYPES = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array", dict: "object"}


@RULES.rule(
    on=HELM_CHARTS,
    severity=MEDIUM,
    rationale="Helm hands every value to the chart, which says nothing of those that it does not read.",
    fix="Use the key that the chart reads at this version, or leave the value out.",
    sources=("Values and templates of the charts in kubernetes/data/charts.csv",),
)
def k8s_helm_value_ignored(release: View) -> Verdict:
    """A release of a pinned chart has no value that the chart ignores."""
    known = _pinned(release)
    if known is None:
        return NOT_APPLICABLE
    chart, keys = known

    def check(given: _Given) -> Verdict:
        if given.known is not None or given.place.is_closed:
            return PASS
        message = f"{chart.name} {chart.version} ignores {'.'.join(given.path)}"
        return fail(message, hint=_advice(given, keys), path=".".join(("values", *given.path)))

    return together(check(given) for given in _given(release.value("values"), keys))


@RULES.rule(
    on=HELM_CHARTS,
    severity=HIGH,
    rationale="The chart ships a schema of its values, and Helm refuses a release whose values do not fit it.",
    fix="Use a key that the schema names, with a value of its type.",
    sources=("Values and templates of the charts in kubernetes/data/charts.csv", "Helm documentation, schemas"),
)
def k8s_helm_value_schema(release: View) -> Verdict:
    """The values of a release fit the schema that a pinned chart ships: its keys and the types of their values."""
    known = _pinned(release)
    if known is None:
        return NOT_APPLICABLE
    chart, keys = known

    def check(given: _Given) -> Verdict:
        path, name = ".".join(("values", *given.path)), ".".join(given.path)
        if given.known is None:
            if not given.place.is_closed:
                return NOT_APPLICABLE
            return fail(
                f"The schema of {chart.name} {chart.version} refuses {name}", hint=_advice(given, keys), path=path
            )
        found, types = _JSON_TYPES.get(type(given.value)), given.known.types
        if not types or found is None:
            return NOT_APPLICABLE
        if found in types or (found == "integer" and "number" in types) or _is_whole(given.value, types):
            return PASS
        message = f"The schema of {chart.name} {chart.version} takes {' or '.join(types)} for {name}, not {found}"
        return fail(message, hint=f"Write a value of type {' or '.join(types)}.", path=path)

    return together(check(given) for given in _given(release.value("values"), keys))


class _Given(NamedTuple):
    """A value of a release: where it is, what it is in, and what the chart reads of it; None for nothing."""

    path: tuple[str, ...]
    value: Any
    place: ValueKey
    known: ValueKey | None


def _pinned(release: View) -> tuple[Chart, ValueKeys] | None:
    """The chart of a release with the keys that it reads, where Penstock pins it at this very version."""
    chart = pinned(release)
    keys = chart_values.keys_of_chart(chart) if chart is not None else None
    return None if chart is None or keys is None else (chart, keys)


def _given(values: Any, keys: ValueKeys) -> Iterator[_Given]:
    yield from _below(values, keys.root, keys, ())


def _below(values: Any, place: ValueKey, keys: ValueKeys, path: tuple[str, ...]) -> Iterator[_Given]:
    """Each value in a map, and in those inside it; what is unknown or secret is not looked into."""
    if not isinstance(values, MAPPING):
        return
    for name, value in values.items():
        known = place.below.get(name)
        if known is None and keys.reads(place, name):
            continue  # what such a map holds is not known
        yield _Given((*path, name), UNKNOWN if isinstance(value, Secret) else value, place, known)
        if known is not None and known.below:
            yield from _below(value, known, keys, (*path, name))


def _advice(given: _Given, keys: ValueKeys) -> str:
    """The nearest key that is read: of a name like it here, or of the same name nearby."""
    *inside, name = given.path
    here = sorted(given.place.below)
    found = near_matches(name, here, likeness=MISSPELT)
    if found:
        return suggestion([".".join((*inside, *found))])
    same = [path for path in keys.paths() if path[-1] == name and len(path) <= len(given.path) + 1]
    same = [path for path in same if not inside or path[0] == inside[0]]
    if 0 < len(same) <= _FEW:
        nearest: tuple[str, ...] = min(same, key=len)
        return suggestion([".".join(nearest)])
    found = near_matches(name, here)
    if found:
        return suggestion([".".join((*inside, *found))])
    return f"It reads {listed(here, _MOST_NAMED)} here." if here else "Leave it out."


def _is_whole(value: Any, types: tuple[str, ...]) -> bool:
    """Return whether a number is one that a schema takes for an integer."""
    return isinstance(value, float) and value.is_integer() and "integer" in types
