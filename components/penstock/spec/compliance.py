"""Which rules the platform answers to."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from penstock.spec.block import Block


class ComplianceSpec(Block):
    """Frameworks to check against, and where data may lie."""

    frameworks: tuple[Literal["hipaa", "gdpr", "soc2", "pci", "iso27001"], ...] = ()
    residency: str | None = Field(default=None, description="eu, us …: the part of the world that data may not leave.")
