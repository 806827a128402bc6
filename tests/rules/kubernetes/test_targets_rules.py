"""Autoscalers and disruption budgets: what would scale or protect nothing."""

from __future__ import annotations

from typing import Any

import pytest
from tests.manifests import deployment, release
from tests.rulecases import Case, Program, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.kubernetes.types import AUTOSCALERS, DEPLOYMENT, DISRUPTION_BUDGET


def web(namespace: str = "default") -> Program:
    """A Deployment called `web`, whose pods have the label `app: it`."""
    inputs = deployment()["it"][1]
    return {"web": (DEPLOYMENT, {**inputs, "metadata": {"name": "web", "namespace": namespace}})}


def scaling(name: Any, kind: str = "Deployment") -> Program:
    """An autoscaler."""
    return {"it": (AUTOSCALERS[1], {"spec": {"scaleTargetRef": {"kind": kind, "name": name}, "maxReplicas": 2}})}


def protecting(**labels: Any) -> Program:
    """A disruption budget."""
    return {"it": (DISRUPTION_BUDGET, {"spec": {"selector": {"matchLabels": labels}, "maxUnavailable": 1}})}


TARGET = "spec.scaleTargetRef.name"
CHART = {"chart": release()["it"]}

CASES = [
    Case("k8s-hpa-target-exists", Outcome.PASS, {**web(), **scaling("web")}),
    Case("k8s-hpa-target-exists", Outcome.FAIL, {**web(), **scaling("wbe")}, TARGET, "There are web"),
    Case("k8s-hpa-target-exists", Outcome.FAIL, {**web("team"), **scaling("web")}, TARGET, "in the namespace team"),
    Case("k8s-hpa-target-exists", Outcome.UNKNOWN, {**web(), **scaling(UNKNOWN)}),
    Case("k8s-hpa-target-exists", Outcome.UNKNOWN, {**web(), **CHART, **scaling("of-the-chart")}),
    Case("k8s-hpa-target-exists", Outcome.UNKNOWN, scaling("web")),
    Case("k8s-hpa-target-exists", Outcome.UNKNOWN, {**web(), **scaling("web", "RayCluster")}),
    Case("k8s-hpa-target-exists", Outcome.NOT_APPLICABLE, {"it": (AUTOSCALERS[1], {"spec": {"maxReplicas": 2}})}),
    Case("k8s-pdb-selects-pods", Outcome.PASS, {**web(), **protecting(app="it")}),
    Case("k8s-pdb-selects-pods", Outcome.FAIL, {**web(), **protecting(app="other")}, "spec.selector", "app=it"),
    Case("k8s-pdb-selects-pods", Outcome.UNKNOWN, {**web(), **protecting(app=UNKNOWN)}),
    Case("k8s-pdb-selects-pods", Outcome.UNKNOWN, {**web(), **CHART, **protecting(app="other")}),
    Case("k8s-pdb-selects-pods", Outcome.UNKNOWN, protecting(app="it")),
    Case("k8s-pdb-selects-pods", Outcome.NOT_APPLICABLE, {"it": (DISRUPTION_BUDGET, {"spec": {"maxUnavailable": 1}})}),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_targets_tells(case: Case) -> None:
    check(case)
