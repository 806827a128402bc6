"""Facts derived for a pool of a cluster that no component of ours creates: what its nodes bring, by its profile.

Every function raises `UnknownFact` where the catalogue has no such accelerator; a pool of a description that was
checked never does.
"""

from __future__ import annotations

from typing import Final

from penstock.description.node_pool import NodePoolSpec
from penstock.description.platform import Spec
from penstock.kubernetes.facts import accelerators, profiles
from penstock.kubernetes.facts.accelerators import Accelerator
from penstock.kubernetes.facts.device_software import DeviceSoftware, find_software
from penstock.kubernetes.facts.profiles import ClusterProfile

FABRICS: Final = {"infiniband": "infiniband", "rdma": "roce"}
"""The fabrics that such a pool may have, to the field of its profile that names their resource."""


def profile(spec: Spec) -> ClusterProfile:
    """The kind of cluster of a platform; generic where it does not say."""
    return profiles.find_profile(spec.cloud.profile or "generic")


def accelerator(pool: NodePoolSpec) -> Accelerator | None:
    """The accelerator of the pool; None for plain nodes."""
    return accelerators.find_accelerator(pool.accelerator) if pool.accelerator is not None else None


def software(pool: NodePoolSpec, spec: Spec) -> DeviceSoftware | None:
    """Who installs the software of the pool's accelerators, and who offers them to pods; None for plain nodes."""
    its = accelerator(pool)
    return find_software("kubernetes", its.resource, profile(spec).profile) if its is not None else None


def count(pool: NodePoolSpec) -> int:
    """The accelerators of a node: as the pool says, or as many as usual."""
    its = accelerator(pool)
    return 0 if its is None else pool.count or its.accelerators


def fabric_name(pool: NodePoolSpec, its: ClusterProfile) -> str | None:
    """What pods request of the fabric; None where the pool has none that clusters of the profile have."""
    field = FABRICS.get(pool.fabric)
    name: str | None = getattr(its, field) if field is not None else None
    return name


def fabric_resource(pool: NodePoolSpec, its: ClusterProfile) -> tuple[str, int] | None:
    """What a pod that takes a whole node requests of the fabric, and how many.

    None where the pool has no fabric, or nobody knows how many adapters its nodes have: `devices` says it by hand.
    """
    resource = fabric_name(pool, its)
    if resource is None:
        return None
    devices = pool.devices.get(resource) or getattr(its, f"{FABRICS[pool.fabric]}_devices") or _adapters(pool, its)
    return (resource, devices) if devices is not None else None


def _adapters(pool: NodePoolSpec, its: ClusterProfile) -> int | None:
    """The adapters of a node: as many for each accelerator as a usual machine has, and one at least."""
    its_accelerator = accelerator(pool)
    if its_accelerator is None:
        return None
    usual = accelerators.adapters(its.profile, its_accelerator.accelerator)
    return max(usual * count(pool) // its_accelerator.accelerators, 1) if usual is not None else None


def fabric_networks(pool: NodePoolSpec, its: ClusterProfile) -> tuple[str, ...]:
    """The secondary networks of a pod that takes a whole node, one for each adapter; none where nobody names any."""
    fabric = fabric_resource(pool, its)
    if fabric is None or fabric[0] != its.roce:
        return ()
    named = pool.fabric_networks or ((its.roce_network,) if its.roce_network is not None else ())
    return named * fabric[1] if len(named) == 1 else named
