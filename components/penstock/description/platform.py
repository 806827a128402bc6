"""The whole description."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from penstock.catalog import machines, offerings, regions
from penstock.description import node_pool
from penstock.description.addons import AddonsSpec
from penstock.description.block import ComponentSpec, HoldingSpec, Name, SpecBlock
from penstock.description.budget import BudgetSpec
from penstock.description.cloud import CloudSpec
from penstock.description.cluster import ClusterSpec
from penstock.description.compliance import ComplianceSpec
from penstock.description.network import NetworkSpec
from penstock.description.node_pool import NodePoolSpec, Nodes
from penstock.description.offer import offer_of
from penstock.description.storage import StorageSpec
from penstock.providers import built_clouds
from penstock.rules.waivers import Waiver

ZONES_BY_DEFAULT = 3

SYSTEM_POOL = "system"
"""The pool that runs the cluster's own pods."""


class Spec(SpecBlock):
    """One AI platform, as a person describes it in `stacks/Pulumi.ENV.yaml`."""

    environment: Literal["dev", "staging", "prod"] = Field(
        description="Environment, a tag on every resource; prod protects data against deletion."
    )
    name: Name = "platform"
    owner: str | None = Field(default=None, description="Team or person responsible; a tag on every resource.")
    tags: dict[str, str] = Field(default_factory=dict, description="Tags on every resource.")
    waivers: tuple[Waiver, ...] = Field(
        default=(),
        description="Rules that are waived: where, why, and until when.",
    )
    cloud: CloudSpec
    network: NetworkSpec = NetworkSpec()
    cluster: ClusterSpec = Field(default_factory=ClusterSpec)
    node_pools: tuple[NodePoolSpec, ...] = Field(default=(), description="Pools of nodes, each of one machine type.")
    storage: tuple[StorageSpec, ...] = Field(default=(), description="Buckets, file systems, volumes and databases.")
    addons: AddonsSpec = AddonsSpec()
    compliance: ComplianceSpec = ComplianceSpec()
    budget: BudgetSpec | None = None


def zones(spec: Spec) -> tuple[str, ...]:
    """The zones of the platform, full names: those it lists, those of an adopted network, or the first of its region.

    Where a subnetwork lies in all zones of a region, as on Google Cloud, an adopted network names none.

    Raises:
        UnknownFact: the catalogue has no such region. A description that was checked never raises.
    """
    if spec.cloud.zones:
        return spec.cloud.zones
    if spec.network.existing is not None and offer_of(spec.cloud.provider).zonal_subnets:
        return tuple(spec.network.existing.subnets)
    return regions.find_region(spec.cloud.region or "", spec.cloud.provider).zones[:ZONES_BY_DEFAULT]


def node_pools(spec: Spec) -> tuple[NodePoolSpec, ...]:
    """The pools to build: those described, and one for the cluster's own pods where none of them takes any pod.

    DNS and the drivers of disks tolerate no taint of ours; EKS waits for them, and without a node it waits in vain.
    """
    pools = tuple(_kept_for_addons(spec, resolved(spec, pool)) for pool in spec.node_pools)
    adopted = spec.cluster.existing is not None or spec.cloud.provider not in built_clouds()
    if adopted or any(node_pool.takes_any_pod(pool, spec.cloud.provider) for pool in pools):
        return pools
    sold = offerings.offered(spec.cloud.region or "", spec.cloud.provider)
    small = offer_of(spec.cloud.provider).system_machines
    machine_type = next((name for name in small if sold is None or name in sold), small[-1])
    return (NodePoolSpec(name=SYSTEM_POOL, machine_type=machine_type, nodes=Nodes(min=2, max=3)), *pools)


def _kept_for_addons(spec: Spec, pool: NodePoolSpec) -> NodePoolSpec:
    """The pool with the taint of the add-on that has it to itself; nodes that exist have the taints they have."""
    all_taints = (block.taints() for block in spec.addons.enabled().values())
    own = tuple(taints[pool.name] for taints in all_taints if pool.name in taints)
    if not own or spec.cloud.provider not in built_clouds():
        return pool
    return pool.model_copy(update={"taints": (*pool.taints, *own)})


def resolved(spec: Spec, pool: NodePoolSpec) -> NodePoolSpec:
    """The pool with its machine type: of those with its accelerator, one that the region sells, if there is one.

    A cluster that exists has no machine types of ours.

    Raises:
        UnknownFact: the catalogue has no such machine. A pool of a description that was checked never raises.
    """
    if pool.machine_type is not None or spec.cloud.provider not in built_clouds():
        return pool
    sold = offerings.offered(spec.cloud.region or "", spec.cloud.provider)
    machine = machines.for_accelerator(pool.accelerator or "", pool.count, spec.cloud.provider, sold)
    return pool.model_copy(update={"machine_type": machine.machine_type})


def full_name(spec: Spec, *parts: str) -> str:
    """The name of a part of the platform in its account: platform, environment and the part's own name."""
    return "-".join((spec.name, spec.environment, *parts))


def tags(spec: Spec, component: ComponentSpec) -> dict[str, str]:
    """The tags of a component's resources; its own win over the platform's, which win over the derived ones.

    Keys that differ in capitals only are one tag, as IAM has it.
    """
    owner = {"owner": spec.owner} if spec.owner is not None else {}
    derived = {"platform": spec.name, "environment": spec.environment, **owner}
    layers = (derived, spec.tags, component.tags)
    return dict({key.casefold(): (key, value) for layer in layers for key, value in layer.items()}.values())


def protect(spec: Spec, component: HoldingSpec) -> bool:
    """Return whether a component is protected against deletion: as the component says, otherwise in prod."""
    return component.protect if component.protect is not None else spec.environment == "prod"
