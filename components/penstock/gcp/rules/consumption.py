"""Rules on how machines are bought: on demand, spot, reserved, flex start, queued."""

from __future__ import annotations

import re

from penstock.catalog import limits
from penstock.core.wording import listed
from penstock.gcp.model.gke import POOLS, GkePool, gke_pools
from penstock.gcp.rules import nodes
from penstock.gcp.rules.nodes import SINGLE, Starter
from penstock.graph.verdict import NOT_APPLICABLE, PASS, Verdict, allow, fail, together
from penstock.graph.view import View
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_SECONDS = re.compile(r"\d+(\.\d+)?s")
_SPECIFIC = "SPECIFIC_RESERVATION"
_NONE = "NO_RESERVATION"
_AFFINITY = "nodeConfig.reservationAffinity"
_MODELS = {"STANDARD": "on_demand", "SPOT": "spot", "FLEX_START": "flex_start", "RESERVATION_BOUND": "reserved"}
"""How Compute Engine names the ways to buy (Compute Engine API, Scheduling.provisioningModel)."""
_WORDS = {"on_demand": "on demand", "spot": "as spot", "reserved": "reserved", "flex_start": "by flex start"}


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale="The purchase options exclude one another, and GKE rejects two of them together.",
    fix="Keep one of spot, preemptible and flexStart, and with queuedProvisioning neither spot nor preemptible.",
    sources=("cluster-toolkit 1.95, modules/compute/gke-node-pool/main.tf",),
)
def gcp_gke_pool_purchase_option(pool: GkePool) -> Verdict:
    """A node pool uses at most one purchase option: spot, preemptible or flex-start."""
    ways = nodes.ways(pool)
    if not ways:
        return NOT_APPLICABLE
    message = f"{' and '.join(ways)} are set together and exclude one another"
    path = pool.block.at(f"nodeConfig.{ways[0]}")
    if len(ways) == 1 and ways[0] != "flexStart" and nodes.enabled(pool.block, "queuedProvisioning"):
        message = f"{ways[0]} and queued provisioning exclude one another"
        return fail(message, hint=f"Leave {ways[0]} or queuedProvisioning out.", path=path)
    return allow(len(ways) == 1, message, hint=f"Leave {listed(ways[1:]) or ways[0]} out.", path=path)


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale=(
        "GKE requires the reservation affinity to be none for flex-start and queued provisioning, and spot machines "
        "come from no reservation."
    ),
    fix="Set reservationAffinity.consumeReservationType to NO_RESERVATION.",
    sources=(
        "cluster-toolkit 1.95, modules/compute/gke-node-pool/main.tf",
        "hashicorp/terraform-provider-google issue 18341",
    ),
)
def gcp_gke_pool_no_reservation(pool: GkePool) -> Verdict:
    """A spot, flex-start or queued node pool uses no reservation, and the latter two declare this."""
    ways = nodes.ways(pool)
    queued = bool(nodes.enabled(pool.block, "queuedProvisioning"))
    if not ways and not queued:
        return NOT_APPLICABLE
    target = pool.affinity
    kind = target.text("consumeReservationType") if target is not None else None
    must_say = queued or "flexStart" in ways
    what = "queued machines" if queued else f"machines with {ways[0]}"
    said = kind or "nothing is said of reservations"
    message = f"{what} come from no reservation, and {said}" + (" is set" if kind else "")
    holds = kind == _NONE or (kind is None and not must_say)
    hint = f"Set consumeReservationType to {_NONE}."
    return allow(holds, message, hint=hint, path=pool.block.at(f"{_AFFINITY}.consumeReservationType"))


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale="A flex-start machine that is given back cannot be replaced at once, so automatic repair is refused.",
    fix="Set management.autoRepair to false.",
    sources=("cluster-toolkit 1.95, modules/compute/gke-node-pool/main.tf", "cluster-toolkit pull request 4027"),
)
def gcp_gke_flex_start_no_repair(pool: GkePool) -> Verdict:
    """A flex-start node pool has automatic repair off."""
    config = pool.config
    if config is None or not config.flag("flexStart"):
        return NOT_APPLICABLE
    management = pool.block.block("management")
    repairs = management.flag("autoRepair") if management is not None else None
    message = "flex-start nodes take no automatic repair, and management.autoRepair defaults to true"
    path = pool.block.at("management.autoRepair")
    return allow(repairs is False, message, hint="Set autoRepair to false.", path=path)


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale=(
        "Such machines arrive when there is capacity, so the node pool cannot start with a fixed number of nodes."
    ),
    fix=(
        "Set autoscaling with a minimum of 0 and leave nodeCount out; with queuedProvisioning set initialNodeCount to "
        "0, too."
    ),
    sources=(
        "cluster-toolkit 1.95, modules/compute/gke-node-pool/main.tf",
        "hashicorp/terraform-provider-google issue 18341",
    ),
)
def gcp_gke_flex_start_autoscaled(pool: GkePool) -> Verdict:
    """A flex-start or queued node pool is autoscaled and starts with no nodes."""
    config, queued = pool.config, bool(nodes.enabled(pool.block, "queuedProvisioning"))
    if not queued and (config is None or not config.flag("flexStart")):
        return NOT_APPLICABLE
    what = "queued machines" if queued else "machines of flex start"
    verdicts = [
        allow(
            "autoscaling" in pool.block,
            f"{what} start when there is capacity, and the pool is not autoscaled",
            hint="Set autoscaling with a minimum of 0.",
            path=pool.block.at("autoscaling"),
        )
    ]
    scaling = pool.block.block("autoscaling")
    holders = [(pool.block, "nodeCount")]
    if queued:
        holders.append((pool.block, "initialNodeCount"))
        holders += [(scaling, key) for key in ("minNodeCount", "totalMinNodeCount") if scaling is not None]
    for holder, key in holders:
        count = holder.integer(key) or 0
        message = f"{what} start when there is capacity, and {key} is {count}"
        verdicts.append(allow(not count, message, hint=f"Set {key} to 0, or leave it out.", path=holder.at(key)))
    return together(verdicts)


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale=(
        "A4X is sold by reservation only, and A3 Ultra and A4 are not sold on demand, so such nodes are not created."
    ),
    fix="Buy the machines in a way in which the machine type is sold: by reservationAffinity, spot or flexStart.",
    sources=("Compute Engine documentation, accelerator-optimized machines, consumption options",),
)
def gcp_gke_pool_consumption_option(pool: GkePool) -> Verdict:
    """The machine type is sold in the way that the node pool buys its machines."""
    machine = pool.machine
    if machine is None or not machine.accelerators or "sold" in machine.unverified:
        return NOT_APPLICABLE
    way, path = _way(pool)
    if way is None:
        return NOT_APPLICABLE
    sold = [_WORDS[each_] for each_ in machine.sold]
    message = f"{machine.machine_type} is not sold {_WORDS[way]}"
    hint = f"It is sold {' or '.join(sold)}."
    return allow(way in machine.sold, message, hint=hint, path=path)


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=MEDIUM,
    rationale=(
        "Without a named reservation the node pool depends on an open reservation with room, and otherwise gets no "
        "nodes."
    ),
    fix=(
        "Set consumeReservationType to SPECIFIC_RESERVATION and name one in values, or use spot or flexStart where the "
        "machine type is sold so."
    ),
    sources=("Compute Engine documentation, accelerator-optimized machines, consumption options",),
)
def gcp_gke_pool_reservation_named(pool: GkePool) -> Verdict:
    """A node pool of machines that are not sold on demand names its reservation."""
    machine = pool.machine
    if machine is None or "on_demand" in machine.sold or "reserved" not in machine.sold or nodes.ways(pool):
        return NOT_APPLICABLE
    if nodes.enabled(pool.block, "queuedProvisioning") or nodes.affinity_kind(pool) == _NONE:
        return NOT_APPLICABLE  # reported by other rules
    others = [_WORDS[way] for way in machine.sold if way != "reserved"]
    message = f"{machine.machine_type} is not sold on demand, and the pool names no reservation"
    hint = f"Set consumeReservationType to {_SPECIFIC} and name one"
    hint = f"{hint}, or buy {' or '.join(others)}." if others else f"{hint}."
    return allow(nodes.affinity_kind(pool) == _SPECIFIC, message, hint=hint, path=pool.block.at(_AFFINITY))


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale="The API rejects other formats, and flex-start gives machines for 604800 seconds at most.",
    fix="Set maxRunDuration to a value such as 604800s.",
    sources=("Kubernetes Engine API, NodeConfig.maxRunDuration", "GKE documentation, flex-start"),
)
def gcp_gke_max_run_duration(pool: GkePool) -> Verdict:
    """The maximum run duration of a machine is in seconds, such as 3600s, and at most seven days with flex-start."""
    config = pool.config
    length = config.text("maxRunDuration") if config is not None else None
    if config is None or length is None:
        return NOT_APPLICABLE
    path, most = config.at("maxRunDuration"), limits.find_limit("flex_start_seconds", "gcp").most
    if _SECONDS.fullmatch(length) is None:
        hint = f"Write it in seconds, such as {most}s for a week."
        return fail(f"{length!r} is not a length of time", hint=hint, path=path)
    if not config.flag("flexStart"):
        return PASS
    message = f"flex-start machines run for at most {most} seconds, and maxRunDuration is {length}"
    return allow(float(length[:-1]) <= most, message, hint=f"Use {most}s or less.", path=path)


