"""The description of a platform for a choice: a stack file that rehearses clean, for people to make their own."""

from __future__ import annotations

from math import ceil, inf
from typing import Any

from penstock.catalog import prices
from penstock.catalog.machine_zones import may_sell
from penstock.catalog.regions import all_regions, find_region
from penstock.cost.bill import HOURS_A_MONTH
from penstock.description.stack_file import stack_file_text
from penstock.sizing.cloud_sizing import sizing_of
from penstock.sizing.ranking import Choice
from penstock.sizing.request import SizingRequest, Task

_FEWEST_ZONES = 2
_NETWORK = "10.40.0.0/16"
_ROOM = 1.1
_REST_USD = 10_000
"""A month of what a platform has beside its machines: control plane, system machines, gateways, logs."""


def description_of(request: SizingRequest, choice: Choice) -> dict[str, Any]:
    """The platform of a choice, as a stack file has it under `penstock:platform`."""
    sizing = sizing_of(choice.cloud)
    described: dict[str, Any] = {
        "environment": "prod",
        "name": request.name,
        "owner": "training" if request.trains else "inference",
        "cloud": {"provider": choice.cloud, "region": choice.offer.region, "account": sizing.account},
        "network": {"cidr": _NETWORK},
        "cluster": dict(sizing.cluster),
        "node_pools": [_system(choice), *_pools(request, choice)],
        "storage": _storage(request, choice),
        "addons": _addons(request),
    }
    budget = _budget(choice)
    return described if budget is None else {**described, "budget": budget}


def stack_file(request: SizingRequest, choice: Choice) -> str:
    """The text of the stack file: what to put in one's own first, then the description."""
    config: dict[str, Any] = {"penstock:platform": description_of(request, choice)}
    usage = usage_of(request, choice)
    if usage is not None:
        config["penstock:usage"] = usage
    pools = config["penstock:platform"]["node_pools"]
    proposed = ["Zones are a proposal: put in two in which your account has these machines."]
    comments = [
        f"{request.task.value} of {request.shape.parameters / 1e9:g}B parameters, sized by `penstock size`.",
        "Put in your own: account, admins, deployer_cidrs, alert_emails.",
        *(proposed if any("zone" in pool for pool in pools) else ()),
    ]
    return stack_file_text(config, comments)


def usage_of(request: SizingRequest, choice: Choice) -> dict[str, Any] | None:
    """The commitment behind the reserved share, as a stack file has it under `penstock:usage`; None without one.

    What is reserved is a pool of its own, except where the cloud sells no reservation of the machine, or a single one
    for all of them: there it is a share of the pool.
    """
    committed = round(choice.plan.nodes * request.reserved)
    if not committed or choice.offer.way not in ("on_demand", "reserved"):
        return None
    commitment = {"commitment": f"{request.years}y"}
    _, *pools = description_of(request, choice)["node_pools"]
    reserved = [pool for pool in pools if pool.get("capacity") == "reserved"]
    if reserved and sum(pool["nodes"] for pool in reserved) == committed:
        return {"pools": {pool["name"]: commitment for pool in reserved}}
    shared = reserved[:1] or [pool for pool in pools if "capacity" not in pool]
    if not shared:
        return None
    share = round(min(1.0, committed / sum(pool["nodes"] for pool in shared)), 4)
    return {
        "pools": {pool["name"]: {"reserved": share, "on_demand": round(1 - share, 4), **commitment} for pool in shared}
    }


def _system(choice: Choice) -> dict[str, Any]:
    """The machines that carry what is no job: of types that the region sells."""
    sizing, region = sizing_of(choice.cloud), choice.offer.region or ""
    *preferred, last = sizing.system_machines
    sold = (each for each in preferred if prices.on_demand(each, region, choice.cloud) is not None)
    return {"name": "system", "machine_type": next(sold, last), **sizing.system_pool}


def _pools(request: SizingRequest, choice: Choice) -> list[dict[str, Any]]:
    """One pool for each way that machines are bought: those shares of the mix that the cloud sells as machines."""
    nodes, sold = choice.plan.nodes, choice.hardware.machine.sold
    name = "train" if request.trains else "serve"
    if request.trains and choice.hardware.slices is not None:
        return [_slices(name, choice)]
    reserved = round(nodes * request.reserved) if "reserved" in sold else 0
    spot = min(nodes - reserved, round(nodes * request.spot)) if "spot" in sold else 0
    if not request.trains:
        return _in_two_zones(name, choice, reserved, spot)
    if choice.offer.way != "on_demand":
        return [_pool(name, choice, nodes, choice.offer.way)]
    if "reserved" in sold and nodes > _placed_closely(choice):
        return [_pool(name, choice, nodes, "reserved")]
    shares = {"on_demand": nodes - reserved - spot, "reserved": reserved, "spot": spot}
    several = sum(count > 0 for count in shares.values()) > 1
    return [
        _pool(f"{name}-{way.replace('_', '-')}" if several else name, choice, count, way)
        for way, count in shares.items()
        if count
    ]


