"""Controllers of add-ons keep off accelerators: by taints where pools have them, and by affinity where none does."""

from __future__ import annotations

import json

import pytest
from tests.addon_cases import PLATFORMS
from tests.kubernetes.clusters import cluster_of
from tests.kubernetes.every_addon import built

from penstock.kubernetes.components.system_nodes import without_accelerators

RELEASE = "kubernetes:helm.sh/v3:Release"
AGENTS = {
    "node-problem-detector": "agents of all nodes",
    "prometheus-operator-crds": "no pods",
    "slurm-operator-crds": "no pods",
}
"""Charts all of whose pods belong on the nodes where they run, and the reason."""


@pytest.mark.slow
def test_controllers_stay_off_accelerators_that_no_taint_protects() -> None:
    placed = {
        release.inputs["name"]: json.dumps(release.inputs["values"], default=str)
        for rehearsal in built("kubernetes")
        for release in rehearsal.graph.of_type(RELEASE)
    }
    beside = {chart for chart, values in placed.items() if not ("NotIn" in values or "nodeSelector" in values)}

    assert beside == set(AGENTS)


@pytest.mark.parametrize("provider", ["aws", "gcp"])
def test_taints_keep_them_off_on_clouds(provider: str) -> None:
    cluster = cluster_of(PLATFORMS[provider])

    assert all(pool.taints for pool in cluster.accelerated)
    assert cluster.accelerated
    assert without_accelerators(cluster.pools) == {}
