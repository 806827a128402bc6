"""Families of sizes of Azure's virtual machines: `python -m tools.azure_size_families skus.json`.

The file is what `az vm list-skus --location REGION --all --output json` prints. Sizes that other regions have stay.
https://learn.microsoft.com/rest/api/compute/resource-skus/list
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from tools import refresh
from tools.azure_skus import SOURCE, listed_sizes
from tools.refresh import Row, merged


def refreshed(shipped: Sequence[Row], text: str, as_of: str = "") -> list[Row]:
    """The rows of azure/size_families with the sizes of the list, at a date; that of today where none is given.

    Raises:
        ValueError: the text is not a list of SKUs.
    """
    known = {row["family"]: dict(pair.split(":") for pair in row["vcpus"].split()) for row in shipped}
    changed: dict[str, dict[str, str]] = {}
    for size in listed_sizes(text):
        vcpu = size.capabilities["vCPUs"]
        if known.get(size.family, {}).get(size.name) != vcpu:
            changed.setdefault(size.family, dict(known.get(size.family, {})))[size.name] = vcpu
    fresh = (
        {
            "family": family,
            "vcpus": " ".join(f"{name}:{vcpu}" for name, vcpu in sorted(sizes.items(), key=_by_vcpu)),
            "unverified": "",
            "source": SOURCE,
            "as_of": as_of or date.today().isoformat(),  # noqa: DTZ011 - the day is enough
        }
        for family, sizes in changed.items()
    )
    return merged(shipped, fresh, ("family",), lambda _: False)


def _by_vcpu(size: tuple[str, str]) -> tuple[int, str]:
    return int(size[1]), size[0]


if __name__ == "__main__":
    refresh.main("azure/size_families", refreshed)
