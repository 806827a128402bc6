"""Defaults of Helm charts that let strangers in, or secrets out."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from penstock.graph.values import UNKNOWN as NOT_YET
from penstock.graph.values import Secret, Unknown
from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, NotKnown, Verdict, each, fail
from penstock.graph.view import View
from penstock.kubernetes.facts import chart_defaults
from penstock.kubernetes.facts.chart_defaults import ChartDefault
from penstock.kubernetes.facts.charts import HELM_CHARTS
from penstock.kubernetes.policies.helm_values import has_files
from penstock.kubernetes.rules.releases import chart as name_of_chart
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.SUPPLY_CHAIN)

_STEP = re.compile(r"([^.\[\]]+)|\[([^\]]+)\]")


@RULES.rule(
    on=HELM_CHARTS,
    severity=HIGH,
    rationale="Charts are made to start at once, and some do so without encryption, a login or bounds.",
    fix="Set the value that the message names.",
    sources=("Values of the charts (catalogue, chart_defaults)",),
)
def k8s_helm_insecure_default(release: View, _: Settings) -> Verdict:
    """A release keeps none of the defaults of its chart that are known to be insecure."""
    known = chart_defaults.insecure_defaults(name_of_chart(release))
    if not known:
        return NOT_APPLICABLE
    if has_files(release):
        return UNKNOWN
    values = release.value("values") or {}
    return each(known, lambda default: _judge(values, default))


def _judge(values: Any, default: ChartDefault) -> Verdict:
    if default.where:
        switch, own = default.where
        is_on = _given(values, switch, own == "true")
        if isinstance(is_on, Secret):
            return UNKNOWN
        if is_on is False:
            return PASS
    found = _given(values, default.key, None)
    chosen = None if default.default is None else json.loads(default.default)
    if found not in (None, "", chosen):
        return PASS
    kept = f"keeps {default.key} at {default.default}" if default.default is not None else f"does not set {default.key}"
    return fail(
        f"the release of {default.chart} {kept}: {default.why[0].lower()}{default.why[1:].rstrip('.')}",
        hint=f"Set {default.key} to {default.instead}.",
        path=f"values.{default.key}",
    )


def _given(values: Any, path: str, default: object) -> object:
    """The value at a path; the default where none is given.

    Raises:
        NotKnown: it is not known yet, or what it is in is a secret.
    """
    for key, variable in _STEP.findall(path):
        if isinstance(values, Secret | Unknown):
            raise NotKnown
        if isinstance(values, Mapping):
            values = values.get(key)
        elif isinstance(values, list | tuple):
            values = _variable(values, variable)
        else:
            return default
    if isinstance(values, Unknown):
        raise NotKnown
    return default if values is None else values


def _variable(items: Sequence[Any], name: str) -> Any:
    """The value of the variable of a name in a list of such."""
    found = (item.get("value") for item in items if isinstance(item, Mapping) and item.get("name") == name)
    names = [item.get("name") if isinstance(item, Mapping) else item for item in items]
    return next(found, NOT_YET if any(isinstance(each_, Secret | Unknown) for each_ in names) else None)