@RULES.rule(
    on=SINGLE,
    severity=HIGH,
    rationale=(
        "Compute Engine rejects these machines with automatic restart, which is on by default, and flex-start without "
        "a run duration."
    ),
    fix="Set scheduling.automaticRestart to false, and scheduling.maxRunDuration for FLEX_START.",
    sources=("Compute Engine API, Scheduling",),
)
def gcp_machine_spot_no_restart(view: View) -> Verdict:
    """Spot, preemptible and flex-start machines do not restart; flex-start ones have a maximum run duration."""
    scheduling = view.block("scheduling")
    if scheduling is None:
        return NOT_APPLICABLE
    model = scheduling.text("provisioningModel")
    if model not in ("SPOT", "FLEX_START") and not scheduling.flag("preemptible"):
        return NOT_APPLICABLE
    what = model or "preemptible"
    timed = "maxRunDuration" in scheduling or "terminationTime" in scheduling
    return together(
        [
            allow(
                scheduling.flag("automaticRestart") is False,
                f"{what} machines cannot restart automatically, and automaticRestart defaults to true",
                hint="Set automaticRestart to false.",
                path=scheduling.at("automaticRestart"),
            ),
            allow(
                model != "FLEX_START" or timed,
                "maxRunDuration of a flex-start machine is not set",
                hint="Set maxRunDuration.",
                path=scheduling.at("maxRunDuration"),
            ),
        ]
    )


