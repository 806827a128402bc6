"""Pools of machines on Google Cloud: node pools of GKE, in their cluster or beside it, TPU VMs and single machines."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import prod

from typing_extensions import override

from penstock.catalog import machines
from penstock.catalog.gcp.machines import GcpMachine
from penstock.errors import UnknownFact
from penstock.policies.open_world import has_unknown
from penstock.policies.pools.pool import Bought, Named, Pool, is_spoken_for, required, spokesman
from penstock.resources.verdict import Misfit, NotKnown
from penstock.resources.view import Block, Site, View

COMPONENTS = ("penstock:gcp:NodePool", "penstock:gcp:TpuPool")
NODE_POOL = "gcp:container/nodePool:NodePool"
CLUSTER = "gcp:container/cluster:Cluster"
INSTANCE = "gcp:compute/instance:Instance"
TPU_VM = "gcp:tpu/v2Vm:V2Vm"
QUEUED_TPU = "gcp:tpu/v2QueuedResource:V2QueuedResource"

_GROUP = "gcp:compute/instanceGroupManager:InstanceGroupManager"
_REGION_GROUP = "gcp:compute/regionInstanceGroupManager:RegionInstanceGroupManager"
_AUTOSCALERS = {
    _GROUP: "gcp:compute/autoscaler:Autoscaler",
    _REGION_GROUP: "gcp:compute/regionAutoscaler:RegionAutoscaler",
}
"""Managed groups, and what scales each of them."""
_TEMPLATES = (
    "gcp:compute/instanceTemplate:InstanceTemplate",
    "gcp:compute/regionInstanceTemplate:RegionInstanceTemplate",
)
_NOTEBOOK = "gcp:workbench/instance:Instance"
_SERVICE = "gcp:cloudrunv2/service:Service"
_DEPLOYMENT = "gcp:vertex/aiDeploymentResourcePool:AiDeploymentResourcePool"
_MODEL = "gcp:vertex/aiEndpointWithModelGardenDeployment:AiEndpointWithModelGardenDeployment"

STARTERS = (
    *(NODE_POOL, CLUSTER, INSTANCE, TPU_VM, QUEUED_TPU),
    *(*_AUTOSCALERS, _NOTEBOOK, _SERVICE, _DEPLOYMENT, _MODEL),
)
"""The types of resources that start machines."""

_DEFAULT_TYPE = "e2-medium"
"""What a node pool starts when nobody says (pulumi-gcp 10, container.NodePool, nodeConfig.machineType)."""

_DEFAULT_ZONES = 3
"""Zones of a region that GKE takes where nobody names any (pulumi-gcp 10, container.Cluster, nodeLocations)."""

_ZONE = re.compile(r"[a-z]+-[a-z]+\d+-[a-z0-9]+")
_WITH_ACCELERATORS = re.compile(r"(a\d|g\d|ct\d|tpu)")
_TPU_TYPE = re.compile(r"(?P<version>v\d\w*?|v5litepod)-(?P<cores>\d+)")
_CORES_A_CHIP = {"v2": 2, "v3": 2, "v4": 2, "v5p": 2, "v5litepod": 1, "v6e": 1}
"""TensorCores by which names of TPU types count (Cloud TPU documentation, TPU configurations)."""
_TPU_DEFAULT = "v2-8"
"""What a TPU VM is when nobody says (pulumi-gcp 10, tpu.V2Vm, acceleratorType)."""


class GkePool(Pool):
    """A node pool: a resource of its own, an item of its cluster's, or the pool that a cluster starts with."""

    __slots__ = ()

    @property
    def config(self) -> Block | None:
        """What its nodes are."""
        return self.block.block("nodeConfig")

    @override
    def types(self) -> list[Named]:
        config = self.config
        if config is None:
            return [Named(_DEFAULT_TYPE, self.block.at("nodeConfig.machineType"))]
        return [Named(_type_of(config), config.at("machineType"))]

    @override
    def accelerators(self) -> int:
        config = self.config
        return 0 if config is None else _accelerators(config, "guestAccelerators")

    @override
    def chips(self) -> int:
        config = self.config
        return 0 if config is None else _chips(_type_of(config))

    @override
    def most(self) -> int:
        scaling = self.block.block("autoscaling")
        if scaling is not None and "totalMaxNodeCount" in scaling:
            return required(scaling.integer("totalMaxNodeCount"))
        each_zone = scaling.integer("maxNodeCount") if scaling is not None else self._fixed()[0]
        return required(each_zone) * self._zones() if each_zone else required(each_zone)

    @override
    def least(self) -> tuple[int, str]:
        scaling = self.block.block("autoscaling")
        if scaling is None:
            number, path = self._fixed()
            return required(number), path
        key = "totalMinNodeCount" if "totalMinNodeCount" in scaling else "minNodeCount"
        return scaling.integer(key) or 0, scaling.at(key)

    @override
    def bought(self) -> Bought:
        config = self.config
        if config is None:
            return "on_demand"
        if config.flag("spot") or config.flag("preemptible"):
            return "spot"
        if config.flag("flexStart"):
            return "flex_start"
        affinity = config.block("reservationAffinity")
        kind = (affinity.text("consumeReservationType") or "") if affinity is not None else ""
        if kind == "ANY_RESERVATION":
            raise NotKnown
        return "reserved" if kind == "SPECIFIC_RESERVATION" else "on_demand"

    def _fixed(self) -> tuple[int | None, str]:
        key = "nodeCount" if "nodeCount" in self.block else "initialNodeCount"
        return self.block.integer(key), self.block.at(key)

    def _zones(self) -> int:
        """How many zones it has nodes in."""
        named = self.block.count("nodeLocations")
        if named:
            return named
        cluster = self._cluster()
        own = self.view.text("location") if self.view.type == NODE_POOL else None
        # A default pool's block is its cluster, whose nodeLocations lie beside its own zone.
        listed = cluster.count("nodeLocations")
        place = own or cluster.text("location")
        if place is not None and _ZONE.fullmatch(place):
            return 1 + listed
        if listed:
            return listed
        if place is None:
            raise NotKnown
        return _DEFAULT_ZONES

    def _cluster(self) -> View:
        if self.view.type == CLUSTER:
            return self.view
        found = self.view.one("cluster", CLUSTER)
        if found is None or found.resource.external:
            raise NotKnown
        return found


