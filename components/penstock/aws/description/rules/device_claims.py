"""Devices that pods on EKS claim: what else would hand them out, and what does not claim them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from penstock.core.errors import UnknownFact
from penstock.description import addon_conditions
from penstock.description.node_pool import NodePoolSpec
from penstock.description.nodes import pool_nodes
from penstock.description.platform import Spec, resolved
from penstock.description.positions import Path
from penstock.description.problems import Problem
from penstock.description.rules.device_claims import BACK
from penstock.description.rules.rule import pool_rule, rule

_INSTALLED: Final[Path] = ("cluster", "existing", "installed")

_PLUGINS: Final = ("nvidia", "gpu-operator", "efa")
"""What a cluster may have already that hands out GPUs or EFA to pods that request them."""

_REQUESTING: Final = {
    "ray": "Ray's workers request GPUs by name",
    "slurm": "Slurm's workers request GPUs by name",
    "notebooks": "Notebooks request GPUs by name",
}
"""Add-ons whose pods claim nothing."""


@pool_rule("SPEC-200", reads=("cloud", "cluster"), provider="aws")
def claimed_gpus_are_whole(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """GPUs that pods claim are not shared: NVIDIA's driver for claims does that by features in alpha alone."""
    if spec.cluster.device_allocation == "claims" and pool.sharing is not None:
        message = f"Pool {pool.name} shares its GPUs, and pods of this cluster claim whole ones."
        yield Problem(("sharing",), message, f"Leave sharing out. Or: {BACK}")


@pool_rule("SPEC-200", reads=("cloud", "cluster"), provider="aws")
def a_node_is_there_that_publishes_its_devices(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """A pool with claimed devices is never empty: no autoscaler knows beforehand what its first node will publish."""
    if spec.cluster.device_allocation != "claims" or pool.nodes.min > 0:
        return
    try:
        nodes = pool_nodes(resolved(spec, pool), spec)
    except (KeyError, UnknownFact):
        return
    if nodes.requested != nodes.devices:
        message = f"No autoscaler starts the first node of pool {pool.name} for pods that claim its devices."
        yield Problem(("nodes", "min"), message, f"Keep one node at least: nodes.min of 1. Or: {BACK}")


@rule("SPEC-200", reads=("cloud", "cluster", "node_pools"), provider="aws")
def claimed_devices_have_one_advertiser(spec: Spec) -> Iterator[Problem]:
    """No device plugin is there beside drivers for claims, and no driver for claims of EFA beside its device plugin."""
    there = addon_conditions.installed(spec)
    claimed = spec.cluster.device_allocation == "claims"
    for name in _PLUGINS if claimed else ("efa-dra",):
        if name in there:
            other = "claims" if claimed else "device plugins"
            message = f"{name} is in the cluster, and hands out the same devices as the drivers of {other}."
            hint = f"Remove {name} from the cluster and from this list, or change cluster.device_allocation."
            yield Problem(_INSTALLED, message, hint)


@rule("SPEC-200", reads=("cluster", "addons"), provider="aws")
def what_runs_on_claimed_devices_claims_them(spec: Spec) -> Iterator[Problem]:
    """No add-on requests by name what pods claim: its pods would wait for good."""
    if spec.cluster.device_allocation != "claims":
        return
    for name, why in _REQUESTING.items():
        if spec.addons.has(name):
            yield Problem(("addons", name), f"{why}, and pods of this cluster claim them.", f"Leave it out. Or: {BACK}")
