"""Rules on the features of GKE that a fabric needs: multi-networking, versions and gVNIC."""

from __future__ import annotations

from penstock.core.wording import listed
from penstock.gcp.facts import gke_versions
from penstock.gcp.model.gke import POOLS, GkePool, gke_pools, pools_of
from penstock.gcp.rules import nodes, wiring
from penstock.gcp.types import CONTAINER_CLUSTER
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow, each
from penstock.graph.view import View
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)


@RULES.rule(
    on=CONTAINER_CLUSTER,
    severity=HIGH,
    rationale="GKE refuses the node pools otherwise.",
    fix="Set enableMultiNetworking of the cluster to true.",
    joins=True,
    sources=("GKE documentation, set up multi-network support for pods",),
)
def gcp_gke_multi_networking(cluster: View) -> Verdict:
    """A cluster whose node pools have additional networks has multi-networking enabled."""
    wired = [pool for pool in pools_of(cluster) if wiring.entries(pool)]
    if not wired:
        return NOT_APPLICABLE
    names = listed(dict.fromkeys(pool.view.name for pool in wired))
    message = f"nodes of {names} have additional networks, and multi-networking is off"
    hint, path = "Set enableMultiNetworking to true.", "enableMultiNetworking"
    return allow(cluster.flag(path), message, hint=hint, path=path)


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale="GKE refuses the feature on older versions.",
    fix="Set minMasterVersion of the cluster, or version of the node pool, to a GKE version that has the feature.",
    joins=True,
    sources=(
        "cluster-toolkit 1.95, modules/compute/gke-node-pool, gpu_direct.tf",
        "cluster-toolkit 1.95, modules/network/multivpc",
        "cluster-toolkit 1.95, modules/network/gpu-rdma-vpc",
        "GKE documentation, set up multi-network support for pods",
    ),
)
def gcp_gke_network_feature_version(pool: GkePool) -> Verdict:
    """The GKE version has the network feature that the node pool uses: multi-networking or DRANET."""
    features = _features(pool)
    if not features:
        return NOT_APPLICABLE
    return each(features, lambda feature: nodes.has_feature(pool, feature))


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=MEDIUM,
    rationale="An older version creates the nodes all the same, but Google does not support the fabric on them.",
    fix="Set minMasterVersion of the cluster, or version of the node pool, to a GKE version that supports the fabric.",
    sources=(
        "cluster-toolkit 1.95, modules/compute/gke-node-pool, gpu_direct.tf",
        "cluster-toolkit 1.95, modules/network/multivpc",
        "cluster-toolkit 1.95, modules/network/gpu-rdma-vpc",
    ),
)
def gcp_gke_fabric_version(pool: GkePool) -> Verdict:
    """The GKE version is one on which Google supports the fabric of the machine type."""
    fabric = pool.fabric if wiring.accelerator_profile(pool) is None and wiring.entries(pool) else None
    if fabric is None or fabric.name not in gke_versions.features():
        return NOT_APPLICABLE
    return nodes.has_feature(pool, fabric.name)


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale="Fast Socket does not work over another interface.",
    fix="Set gvnic.enabled to true.",
    sources=("Pulumi Google Cloud 10.2, container.NodePool, node_config.fast_socket",),
)
def gcp_gke_fast_socket_gvnic(pool: GkePool) -> Verdict:
    """NCCL Fast Socket is enabled only on nodes with Google's own network interface (gVNIC)."""
    config = pool.config
    if config is None or not nodes.enabled(config, "fastSocket"):
        return NOT_APPLICABLE
    message = "Fast Socket needs gVNIC, which is not enabled"
    return allow(nodes.enabled(config, "gvnic"), message, path=config.at("gvnic"))


def _features(pool: GkePool) -> list[str]:
    """The features that a pool uses and GKE has from some version on."""
    if wiring.accelerator_profile(pool) is not None:
        return ["dranet"]
    return ["multi_networking"] if wiring.entries(pool) else []
