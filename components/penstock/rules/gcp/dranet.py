"""Rules on DRANET, by which GKE wires the fabric of a node pool itself."""

from __future__ import annotations

from penstock.catalog.gcp import fabrics
from penstock.findings import Severity
from penstock.model.pools.gke import POOLS, GkePool, gke_pools
from penstock.resources.verdict import NOT_APPLICABLE, Verdict, allow, each, together
from penstock.resources.view import View
from penstock.rules.gcp import wiring
from penstock.rules.gcp.nodes import allow_at
from penstock.rules.rule import rule

_DRANET = "cluster-toolkit 1.95, modules/compute/gke-node-pool, check dranet_requirements"
_LABEL = "cloud.google.com/gke-networking-dra-driver"


@rule("GCP-FABRIC-011", on=POOLS, source=_DRANET)
def dranet_and_additional_networks_exclude_one_another(view: View) -> Verdict:
    """A pool has its fabric wired by GKE (DRANET) or by additional networks, and not by both."""

    def check(pool: GkePool) -> Verdict:
        if wiring.accelerator_profile(pool) is None:
            return NOT_APPLICABLE
        message = "GKE wires the fabric itself (acceleratorNetworkProfile), and additional networks are listed too"
        hint = "Leave additionalNodeNetworkConfigs or acceleratorNetworkProfile out."
        return allow(not wiring.entries(pool), message, hint=hint, path=_profile_at(pool))

    return each(gke_pools(view), check)


@rule("GCP-FABRIC-012", on=POOLS, source=_DRANET)
def dranet_serves_the_machine(view: View) -> Verdict:
    """DRANET wires machines of families that it knows, in a cluster with Dataplane V2; its one profile is auto."""

    def check(pool: GkePool) -> Verdict:
        profile, machine = wiring.accelerator_profile(pool), pool.machine
        if profile is None or machine is None:
            return NOT_APPLICABLE
        path = _profile_at(pool)
        message = f"{profile!r} is no profile that GKE wires accelerators by"
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

    return each(gke_pools(view), check)


@rule("GCP-FABRIC-013", on=POOLS, severity=Severity.WARNING, source=_DRANET)
def nodes_with_dranet_carry_its_label(view: View) -> Verdict:
    """Nodes that DRANET wires carry the label by which GKE puts its driver on them."""

    def check(pool: GkePool) -> Verdict:
        config = pool.config
        if wiring.accelerator_profile(pool) is None or config is None:
            return NOT_APPLICABLE
        labels = config.block("labels")
        message = f"without the label {_LABEL} GKE puts no network driver on the nodes"
        given = labels is not None and labels.text(_LABEL) == "true"
        return allow(given, message, hint=f'Add the label {_LABEL} with the value "true".', path=config.at("labels"))

    return each(gke_pools(view), check)


def _profile_at(pool: GkePool) -> str:
    return pool.block.at("networkConfig.acceleratorNetworkProfile")


def _on_dataplane_v2(pool: GkePool) -> Verdict:
    cluster = pool.cluster
    message = f"DRANET wires the pool {pool.view.name}, and its cluster does not run Dataplane V2"
    hint = "Set datapathProvider to ADVANCED_DATAPATH."
    holds = cluster.text("datapathProvider") == "ADVANCED_DATAPATH"
    return allow_at(cluster, holds, message, hint=hint, path="datapathProvider")
