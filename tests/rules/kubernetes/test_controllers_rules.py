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
    Case("K8S-CTRL-001", Outcome.PASS, deployment()),
    Case("K8S-CTRL-001", Outcome.PASS, deployment(selector={"matchExpressions": [EXPRESSION]})),
    Case(
        "K8S-CTRL-001",
        Outcome.FAIL,
        deployment(selector={"matchLabels": {"app": "other"}}),
        path="spec.selector",
        says="app: it",
    ),
    Case("K8S-CTRL-001", Outcome.FAIL, of(STATEFUL_SET, template=template()), path="spec.selector"),
    Case("K8S-CTRL-001", Outcome.UNKNOWN, deployment(selector={"matchLabels": {"app": UNKNOWN}})),
    Case("K8S-CTRL-001", Outcome.NOT_APPLICABLE, pod()),
    Case("K8S-CTRL-002", Outcome.PASS, deployment()),
    Case("K8S-CTRL-002", Outcome.PASS, job()),
    Case("K8S-CTRL-002", Outcome.PASS, cron("@daily", "OnFailure")),
    Case("K8S-CTRL-002", Outcome.FAIL, job(template=template()), path="spec.template.spec.restartPolicy", says="Never"),
    Case(
        "K8S-CTRL-002",
        Outcome.FAIL,
        cron("@daily", "Always"),
        path="spec.jobTemplate.spec.template.spec.restartPolicy",
        says="OnFailure",
    ),
    Case("K8S-CTRL-002", Outcome.FAIL, deployment(template("Never")), path="spec.template.spec.restartPolicy"),
    Case("K8S-CTRL-002", Outcome.UNKNOWN, deployment(template(UNKNOWN))),
    Case("K8S-CTRL-002", Outcome.NOT_APPLICABLE, pod(restartPolicy="Never")),
    *(
        Case("K8S-CTRL-003", Outcome.PASS, cron(schedule))
        for schedule in ("*/15 3-5 1,15 jan-MAR sun", "@hourly", "0 0 ? * 0", "@every 1h30m")
    ),
    *(
        Case("K8S-CTRL-003", Outcome.FAIL, cron(schedule), path="spec.schedule", says=schedule)
        for schedule in ("60 * * * *", "* * * *", "* * * * 7", "every hour", "5-3 * * * *", "*/0 * * * *", "@often")
    ),
    Case("K8S-CTRL-003", Outcome.UNKNOWN, cron(UNKNOWN)),
    Case("K8S-CTRL-003", Outcome.NOT_APPLICABLE, job()),
    Case("K8S-CTRL-004", Outcome.PASS, of(SCALER, minReplicas=2, maxReplicas=2)),
    Case("K8S-CTRL-004", Outcome.FAIL, of(SCALER, minReplicas=5, maxReplicas=3), path="spec.maxReplicas", says="5"),
    Case("K8S-CTRL-004", Outcome.FAIL, of(SCALER, maxReplicas=0), path="spec.maxReplicas"),
    Case("K8S-CTRL-004", Outcome.UNKNOWN, of(SCALER, minReplicas=UNKNOWN, maxReplicas=3)),
    Case("K8S-CTRL-004", Outcome.NOT_APPLICABLE, of(SCALER)),
    Case("K8S-CTRL-005", Outcome.PASS, of(DISRUPTION_BUDGET, minAvailable="50%")),
    Case(
        "K8S-CTRL-005",
        Outcome.FAIL,
        of(DISRUPTION_BUDGET, minAvailable=1, maxUnavailable=1),
        path="spec.maxUnavailable",
    ),
    Case("K8S-CTRL-005", Outcome.UNKNOWN, {"it": (DISRUPTION_BUDGET, {"spec": UNKNOWN})}),
    Case("K8S-CTRL-005", Outcome.NOT_APPLICABLE, {"it": (DISRUPTION_BUDGET, {})}),
    Case("K8S-CTRL-006", Outcome.PASS, deployment(replicas=0)),
    Case("K8S-CTRL-006", Outcome.FAIL, deployment(replicas=-1), path="spec.replicas", says="-1"),
    Case("K8S-CTRL-006", Outcome.FAIL, job(completionMode="Indexed"), path="spec.completions"),
    Case("K8S-CTRL-006", Outcome.UNKNOWN, deployment(replicas=UNKNOWN)),
    Case("K8S-CTRL-006", Outcome.NOT_APPLICABLE, job()),
    Case("K8S-CTRL-007", Outcome.PASS, deployment(strategy={"type": "Recreate"})),
    Case("K8S-CTRL-007", Outcome.FAIL, deployment(strategy={"type": "Rolling"}), path="spec.strategy.type"),
    Case("K8S-CTRL-007", Outcome.FAIL, deployment(strategy=RECREATE), path="spec.strategy.rollingUpdate"),
    Case(
        "K8S-CTRL-007",
        Outcome.FAIL,
        deployment(strategy={"rollingUpdate": {"maxSurge": 0, "maxUnavailable": "0%"}}),
        path="spec.strategy.rollingUpdate",
    ),
    Case("K8S-CTRL-007", Outcome.FAIL, job(completionMode="indexed"), path="spec.completionMode", says="Indexed"),
    Case("K8S-CTRL-007", Outcome.UNKNOWN, deployment(strategy=UNKNOWN)),
    Case("K8S-CTRL-007", Outcome.NOT_APPLICABLE, deployment()),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_workloads_says_what_an_api_server_would(case: Case) -> None:
    check(case)
