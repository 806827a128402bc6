"""File systems that exist: each team mounts a directory of its own, and sees nothing above it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from tests.descriptions import ONPREM_TRAINING, changed

from penstock.description import parse
from penstock.jobs import JobRequest, job_manifests
from penstock.platform import Platform
from penstock.testing import rehearse

SERVERS = {
    "lustre": "10.0.0.1@o2ib:10.0.0.2@o2ib",
    "beegfs": "beegfs.lan",
    "scale": "7118073361626808055;09762E69:5D36FE8D",
}
HANDLES = {
    "lustre": "10.0.0.1@o2ib:10.0.0.2@o2ib:/data",
    "beegfs": "beegfs://beegfs.lan/data",
    "scale": "7118073361626808055;09762E69:5D36FE8D;path=/data",
}


def described(kind: str) -> dict[str, Any]:
    sold = {"capacity_tib": 500, "throughput_mbps_per_tib": 250} if kind == "lustre" else {}
    item = {"name": "checkpoints", "kind": kind, "server": SERVERS[kind], "path": "/data", **sold}
    there = changed("cluster.existing", {"name": "it", "installed": [kind]}, ONPREM_TRAINING)
    teams = changed("addons", {"queueing": {"teams": [{"name": "vision", "namespace": "ml-vision"}]}}, there)
    return changed("storage", [item], teams)


def volumes(description: Mapping[str, Any]) -> dict[str, str]:
    """What the driver calls the volume of each namespace."""
    graph = rehearse(lambda: Platform(parse(description))).graph
    found = (each.inputs["spec"] for each in graph.of_type("kubernetes:core/v1:PersistentVolume"))
    return {each["claimRef"]["namespace"]: each["csi"]["volumeHandle"] for each in found}


@pytest.mark.parametrize("kind", SERVERS)
def test_a_team_has_a_directory_of_its_own(kind: str) -> None:
    assert volumes(described(kind)) == {"default": HANDLES[kind], "ml-vision": f"{HANDLES[kind]}/ml-vision"}


@pytest.mark.parametrize("kind", SERVERS)
def test_nothing_is_installed_beside_the_driver_that_is_there(kind: str) -> None:
    rehearsal = rehearse(described(kind))

    assert rehearsal.findings == ()
    charts = {each.inputs["name"] for each in rehearsal.graph.of_type("kubernetes:helm.sh/v3:Release")}
    assert not {name for name in charts if "csi" in name}


def test_a_job_of_a_team_writes_checkpoints_there() -> None:
    read = parse(described("beegfs"))

    text = str(job_manifests(read, JobRequest(namespace="ml-vision", pool="train")))

    assert "/checkpoints" in text
