"""Which rules the platform answers to."""

from __future__ import annotations

from pydantic import Field

from penstock.description.block import SpecBlock
from penstock.rules.settings import Framework


class ComplianceSpec(SpecBlock):
    """Compliance frameworks and data residency."""

    frameworks: tuple[Framework, ...] = Field(
        default=(),
        description="Frameworks to report on; enables the policy pack `regulated`, reported by their controls.",
    )
    residency: str | None = Field(
        default=None, description="Where data must stay: eu, us …; enables the policy pack `sovereign`."
    )
