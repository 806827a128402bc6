"""Which rules the platform answers to."""

from __future__ import annotations

from pydantic import Field

from penstock.rules.settings import Framework
from penstock.spec.block import Block


class ComplianceSpec(Block):
    """Frameworks to check against, and where data may lie."""

    frameworks: tuple[Framework, ...] = Field(
        default=(), description="Policies of the pack `regulated` are asked, and told by the controls of these."
    )
    residency: str | None = Field(
        default=None, description="eu, us …: where data must stay. Policies of the pack `sovereign` are asked."
    )