class Provisioned(GkePool):
    """The pools that GKE makes by itself, for whatever pods ask: nobody can tell beforehand which."""

    __slots__ = ()

    @override
    def types(self) -> list[Named]:
        return []

    @override
    def accelerators(self) -> int:
        raise NotKnown

    @override
    def chips(self) -> int:
        raise NotKnown


class SinglePool(GkePool):
    """A machine that stands alone."""

    __slots__ = ()

    @override
    def types(self) -> list[Named]:
        return [Named(_type_of(self.block), "machineType")]

    @override
    def accelerators(self) -> int:
        return _accelerators(self.block, "guestAccelerators")

    @override
    def chips(self) -> int:
        return _chips(_type_of(self.block))

    @override
    def most(self) -> int:
        return 1

    @override
    def least(self) -> tuple[int, str]:
        return 1, ""

    @override
    def bought(self) -> Bought:
        scheduling = self.block.block("scheduling")
        if scheduling is None:
            return "on_demand"
        spot = scheduling.flag("preemptible") or scheduling.text("provisioningModel") == "SPOT"
        return "spot" if spot else "on_demand"


class TpuVm(SinglePool):
    """A slice of TPUs without GKE; its machines are not counted, its chips are."""

    __slots__ = ()

    @override
    def types(self) -> list[Named]:
        return []

    @override
    def accelerators(self) -> int:
        return self.chips()

    @override
    def chips(self) -> int:
        shape = self.block.block("acceleratorConfig") if "acceleratorConfig" in self.block else None
        if shape is not None:
            edges = (shape.text("topology") or "").split("x")
            if not all(edge.isdecimal() for edge in edges):
                raise Misfit
            return prod(int(edge) for edge in edges)
        named = _TPU_TYPE.fullmatch(self.block.text("acceleratorType") or _TPU_DEFAULT)
        if named is None or named["version"] not in _CORES_A_CHIP:
            raise NotKnown
        return int(named["cores"]) // _CORES_A_CHIP[named["version"]]

    @override
    def bought(self) -> Bought:
        scheduling = self.block.block("schedulingConfig") if self.view.type == TPU_VM else None
        if scheduling is not None and (scheduling.flag("preemptible") or scheduling.flag("spot")):
            return "spot"
        return "reserved" if scheduling is not None and scheduling.flag("reserved") else "on_demand"


class ManagedGroup(SinglePool):
    """Machines that a managed group makes of a template."""

    __slots__ = ()

    @override
    def types(self) -> list[Named]:
        return []

    @override
    def accelerators(self) -> int:
        return max(_accelerators(template, "guestAccelerators") for template in self._templates())

    @override
    def chips(self) -> int:
        return max(_chips(_type_of(template)) for template in self._templates())

    @override
    def most(self) -> int:
        policies = [each.block("autoscalingPolicy") for each in self._autoscalers()]
        most = [required(policy.integer("maxReplicas")) for policy in policies if policy is not None]
        return max(self.view.integer("targetSize") or 0, *most, 0)

    def _autoscalers(self) -> list[View]:
        return self.view.referrers(_AUTOSCALERS[self.view.type], "target")

    def _templates(self) -> list[View]:
        """Its templates, which are mostly named by links that no property of theirs but this dependency tells."""
        found = self.view.found("versions.instanceTemplate", *_TEMPLATES) or self.view.sources("versions", *_TEMPLATES)
        if len(found) < self.view.count("versions") or not found:
            raise NotKnown
        return found


class Notebook(SinglePool):
    """A notebook machine, as its `gceSetup` describes it."""

    __slots__ = ()

    @override
    def accelerators(self) -> int:
        machine = _machine(_type_of(self.block))
        beside = sum(each.integer("coreCount") or 0 for each in self.block.blocks("acceleratorConfigs"))
        return max(beside, machine.accelerators if machine is not None else 0)


