"""Which resources run machines with accelerators, and which of them start such machines at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from penstock.catalog import machines
from penstock.catalog.machines import Machine
from penstock.errors import UnknownFact
from penstock.resources.graph import Graph, Resource

NODE_GROUP = "aws:eks/nodeGroup:NodeGroup"
INSTANCE = "aws:ec2/instance:Instance"
SCALING_GROUP = "aws:autoscaling/group:Group"
NODE_POOL = "gcp:container/nodePool:NodePool"
GCP_INSTANCE = "gcp:compute/instance:Instance"
MACHINES = (NODE_GROUP, INSTANCE, SCALING_GROUP, NODE_POOL, GCP_INSTANCE)
"""The types of resources that run machines."""

_TEMPLATE = "aws:ec2/launchTemplate:LaunchTemplate"


def are_in(resource: Resource, graph: Graph) -> bool:
    """Whether the machines of a resource have GPUs, TPUs or Neuron devices; False where that cannot be told."""
    if resource.type not in MACHINES:
        return False
    if str(resource.inputs.get("amiType", "")).endswith(("_NVIDIA", "_NEURON")):
        return True
    if _config(resource).get("guestAccelerators"):
        return True
    found = (_machine(resource, machine_type) for machine_type in machine_types(resource, graph))
    return any(machine.accelerator_kind in ("gpu", "neuron", "tpu") for machine in found if machine is not None)


def is_slice(resource: Resource, graph: Graph) -> bool:
    """Whether a resource starts the hosts of a TPU slice, which work only all together."""
    found = (_machine(resource, machine_type) for machine_type in machine_types(resource, graph))
    tpus = any(machine.accelerator_kind == "tpu" for machine in found if machine is not None)
    return tpus and resource.inputs.get("placementPolicy") is not None


def machine_types(resource: Resource, graph: Graph) -> tuple[str, ...]:
    """The machine types that a resource may start, its own or those of its launch template; empty if not known."""
    if resource.type in (NODE_POOL, GCP_INSTANCE):
        named = _config(resource).get("machineType")
        return (named.rpartition("/")[2],) if isinstance(named, str) else ()
    own = _machine_types(resource.inputs)
    if own:
        return own
    sources = (graph.resources.get(urn) for urn in resource.property_dependencies.get("launchTemplate", ()))
    templates = [source for source in sources if source is not None and source.type == _TEMPLATE]
    return tuple(name for template in templates for name in _machine_types(template.inputs))


def starts_machines(resource: Resource) -> bool:
    """Whether a resource starts machines as it is created; a group may start empty."""
    inputs = resource.inputs
    if resource.type == NODE_GROUP:
        scaling = inputs.get("scalingConfig")
        return isinstance(scaling, Mapping) and bool(scaling.get("desiredSize"))
    if resource.type == SCALING_GROUP:
        return bool(inputs.get("desiredCapacity", inputs.get("minSize")))
    if resource.type == NODE_POOL:
        scaling = inputs.get("autoscaling")
        least = scaling if isinstance(scaling, Mapping) else {}
        counts = (inputs.get("nodeCount"), inputs.get("initialNodeCount"))
        return any((*counts, least.get("minNodeCount"), least.get("totalMinNodeCount")))
    return resource.type in (INSTANCE, GCP_INSTANCE)


def started(graph: Graph) -> Iterator[str]:
    """The URNs of the resources that bring machines with accelerators as they are created."""
    for resource in graph.of_type(*MACHINES):
        if not resource.external and starts_machines(resource) and are_in(resource, graph):
            yield resource.urn


def _config(resource: Resource) -> Mapping[str, Any]:
    """What a resource of Google Cloud says of its machines; empty for one of another cloud."""
    if resource.type == GCP_INSTANCE:
        return resource.inputs
    config = resource.inputs.get("nodeConfig") if resource.type == NODE_POOL else None
    return config if isinstance(config, Mapping) else {}


def _machine_types(inputs: Mapping[str, Any]) -> tuple[str, ...]:
    listed = inputs.get("instanceTypes")
    names = listed if isinstance(listed, list) else [inputs.get("instanceType")]
    return tuple(name for name in names if isinstance(name, str))


def _machine(resource: Resource, machine_type: str) -> Machine | None:
    try:
        return machines.find_machine(machine_type, resource.type.partition(":")[0])
    except UnknownFact:
        return None
