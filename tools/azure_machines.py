"""Sizes of Azure's virtual machines: `python -m tools.azure_machines skus.json`.

The file is what `az vm list-skus --location REGION --all --output json` prints. Sizes of the table get the figures of
the file; what it lacks stays, and a size that the table does not have needs a row first.
https://learn.microsoft.com/rest/api/compute/resource-skus/list
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from tools import refresh
from tools.azure_skus import SOURCE, ListedSize, listed_sizes
from tools.refresh import Row, merged


def refreshed(shipped: Sequence[Row], text: str, as_of: str = "") -> list[Row]:
    """The rows of azure/machines with the figures of the list, at a date; that of today where none is given.

    Raises:
        ValueError: the text is not a list of SKUs.
    """
    as_of = as_of or date.today().isoformat()  # noqa: DTZ011 - the day is enough
    listed = {size.name: size for size in listed_sizes(text)}
    fresh = (_changed(row, listed[name], as_of) for row in shipped if (name := row["machine_type"]) in listed)
    return merged(shipped, fresh, ("machine_type",), lambda _: False)


def _changed(row: Row, size: ListedSize, as_of: str) -> Row:
    figures = dict(size.columns())
    unverified = [column for column in row["unverified"].split() if column not in figures]
    if all(row[column] == value for column, value in figures.items()) and unverified == row["unverified"].split():
        return row
    first = row["source"].partition("; ")[0]
    return {**row, **figures, "unverified": " ".join(unverified), "source": f"{SOURCE}; {first}", "as_of": as_of}


if __name__ == "__main__":
    refresh.main("azure/machines", refreshed)
