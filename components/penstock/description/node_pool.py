"""Node pools: the machines that train and serve."""

from __future__ import annotations

from typing import Annotated, Any, Literal, overload

from pydantic import Field, GetJsonSchemaHandler, StringConstraints, model_validator
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, PydanticCustomError

from penstock.catalog import machines
from penstock.catalog.machine import Machine
from penstock.catalog.machines import Kind
from penstock.description.block import ComponentSpec, FactKey, Name, SpecBlock
from penstock.description.forms import ObjectPath
from penstock.providers import all_providers

Capacity = Literal["on_demand", "spot", "reserved", "capacity_block", "flex_start"]
Fabric = Literal["auto", "none", "efa", "infiniband", "tcpx", "tcpxo", "rdma"]


_ACCELERATED_DISK_GIB = 300
_DISK_GIB = 100


class Nodes(SpecBlock):
    """Number of nodes: `16`, or `{min: 0, max: 16}`."""

    min: Annotated[int, Field(ge=0, strict=True, description="Minimum number of nodes, and the number at the start.")]
    max: Annotated[int, Field(ge=1, strict=True, description="Maximum number of nodes.")]

    @model_validator(mode="before")
    @classmethod
    def _a_number_is_both(cls, value: Any) -> Any:
        if isinstance(value, int) and not isinstance(value, bool):
            return {"min": value, "max": value}
        if not isinstance(value, dict | Nodes):
            raise PydanticCustomError("nodes_type", "neither a number nor bounds")
        return value

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        bounds = handler.resolve_ref_schema(handler(core))
        return {"anyOf": [{"type": "integer", "minimum": 1}, bounds], "description": bounds.pop("description")}


class Disk(SpecBlock):
    """The boot disk, which also holds container images."""

    size_gib: Annotated[
        int,
        Field(
            ge=20,
            le=16384,
            strict=True,
            description="Size of the boot disk in GiB; by default 300 with accelerators, 100 without.",
        ),
    ]


class Taint(SpecBlock):
    """A Kubernetes taint, which keeps away pods that do not tolerate it."""

    key: str = Field(description="Taint key, such as example.com/team.")
    value: str = Field(default="", description="Taint value, which tolerations may match.")
    effect: Literal["NoSchedule", "PreferNoSchedule", "NoExecute"] = Field(
        default="NoSchedule", description="Effect on pods that do not tolerate the taint."
    )


class Sharing(SpecBlock):
    """Sharing of one NVIDIA GPU by several pods, in one of these ways."""

    mig: Annotated[str, StringConstraints(pattern=r"^\d+g\.\d+gb$")] | None = Field(
        default=None, description="Partitions of this size, such as 1g.10gb: each pod gets one, with its own memory."
    )
    time_slicing: Annotated[int, Field(ge=2, strict=True)] | None = Field(
        default=None, description="Number of pods that take turns on a GPU. Nothing keeps their memory apart."
    )
    mps: Annotated[int, Field(ge=2, strict=True)] | None = Field(
        default=None, description="Number of pods that run on a GPU at once, each with an equal part of its memory."
    )


