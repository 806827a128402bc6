"""Properties that make a resource slower, or faster, than others of its type."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import record_of_type
from penstock.graph.view import View
from penstock.timeline import accelerators


@dataclass(frozen=True, slots=True)
class Variant:
    """The variant of a type whose resources have a property that is true."""

    property: str
    variant: str


def variant_of(view: View) -> str:
    """The variant under which `catalog.latencies` may have a row for the type; empty for none.

    What starts machines is `empty`, `accelerated`, `metal` (no hypervisor: long tests of its memory) or a `slice` (TPU
    hosts that come all together).
    """
    declared = record_of_type(Variant, "variants", view.type)
    if declared is not None:
        return declared.variant if view.resource.inputs.get(declared.property) is True else ""
    if not accelerators.runs_machines(view):
        return ""
    return running_variant(view) if accelerators.starts_machines(view) else "empty"


def running_variant(view: View) -> str:
    """The variant of what runs machines, whether it starts with some or not."""
    if not accelerators.are_in(view):
        return ""
    if any(name.endswith("-metal") for name in accelerators.machine_types(view)):
        return "metal"
    return "slice" if accelerators.is_slice(view) else "accelerated"
