"""Labels of nodes: those that Kubernetes takes and GKE leaves to pools."""

from __future__ import annotations

from typing import Any

import pytest
from tests.gcp_pools import inline, pool
from tests.rulecases import Case, Program, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE

OURS = {
    "cloud.google.com/gke-networking-dra-driver": "true",
    "cloud.google.com/gke-dpv2-unified-cni": "cni-migration",
    "cloud.google.com/gke-queued": "true",
    "gke-no-default-nvidia-gpu-device-plugin": "true",
}
"""Labels by which pools turn features of GKE on."""


def labelled(labels: Any) -> Program:
    """A pool whose nodes have labels."""
    return pool("e2-standard-8", {"labels": labels})


def at(key: str) -> str:
    """Where a label stands."""
    return f"nodeConfig.labels.{key}"


CASES = [
    Case("gcp-gke-node-labels", PASS, labelled(OURS)),
    Case("gcp-gke-node-labels", PASS, labelled({"cloud.google.com/compute-class": "training", "empty": ""})),
    Case("gcp-gke-node-labels", FAIL, labelled({"team a": "x"}), path=at("team a"), says="63"),
    Case("gcp-gke-node-labels", FAIL, labelled({"team": "data & ml"}), path=at("team"), says="no value"),
    Case(
        "gcp-gke-node-labels",
        FAIL,
        labelled({"node-role.kubernetes.io/worker": ""}),
        path=at("node-role.kubernetes.io/worker"),
        says="example.com/role",
    ),
    Case(
        "gcp-gke-node-labels",
        FAIL,
        inline("e2-standard-8", {"labels": {"sandbox.gke.io/runtime": "gvisor"}}),
        path="nodePools[0].nodeConfig.labels.sandbox.gke.io/runtime",
    ),
    Case("gcp-gke-node-labels", CANNOT_TELL, labelled({"team": UNKNOWN})),
    Case("gcp-gke-node-labels", NOT_APPLICABLE, pool("e2-standard-8")),
    Case("gcp-gke-node-labels-managed", PASS, labelled(OURS)),
    Case(
        "gcp-gke-node-labels-managed",
        FAIL,
        labelled({"cloud.google.com/gke-nodepool": "train"}),
        path=at("cloud.google.com/gke-nodepool"),
        says="Leave it out",
    ),
    Case("gcp-gke-node-labels-managed", CANNOT_TELL, labelled(UNKNOWN)),
    Case("gcp-gke-node-labels-managed", NOT_APPLICABLE, labelled({"sandbox.gke.io/runtime": "gvisor"})),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_labels_of_nodes_tells(case: Case) -> None:
    check(case)
