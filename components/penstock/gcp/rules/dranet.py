"""Rules on DRANET, by which GKE wires the fabric of a node pool itself."""

from __future__ import annotations

from penstock.gcp.facts import fabrics
from penstock.gcp.model.gke import POOLS, GkePool, gke_pools
from penstock.gcp.rules import wiring
from penstock.gcp.rules.nodes import allow_at
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow, together
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_LABEL = "cloud.google.com/gke-networking-dra-driver"


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale="GKE does not combine an accelerator network profile with additional networks.",
    fix="Leave additionalNodeNetworkConfigs or acceleratorNetworkProfile out.",
    sources=("cluster-toolkit 1.95, modules/compute/gke-node-pool, check dranet_requirements",),
)
def gcp_dranet_or_networks(pool: GkePool) -> Verdict:
    """The fabric of a node pool is wired by GKE (DRANET) or by additional networks, and not by both."""
    if wiring.accelerator_profile(pool) is None:
        return NOT_APPLICABLE
    message = "GKE wires the fabric itself (acceleratorNetworkProfile), and additional networks are listed too"
    hint = "Leave additionalNodeNetworkConfigs or acceleratorNetworkProfile out."
    return allow(not wiring.entries(pool), message, hint=hint, path=_profile_at(pool))


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale=(
        "GKE knows no other profile, and DRANET does not wire other machine families or clusters without Dataplane V2."
    ),
    fix=(
        "Set acceleratorNetworkProfile to auto and datapathProvider to ADVANCED_DATAPATH, or leave "
        "acceleratorNetworkProfile out on other machine families."
    ),
    joins=True,
    sources=("cluster-toolkit 1.95, modules/compute/gke-node-pool, check dranet_requirements",),
)
def gcp_dranet_machine_family(pool: GkePool) -> Verdict:
    """DRANET is used with the profile auto, on machine families that it serves, in a cluster with Dataplane V2."""
    profile, machine = wiring.accelerator_profile(pool), pool.machine
    if profile is None or machine is None or pool.cluster.flag("enableAutopilot"):
        return NOT_APPLICABLE
    path = _profile_at(pool)
    message = f"{profile!r} is not a profile that GKE wires accelerators by"
    verdicts = [
        allow(profile == "auto", message, hint="Use auto.", path=path),
        allow(
            fabrics.dranet(machine),
            f"DRANET does not serve {machine.machine_type}",
            hint="Leave acceleratorNetworkProfile out; list additional networks where the machine has a fabric.",
            path=path,
        ),
    ]
    return together([*verdicts, _on_dataplane_v2(pool)])


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=MEDIUM,
    rationale="Without the label GKE starts no network driver for DRANET on the nodes.",
    fix='Add the label cloud.google.com/gke-networking-dra-driver with the value "true" to nodeConfig.labels.',
    sources=("cluster-toolkit 1.95, modules/compute/gke-node-pool, check dranet_requirements",),
)
def gcp_dranet_node_label(pool: GkePool) -> Verdict:
    """Nodes with DRANET carry the label cloud.google.com/gke-networking-dra-driver."""
    config = pool.config
    if wiring.accelerator_profile(pool) is None or config is None:
        return NOT_APPLICABLE
    labels = config.block("labels")
    message = f"without the label {_LABEL} GKE puts no network driver on the nodes"
    given = labels is not None and labels.text(_LABEL) == "true"
    return allow(given, message, hint=f'Add the label {_LABEL} with the value "true".', path=config.at("labels"))


def _profile_at(pool: GkePool) -> str:
    return pool.block.at("networkConfig.acceleratorNetworkProfile")


def _on_dataplane_v2(pool: GkePool) -> Verdict:
    cluster = pool.cluster
    message = f"DRANET wires the pool {pool.view.name}, and its cluster does not run Dataplane V2"
    hint = "Set datapathProvider to ADVANCED_DATAPATH."
    holds = cluster.text("datapathProvider") == "ADVANCED_DATAPATH"
    return allow_at(cluster, holds, message, hint=hint, path="datapathProvider")
