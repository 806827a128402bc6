"""Price tables in generated Go files, as the Karpenter providers of AWS and Azure have them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

_REGION = re.compile(r'\s*(?:\w+\[)?"(?P<region>[a-z0-9-]+)"\]?(?:: \{| = map)')
_PRICE = re.compile(r'"(?P<machine_type>[^"]+)":\s+(?P<usd>\d+\.\d+)')
_DATE = re.compile(r"// generated at (\d{4}-\d{2}-\d{2})T")


def read_table(path: Path) -> Iterator[tuple[tuple[str, str], float]]:
    """Yield the prices of a file, by region and machine type."""
    region = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        found = _REGION.match(line)
        if found is not None:
            region = found["region"]
        for price in _PRICE.finditer(line):
            yield (region, price["machine_type"]), float(price["usd"])


def read_date(path: Path) -> str:
    """Return the day on which a file was generated.

    Raises:
        ValueError: it does not say so.
    """
    found = _DATE.search(path.read_text(encoding="utf-8"))
    if found is None:
        raise ValueError(f"{path} does not say when it was generated")
    return found[1]
