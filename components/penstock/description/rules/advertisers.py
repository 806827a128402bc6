"""Advertisers of the devices of pools: what the cluster has already, and what nodes bring."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from penstock.core.errors import UnknownFact
from penstock.core.wording import quoted
from penstock.description import addon_conditions
from penstock.description.node_pool import NodePoolSpec
from penstock.description.nodes import PoolNodes, pool_nodes
from penstock.description.platform import Spec, resolved
from penstock.description.problems import Problem

_GPU: Final = "nvidia.com/gpu"

OF_GPUS: Final = ("nvidia", "gpu-operator")
"""What a cluster may have already that advertises NVIDIA GPUs."""

_OF_FABRICS: Final = "network-operator"


def doubled(spec: Spec) -> Iterator[Problem]:
    """What the cluster has already that advertises devices which something else advertises, too."""
    there = addon_conditions.installed(spec)
    if not there:
        return
    by_nodes = _by_nodes(spec)
    of_gpus = [name for name in OF_GPUS if name in there]
    if len(of_gpus) > 1:
        stays = _advertiser_of_gpus(spec)
        (goes,) = (name for name in of_gpus if name != stays)
        yield _problem(goes, _GPU, f"{stays} advertises {_GPU}")
    elif of_gpus and _GPU in by_nodes:
        yield _problem(of_gpus[0], _GPU, f"the nodes of pool {by_nodes[_GPU]} advertise {_GPU} themselves")
    fabrics = [name for name in by_nodes if name != _GPU]
    if _OF_FABRICS in there and fabrics:
        resource = fabrics[0]
        yield _problem(_OF_FABRICS, resource, f"the nodes of pool {by_nodes[resource]} advertise {resource} themselves")


def whole_nodes(pool: NodePoolSpec, spec: Spec) -> PoolNodes | None:
    """The nodes of a pool without regard to sharing; None where a rule of its own reports what is unknown."""
    try:
        return pool_nodes(resolved(spec, pool).model_copy(update={"sharing": None}), spec)
    except (KeyError, UnknownFact):
        return None


def _advertiser_of_gpus(spec: Spec) -> str:
    """Which of the two advertisers the pools are built on: the GPU Operator also brings what nodes lack beside it."""
    nodes = filter(None, (whole_nodes(pool, spec) for pool in spec.node_pools))
    by = {each.software.advertiser for each in nodes if each.software is not None and each.software.resource == _GPU}
    return "gpu-operator" if "operator" in by else "nvidia"


def _by_nodes(spec: Spec) -> Mapping[str, str]:
    """The resources that nodes advertise themselves, with the first pool that has them."""
    found: dict[str, str] = {}
    for pool in spec.node_pools:
        nodes = whole_nodes(pool, spec)
        if nodes is None:
            continue
        if nodes.software is not None and nodes.software.advertiser == "node":
            found.setdefault(nodes.software.resource, pool.name)
        if nodes.rdma is not None and nodes.rdma.advertiser == "node" and nodes.fabric_resource is not None:
            found.setdefault(nodes.fabric_resource, pool.name)
    return found


def _problem(installed: str, resource: str, other: str) -> Problem:
    message = f"{quoted(installed)} hands out {resource} a second time: {other}."
    hint = f"Remove {installed} from the cluster and from this list."
    return Problem(("cluster", "existing", "installed"), message, hint)
