"""Prints how many of the machine types that regions offer have a price, by cloud; asserts nothing.

Offered are pairs of machine type and region: on AWS all that DescribeInstanceTypeOfferings answers, as moto keeps it,
and on the other clouds those of the catalogue's `offerings`. Drawn is a sample of the machine types that the APIs name:
how many have a price on demand in three regions.
"""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

import moto

from penstock.aws.facts.instance_types import instance_type_names
from penstock.azure.facts.sizes import known_sizes
from penstock.catalog import machines, offerings, prices, regions
from penstock.catalog.machine_price_tables import priced_regions, prices_in
from penstock.catalog.tables import rows

DRAWN = 40
SEED = 38
REGIONS = 3


def main() -> None:
    print(f"{'cloud':8}{'regions':>9}{'types':>8}{'prices':>9}{'spot':>8}{'reserved':>10}{'offered':>22}{'drawn':>15}")
    for cloud in ("aws", "azure", "gcp"):
        print(line_of(cloud))


def line_of(cloud: str) -> str:
    found = [price for region in sorted(priced_regions(cloud)) for price in prices_in(region, cloud)]
    ways = [price.price_list.capacity for price in found]
    types = {price.machine_type for price in found}
    sold = offered(cloud)
    priced = sum(prices.on_demand(machine_type, region, cloud) is not None for machine_type, region in sold)
    reserved = sum(way.startswith("reserved") for way in ways)
    return (
        f"{cloud:8}{len(priced_regions(cloud)):>9}{len(types):>8}{ways.count('on_demand'):>9}{ways.count('spot'):>8}"
        f"{reserved:>10}{f'  {priced} of {len(sold)} {priced / len(sold):.0%}':>22}{drawn(cloud):>15}"
    )


def offered(cloud: str) -> list[tuple[str, str]]:
    """The machine types that each region offers on demand."""
    if cloud == "aws":
        folder = Path(moto.__file__).parent / "ec2/resources/instance_type_offerings/region"
        return [
            (each["InstanceType"], path.name.partition(".")[0])
            for path in sorted(folder.glob("*.json.gz"))
            for each in json.loads(gzip.decompress(path.read_bytes()))
        ]
    return [
        (machine_type, region.name)
        for region in regions.all_regions(cloud)
        for machine_type in offerings.offered(region.name, cloud) or ()
        if "on_demand" in machines.find_machine(machine_type, cloud).sold
    ]


def drawn(cloud: str) -> str:
    """The machine types of a sample that have a price in three regions."""
    names = random.Random(SEED).sample(sorted(named(cloud)), DRAWN)
    places = [region.name for region in regions.all_regions(cloud)]
    selling = [sum(prices.on_demand(name, place, cloud) is not None for place in places) for name in names]
    return f"{sum(each >= REGIONS for each in selling)} of {DRAWN}"


def named(cloud: str) -> set[str]:
    """The machine types that the API of a cloud names, as far as the catalogue has them."""
    if cloud == "aws":
        return set(instance_type_names())
    if cloud == "azure":
        return set(known_sizes())
    return {row["machine_type"] for row in rows("gcp/machines")} | {
        price.machine_type for region in priced_regions(cloud) for price in prices_in(region, cloud)
    }


if __name__ == "__main__":
    main()