def _in_two_zones(name: str, choice: Choice, reserved: int, spot: int) -> list[dict[str, Any]]:
    """Pools of replicas, which exchange nothing between machines, so that a zone can fail.

    A pool without a fabric spreads over zones by itself. A reservation and a fabric lie in one zone, and so do the
    machines with accelerators of a pool on some clouds; there are two pools then.
    """
    nodes, way = choice.plan.nodes, choice.offer.way
    shares = {way: nodes}
    if way == "on_demand":
        shares = {way: nodes - reserved - spot, "reserved": reserved, "spot": spot}
    bought_ways = [(bought, count) for bought, count in shares.items() if count]
    pools = []
    for bought, count in bought_ways:
        title, zones = name, _proposed_zones(choice, bought)
        if len(bought_ways) > 1:
            title = f"{name}-{bought.replace('_', '-')}"
        pool = _pool(title, choice, count, bought)
        if choice.hardware.fast_fabric and choice.hardware.slices is None and not _keeps_fabric(choice):
            pool |= {"fabric": "none", "placement": "none"}
        if len(zones) < _FEWEST_ZONES or count < _FEWEST_ZONES:
            pools.append(pool)
            continue
        first = (count + 1) // 2
        for number, (zone, each) in enumerate(zip(zones, (first, count - first), strict=True), 1):
            split = _pool(f"{title}-{number}", choice, each, bought)
            pools.append({**pool, **split, "zone": zone})
    return pools


def _proposed_zones(choice: Choice, way: str) -> tuple[str, ...]:
    region = next((each for each in all_regions(choice.cloud) if each.name == choice.offer.region), None)
    is_in_one = way == "reserved" or _keeps_fabric(choice) or sizing_of(choice.cloud).names_zones
    if region is None or not is_in_one:
        return ()
    names = may_sell(choice.hardware.machine_type, region.zones, choice.cloud)
    return names[:_FEWEST_ZONES] if len(names) >= _FEWEST_ZONES else ()


def _keeps_fabric(choice: Choice) -> bool:
    return sizing_of(choice.cloud).keeps_fabric(choice.hardware.machine)


def _placed_closely(choice: Choice) -> float:
    """The nodes that a pool places close to one another by itself; more of them need a reservation that is close."""
    return getattr(choice.hardware.machine, "compact_nodes", None) or inf


def _pool(name: str, choice: Choice, nodes: int, way: str) -> dict[str, Any]:
    pool: dict[str, Any] = {"name": name, "machine_type": choice.hardware.machine_type, "nodes": nodes}
    if way != "on_demand":
        pool["capacity"] = way
    if way == "capacity_block":
        pool["zone"] = find_region(choice.offer.region or "", choice.cloud).zones[0]
    reservation = sizing_of(choice.cloud).reservations.get(way)
    if reservation is not None:
        pool["reservation"] = reservation.format(pool=name)
    return pool


def _slices(name: str, choice: Choice) -> dict[str, Any]:
    """A pool of slices: the topology with the machines of one slice, and how many slices."""
    hosts = sizing_of(choice.cloud).slices(choice.hardware.machine)
    nodes = choice.plan.nodes
    one = nodes if nodes in hosts else max(hosts)
    pool: dict[str, Any] = {"name": name, "machine_type": choice.hardware.machine_type, "nodes": nodes}
    if one > 1:
        pool["topology"] = hosts[one]
    if nodes > one > 1:
        pool["slices"] = nodes // one
    if choice.offer.way != "on_demand":
        pool["capacity"] = choice.offer.way
    return pool


def _storage(request: SizingRequest, choice: Choice) -> list[dict[str, Any]]:
    if request.task is Task.SERVE:
        return [{"name": "models", "kind": "bucket", "readers": ["default/server"]}]
    found: list[dict[str, Any]] = [
        {"name": "datasets", "kind": "bucket", "readers": ["default/trainer"]},
        {"name": "checkpoints", "kind": "bucket", "writers": ["default/trainer"]},
    ]
    if choice.storage is not None and choice.storage.lustre_tib:
        found.append(
            {
                "name": "scratch",
                "kind": "lustre",
                "capacity_tib": choice.storage.lustre_tib,
                "throughput_mbps_per_tib": choice.storage.tier,
            }
        )
    return found


def _addons(request: SizingRequest) -> dict[str, Any]:
    return {"registry": {"repositories": ["trainer" if request.trains else "server"]}}


def _budget(choice: Choice) -> dict[str, Any] | None:
    """A month of everything running, with room; None where the machines have no price."""
    if choice.offer.price is None:
        return None
    machines = choice.plan.nodes * choice.offer.price.usd * HOURS_A_MONTH
    stored = (choice.storage.month_usd or 0.0) if choice.storage is not None else 0.0
    usd = (machines + stored) * _ROOM + _REST_USD
    rounded = ceil(usd / 1000) * 1000
    most = choice.plan.accelerators
    return {"monthly_usd": rounded, "alert_emails": ["platform@example.com"], "max_accelerators": most}