class NodePoolSpec(ComponentSpec):
    """A pool of nodes of one machine type and purchase option."""

    name: Name
    accelerator: FactKey | None = Field(
        default=None, description="Accelerator, such as h100 or tpu-v5p; determines the machine type."
    )
    machine_type: FactKey | None = Field(
        default=None, description="Machine type, such as p5.48xlarge or a3-ultragpu-8g, in place of accelerator."
    )
    count: Annotated[int, Field(ge=1, strict=True)] | None = Field(default=None, description="Accelerators per node.")
    nodes: Nodes
    capacity: Capacity = Field(
        default="on_demand",
        description="Purchase option; capacity_block on AWS only, flex_start on Google Cloud only.",
    )
    reservation: str | None = Field(
        default=None,
        description="Id of a reservation or capacity block on AWS; name of a reservation on Google Cloud, or "
        "projects/P/reservations/R where another project shares it; on Azure the id of a capacity reservation group.",
    )
    zone: str | None = Field(
        default=None,
        description="Single zone of the pool; with a fabric, reservation or slice by default the platform's first that "
        "sells the machines, so far as that is known.",
    )
    fabric: Fabric = Field(
        default="auto",
        description="Network fabric; auto is the machine type's own, if any: EFA on AWS; TCPX, TCPXO or RDMA on Google "
        "Cloud; InfiniBand on Azure.",
    )
    topology: Annotated[str, StringConstraints(pattern=r"^[1-9]\d{0,2}(x[1-9]\d{0,2}){1,2}$")] | None = Field(
        default=None,
        description="Topology of a TPU slice in chips, such as 4x4 or 4x4x8; by default that of one machine.",
    )
    slices: Annotated[int, Field(ge=1, strict=True)] | None = Field(
        default=None, description="Number of TPU slices of that topology; one by default."
    )
    placement: str = Field(
        default="auto",
        description="auto, none, cluster (a new placement group on AWS, a compact policy on Google Cloud, a "
        "proximity placement group on Azure), or the name of an existing group or policy, on Azure its id.",
    )
    sharing: Sharing | None = Field(
        default=None, description="How several pods share one GPU; by default each pod has whole ones."
    )
    disk: Disk | None = None
    labels: dict[str, str] = Field(default_factory=dict, description="Node labels, beside the derived ones.")
    taints: tuple[Taint, ...] = Field(default=(), description="Node taints, beside that of accelerators.")
    devices: dict[str, Annotated[int, Field(ge=1, strict=True)]] = Field(
        default_factory=dict,
        description="Further devices of a node, by the resource that pods request, such as {xilinx.com/fpga-u250: 1}; "
        "also the number of its adapters, such as {rdma/ib: 4}, where that is not as usual for the accelerator. For "
        "provider kubernetes.",
    )
    fabric_networks: tuple[ObjectPath, ...] = Field(
        default=(),
        description="Secondary networks of RoCE adapters as NAMESPACE/NAME of a NetworkAttachmentDefinition, which "
        "Multus attaches to pods: one per adapter, or one that has all. For provider kubernetes.",
    )


def _add_blocks_of_clouds() -> None:
    """Give a pool one field per cloud that has settings of its own, called as the cloud."""
    for provider in all_providers():
        block: type[SpecBlock] | None = provider.load("node_pool_block")
        if block is not None:
            NodePoolSpec.model_fields[provider.name] = FieldInfo(annotation=block, default=block())
    NodePoolSpec.model_rebuild(force=True)


_add_blocks_of_clouds()


@overload
def machine(pool: NodePoolSpec, cloud: type[Kind]) -> Kind: ...
@overload
def machine(pool: NodePoolSpec, cloud: str) -> Machine: ...
def machine(pool: NodePoolSpec, cloud: str | type[Machine]) -> Machine:
    """The machine type of the pool: the one it names, or the one its accelerator (and count) leads to.

    Raises:
        UnknownFact: the catalogue has no such machine. A pool of a description that was checked never raises.
    """
    if pool.machine_type is not None:
        return machines.find_machine(pool.machine_type, cloud)
    return machines.for_accelerator(pool.accelerator or "", pool.count, cloud)


def takes_any_pod(pool: NodePoolSpec, cloud: str) -> bool:
    """Return whether the pool always has a node for pods without tolerations and accelerators."""
    return pool.nodes.min > 0 and not pool.taints and not machine(pool, cloud).accelerators


def boot_disk_gib(pool: NodePoolSpec, its: Machine) -> int:
    """The size of the boot disk; images for training and serving are tens of GB each.

    Source: awslabs/awsome-distributed-ai, EKS examples, 2026-07.
    """
    if pool.disk is not None:
        return pool.disk.size_gib
    return _ACCELERATED_DISK_GIB if its.accelerators else _DISK_GIB
