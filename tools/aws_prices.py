"""On-demand prices of EC2: `python -m tools.aws_prices index.csv`, with a region's price list of AmazonEC2.

The file is one of AWS' bulk price list: five lines about the list, then a header, then a line for each price. It speaks
of every machine type of its regions, so what it does not have there is no longer sold on demand.
https://docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/reading-service-price-list-file-for-services.html
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence

from penstock.catalog import machines
from tools import refresh
from tools.refresh import Row, merged

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


def refreshed(shipped: Sequence[Row], text: str) -> list[Row]:
    """The rows of aws/prices with the prices of a list.

    Raises:
        ValueError: the text is not a price list in CSV.
    """
    lines = text.splitlines()
    about = dict(csv.reader(line for line in lines[:_ABOUT_LINES] if line.count(",")))
    if about.get("OfferCode") != "AmazonEC2":
        raise ValueError("this is not a price list of AmazonEC2 in CSV: its first lines do not say so")
    listed = list(csv.DictReader(lines[_ABOUT_LINES:]))
    regions = {row["Region Code"] for row in listed}
    fresh = _rows(listed, about["Publication Date"][:10])
    return merged(
        shipped,
        fresh,
        ("machine_type", "region", "capacity"),
        lambda row: row["region"] in regions and row["capacity"] == "on_demand",
    )


def _rows(listed: Sequence[Mapping[str, str]], as_of: str) -> Iterator[Row]:
    known = {machine.machine_type for machine in machines.machine_types("aws")}
    for row in listed:
        is_wanted = all(row[column] == value for column, value in _WANTED.items())
        if is_wanted and row["Instance Type"] in known and float(row["PricePerUnit"]):
            yield {
                "machine_type": row["Instance Type"],
                "region": row["Region Code"],
                "capacity": "on_demand",
                "usd_h": _number(row["PricePerUnit"]),
                "unverified": "",
                "source": SOURCE,
                "as_of": as_of,
            }


def _number(text: str) -> str:
    """A number without the zeros that end it."""
    return text.rstrip("0").rstrip(".") if "." in text else text


if __name__ == "__main__":
    refresh.main("aws/prices", refreshed)
