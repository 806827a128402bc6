"""When a row of a table applies to a resource, by its inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from penstock.graph.property_path import locations


@dataclass(frozen=True, slots=True)
class RowCondition:
    """A test of one property.

    Attributes:
        path: The path of the property, or of those in a list.
        texts: What it is, or holds as a list, flags and numbers as JSON has them; without any it is given and true.
        absent: Whether it must be neither given nor true, or none of the texts.
        also: Another condition that must hold, too.
    """

    path: str
    texts: tuple[str, ...] = ()
    absent: bool = False
    also: RowCondition | None = None

    def holds(self, inputs: Mapping[str, Any]) -> bool:
        """Return whether a resource with these inputs passes."""
        found = [place.value for place in locations(inputs, self.path)]
        items = [item for value in found for item in (value if isinstance(value, list) else [value])]
        passes = any(_written(item) in self.texts for item in items) if self.texts else any(found)
        return passes is not self.absent and applies(self.also, inputs)


def condition(cell: str) -> RowCondition | None:
    """Read a cell; None for an empty one.

    `a.b` is given and true, `!a.b` is not; `a.b=X|Y` is one of these, `!a.b=X|Y` none. Of several between spaces each
    must hold.
    """
    first, _, rest = cell.partition(" ")
    path, _, texts = first.removeprefix("!").partition("=")
    if not path:
        return None
    return RowCondition(path, tuple(filter(None, texts.split("|"))), first.startswith("!"), condition(rest))


def applies(when: RowCondition | None, inputs: Mapping[str, Any]) -> bool:
    """Return whether a row with this condition, or with none, is for a resource with these inputs."""
    return when is None or when.holds(inputs)


def _written(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool | int) else value
