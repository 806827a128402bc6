"""Prices of EC2, from a vendor's price list or from checkouts of published ones.

`python -m tools.aws_prices index.csv` reads a region's price list of AmazonEC2 into aws/prices.
`python -m tools.aws_prices FOLDER ...` reads checkouts into the tables of all regions: `tools.machine_prices`.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from statistics import median
from typing import Any, Final

from penstock.aws.cost.price_list import SOURCE, refreshed
from tools import machine_prices, refresh
from tools.go_prices import read_date, read_table
from tools.machine_prices import Before, Prices, Published, Reader

__all__ = ["LISTS", "SOURCE", "refreshed"]

_BASE: Final = "us-east-1"
"""The region of Karpenter's table that has every family."""

_PRICE_CUT: Final = 0.01
"""The most that a price on demand may have changed since what was published beside it."""

_STILL_SPREADING: Final = 6
"""The oldest generation that regions still got in 2025."""

_FAMILY = re.compile(r"(?P<line>[a-z]+)(?P<generation>\d+)(?P<features>[a-z-]*)")


def _karpenter(files: Sequence[Path], _: Before) -> Published:
    """The generated tables of karpenter-provider-aws in USD; that of China is in CNY."""
    in_usd = [file for file in files if not file.name.endswith("_cn.go")]
    prices = _on_shared_hardware(dict(chain.from_iterable(map(read_table, in_usd))))
    return Published(prices, min(map(read_date, in_usd)))


def _on_shared_hardware(listed: Prices) -> Prices:
    """Karpenter's prices without those of bare metal, which it asks for with dedicated tenancy: up to 10 % too dear.

    Bare metal costs what the virtual machine of its size costs: metal-24xl as 24xlarge, in all 244 pairs of the page.
    """
    prices: Prices = {}
    for (region, machine_type), usd in listed.items():
        family, _, size = machine_type.partition(".")
        if not size.startswith("metal"):
            prices[region, machine_type] = usd
        elif (virtual := listed.get((region, f"{family}.{size.removeprefix('metal-')}arge"))) is not None:
            prices[region, machine_type] = virtual
    return prices


def _pages(files: Sequence[Path], _: Before) -> Published:
    """The pricing page's own data, region by region, with previous generations beside the others."""
    prices: Prices = {}
    date = ""
    for file in files:
        region = file.name.removesuffix("-ondemand.json").removesuffix("-previousgen")
        page = _page(file)
        date = max(date, page.get("manifest", {}).get("hawkFilePublicationDate", "")[:10])
        for entry in _entries(page):
            prices[region, entry["Instance Type"]] = float(entry["price"])
    return Published(prices, date)


def _reserved(files: Sequence[Path], before: Before) -> Published:
    """Reserved instances, unless the price on demand has changed since."""
    prices: Prices = {}
    for file in files:
        region = file.name.partition("-reservedinstance-")[0]
        for entry in _entries(_page(file)):
            now, then = before.on_demand.get((region, entry["Instance Type"])), float(entry["OnDemand:PricePerUnit"])
            if now is not None and _holds(then, now):
                prices[region, entry["Instance Type"]] = float(entry["price"])
    return Published(prices)


def _holds(then: float, now: float) -> bool:
    """Return whether a price on demand is still the one beside which another was published."""
    return abs(then / now - 1) <= _PRICE_CUT


def _page(file: Path) -> dict[str, Any]:
    """A file of the page; of a place without such a page it is an error in XML."""
    text = file.read_text(encoding="utf-8")
    page: dict[str, Any] = json.loads(text) if text.startswith("{") else {}
    return page


def _entries(page: dict[str, Any]) -> Iterator[dict[str, str]]:
    for place in page.get("regions", {}).values():
        yield from place.values()


