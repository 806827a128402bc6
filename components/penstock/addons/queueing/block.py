"""The block of queues, and of the teams that share the accelerators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final, Literal

from pydantic import Field

from penstock.description.addon_block import AddonBlock
from penstock.description.block import ComponentSpec, FactKey, Name, SpecBlock
from penstock.description.forms import Member

Priority = Literal["low", "normal", "high"]
PRIORITIES: tuple[Priority, ...] = ("low", "normal", "high")
"""From the one that gives way first to the one that others give way to."""

TEAM_ACCOUNT: Final = "trainer"
"""The account of the team's namespace that the team's name stands for among readers and writers."""


class TeamSpec(SpecBlock):
    """A team: its namespace, its members, and its part of the accelerators."""

    name: Name
    namespace: Name | None = Field(default=None, description="Namespace of its jobs; by default the team's name.")
    groups: tuple[Member, ...] = Field(default=(), description="Groups of its members, as the cluster knows them.")
    users: tuple[Member, ...] = Field(default=(), description="Single members, as the cluster knows them.")
    accelerators: dict[FactKey, Annotated[int, Field(ge=0, strict=True)]] = Field(
        default_factory=dict,
        description="Guaranteed number of an accelerator, such as {h100: 64}; by default a share of what is left.",
    )
    share: Annotated[int, Field(ge=1, le=1000, strict=True)] = Field(
        default=1, description="Weight, beside that of other teams, in what is shared out and in what is borrowed."
    )
    priority: Priority = Field(default="normal", description="Highest priority class that its jobs may name.")

    @property
    def home(self) -> str:
        """The namespace of its jobs."""
        return self.namespace or self.name


class QueueingSpec(AddonBlock, ComponentSpec):
    """Kueue, with a queue for each team: jobs start when all of their accelerators are free, idle ones are lent."""

    engine: Literal["kueue"] = Field(default="kueue", description="Engine that decides which job runs next.")
    teams: Annotated[tuple[TeamSpec, ...], Field(min_length=1)] = Field(
        description="The teams that share the accelerators."
    )

    def team_accounts(self) -> Sequence[tuple[str, str]]:
        """Return each team with the account of its namespace."""
        return [(team.name, f"{team.home}/{TEAM_ACCOUNT}") for team in self.teams]
