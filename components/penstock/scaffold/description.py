"""The first description of a new repository: its parts, as text in YAML."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from penstock.catalog import machines, offerings, prices
from penstock.catalog.machine import Machine
from penstock.scaffold.cloud_scaffold import scaffold_of
from penstock.scaffold.request import InitRequest

_ENVIRONMENTS: Final = ("dev", "staging", "prod")
_COMMENTS: Final = {
    "admins": "who administers the cluster",
    "deployer_cidrs": "where Pulumi runs: what `curl -s https://checkip.amazonaws.com` prints, /32",
    "kubeconfig": "a context of your kubeconfig, or the path of another one",
}
"""What to put in place of the examples for fields of `cluster`."""
_POOL_COMMENTS: Final = {"reservation": "your reservation", "labels": "how many nodes there are, and their labels"}
_POOL: Final = "train"
_WAYS: Final = ("on_demand", "spot", "flex_start", "reserved", "capacity_block")
"""The ways of buying machines, the simplest first."""
_REST_USD: Final = 1_000
"""A month of what a small platform has beside its pool: control plane, system machines, gateways, logs."""
_ROUND_USD: Final = 1_000


def parts_of(request: InitRequest) -> dict[str, Any]:
    """Return what the template of a description names, beside the choices themselves."""
    scaffold = scaffold_of(request.cloud)
    machine = _machine(request)
    pool = _pool(request, machine)
    return {
        "environment": request.stack if request.stack in _ENVIRONMENTS else "dev",
        "account": _flow(scaffold.account),
        "cluster": [(name, _flow(value), _COMMENTS[name]) for name, value in scaffold.cluster.items()],
        "pool": _flow(pool),
        "pool_comment": next((comment for key, comment in _POOL_COMMENTS.items() if key in pool), ""),
        "budget": _budget(request, machine),
    }


def _machine(request: InitRequest) -> Machine | None:
    if request.region is None:
        return None
    sold = offerings.offered(request.region, request.cloud)
    return machines.for_accelerator(request.accelerator, None, request.cloud, sold)


def _pool(request: InitRequest, machine: Machine | None) -> Mapping[str, Any]:
    scaffold = scaffold_of(request.cloud)
    pool: dict[str, Any] = {"name": _POOL, "accelerator": request.accelerator}
    if machine is None:
        return {**pool, "nodes": 2, "labels": scaffold.labels(request.accelerator)}
    pool["nodes"] = {"min": 0, "max": 1}
    way = next(each for each in _WAYS if each in machine.sold)
    if way != _WAYS[0]:
        pool["capacity"] = way
    if way in scaffold.reservations:
        pool["reservation"] = scaffold.reservations[way].format(pool=_POOL)
    return pool


def _budget(request: InitRequest, machine: Machine | None) -> int | None:
    """Return a month with the pool at its most; None where the machine has no price."""
    price = None
    if machine is not None and request.region is not None:
        price = prices.on_demand(machine.machine_type, request.region, request.cloud)
    if price is None:
        return None
    return math.ceil((price.usd * prices.HOURS_A_MONTH + _REST_USD) / _ROUND_USD) * _ROUND_USD


def _flow(value: Any) -> str:
    """Return a value in one line of YAML."""
    import yaml

    text: str = yaml.safe_dump(value, default_flow_style=True, sort_keys=False, width=math.inf)
    return text.removesuffix("...\n").strip()
