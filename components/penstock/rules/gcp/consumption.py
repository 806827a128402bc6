"""Rules on how machines are bought: on demand, spot, reserved, flex start, queued."""

from __future__ import annotations

import re

from penstock.catalog import limits
from penstock.findings import Severity
from penstock.resources.verdict import NOT_APPLICABLE, PASS, Verdict, allow, each, fail, together
from penstock.resources.view import View
from penstock.rules.gcp import nodes
from penstock.rules.gcp.nodes import POOLS, SINGLE, Pool, Starter
from penstock.rules.rule import rule
from penstock.wording import listed

_TOOLKIT = "cluster-toolkit 1.95, modules/compute/gke-node-pool/main.tf"
_MACHINES = "Compute Engine documentation, accelerator-optimized machines, consumption options"
_QUEUED = f"{_TOOLKIT}; hashicorp/terraform-provider-google issue 18341"
_SECONDS = re.compile(r"\d+(\.\d+)?s")
_SPECIFIC = "SPECIFIC_RESERVATION"
_NONE = "NO_RESERVATION"
_AFFINITY = "nodeConfig.reservationAffinity"
_MODELS = {"STANDARD": "on_demand", "SPOT": "spot", "FLEX_START": "flex_start", "RESERVATION_BOUND": "reserved"}
"""How Compute Engine names the ways to buy (Compute Engine API, Scheduling.provisioningModel)."""
_WORDS = {"on_demand": "on demand", "spot": "as spot", "reserved": "reserved", "flex_start": "by flex start"}


@rule("GCP-BUY-001", on=POOLS, source=_TOOLKIT)
def a_pool_is_bought_in_one_way(view: View) -> Verdict:
    """A pool is bought as spot, preemptible or by flex start, or in none of these ways, and never in two."""

    def check(pool: Pool) -> Verdict:
        ways = nodes.ways(pool)
        if not ways:
            return NOT_APPLICABLE
        message = f"{' and '.join(ways)} are asked for together, which exclude one another"
        path = pool.block.at(f"nodeConfig.{ways[0]}")
        if len(ways) == 1 and ways[0] != "flexStart" and nodes.enabled(pool.block, "queuedProvisioning"):
            message = f"{ways[0]} is asked for with queued provisioning, which exclude one another"
            return fail(message, hint=f"Leave {ways[0]} or queuedProvisioning out.", path=path)
        return allow(len(ways) == 1, message, hint=f"Leave {listed(ways[1:]) or ways[0]} out.", path=path)

    return each(nodes.pools(view), check)


@rule("GCP-BUY-002", on=POOLS, source=_QUEUED)
def what_is_not_reserved_uses_no_reservation(view: View) -> Verdict:
    """Machines bought as spot, by flex start or from the queue use no reservation; the latter two must say so."""

    def check(pool: Pool) -> Verdict:
        ways = nodes.ways(pool)
        queued = bool(nodes.enabled(pool.block, "queuedProvisioning"))
        if not ways and not queued:
            return NOT_APPLICABLE
        target = nodes.affinity(pool)
        kind = target.text("consumeReservationType") if target is not None else None
        must_say = queued or "flexStart" in ways
        what = "queued machines" if queued else f"machines with {ways[0]}"
        said = kind or "nothing is said of reservations"
        message = f"{what} come from no reservation, and {said}" + (" is asked for" if kind else "")
        holds = kind == _NONE or (kind is None and not must_say)
        hint = f"Set consumeReservationType to {_NONE}."
        return allow(holds, message, hint=hint, path=pool.block.at(f"{_AFFINITY}.consumeReservationType"))

    return each(nodes.pools(view), check)


@rule("GCP-BUY-003", on=POOLS, source=f"{_TOOLKIT}; cluster-toolkit issue 4027")
def flex_start_is_not_repaired(view: View) -> Verdict:
    """A pool bought by flex start has automatic repair off: a machine that is given back cannot be had at once."""

    def check(pool: Pool) -> Verdict:
        config = pool.config
        if config is None or not config.flag("flexStart"):
            return NOT_APPLICABLE
        management = pool.block.block("management")
        repairs = management.flag("autoRepair") if management is not None else None
        message = "flex start goes without automatic repair, which is on unless it is turned off"
        path = pool.block.at("management.autoRepair")
        return allow(repairs is False, message, hint="Set autoRepair to false.", path=path)

    return each(nodes.pools(view), check)


