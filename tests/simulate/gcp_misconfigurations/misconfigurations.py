"""What the families of misconfigurations share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.a3ultra_platform import Misconfiguration

Misconfigurations = Mapping[str, tuple[str, str, Misconfiguration]]
"""By what is wrong: the rule that reports it, the name of the resource that is reported, and the misconfiguration."""

OTHER_ZONE = "us-central1-f"


def node(pool: str, **properties: Any) -> Misconfiguration:
    """A misconfiguration among the nodes of a pool."""
    return {f"{pool}.node": properties}
