"""Managed disks, which Azure bills by the tier of their size and not by the GiB."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import records

_LETTERS = {"Premium_LRS": "P", "StandardSSD_LRS": "E", "Standard_LRS": "S"}


@dataclass(frozen=True, slots=True)
class _Tier:
    tier: int
    gib: int


def tier(sku: str, gib: int) -> str | None:
    """The tier that a disk is billed as, such as P10 for 65 to 128 GiB; None for a SKU that is billed otherwise."""
    letter = _LETTERS.get(sku)
    found = next((each.tier for each in records(_Tier, "azure/disk_tiers") if gib <= each.gib), None)
    return f"{letter}{found}" if letter is not None and found is not None else None
