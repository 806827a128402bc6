"""What the platform may cost."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from penstock.spec.block import ComponentSpec

Email = Annotated[
    str, StringConstraints(pattern=r"^[^@\s]+@[^@\s]+\.[^@\s]+$"), Field(description="Such as platform@example.com.")
]


class BudgetSpec(ComponentSpec):
    """A monthly limit with alerts, and a ceiling on accelerators that the description itself must respect."""

    monthly_usd: Annotated[float, Field(ge=1, le=1e9, strict=True)] = Field(description="The limit of a month.")
    alert_emails: tuple[Email, ...] = Field(
        default=(), max_length=10, description="Who is told when the limit is near: ten at most, five on Google Cloud."
    )
    max_accelerators: Annotated[int, Field(ge=1, strict=True)] | None = Field(
        default=None, description="The most accelerators that all pools together may grow to."
    )
