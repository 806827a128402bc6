"""Prices of EC2 from AWS' bulk price list of a region: machines on demand, volumes, snapshots and NAT gateways.

The file is the CSV of AmazonEC2: five lines about the list, then a header, then a line for each price. It speaks of
every machine type of its regions, so what it does not have there is no longer sold on demand.
https://docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/reading-service-price-list-file-for-services.html
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from penstock.aws.facts.machines import AwsMachine
from penstock.catalog import machines
from penstock.catalog.price_lists.merging import MACHINE_KEY, Row, merged
from penstock.catalog.tables import rows

SOURCE = "AWS price list, AmazonEC2"
_ABOUT_LINES = 5
_WANTED = {
    "TermType": "OnDemand",
    "Unit": "Hrs",
    "Currency": "USD",
    "Tenancy": "Shared",
    "Operating System": "Linux",
    "Pre Installed S/W": "NA",
    "CapacityStatus": "Used",
}
"""Plain Linux on shared hardware, without a reservation of capacity and without software that is paid for."""

_USAGE = {
    "EBS:VolumeUsage.gp3": ("ebs", "gp3 storage", "GB-month"),
    "EBS:VolumeUsage.gp2": ("ebs", "gp2 storage", "GB-month"),
    "EBS:VolumeUsage.piops": ("ebs", "io1 storage", "GB-month"),
    "EBS:VolumeUsage.io2": ("ebs", "io2 storage", "GB-month"),
    "EBS:VolumeUsage.st1": ("ebs", "st1 storage", "GB-month"),
    "EBS:VolumeUsage.sc1": ("ebs", "sc1 storage", "GB-month"),
    "EBS:SnapshotUsage": ("ebs", "snapshots", "GB-month"),
    "NatGateway-Hours": ("nat-gateway", "hour", "hour"),
    "NatGateway-Bytes": ("nat-gateway", "data processed", "GB"),
}
"""Our services and items by the end of their usage type, which begins with a code of the region but in Virginia."""
_CODE_OF_REGION = re.compile(r"^[A-Z]{2,4}\d?-")


def refreshed(shipped: Sequence[Row], text: str | Iterable[str]) -> list[Row]:
    """The rows of aws/prices with the prices of a list, as text or as its lines.

    Raises:
        ValueError: the text is not a price list in CSV.
    """
    as_of, listed = _listed(text)
    regions: set[str] = set()
    fresh = list(_rows(_noting(listed, regions), as_of))
    return merged(shipped, fresh, MACHINE_KEY, lambda row: row["region"] in regions and row["capacity"] == "on_demand")


def read_list(text: str | Iterable[str]) -> tuple[list[Row], list[Row]]:
    """Return the prices of all machines and of services that a list has, in one pass: it may be hundreds of MB.

    Raises:
        ValueError: as `refreshed`.
    """
    as_of, listed = _listed(text)
    hours: list[Row] = []
    services: list[Row] = []
    for row in listed:
        hours += _machine(row, as_of)
        services += _service(row, as_of)
    return hours, services


def _listed(text: str | Iterable[str]) -> tuple[str, Iterator[Mapping[str, str]]]:
    """The date of a list and its rows."""
    lines = iter(text.splitlines() if isinstance(text, str) else text)
    about = dict(each for each in csv.reader(islice(lines, _ABOUT_LINES)) if len(each) == 2)  # noqa: PLR2004 - pairs
    if about.get("OfferCode") != "AmazonEC2":
        raise ValueError("this is not a price list of AmazonEC2 in CSV: its first lines do not say so")
    return about["Publication Date"][:10], csv.DictReader(lines)


def _noting(listed: Iterable[Mapping[str, str]], regions: set[str]) -> Iterator[Mapping[str, str]]:
    for row in listed:
        regions.add(row["Region Code"])
        yield row


def _rows(listed: Iterable[Mapping[str, str]], as_of: str) -> Iterator[Row]:
    known = _known()
    for row in listed:
        if row["Instance Type"] in known:
            yield from _machine(row, as_of)


def _known() -> frozenset[str]:
    """The machine types whose prices people keep: those that the catalogue knows, or has a row of."""
    priced = {row["machine_type"] for row in rows("aws/prices")}
    return frozenset({machine.machine_type for machine in machines.machine_types(AwsMachine)} | priced)


def _machine(row: Mapping[str, str], as_of: str) -> Iterator[Row]:
    if all(row[column] == value for column, value in _WANTED.items()) and float(row["PricePerUnit"]):
        yield {
            "machine_type": row["Instance Type"],
            "region": row["Region Code"],
            "capacity": "on_demand",
            "usd_h": _number(row["PricePerUnit"]),
            "unverified": "",
            "source": SOURCE,
            "as_of": as_of,
        }


def _service(row: Mapping[str, str], as_of: str) -> Iterator[Row]:
    usage = _CODE_OF_REGION.sub("", row.get("usageType", ""))
    found = _USAGE.get(usage)
    if found is not None and row["TermType"] == "OnDemand" and row["Currency"] == "USD":
        service, item, unit = found
        yield {
            "cloud": "aws",
            "service": service,
            "item": item,
            "region": row["Region Code"],
            "unit": unit,
            "usd": _number(row["PricePerUnit"]),
            "unverified": "",
            "source": SOURCE,
            "as_of": as_of,
        }


def _number(text: str) -> str:
    """A number without the zeros that end it."""
    return text.rstrip("0").rstrip(".") if "." in text else text
