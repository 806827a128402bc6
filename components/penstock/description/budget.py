"""The budget of the platform."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from penstock.description.block import ComponentSpec

Email = Annotated[
    str,
    StringConstraints(pattern=r"^[^@\s]+@[^@\s]+\.[^@\s]+$"),
    Field(description="Email address, such as platform@example.com."),
]


class BudgetSpec(ComponentSpec):
    """A monthly budget with alerts, and a ceiling on the accelerators of this description."""

    monthly_usd: Annotated[float, Field(ge=1, le=1e9, strict=True)] = Field(description="Monthly budget in USD.")
    alert_emails: tuple[Email, ...] = Field(
        default=(), max_length=10, description="Addresses to alert near the budget: at most ten, five on Google Cloud."
    )
    max_accelerators: Annotated[int, Field(ge=1, strict=True)] | None = Field(
        default=None, description="Maximum number of accelerators of all pools together."
    )
    scope: Literal["account", "platform"] = Field(
        default="account",
        description="What counts: the bill of the whole account, or what has the tags platform and environment of this "
        "platform, which must be activated as cost allocation tags first. AWS only.",
    )
