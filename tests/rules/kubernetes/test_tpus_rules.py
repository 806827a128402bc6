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
    Case("k8s-tpu-requests-all-chips", Outcome.PASS, {**SLICE, **chips()}),
    Case("k8s-tpu-requests-all-chips", Outcome.PASS, {**SINGLE, **chips("8", selector=ON_ONE_HOST)}),
    Case(
        "k8s-tpu-requests-all-chips",
        Outcome.FAIL,
        {**SLICE, **chips("2")},
        "spec.template.spec.containers",
        "Request 4",
    ),
    Case(
        "k8s-tpu-requests-all-chips",
        Outcome.FAIL,
        {**SLICE, **chips("2")},
        "spec.template.spec.containers",
        "has 4",
        preview=True,
    ),
    Case("k8s-tpu-requests-all-chips", Outcome.UNKNOWN, chips("2")),
    Case("k8s-tpu-requests-all-chips", Outcome.NOT_APPLICABLE, {**SLICE, **pod()}),
    Case("k8s-tpu-slice-selected", Outcome.PASS, chips()),
    Case("k8s-tpu-slice-selected", Outcome.PASS, chips(selector={"cloud.google.com/compute-class": "tpu"})),
    Case(
        "k8s-tpu-slice-selected",
        Outcome.FAIL,
        chips(selector=ACCELERATOR),
        "spec.template.spec.nodeSelector",
        "gke-tpu-topology",
    ),
    Case("k8s-tpu-slice-selected", Outcome.UNKNOWN, chips(selector=UNKNOWN)),
    Case("k8s-tpu-slice-selected", Outcome.NOT_APPLICABLE, pod()),
    Case("k8s-tpu-job-fills-slice", Outcome.PASS, {**SLICE, **chips()}),
    Case("k8s-tpu-job-fills-slice", Outcome.PASS, {**SLICE, **slices(4, replicas=2)}),
    Case(
        "k8s-tpu-job-fills-slice",
        Outcome.FAIL,
        {**SLICE, **chips(pods=2)},
        "spec.parallelism",
        "Set parallelism and completions to 4",
    ),
    Case(
        "k8s-tpu-job-fills-slice",
        Outcome.FAIL,
        {**SLICE, **slices(1)},
        "spec.replicatedJobs[0].template.spec.parallelism",
        "runs 1 pods at once",
    ),
    Case("k8s-tpu-job-fills-slice", Outcome.UNKNOWN, {**SLICE, **chips(pods=UNKNOWN)}),
    Case("k8s-tpu-job-fills-slice", Outcome.NOT_APPLICABLE, {**SINGLE, **chips("8", selector=ON_ONE_HOST, pods=1)}),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_tpus_says_what_gke_would(case: Case) -> None:
    check(case)
