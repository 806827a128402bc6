"""Rules on local SSDs: their number, their use and their configuration."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.core.wording import listed
from penstock.gcp.facts.machines import GcpMachine
from penstock.gcp.model.gke import POOLS, GkePool, gke_pools
from penstock.gcp.rules import nodes
from penstock.gcp.rules.nodes import STARTERS
from penstock.gcp.types import COMPUTE_INSTANCE, COMPUTE_RESERVATION
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow, together
from penstock.graph.view import Block, View
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_BLOCKS_OF_SSDS = ("ephemeralStorageLocalSsdConfig", "localNvmeSsdBlockConfig", "ephemeralStorageConfig")


@RULES.rule(
    on=STARTERS,
    severity=HIGH,
    rationale="Compute Engine rejects other numbers of local SSDs.",
    fix="Set localSsdCount to a number that the machine type takes, or leave the local SSDs out.",
    sources=("Compute Engine documentation, Local SSD",),
)
def gcp_machine_local_ssd_count(view: View) -> Verdict:
    """The number of local SSDs is one that the machine type takes; most GPU machine types take only one."""

    def check(machine: GcpMachine, count: int, path: str) -> Verdict:
        if not count:
            return NOT_APPLICABLE
        some = [number for number in machine.local_ssds if number]
        wanted = f"Use {listed(some)}." if some else "Leave local SSDs out, or take a machine type that has them."
        having = f"has {listed(some)}" if some else "has none"
        message = f"{count} local SSDs are set, and {machine.machine_type} {having}"
        return allow(count in some, message, hint=wanted, path=path)

    return nodes.on_machines(
        view,
        lambda machine, block: together(check(machine, count, path) for count, path in _local_ssds(view, block)),
    )


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale="The two configurations exclude one another, so the node pool is not created.",
    fix=(
        "Keep either ephemeralStorageLocalSsdConfig (for the pods' own storage) or localNvmeSsdBlockConfig (for raw "
        "disks)."
    ),
    sources=("cluster-toolkit 1.95, modules/compute/gke-node-pool",),
)
def gcp_gke_local_ssd_use(pool: GkePool) -> Verdict:
    """Local SSDs of a node pool serve as ephemeral storage or as raw block devices, and not as both."""
    config = pool.config
    used = [block for key in _BLOCKS_OF_SSDS if config is not None and (block := config.block(key)) is not None]
    counted = [block for block in used if block.integer("localSsdCount")]
    if not counted:
        return NOT_APPLICABLE
    message = "ephemeral storage and raw blocks of local SSDs exclude one another, and both are set"
    hint = "Keep ephemeralStorageLocalSsdConfig for pods' own storage, or localNvmeSsdBlockConfig for raw disks."
    return allow(len(counted) == 1, message, hint=hint, path=counted[-1].at("localSsdCount"))


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=MEDIUM,
    rationale="The nodes start, but no workload uses the local SSDs.",
    fix="Set ephemeralStorageLocalSsdConfig.localSsdCount to the number of local SSDs of the machine type.",
    sources=("Compute Engine documentation, Local SSD", "cluster-toolkit 1.95, modules/compute/gke-node-pool"),
)
def gcp_gke_local_ssd_config(pool: GkePool) -> Verdict:
    """A node pool whose machine type comes with local SSDs configures what they are used for."""
    machine, config = pool.machine, pool.config
    if machine is None or config is None or len(machine.local_ssds) != 1 or not machine.local_ssds[0]:
        return NOT_APPLICABLE
    said = "localSsdCount" in config or any(key in config for key in _BLOCKS_OF_SSDS)
    ssds = "a local SSD" if machine.local_ssds == (1,) else f"{machine.local_ssds[0]} local SSDs"
    message = f"{machine.machine_type} comes with {ssds}, and no setting says how the node uses them"
    hint = f"Set localSsdCount to {machine.local_ssds[0]} in ephemeralStorageLocalSsdConfig."
    return allow(said, message, hint=hint, path=config.at("ephemeralStorageLocalSsdConfig"))


def _local_ssds(view: View, block: Block) -> Iterator[tuple[int, str]]:
    """The numbers of local SSDs, each with its path."""
    if view.type in POOLS:
        holders = [inner for key in _BLOCKS_OF_SSDS if (inner := block.block(key)) is not None]
        for holder in (block, *holders):
            if "localSsdCount" in holder and "dataCacheCount" not in holder:
                yield holder.integer("localSsdCount") or 0, holder.at("localSsdCount")
    elif view.type == COMPUTE_RESERVATION:
        yield block.count("localSsds"), block.at("localSsds")
    elif view.type == COMPUTE_INSTANCE:
        yield block.count("scratchDisks"), block.at("scratchDisks")
    else:
        yield sum(disk.text("type") == "SCRATCH" for disk in block.blocks("disks")), block.at("disks")
