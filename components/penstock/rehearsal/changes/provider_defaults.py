"""What a provider adds to the inputs of a resource out of its own configuration: a region, a namespace."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from penstock.resources.property_path import PropertyPath

Inputs = Mapping[str, Any]


class _Added(NamedTuple):
    """An input that is taken from the provider's `setting` where a program does not give it."""

    path: PropertyPath
    setting: str
    otherwise: str = ""


_ADDED: Final = {
    "aws": _Added(PropertyPath(("region",)), "region"),
    "kubernetes": _Added(PropertyPath(("metadata", "namespace")), "namespace", "default"),
}


def evened(
    type_: str, old_inputs: Inputs, old_outputs: Inputs, new_inputs: Inputs, configuration: Inputs
) -> tuple[Inputs, Inputs]:
    """The old and the new inputs of a resource, each with what the provider adds where only the other one says it.

    A state holds what the real provider added, as if the program had asked for it. `configuration` is that of the
    provider now; where it does not tell, the old value is taken to stay.
    """
    added = _ADDED.get(type_.partition(":")[0])
    if added is None:
        return old_inputs, new_inputs
    before, after = added.path.get(old_inputs), added.path.get(new_inputs)
    if before is not None and after is None:
        told = configuration.get(added.setting) or added.otherwise or before
        new_inputs = added.path.put(new_inputs, told)
    elif before is None and after is not None:
        old_inputs = added.path.put(old_inputs, added.path.get(old_outputs))
    return old_inputs, new_inputs
