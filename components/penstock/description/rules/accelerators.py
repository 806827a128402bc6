"""Rules on accelerators in a cluster: who offers them to pods, and how pods share them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from penstock.core.errors import UnknownFact
from penstock.core.versions import minor
from penstock.core.wording import listed, one_of, quoted
from penstock.description import addon_conditions, sharing
from penstock.description.node_pool import NodePoolSpec
from penstock.description.nodes import PoolNodes, pool_nodes
from penstock.description.nodes.claims import SINCE
from penstock.description.platform import Spec, resolved
from penstock.description.problems import Problem
from penstock.description.rules.advertisers import OF_GPUS, whole_nodes
from penstock.description.rules.rule import pool_rule, rule
from penstock.kubernetes.facts import mig, mps
from penstock.kubernetes.facts.device_software import DeviceSoftware, SharingWay

_SHARING: Final = ("sharing",)
_GPU: Final = "nvidia.com/gpu"


@pool_rule("SPEC-164", reads=("cloud", "cluster"))
def accelerators_are_shared_where_something_shares_them(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """GPUs are shared in one way, which whoever offers them to pods knows."""
    if pool.sharing is None:
        return
    ways = sharing.ways_of(pool.sharing)
    if len(ways) != 1:
        message = f"{listed(ways)} exclude each other." if ways else "sharing names no way to share."
        yield Problem(_SHARING, message, "Set one of mig, time_slicing and mps.")
        return
    (way,) = ways
    nodes = whole_nodes(pool, spec)
    if nodes is None:
        return
    if nodes.software is None or nodes.software.resource != _GPU:
        what = f"{nodes.accelerator} is not a GPU of NVIDIA" if nodes.accelerator else "It has no accelerator"
        yield Problem(_SHARING, f"Pool {pool.name} shares nothing: {what}.", "Leave sharing out.")
        return
    if way not in nodes.software.sharing:
        known = nodes.software.sharing
        hint = f"Ways there: {listed(known)}." if known else "Leave sharing out."
        yield Problem((*_SHARING, way), _why_not(way, nodes), hint)
        return
    pods = getattr(pool.sharing, way)
    most = _most_pods(way, nodes, nodes.software)
    if most is not None and pods > most:
        yield Problem((*_SHARING, way), f"At most {most} pods share a GPU there, not {pods}.", f"Use {most} or fewer.")
    there = [name for name in OF_GPUS if name in addon_conditions.installed(spec)]
    if there:
        message = f"The cluster has {there[0]} already, whose configuration stays with whoever installed it."
        yield Problem(_SHARING, message, "Leave sharing out, or leave it out of cluster.existing.installed.")


@pool_rule("SPEC-164", reads=("cloud",))
def partitions_are_of_the_gpu(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """A MIG profile is one of the GPU."""
    size = pool.sharing.mig if pool.sharing is not None else None
    nodes = whole_nodes(pool, spec)
    software = nodes.software if nodes is not None else None
    if size is None or nodes is None or nodes.accelerator is None or software is None or "mig" not in software.sharing:
        return
    sizes = mig.profiles(nodes.accelerator, nodes.accelerator_memory_gib)
    if size not in sizes:
        message = f"{quoted(size)} is not a MIG profile of {nodes.accelerator}."
        hint = one_of(size, tuple(sizes), "Its profiles") if sizes else "Leave mig out: it cannot be partitioned."
        yield Problem((*_SHARING, "mig"), message, hint)


@rule("SPEC-164", reads=("cloud", "node_pools"), provider="kubernetes")
def nodes_say_how_they_share(spec: Spec) -> Iterator[Problem]:
    """Where pools share GPUs in different ways, their nodes have the labels by which they do."""
    pools = [(index, pool, nodes) for index, pool in enumerate(spec.node_pools) if (nodes := _shared(pool, spec))]
    gpus = [nodes for _, _, nodes in pools if nodes.software is not None and nodes.software.resource == _GPU]
    same = all(nodes.shared == gpus[0].shared for nodes in gpus)
    for index, pool, nodes in pools:
        for key, value in _labels(nodes, same=same).items():
            if pool.labels.get(key) != value:
                message = f"Nothing says which nodes share their GPUs like those of pool {pool.name}."
                hint = f"Label these nodes {key}={value}, and write the label here, too."
                yield Problem(("node_pools", index, "labels"), message, hint)


@pool_rule("SPEC-166", reads=("cloud", "cluster"), provider="kubernetes")
def nvlink_leaves_the_node_on_a_cluster_that_can(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """GPUs that NVLink joins across nodes are in a cluster that knows claims."""
    nodes, version = whole_nodes(pool, spec), spec.cluster.version
    if nodes is None or not nodes.claims or version is None:
        return
    if minor(version) < minor(SINCE):
        message = f"{nodes.accelerator} needs Kubernetes {SINCE} or later for NVLink between nodes, not {version}."
        yield Problem((), message, "Upgrade the cluster first.")


def _most_pods(way: SharingWay, nodes: PoolNodes, software: DeviceSoftware) -> int | None:
    """The most pods that share a GPU in a way; None where that has no limit of its own."""
    if way == "mig":
        return None
    of_mps = [mps.most_pods(nodes.accelerator or "")] if way == "mps" else []
    limits = [*of_mps, *([software.most_pods] if software.most_pods is not None else [])]
    return min(limits, default=None)


def _shared(pool: NodePoolSpec, spec: Spec) -> PoolNodes | None:
    try:
        return pool_nodes(resolved(spec, pool), spec)
    except (KeyError, UnknownFact):
        return None


def _labels(nodes: PoolNodes, *, same: bool) -> Mapping[str, str]:
    """The labels that the nodes of a pool must have, beside what is the default where all share alike."""
    if nodes.shared is None or nodes.software is None:
        return {}
    if nodes.software.advertiser == "plugin":
        needed = sharing.plugin_labels(nodes.shared)
        return {key: value for key, value in needed.items() if not same or key == sharing.MPS_CAPABLE}
    key = sharing.MIG_CONFIG if nodes.shared.way == "mig" else sharing.PLUGIN_CONFIG
    return {} if same else {key: nodes.shared.config}


def _why_not(way: SharingWay, nodes: PoolNodes) -> str:
    if nodes.software is not None and nodes.software.advertiser == "plugin" and way == "mig":
        return "mig needs the GPU Operator, which partitions GPUs; here there is a device plugin alone."
    return f"The nodes of pool {nodes.pool} advertise their GPUs themselves, whole."
