"""Conditions on a description that enable an add-on without a field of `addons` of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from penstock.description.addons import AddonsSpec
from penstock.description.nodes import PoolNodes, nodes_of
from penstock.description.platform import Spec
from penstock.kubernetes.facts import accelerators

_GPU: Final = "nvidia.com/gpu"
_AMD_GPU: Final = "amd.com/gpu"


def holding(spec: Spec) -> frozenset[str]:
    """Return the names of the conditions that hold for a platform.

    Raises:
        UnknownFact: as `nodes_of`.
    """
    pools = nodes_of(spec)
    of_pools = {name for name, holds in _OF_POOLS.items() if holds(pools, installed(spec))}
    return frozenset(of_pools | {name for name, holds in _OF_ADDONS.items() if holds(spec.addons)})


def conditions() -> frozenset[str]:
    """Return the names of all conditions."""
    return frozenset((*_OF_POOLS, *_OF_ADDONS))


def installed(spec: Spec) -> frozenset[str]:
    """Return what the cluster has already, as the description says."""
    existing = spec.cluster.existing
    return frozenset(existing.installed if existing is not None else ())


def _gpus_by_operator(pools: tuple[PoolNodes, ...], there: frozenset[str]) -> bool:
    """NVIDIA GPUs whose software the GPU Operator installs, which the cluster lacks."""
    return _advertised(pools, _GPU, "operator") and not there & {"gpu-operator", "nvidia"}


def _gpus_by_plugin(pools: tuple[PoolNodes, ...], there: frozenset[str]) -> bool:
    """NVIDIA GPUs whose nodes lack nothing but a device plugin."""
    return _advertised(pools, _GPU, "plugin") and not there & {"gpu-operator", "nvidia"}


def _amd_gpus_by_plugin(pools: tuple[PoolNodes, ...], there: frozenset[str]) -> bool:
    """AMD GPUs whose nodes lack nothing but a device plugin."""
    return _advertised(pools, _AMD_GPU, "plugin") and "amd" not in there


def _rdma_by_operator(pools: tuple[PoolNodes, ...], there: frozenset[str]) -> bool:
    """Adapters that NVIDIA's network operator offers."""
    return "network-operator" not in there and any(
        pool.rdma is not None and pool.rdma.advertiser == "operator" for pool in pools
    )


def _nvlink_across_nodes(pools: tuple[PoolNodes, ...], there: frozenset[str]) -> bool:
    """GPUs that NVLink joins beyond their node, where nodes do not bring the driver for claims."""
    return "nvidia-dra" not in there and any(
        pool.software is not None
        and pool.software.advertiser in ("operator", "plugin")
        and accelerators.spans_nodes(pool.accelerator)
        for pool in pools
    )


def _gpus_on_fabric(pools: tuple[PoolNodes, ...], _: frozenset[str]) -> bool:
    """GPUs on a fabric that NCCL has variables for."""
    return any(pool.accelerator_kind == "gpu" and pool.fabric is not None for pool in pools)


def _advertised(pools: tuple[PoolNodes, ...], resource: str, advertiser: str) -> bool:
    its = (pool.software for pool in pools)
    return any(each is not None and (each.resource, each.advertiser) == (resource, advertiser) for each in its)


def _secrets_delivered(addons: AddonsSpec) -> bool:
    """Secrets that come into namespaces."""
    return addons.secrets is not None and bool(addons.secrets.delivered_to)


_OF_POOLS: Final[Mapping[str, Callable[[tuple[PoolNodes, ...], frozenset[str]], bool]]] = {
    "amd_gpus_by_plugin": _amd_gpus_by_plugin,
    "gpus_by_operator": _gpus_by_operator,
    "gpus_by_plugin": _gpus_by_plugin,
    "gpus_on_fabric": _gpus_on_fabric,
    "nvlink_across_nodes": _nvlink_across_nodes,
    "rdma_by_operator": _rdma_by_operator,
}
"""Each condition on pools, and on what the cluster has already, by the name that `addons.csv` calls it by."""

_OF_ADDONS: Final[Mapping[str, Callable[[AddonsSpec], bool]]] = {"secrets_delivered": _secrets_delivered}
"""Each condition on other add-ons likewise."""
