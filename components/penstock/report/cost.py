"""The bill of a month for machines to read."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from penstock.economics.cost import Cost


def document(cost: Cost) -> dict[str, Any]:
    """Return a bill as JSON: its total with bounds, each line, and what has no price."""
    return {
        "monthly_usd": round(cost.monthly_usd, 2),
        "low_usd": round(cost.low_usd, 2),
        "high_usd": round(cost.high_usd, 2),
        "lines": [{**asdict(line), "unverified": line.unverified} for line in cost.lines],
        "unpriced": [asdict(each) for each in cost.unpriced],
    }
