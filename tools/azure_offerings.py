"""Sizes that a region of Azure sells: `python -m tools.azure_offerings skus.json`.

The file is what `az vm list-skus --location REGION --all --output json` prints. A size that the region keeps from the
account that asked is not sold to it.
https://learn.microsoft.com/rest/api/compute/resource-skus/list
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from penstock.azure.facts.machines import AzureMachine
from penstock.catalog import machines
from tools import refresh
from tools.azure_skus import SOURCE, listed_sizes
from tools.refresh import Row, merged


def refreshed(shipped: Sequence[Row], text: str, as_of: str = "") -> list[Row]:
    """The rows of azure/offerings with those of the list's regions, at a date; that of today where none is given.

    Raises:
        ValueError: the text is not a list of SKUs.
    """
    listed = listed_sizes(text)
    sold = {(size.region, size.name) for size in listed if size.is_open}
    fresh = (
        {
            "region": region,
            "machine_types": " ".join(
                machine.machine_type
                for machine in machines.machine_types(AzureMachine)
                if (region, machine.machine_type) in sold
            ),
            "unverified": "",
            "source": SOURCE,
            "as_of": as_of or date.today().isoformat(),  # noqa: DTZ011 - the day is enough
        }
        for region in dict.fromkeys(size.region for size in listed)
    )
    return merged(shipped, fresh, ("region",), lambda _: False)


if __name__ == "__main__":
    refresh.main("azure/offerings", refreshed)