@rule("GCP-BUY-004", on=POOLS, source=_QUEUED)
def what_comes_later_is_autoscaled_from_none(view: View) -> Verdict:
    """A pool bought by flex start or from the queue is autoscaled and starts with no nodes."""

    def check(pool: Pool) -> Verdict:
        config, queued = pool.config, bool(nodes.enabled(pool.block, "queuedProvisioning"))
        if not queued and (config is None or not config.flag("flexStart")):
            return NOT_APPLICABLE
        what = "queued machines" if queued else "machines of flex start"
        verdicts = [
            allow(
                "autoscaling" in pool.block,
                f"{what} come when there is room, and the pool is not autoscaled",
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
            message = f"{what} come when there is room, and {key} asks for {count} at once"
            verdicts.append(allow(not count, message, hint=f"Set {key} to 0, or leave it out.", path=holder.at(key)))
        return together(verdicts)

    return each(nodes.pools(view), check)


@rule("GCP-BUY-005", on=POOLS, source=_MACHINES)
def machines_are_sold_in_that_way(view: View) -> Verdict:
    """The machine is sold in the way that the pool buys it: A4X only reserved, A3 Ultra and A4 not on demand."""

    def check(pool: Pool) -> Verdict:
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

    return each(nodes.pools(view), check)


@rule("GCP-BUY-006", on=POOLS, severity=Severity.WARNING, source=_MACHINES)
def machines_that_are_only_reserved_name_a_reservation(view: View) -> Verdict:
    """A pool of machines that are not sold on demand names its reservation, rather than hope to find an open one."""

    def check(pool: Pool) -> Verdict:
        machine = pool.machine
        if machine is None or "on_demand" in machine.sold or "reserved" not in machine.sold or nodes.ways(pool):
            return NOT_APPLICABLE
        if nodes.enabled(pool.block, "queuedProvisioning") or nodes.affinity_kind(pool) == _NONE:
            return NOT_APPLICABLE  # other rules tell
        others = [_WORDS[way] for way in machine.sold if way != "reserved"]
        message = f"{machine.machine_type} is not sold on demand, and the pool names no reservation"
        hint = f"Set consumeReservationType to {_SPECIFIC} and name one"
        hint = f"{hint}, or buy {' or '.join(others)}." if others else f"{hint}."
        return allow(nodes.affinity_kind(pool) == _SPECIFIC, message, hint=hint, path=pool.block.at(_AFFINITY))

    return each(nodes.pools(view), check)


@rule("GCP-BUY-007", on=POOLS, source="Kubernetes Engine API, NodeConfig.maxRunDuration; GKE documentation, flex-start")
def a_run_has_a_length_in_seconds(view: View) -> Verdict:
    """The longest run of a machine is a number of seconds with an s, and seven days at most with flex start."""

    def check(pool: Pool) -> Verdict:
        config = pool.config
        length = config.text("maxRunDuration") if config is not None else None
        if config is None or length is None:
            return NOT_APPLICABLE
        path, most = config.at("maxRunDuration"), limits.find_limit("flex_start_seconds", "gcp").most
        if _SECONDS.fullmatch(length) is None:
            hint = f"Write it in seconds, such as {most}s for a week."
            return fail(f"{length!r} is no length of time", hint=hint, path=path)
        if not config.flag("flexStart"):
            return PASS
        message = f"flex start gives machines for {most} seconds at most, and {length} is asked for"
        return allow(float(length[:-1]) <= most, message, hint=f"Use {most}s or less.", path=path)

    return each(nodes.pools(view), check)


@rule("GCP-BUY-008", on=SINGLE, source="Compute Engine API, Scheduling")
def a_machine_sold_for_a_time_is_not_restarted(view: View) -> Verdict:
    """A spot, preemptible or flex-start machine is not restarted by itself, and flex start says how long it runs."""
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
                f"{what} machines are not restarted by themselves, which is what happens unless told otherwise",
                hint="Set automaticRestart to false.",
                path=scheduling.at("automaticRestart"),
            ),
            allow(
                model != "FLEX_START" or timed,
                "nothing says how long a machine of flex start runs",
                hint="Set maxRunDuration.",
                path=scheduling.at("maxRunDuration"),
            ),
        ]
    )


@rule("GCP-BUY-009", on=SINGLE, source=_MACHINES)
def a_machine_is_sold_in_that_way(view: View) -> Verdict:
    """A machine without GKE is sold in the way that it is bought, too."""
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


def _way(pool: Pool) -> tuple[str | None, str]:
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
