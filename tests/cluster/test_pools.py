"""Pools as simulated machines: the real scheduler places what fits a pool as it is described, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.cluster.contents import clear_nodes
from tests.cluster.control_plane import ControlPlane
from tests.cluster.nodes import described_nodes, join, machines
from tests.cluster.observed import run
from tests.descriptions import ONPREM_TRAINING
from tests.environments import STACKS

from penstock import description
from penstock.description.nodes import PoolNodes, nodes_of

pytestmark = pytest.mark.cluster


@pytest.fixture(scope="module")
def onprem() -> PoolNodes:
    (pool,) = nodes_of(description.parse(ONPREM_TRAINING))
    return pool


@pytest.fixture
def empty(cluster: ControlPlane) -> Iterator[ControlPlane]:
    yield cluster
    clear_nodes(cluster.api)


def test_a_pod_for_all_devices_of_a_described_machine_is_placed(empty: ControlPlane, onprem: PoolNodes) -> None:
    assert unplaced(empty, onprem, onprem.devices) == ()


def test_a_pod_for_one_device_more_stays_pending(empty: ControlPlane, onprem: PoolNodes) -> None:
    (words,) = unplaced(empty, onprem, {**onprem.devices, "nvidia.com/gpu": onprem.accelerators + 1})

    assert "Insufficient nvidia.com/gpu" in words


def test_a_pod_for_machines_of_another_kind_stays_pending(empty: ControlPlane, onprem: PoolNodes) -> None:
    (words,) = unplaced(empty, onprem, {}, selector={"nvidia.com/gpu.product": "NVIDIA-A100-SXM4-80GB"})

    assert "didn't match Pod's node affinity/selector" in words


@pytest.mark.parametrize("stack", STACKS)
def test_machines_of_every_environment_join_with_what_their_pools_have(stack: str, empty: ControlPlane) -> None:
    nodes = machines(stack)

    join(empty.api, nodes)

    found = {each["metadata"]["name"]: each for each in empty.api.objects("v1", "Node")}
    for node in nodes:
        joined = found[node["metadata"]["name"]]
        assert joined["status"]["capacity"] == node["status"]["capacity"]
        assert node["metadata"]["labels"].items() <= joined["metadata"]["labels"].items()


def unplaced(
    cluster: ControlPlane, pool: PoolNodes, devices: Any, *, selector: dict[str, str] | None = None
) -> tuple[str, ...]:
    """The scheduler's words about a pod in a cluster that only has the machines of a pool."""
    limits = {name: str(amount) for name, amount in devices.items()}
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "it", "namespace": "team"},
        "spec": {
            "nodeSelector": dict(pool.selector) if selector is None else selector,
            "tolerations": [{"operator": "Exists"}],
            "containers": [{"name": "main", "image": "busybox:1.37", "resources": {"limits": limits}}],
        },
    }
    observed = run(cluster.api, [("it", pod)], list(described_nodes([pool])))
    assert observed.refused == {}
    return observed.unplaced
