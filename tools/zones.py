"""Rows of machine types with the zones that sell them, made of what a vendor lists."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import date

from tools.refresh import Row, merged


def with_zones(
    shipped: Sequence[Row],
    sold: Collection[tuple[str, str]],
    is_listed: Callable[[str], bool],
    source: str,
    as_of: str,
) -> list[Row]:
    """The rows of a table of zones anew.

    Args:
        shipped: The rows that are there.
        sold: Machine types with the zones that sell them, as the vendor lists them.
        is_listed: Whether the vendor's file would have a zone if it still sold the type.
        source: The vendor's publication.
        as_of: Its date; that of today where none is given.
    """
    kept = {row["machine_type"]: [zone for zone in row["zones"].split() if not is_listed(zone)] for row in shipped}
    fresh = (
        {
            "machine_type": machine_type,
            "zones": " ".join(
                sorted({*kept.get(machine_type, ()), *(zone for name, zone in sold if name == machine_type)})
            ),
            "unverified": "",
            "source": source,
            "as_of": as_of or date.today().isoformat(),  # noqa: DTZ011 - the day is enough
        }
        for machine_type in dict.fromkeys(name for name, _ in sorted(sold))
    )
    return merged(shipped, fresh, ("machine_type",), lambda _: False)
