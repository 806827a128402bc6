"""Columns of Google Cloud in the reference page of accelerators."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from penstock.gcp.facts.machines import GcpMachine

COLUMNS: Final[Mapping[str, Callable[[GcpMachine], str]]] = {
    "Fabric": lambda machine: machine.fabric or "",
    "Called by GKE": lambda machine: f"`{machine.label}`",
}
