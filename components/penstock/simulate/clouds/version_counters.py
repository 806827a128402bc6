"""Outputs that count the versions of a resource: an update in place makes another version, and others follow it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from penstock.catalog import updates
from penstock.graph.property_path import PropertyPath
from penstock.simulate.lifecycle import Difference


def grown(
    type_: str, changed: Sequence[Difference], old_outputs: Mapping[str, Any], new_inputs: Mapping[str, Any]
) -> dict[str, int]:
    """The outputs of an updated resource that are others because the update made another version; mostly none."""
    counter = updates.counter_of(type_)
    if counter is None:
        return {}
    before = old_outputs.get(counter.output)
    keys = {PropertyPath.parse(each.path).keys[0] for each in changed}
    if not isinstance(before, int | float) or keys <= set(counter.unchanging):
        return {}
    now = {counter.output: int(before) + 1}
    if new_inputs.get(counter.default_when):
        now[counter.default] = now[counter.output]
    return now
