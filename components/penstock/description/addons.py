"""Add-ons, which run beside the workloads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Self, TypeVar

from pydantic import create_model

from penstock.description.addon import all_addons
from penstock.description.addon_block import AddonBlock
from penstock.description.block import ComponentSpec, SpecBlock

Block = TypeVar("Block", bound=AddonBlock)


class _Addons(SpecBlock):
    """One key per add-on; naming an add-on enables it."""

    def enabled(self) -> dict[str, AddonBlock]:
        """Return the block of each enabled add-on by its key."""
        return {key: block for key, block in self if block is not None}

    def has(self, key: str) -> bool:
        """Return whether an add-on is enabled."""
        return getattr(self, key) is not None

    def get(self, block: type[Block]) -> Block | None:
        """Return the block of one add-on; None if it is not enabled."""
        return next((each for _, each in self if isinstance(each, block)), None)

    def component(self, key: str) -> ComponentSpec | None:
        """Return the block of an add-on if it can have tags of its own."""
        block = getattr(self, key)
        return block if isinstance(block, ComponentSpec) else None

    def team_accounts(self) -> tuple[tuple[str, str], ...]:
        """Return each team with the service account that it stands for among readers and writers."""
        return tuple(each for block in self.enabled().values() for each in block.team_accounts())

    def gate_nodes(self) -> bool:
        """Return whether new nodes take no work until an add-on has tested them."""
        return any(block.gates_nodes() for block in self.enabled().values())

    def held_pools(self, resources: Mapping[str, str | None]) -> frozenset[str]:
        """Return the pools whose nodes some add-on hands out, of all pools and what pods request of each."""
        return frozenset(pool for block in self.enabled().values() for pool in block.held_pools(resources))

    def changed(self, change: Callable[[AddonBlock], AddonBlock]) -> Self:
        """Return the same add-ons, each with its block changed."""
        return self.model_copy(update={key: change(block) for key, block in self.enabled().items()})


if TYPE_CHECKING:
    AddonsSpec = _Addons
else:
    AddonsSpec = create_model(
        "AddonsSpec",
        __base__=_Addons,
        __doc__=_Addons.__doc__,
        __module__=__name__,
        **{each.key: (each.load("block", each.block) | None, None) for each in all_addons() if each.block is not None},
    )
