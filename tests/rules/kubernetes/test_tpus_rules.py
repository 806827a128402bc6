"""TPU slices: pods that take whole nodes, say which slice they want, and fill it."""

from __future__ import annotations

import pytest
from tests.gkemanifests import chips, gke, plain, slices, tpus
from tests.manifests import pod
from tests.rulecases import Case, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome

SLICE = gke(system=plain(), train=tpus())
SINGLE = gke(serve=tpus("ct6e-standard-8t", topology=None, nodes=2))
ACCELERATOR = {"cloud.google.com/gke-tpu-accelerator": "tpu-v6e-slice"}
ON_ONE_HOST = ACCELERATOR | {"cloud.google.com/gke-tpu-topology": "2x4"}

CASES = [
    Case("K8S-TPU-001", Outcome.PASS, {**SLICE, **chips()}),
    Case("K8S-TPU-001", Outcome.PASS, {**SINGLE, **chips("8", selector=ON_ONE_HOST)}),
    Case("K8S-TPU-001", Outcome.FAIL, {**SLICE, **chips("2")}, "spec.template.spec.containers", "Request 4"),
    Case("K8S-TPU-001", Outcome.FAIL, {**SLICE, **chips("2")}, "spec.template.spec.containers", "has 4", preview=True),
    Case("K8S-TPU-001", Outcome.UNKNOWN, chips("2")),
    Case("K8S-TPU-001", Outcome.NOT_APPLICABLE, {**SLICE, **pod()}),
    Case("K8S-TPU-002", Outcome.PASS, chips()),
    Case("K8S-TPU-002", Outcome.PASS, chips(selector={"cloud.google.com/compute-class": "tpu"})),
    Case(
        "K8S-TPU-002", Outcome.FAIL, chips(selector=ACCELERATOR), "spec.template.spec.nodeSelector", "gke-tpu-topology"
    ),
    Case("K8S-TPU-002", Outcome.UNKNOWN, chips(selector=UNKNOWN)),
    Case("K8S-TPU-002", Outcome.NOT_APPLICABLE, pod()),
    Case("K8S-TPU-003", Outcome.PASS, {**SLICE, **chips()}),
    Case("K8S-TPU-003", Outcome.PASS, {**SLICE, **slices(4, replicas=2)}),
    Case(
        "K8S-TPU-003",
        Outcome.FAIL,
        {**SLICE, **chips(pods=2)},
        "spec.parallelism",
        "Set parallelism and completions to 4",
    ),
    Case(
        "K8S-TPU-003",
        Outcome.FAIL,
        {**SLICE, **slices(1)},
        "spec.replicatedJobs[0].template.spec.parallelism",
        "runs 1 pods at once",
    ),
    Case("K8S-TPU-003", Outcome.UNKNOWN, {**SLICE, **chips(pods=UNKNOWN)}),
    Case("K8S-TPU-003", Outcome.NOT_APPLICABLE, {**SINGLE, **chips("8", selector=ON_ONE_HOST, pods=1)}),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_tpus_says_what_gke_would(case: Case) -> None:
    check(case)