def _advised(files: Sequence[Path], before: Before) -> Published:
    """Spot prices, from the saving in percent that the Spot Instance Advisor publishes for each region.

    A saving of another price than today's says nothing.
    """
    prices: Prices = {}
    pages = before.lists["ec2-pricing-page"]
    for region, systems in json.loads(files[0].read_text(encoding="utf-8"))["spot_advisor"].items():
        for machine_type, advice in systems.get("Linux", {}).items():
            usd = before.on_demand.get((region, machine_type))
            if usd is not None and advice["s"] > 0 and _holds(pages.get((region, machine_type), usd), usd):
                prices[region, machine_type] = usd * (1 - advice["s"] / 100)
    return Published(prices)


def _family_before(files: Sequence[Path], before: Before) -> Published:
    """Prices of newer families and sizes in other regions, by how much dearer these are for the family, or one before.

    The nearest older family of the same line and processor is taken. Of families of the seventh generation and
    later, 19 of 20 are within 1 % of the price that this gives.
    """
    sizes: dict[str, dict[str, dict[str, float]]] = {}
    for (region, machine_type), usd in before.on_demand.items():
        family, _, size = machine_type.partition(".")
        sizes.setdefault(family, {}).setdefault(region, {})[size] = usd
    fresh = _on_shared_hardware(dict(chain.from_iterable(map(read_table, files))))
    prices: Prices = {}
    for family in filter(_is_recent, {machine_type.partition(".")[0] for _, machine_type in fresh}):
        for region in {region for region, _ in before.on_demand}:
            missing = set(sizes[family][_BASE]) - set(sizes[family].get(region, ()))
            ratio = _ratio(family, region, sizes) if missing else None
            if ratio is not None:
                prices |= {(region, f"{family}.{size}"): sizes[family][_BASE][size] * ratio for size in missing}
    return Published(prices, min(map(read_date, files)))


def _is_recent(family: str) -> bool:
    """Return whether regions may have got a family since the other lists were made."""
    found = _FAMILY.fullmatch(family)
    return found is not None and int(found["generation"]) >= _STILL_SPREADING


def _ratio(family: str, region: str, sizes: Mapping[str, Mapping[str, Mapping[str, float]]]) -> float | None:
    """The factor of a region on the base, by the family itself or the nearest one before it."""
    for name in (family, *_older(family, sizes)):
        here, base = sizes[name].get(region, {}), sizes[name].get(_BASE, {})
        ratios = [usd / base[size] for size, usd in here.items() if size in base]
        if ratios:
            return median(ratios)
    return None


def _older(family: str, names: Iterable[str]) -> list[str]:
    """The families before one of the same line and processor, the nearest first."""
    own = _FAMILY.fullmatch(family)
    if own is None:
        return []
    found = [
        (int(other["generation"]), other["features"] == own["features"], name)
        for name in names
        if (other := _FAMILY.fullmatch(name)) is not None
        and (other["line"], _processor(other["features"])) == (own["line"], _processor(own["features"]))
        and int(other["generation"]) < int(own["generation"])
    ]
    return [name for *_, name in sorted(found, reverse=True)]


def _processor(features: str) -> str:
    """The letter of a processor: a for AMD, g for Graviton, and i, which older names leave out, for Intel."""
    return features[:1] if features[:1] in ("a", "g") else "i"


_KARPENTER: Final = "pkg/providers/pricing/zz_generated.pricing_aws*.go"

LISTS: Final = {
    "karpenter": Reader(_KARPENTER, _karpenter),
    "ec2-pricing-page": Reader("data/ec2/*-ondemand.json", _pages),
    "family-before": Reader("pkg/providers/pricing/zz_generated.pricing_aws.go", _family_before),
    "reserved-1y": Reader("data/ec2/*-reservedinstance-1y.json", _reserved),
    "reserved-3y": Reader("data/ec2/*-reservedinstance-3y.json", _reserved),
    "spot-advisor": Reader("internal/spot/data/spot-advisor-data.json", _advised),
}
"""The lists of aws/machine_price_lists."""

if __name__ == "__main__":
    folders = [Path(each) for each in sys.argv[1:]]
    if folders and all(each.is_dir() for each in folders):
        machine_prices.run("aws", LISTS, folders)
    else:
        refresh.main("aws/prices", refreshed)
