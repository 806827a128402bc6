"""Sick nodes, and the tests that a node passes before it takes work."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictBool

from penstock.description.addon_block import AddonBlock
from penstock.description.block import ComponentSpec

MOST_GBPS = 14_400
"""72 accelerators at 200 Gbit/s, or 18 adapters at 800: more than any machine of the catalogue has."""


class HealthSpec(AddonBlock, ComponentSpec):
    """Detection of sick accelerators and fabrics, and tests for nodes."""

    line_rate_gbps: Annotated[float, Field(gt=0, le=MOST_GBPS, strict=True)] | None = Field(
        default=None,
        description="Rate of the fabric of a node, all interfaces together, in Gbit/s: on clusters whose machines no "
        "cloud names. Tests of nodes expect 70 % of it.",
    )
    gate: StrictBool = Field(
        default=False,
        description="Keep work off new nodes with GPUs of NVIDIA until they pass a test, which starts by itself. "
        "On AWS, Google Cloud, and clusters whose kubelets register with the taint.",
    )

    def gates_nodes(self) -> bool:
        """Return whether the gate is on."""
        return self.gate
