"""Workloads as a whole: what apps, batch, autoscaling and policy refuse."""

from __future__ import annotations

from typing import Any

import pytest
from tests.manifests import container, deployment, job, pod
from tests.rulecases import Case, Program, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.kubernetes.types import AUTOSCALERS, CRON_JOB, DISRUPTION_BUDGET, STATEFUL_SET

CONTAINERS = [container()]


def template(policy: Any = None, **labels: str) -> dict[str, Any]:
    """A pod template."""
    spec = {"containers": CONTAINERS} | ({} if policy is None else {"restartPolicy": policy})
    return {"metadata": {"labels": labels or {"app": "it"}}, "spec": spec}


def cron(schedule: Any, policy: str = "Never") -> Program:
    """A cron job."""
    return {"it": (CRON_JOB, {"spec": {"schedule": schedule, "jobTemplate": {"spec": {"template": template(policy)}}}})}


def of(type_: str, **spec: Any) -> Program:
    """An object with a spec."""
    return {"it": (type_, {"spec": spec})}


SCALER = AUTOSCALERS[1]
EXPRESSION = {"key": "app", "operator": "In", "values": ["it", "other"]}
RECREATE = {"type": "Recreate", "rollingUpdate": {"maxSurge": 1}}

CASES = [
    Case("k8s-workload-selector-matches", Outcome.PASS, deployment()),
    Case("k8s-workload-selector-matches", Outcome.PASS, deployment(selector={"matchExpressions": [EXPRESSION]})),
    Case(
        "k8s-workload-selector-matches",
        Outcome.FAIL,
        deployment(selector={"matchLabels": {"app": "other"}}),
        path="spec.selector",
        says="app: it",
    ),
    Case("k8s-workload-selector-matches", Outcome.FAIL, of(STATEFUL_SET, template=template()), path="spec.selector"),
    Case("k8s-workload-selector-matches", Outcome.UNKNOWN, deployment(selector={"matchLabels": {"app": UNKNOWN}})),
    Case("k8s-workload-selector-matches", Outcome.NOT_APPLICABLE, pod()),
    Case("k8s-restart-policy-fits-kind", Outcome.PASS, deployment()),
    Case("k8s-restart-policy-fits-kind", Outcome.PASS, job()),
    Case("k8s-restart-policy-fits-kind", Outcome.PASS, cron("@daily", "OnFailure")),
    Case(
        "k8s-restart-policy-fits-kind",
        Outcome.FAIL,
        job(template=template()),
        path="spec.template.spec.restartPolicy",
        says="Never",
    ),
    Case(
        "k8s-restart-policy-fits-kind",
        Outcome.FAIL,
        cron("@daily", "Always"),
        path="spec.jobTemplate.spec.template.spec.restartPolicy",
        says="OnFailure",
    ),
    Case(
        "k8s-restart-policy-fits-kind",
        Outcome.FAIL,
        deployment(template("Never")),
        path="spec.template.spec.restartPolicy",
    ),
    Case("k8s-restart-policy-fits-kind", Outcome.UNKNOWN, deployment(template(UNKNOWN))),
    Case("k8s-restart-policy-fits-kind", Outcome.NOT_APPLICABLE, pod(restartPolicy="Never")),
    *(
        Case("k8s-cronjob-schedule-valid", Outcome.PASS, cron(schedule))
        for schedule in ("*/15 3-5 1,15 jan-MAR sun", "@hourly", "0 0 ? * 0", "@every 1h30m")
    ),
    *(
        Case("k8s-cronjob-schedule-valid", Outcome.FAIL, cron(schedule), path="spec.schedule", says=schedule)
        for schedule in ("60 * * * *", "* * * *", "* * * * 7", "every hour", "5-3 * * * *", "*/0 * * * *", "@often")
    ),
    Case("k8s-cronjob-schedule-valid", Outcome.UNKNOWN, cron(UNKNOWN)),
    Case("k8s-cronjob-schedule-valid", Outcome.NOT_APPLICABLE, job()),
    Case("k8s-hpa-replica-range", Outcome.PASS, of(SCALER, minReplicas=2, maxReplicas=2)),
    Case(
        "k8s-hpa-replica-range",
        Outcome.FAIL,
        of(SCALER, minReplicas=5, maxReplicas=3),
        path="spec.maxReplicas",
        says="5",
    ),
    Case("k8s-hpa-replica-range", Outcome.FAIL, of(SCALER, maxReplicas=0), path="spec.maxReplicas"),
    Case("k8s-hpa-replica-range", Outcome.UNKNOWN, of(SCALER, minReplicas=UNKNOWN, maxReplicas=3)),
    Case("k8s-hpa-replica-range", Outcome.NOT_APPLICABLE, of(SCALER)),
    Case("k8s-pdb-single-bound", Outcome.PASS, of(DISRUPTION_BUDGET, minAvailable="50%")),
    Case(
        "k8s-pdb-single-bound",
        Outcome.FAIL,
        of(DISRUPTION_BUDGET, minAvailable=1, maxUnavailable=1),
        path="spec.maxUnavailable",
    ),
    Case("k8s-pdb-single-bound", Outcome.UNKNOWN, {"it": (DISRUPTION_BUDGET, {"spec": UNKNOWN})}),
    Case("k8s-pdb-single-bound", Outcome.NOT_APPLICABLE, {"it": (DISRUPTION_BUDGET, {})}),
    Case("k8s-workload-counts-valid", Outcome.PASS, deployment(replicas=0)),
    Case("k8s-workload-counts-valid", Outcome.FAIL, deployment(replicas=-1), path="spec.replicas", says="-1"),
    Case("k8s-workload-counts-valid", Outcome.FAIL, job(completionMode="Indexed"), path="spec.completions"),
    Case("k8s-workload-counts-valid", Outcome.UNKNOWN, deployment(replicas=UNKNOWN)),
    Case("k8s-workload-counts-valid", Outcome.NOT_APPLICABLE, job()),
    Case("k8s-workload-strategy-valid", Outcome.PASS, deployment(strategy={"type": "Recreate"})),
    Case(
        "k8s-workload-strategy-valid", Outcome.FAIL, deployment(strategy={"type": "Rolling"}), path="spec.strategy.type"
    ),
    Case(
        "k8s-workload-strategy-valid", Outcome.FAIL, deployment(strategy=RECREATE), path="spec.strategy.rollingUpdate"
    ),
    Case(
        "k8s-workload-strategy-valid",
        Outcome.FAIL,
        deployment(strategy={"rollingUpdate": {"maxSurge": 0, "maxUnavailable": "0%"}}),
        path="spec.strategy.rollingUpdate",
    ),
    Case(
        "k8s-workload-strategy-valid",
        Outcome.FAIL,
        job(completionMode="indexed"),
        path="spec.completionMode",
        says="Indexed",
    ),
    Case("k8s-workload-strategy-valid", Outcome.UNKNOWN, deployment(strategy=UNKNOWN)),
    Case("k8s-workload-strategy-valid", Outcome.NOT_APPLICABLE, deployment()),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_workloads_says_what_an_api_server_would(case: Case) -> None:
    check(case)
