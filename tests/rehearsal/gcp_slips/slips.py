"""What the families of slips share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.a3ultra_platform import Slip

Slips = Mapping[str, tuple[str, str, Slip]]
"""By what is wrong: the code that tells it, the name of the resource that it is told of, and the slip."""

OTHER_ZONE = "us-central1-f"


def node(pool: str, **properties: Any) -> Slip:
    """A slip among the nodes of a pool."""
    return {f"{pool}.node": properties}