class Deployment(SinglePool):
    """Machines on which Vertex AI serves a model, as `dedicatedResources` describe them."""

    __slots__ = ()

    @override
    def accelerators(self) -> int:
        spec = self._spec()
        if spec is None:
            return 0
        machine = _machine(_type_of(spec))
        return max(spec.integer("acceleratorCount") or 0, machine.accelerators if machine is not None else 0)

    @override
    def chips(self) -> int:
        spec = self._spec()
        return 0 if spec is None else _chips(_type_of(spec))

    @override
    def most(self) -> int:
        return self.block.integer("maxReplicaCount") or self.block.integer("minReplicaCount") or 1

    def _spec(self) -> Block | None:
        return self.block.block("machineSpec")


class Service(SinglePool):
    """Instances of a Cloud Run service, as its `template` describes them."""

    __slots__ = ()

    @override
    def types(self) -> list[Named]:
        return []

    @override
    def accelerators(self) -> int:
        limits = [spot.value for spot in self.block.spots('containers[].resources.limits."nvidia.com/gpu"')]
        if has_unknown(limits):
            raise NotKnown
        return sum(int(limit) for limit in limits if limit is not None)

    @override
    def chips(self) -> int:
        return 0

    @override
    def most(self) -> int:
        scalings = [scaling for each in (self.view, self.block) if (scaling := each.block("scaling")) is not None]
        most = [number for scaling in scalings if (number := scaling.integer("maxInstanceCount"))]
        return required(min(most, default=None))


_DESCRIBED: Mapping[str, tuple[type[GkePool], tuple[str, ...]]] = {
    NODE_POOL: (GkePool, ()),
    INSTANCE: (SinglePool, ()),
    TPU_VM: (TpuVm, ()),
    _GROUP: (ManagedGroup, ()),
    _REGION_GROUP: (ManagedGroup, ()),
    _NOTEBOOK: (Notebook, ("gceSetup",)),
    _SERVICE: (Service, ("template",)),
    _DEPLOYMENT: (Deployment, ("dedicatedResources",)),
    _MODEL: (Deployment, ("deployConfig", "dedicatedResources")),
}
"""What reads each type, and the keys, one below the other, of the object that describes its machines."""


def pools(view: View) -> list[Pool]:
    """The pools that a resource or a component describes; those of a component only where it speaks for its own."""
    speaking = spokesman(view, leaves)
    return [*leaves(view)] if speaking is None else [speaking]


def leaves(view: View) -> list[GkePool]:
    """The pools that a resource itself describes."""
    if view.type in _DESCRIBED:
        kind, keys = _DESCRIBED[view.type]
        return [kind(block, view) for block in _below(view, keys)]
    if view.type == QUEUED_TPU:
        tpu = view.block("tpu")
        specs = tpu.blocks("nodeSpecs") if tpu is not None else []
        return [TpuVm(node, view) for each in specs if (node := each.block("node")) is not None]
    if view.type != CLUSTER:
        return []
    if view.flag("enableAutopilot") or _is_provisioning(view):
        return [*_in_cluster(view), Provisioned(view, view)]
    return _in_cluster(view)


def _below(block: Block, keys: tuple[str, ...]) -> list[Block]:
    """The object at the end of keys, one below the other; nothing where one is missing."""
    if not keys:
        return [block]
    inner = block.block(keys[0])
    return [] if inner is None else _below(inner, keys[1:])


def all_pools(site: Site) -> list[Pool]:
    """Every pool of a program, each once."""
    views = site.of_type(*COMPONENTS, *STARTERS)
    return [pool for view in views if not is_spoken_for(view, leaves) for pool in pools(view)]


def _in_cluster(view: View) -> list[GkePool]:
    if view.flag("enableAutopilot"):
        return []
    own = [GkePool(view, view)] if "nodeConfig" in view and not view.flag("removeDefaultNodePool") else []
    return [*own, *(GkePool(block, view) for block in view.blocks("nodePools"))]


def _is_provisioning(cluster: View) -> bool:
    """Whether GKE makes pools with accelerators by itself in a cluster that is not on Autopilot."""
    scaling = cluster.block("clusterAutoscaling")
    if scaling is None or not scaling.flag("enabled"):
        return False
    return any(each.text("resourceType") not in ("cpu", "memory") for each in scaling.blocks("resourceLimits"))


def _type_of(config: Block) -> str:
    return (config.text("machineType") or _DEFAULT_TYPE).rpartition("/")[2]


def _machine(name: str) -> GcpMachine | None:
    """What the catalogue knows of a type; None for one that has no accelerators of its own.

    Raises:
        NotKnown: it has some, and the catalogue does not know it.
    """
    try:
        return machines.find_machine(name, "gcp")
    except UnknownFact:
        if _WITH_ACCELERATORS.match(name):
            raise NotKnown from None
        return None


def _accelerators(config: Block, attached: str) -> int:
    machine = _machine(_type_of(config))
    beside = sum(each.integer("count") or 0 for each in config.blocks(attached))
    return max(beside, machine.accelerators if machine is not None else 0)


def _chips(name: str) -> int:
    machine = _machine(name)
    return machine.accelerators if machine is not None and machine.accelerator_kind == "tpu" else 0