@RULES.rule(
    on=SINGLE,
    severity=HIGH,
    rationale="Compute Engine does not create a machine in a way in which its type is not sold.",
    fix="Set scheduling.provisioningModel to one in which the machine type is sold.",
    sources=("Compute Engine documentation, accelerator-optimized machines, consumption options",),
)
def gcp_machine_consumption_option(view: View) -> Verdict:
    """The machine type is sold by the provisioning model that a Compute Engine machine uses."""
    machine, scheduling = Starter(view, view).machine, view.block("scheduling")
    if machine is None or not machine.accelerators or "sold" in machine.unverified:
        return NOT_APPLICABLE
    model = scheduling.text("provisioningModel") if scheduling is not None else None
    if model is None and scheduling is not None and scheduling.flag("preemptible"):
        model = "SPOT"
    way = _MODELS.get(model or "STANDARD")
    if way is None or (way == "on_demand" and "reserved" in machine.sold):
        return NOT_APPLICABLE  # a reservation may be meant
    sold = [_WORDS[each_] for each_ in machine.sold]
    message = f"{machine.machine_type} is not sold {_WORDS[way]}"
    path = "scheduling.provisioningModel"
    return allow(way in machine.sold, message, hint=f"It is sold {' or '.join(sold)}.", path=path)


def _way(pool: GkePool) -> tuple[str | None, str]:
    """How a pool buys its machines, and where it says so; None where it takes a reservation if there is one."""
    ways = nodes.ways(pool)
    if ways:
        return "flex_start" if ways[0] == "flexStart" else "spot", pool.block.at(f"nodeConfig.{ways[0]}")
    if nodes.enabled(pool.block, "queuedProvisioning"):
        return "flex_start", pool.block.at("queuedProvisioning")
    kind, path = nodes.affinity_kind(pool), pool.block.at(f"{_AFFINITY}.consumeReservationType")
    if kind in (_SPECIFIC, "ANY_RESERVATION_THEN_FAIL"):
        return "reserved", path
    machine = pool.machine
    hopes = machine is not None and "reserved" in machine.sold and kind != _NONE
    return (None, path) if hopes else ("on_demand", path if kind else pool.block.at("nodeConfig.machineType"))
