"""What makes a resource slower, or faster, than others of its type."""

from __future__ import annotations

from penstock.rehearsal.schedule import accelerators
from penstock.resources.graph import Graph, Resource

_LUSTRE = "aws:fsx/lustreFileSystem:LustreFileSystem"


def of(resource: Resource, graph: Graph) -> str:
    """The variant under which `catalog.latencies` may have a row for the type; empty for none.

    What starts machines is `empty`, `accelerated`, `metal` (no hypervisor: long tests of its memory) or a `slice` (TPU
    hosts that come all together).
    """
    if resource.type == _LUSTRE:
        return "efa" if resource.inputs.get("efaEnabled") is True else ""
    if resource.type not in accelerators.MACHINES:
        return ""
    if not accelerators.starts_machines(resource):
        return "empty"
    if not accelerators.are_in(resource, graph):
        return ""
    if any(name.endswith("-metal") for name in accelerators.machine_types(resource, graph)):
        return "metal"
    return "slice" if accelerators.is_slice(resource, graph) else "accelerated"
