"""Node pools: the machines that train and serve."""

from __future__ import annotations

from typing import Annotated, Any, Literal, overload

from pydantic import Field, GetJsonSchemaHandler, StrictBool, StringConstraints, model_validator
from pydantic_core import CoreSchema, PydanticCustomError

from penstock.catalog import machines
from penstock.catalog.aws.machines import AwsMachine
from penstock.catalog.gcp.machines import GcpMachine
from penstock.catalog.machine import Machine
from penstock.spec.block import Block, ComponentSpec, FactKey, Name

Capacity = Literal["on_demand", "spot", "reserved", "capacity_block", "flex_start"]
Fabric = Literal["auto", "none", "efa", "infiniband", "tcpx", "tcpxo", "rdma"]


_ACCELERATED_DISK_GIB = 300
_DISK_GIB = 100


class Nodes(Block):
    """How many machines: `16`, or `{min: 0, max: 16}`."""

    min: Annotated[int, Field(ge=0, strict=True, description="What the pool starts with and never shrinks below.")]
    max: Annotated[int, Field(ge=1, strict=True, description="What it may grow to.")]

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


class Disk(Block):
    """The boot disk, which also holds container images."""

    size_gib: Annotated[int, Field(ge=20, le=16384, strict=True, description="300 with accelerators, 100 without.")]


class Taint(Block):
    """Keeps pods away that do not tolerate it; the effect in Kubernetes' own spelling."""

    key: str = Field(description="Such as example.com/team.")
    value: str = Field(default="", description="Compared by tolerations that name one.")
    effect: Literal["NoSchedule", "PreferNoSchedule", "NoExecute"] = Field(
        default="NoSchedule", description="What happens to pods that do not tolerate it."
    )


class Sharing(Block):
    """How several pods share one accelerator."""

    mig: str | None = None
    time_slicing: Annotated[int, Field(ge=2, strict=True)] | None = None


class AwsNodePool(Block):
    """What only AWS has."""

    ami_type: FactKey | None = Field(
        default=None, description="EKS AMI type; follows from the machine type by default."
    )
    efa_interfaces: Literal["ip_optimized", "bandwidth_optimized"] = Field(
        default="ip_optimized",
        description="One address a node, or one for each network card that can carry IP traffic beside EFA.",
    )


class GcpNodePool(Block):
    """What only Google Cloud has."""

    networking: Literal["auto", "multi_network", "dranet"] = Field(
        default="auto",
        description="How the fabric's interfaces reach pods: by networks of our own making, or by GKE's DRANET; auto "
        "takes what Google recommends for the machine.",
    )
    queued: StrictBool = Field(
        default=False, description="With flex_start: wait until all machines can start together."
    )
    max_run_hours: Annotated[int, Field(ge=1, strict=True)] | None = Field(
        default=None, description="With flex_start: hours until a machine is taken back, seven days at most."
    )
    host_maintenance: Literal["as_needed", "periodic"] | None = Field(
        default=None, description="How hosts are maintained: what the reservation says, where there is one."
    )
    local_ssds: Annotated[int, Field(ge=0, strict=True)] | None = Field(
        default=None, description="Local SSDs for ephemeral storage, where the machine lets one choose."
    )


class NodePoolSpec(ComponentSpec):
    """Machines of one type, sold in one way."""

    name: Name
    accelerator: FactKey | None = Field(default=None, description="Such as h100 or tpu-v5p: finds the machine type.")
    machine_type: FactKey | None = Field(
        default=None, description="Such as p5.48xlarge or a3-ultragpu-8g, in place of accelerator."
    )
    count: Annotated[int, Field(ge=1, strict=True)] | None = Field(default=None, description="Accelerators a node.")
    nodes: Nodes
    capacity: Capacity = Field(
        default="on_demand",
        description="How the machines are bought; capacity_block on AWS only, flex_start on Google Cloud only.",
    )
    reservation: str | None = Field(
        default=None,
        description="On AWS the id of a reservation or capacity block; on Google Cloud the name of a reservation, or "
        "projects/P/reservations/R where another project shares it.",
    )
    zone: str | None = Field(
        default=None,
        description="The one zone of this pool; with a fabric, reservation or slice the platform's first by default.",
    )
    fabric: Fabric = Field(
        default="auto",
        description="auto takes the fabric of the machine, where it has one: EFA on AWS; TCPX, TCPXO or RDMA on Google "
        "Cloud.",
    )
    topology: Annotated[str, StringConstraints(pattern=r"^[1-9]\d{0,2}(x[1-9]\d{0,2}){1,2}$")] | None = Field(
        default=None, description="The chips of a TPU slice, such as 4x4 or 4x4x8; one machine's own when absent."
    )
    slices: Annotated[int, Field(ge=1, strict=True)] | None = Field(
        default=None, description="How many TPU slices of that topology; one by default."
    )
    placement: str = Field(
        default="auto",
        description="auto, none, cluster (a placement group of its own on AWS, a compact policy on Google Cloud), or "
        "the name of an existing group or policy.",
    )
    sharing: Sharing | None = None
    disk: Disk | None = None
    labels: dict[str, str] = Field(default_factory=dict, description="Labels of the nodes, beside the derived ones.")
    taints: tuple[Taint, ...] = Field(default=(), description="Taints of the nodes, beside that of accelerators.")
    aws: AwsNodePool = AwsNodePool()
    gcp: GcpNodePool = GcpNodePool()


@overload
def machine(pool: NodePoolSpec, cloud: Literal["aws"]) -> AwsMachine: ...
@overload
def machine(pool: NodePoolSpec, cloud: Literal["gcp"]) -> GcpMachine: ...
@overload
def machine(pool: NodePoolSpec, cloud: str) -> Machine: ...
def machine(pool: NodePoolSpec, cloud: str) -> Machine:
    """The machine type of the pool: the one it names, or the one its accelerator (and count) leads to.

    Raises:
        UnknownFact: the catalogue has no such machine. A pool of a description that was checked never raises.
    """
    if pool.machine_type is not None:
        return machines.find_machine(pool.machine_type, cloud)
    return machines.for_accelerator(pool.accelerator or "", pool.count, cloud)


def takes_any_pod(pool: NodePoolSpec, cloud: str) -> bool:
    """Whether it always has a node for pods that tolerate nothing and ask for no accelerator."""
    return pool.nodes.min > 0 and not pool.taints and not machine(pool, cloud).accelerators


def boot_disk_gib(pool: NodePoolSpec, its: Machine) -> int:
    """The size of the boot disk; images for training and serving are tens of GB each.

    Source: awslabs/awsome-distributed-ai, EKS examples, 2026-07.
    """
    if pool.disk is not None:
        return pool.disk.size_gib
    return _ACCELERATED_DISK_GIB if its.accelerators else _DISK_GIB
