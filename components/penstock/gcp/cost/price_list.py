"""Prices of Compute Engine from the SKUs of the service 6F81-5844-456A.

The text is an answer of the Cloud Billing Catalog API, or several of its pages with their `skus` in one list. Google
sells vCPU, GiB and GPUs; a machine costs their sum. gcp/price_parts has the words of each series' parts;
machines that come with local SSDs, whose price is another SKU, are not refreshed.
https://cloud.google.com/billing/docs/reference/rest/v1/services.skus/list
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from penstock.catalog import machines
from penstock.catalog.price_lists.merging import MACHINE_KEY, Row, merged
from penstock.catalog.records import keyed
from penstock.gcp.facts.machines import GcpMachine

SOURCE = "Cloud Billing Catalog API, Compute Engine"
_CAPACITIES = {"OnDemand": "on_demand", "Preemptible": "spot"}
_SPOT = re.compile("^Spot Preemptible | attached to Spot Preemptible VMs")
_PLACE = re.compile(" (running )?in .*")
Skus = Mapping[tuple[str, str, str], float]


@dataclass(frozen=True, slots=True)
class _Parts:
    """How the parts of a series' machines are called in descriptions, without where they run."""

    core: str
    ram: str
    accelerator: str


def refreshed(shipped: Sequence[Row], text: str) -> list[Row]:
    """The rows of gcp/prices with the sums of a catalogue's SKUs.

    Raises:
        ValueError: the text is not an answer of the Cloud Billing Catalog API.
    """
    return merged(shipped, read_skus(text), MACHINE_KEY, lambda _: False)


def read_skus(text: str) -> list[Row]:
    """Return the prices of machines that SKUs add up to.

    Raises:
        ValueError: as `refreshed`.
    """
    listed = json.loads(text).get("skus")
    if not listed:
        raise ValueError("this is not an answer of the Cloud Billing Catalog API: it has no skus")
    as_of = max(each["pricingInfo"][0]["effectiveTime"] for each in listed if each["pricingInfo"])[:10]
    return list(_rows(dict(_prices(listed)), as_of))


def _prices(listed: Sequence[Mapping[str, Any]]) -> Iterator[tuple[tuple[str, str, str], float]]:
    """The price of an hour of each part, by its name, its region and how it is bought."""
    for sku in listed:
        capacity = _CAPACITIES.get(sku["category"]["usageType"])
        if capacity is None or not sku["pricingInfo"]:
            continue
        expression = sku["pricingInfo"][0]["pricingExpression"]
        if expression["usageUnit"] not in ("h", "GiBy.h"):
            continue
        money = expression["tieredRates"][-1]["unitPrice"]
        part = _PLACE.sub("", _SPOT.sub("", sku["description"]))
        for region in sku["serviceRegions"]:
            yield (part, region, capacity), int(money.get("units") or 0) + money.get("nanos", 0) / 1e9


def _rows(prices: Skus, as_of: str) -> Iterator[Row]:
    parts_of = keyed(_Parts, "gcp/price_parts")
    places = sorted({(region, capacity) for _, region, capacity in prices})
    for machine in machines.machine_types(GcpMachine):
        parts = parts_of.get(machine.machine_type.rpartition("-")[0])
        for region, capacity in places:
            usd = None if parts is None else _sum(machine, parts, prices, region, capacity)
            if usd is not None:
                yield {
                    "machine_type": machine.machine_type,
                    "region": region,
                    "capacity": capacity,
                    "usd_h": f"{usd:.6f}".rstrip("0").rstrip("."),
                    "unverified": "",
                    "source": SOURCE,
                    "as_of": as_of,
                }


def _sum(machine: GcpMachine, parts: _Parts, prices: Skus, region: str, capacity: str) -> float | None:
    """What a machine costs; None where a part has no price there, and for one that comes with local SSDs."""
    if min(machine.local_ssds, default=0):
        return None
    wanted = [(parts.core, machine.vcpu), (parts.ram, machine.ram_gib), (parts.accelerator, machine.accelerators)]
    needed = [(prices.get((part, region, capacity)), number) for part, number in wanted if number]
    return None if any(price is None for price, _ in needed) else sum((price or 0) * number for price, number in needed)
