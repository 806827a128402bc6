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
    Case("K8S-CTRL-008", Outcome.PASS, {**web(), **scaling("web")}),
    Case("K8S-CTRL-008", Outcome.FAIL, {**web(), **scaling("wbe")}, TARGET, "There are web"),
    Case("K8S-CTRL-008", Outcome.FAIL, {**web("team"), **scaling("web")}, TARGET, "in the namespace team"),
    Case("K8S-CTRL-008", Outcome.UNKNOWN, {**web(), **scaling(UNKNOWN)}),
    Case("K8S-CTRL-008", Outcome.UNKNOWN, {**web(), **CHART, **scaling("of-the-chart")}),
    Case("K8S-CTRL-008", Outcome.UNKNOWN, scaling("web")),
    Case("K8S-CTRL-008", Outcome.UNKNOWN, {**web(), **scaling("web", "RayCluster")}),
    Case("K8S-CTRL-008", Outcome.NOT_APPLICABLE, {"it": (AUTOSCALERS[1], {"spec": {"maxReplicas": 2}})}),
    Case("K8S-CTRL-009", Outcome.PASS, {**web(), **protecting(app="it")}),
    Case("K8S-CTRL-009", Outcome.FAIL, {**web(), **protecting(app="other")}, "spec.selector", "app=it"),
    Case("K8S-CTRL-009", Outcome.UNKNOWN, {**web(), **protecting(app=UNKNOWN)}),
    Case("K8S-CTRL-009", Outcome.UNKNOWN, {**web(), **CHART, **protecting(app="other")}),
    Case("K8S-CTRL-009", Outcome.UNKNOWN, protecting(app="it")),
    Case("K8S-CTRL-009", Outcome.NOT_APPLICABLE, {"it": (DISRUPTION_BUDGET, {"spec": {"maxUnavailable": 1}})}),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_targets_tells(case: Case) -> None:
    check(case)
