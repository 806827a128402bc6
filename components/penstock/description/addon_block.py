"""The base of the blocks of add-ons."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Self

from penstock.description.block import SpecBlock
from penstock.description.node_pool import Taint


class AddonBlock(SpecBlock):
    """The block of an add-on, with what the rest of Penstock asks of any add-on; most answer nothing."""

    def taints(self) -> Mapping[str, Taint]:
        """Return the taint of each pool that takes only pods of the add-on, by the pool's name."""
        return {}

    def held_pools(self, _resources: Mapping[str, str | None]) -> frozenset[str]:
        """Return the pools whose nodes the add-on hands out itself, of all pools and what pods request of each."""
        return frozenset()

    def gates_nodes(self) -> bool:
        """Return whether new nodes take no work until the add-on has tested them."""
        return False

    def names_once(self) -> Mapping[str, Sequence[str]]:
        """Return the fields that list names, each of which may occur once."""
        return {}

    def team_accounts(self) -> Sequence[tuple[str, str]]:
        """Return each team with the service account that it stands for among readers and writers."""
        return ()

    def with_readers(self, _named: Callable[[tuple[str, ...]], tuple[str, ...]]) -> Self:
        """Return the block with other names of its readers."""
        return self

    def with_own_readers(self) -> Self:
        """Return the block with the service accounts among its readers that the add-on itself reads by."""
        return self
