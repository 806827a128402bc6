"""Rules on what is not built yet, for Azure alone."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.core.wording import quoted
from penstock.description.node_pool import NodePoolSpec
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules.rule import pool_rule, rule
from penstock.description.rules.unbuilt import UNBUILT_CODE, not_yet

_OF_TPUS = ("topology", "slices")


@rule(UNBUILT_CODE, reads=("cluster",), provider="azure")
def clusters_are_built(spec: Spec) -> Iterator[Problem]:
    """A cluster is new, and reached without a machine inside."""
    if spec.cluster.existing is not None:
        yield not_yet(("cluster", "existing"), "Adopting a cluster of Azure", ())
    if spec.cluster.runner:
        yield not_yet(("cluster", "runner"), "A runner on Azure", ())


@rule(UNBUILT_CODE, reads=("network",), provider="azure")
def networks_are_built(spec: Spec) -> Iterator[Problem]:
    """A network has a way out and private endpoints."""
    network = spec.network
    if network.egress != "nat":
        yield not_yet(("network", "egress"), f"egress: {network.egress} on Azure", ("nat",))
    if not network.private_endpoints:
        yield not_yet(("network", "private_endpoints"), "A platform on Azure without private endpoints", ("true",))
    if network.mtu is not None:
        yield not_yet(("network", "mtu"), "An MTU on Azure", ())


@pool_rule(UNBUILT_CODE, provider="azure")
def tpus_are_elsewhere(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """TPU slices are requested on Google Cloud only."""
    for name in _OF_TPUS:
        if getattr(pool, name) is not None:
            yield Problem((name,), f"{quoted(name)} is for TPUs, which Azure does not have.", "Leave it out.")


@rule(UNBUILT_CODE, reads=("addons",), provider="azure")
def taints_of_nodes_can_go(spec: Spec) -> Iterator[Problem]:
    """New nodes are not kept from work until they are tested: AKS refuses to remove a pool's taint from a node.

    Those that may go are `nodeInitializationTaints` (AKS documentation, node taints, as of 2026-01): in preview, behind
    a feature flag, "not meant for production use", and refused in any request about a single pool, as Pulumi makes
    them. The version of the API that its provider speaks, 2025-09-01, does not have them.
    """
    if spec.addons.gate_nodes():
        message = (
            "AKS offers no supported taint that a node loses once it passes its test: the API refuses to remove "
            "nodeTaints from a node, and nodeInitializationTaints are in preview and refused for a single pool."
        )
        hint = (
            "Leave gate out, and start the tests of health by hand. Source: "
            "https://learn.microsoft.com/azure/aks/use-node-taints."
        )
        yield Problem(("addons", "health", "gate"), message, hint)
