"""The defaults that a provider adds to the inputs of a resource out of its own configuration: a region, a namespace."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from penstock.graph.property_path import PropertyPath
from penstock.providers import plugin_of

Inputs = Mapping[str, Any]


def evened(
    type_: str, old_inputs: Inputs, old_outputs: Inputs, new_inputs: Inputs, configuration: Inputs
) -> tuple[Inputs, Inputs]:
    """The old and the new inputs of a resource, each with what the provider adds where only the other one says it.

    A state holds what the real provider added, as if the program had asked for it. `configuration` is that of the
    provider now; where it does not say, the old value is taken to stay.
    """
    plugin = plugin_of(type_)
    if not plugin.filled_input:
        return old_inputs, new_inputs
    path = PropertyPath(plugin.filled_input)
    before, after = path.get(old_inputs), path.get(new_inputs)
    if before is not None and after is None:
        new_inputs = path.put(new_inputs, configuration.get(plugin.filled_input[-1]) or plugin.filled_with or before)
    elif before is None and after is not None:
        old_inputs = path.put(old_inputs, path.get(old_outputs))
    return old_inputs, new_inputs
