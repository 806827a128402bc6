"""Pools of machines on AWS: node groups of EKS, autoscaling groups and single instances."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from typing_extensions import override

from penstock.catalog import machines
from penstock.catalog.aws import instance_types
from penstock.errors import UnknownFact
from penstock.policies.pools.pool import Bought, Named, Pool, is_spoken_for, required, spokesman
from penstock.resources.verdict import Misfit, NotKnown
from penstock.resources.view import Block, Site, View

COMPONENT = "penstock:aws:NodePool"
NODE_GROUP = "aws:eks/nodeGroup:NodeGroup"
AUTOSCALING_GROUP = "aws:autoscaling/group:Group"
INSTANCE = "aws:ec2/instance:Instance"
LAUNCH_TEMPLATE = "aws:ec2/launchTemplate:LaunchTemplate"
_SPOT_INSTANCE = "aws:ec2/spotInstanceRequest:SpotInstanceRequest"
_LAUNCH_CONFIGURATION = "aws:ec2/launchConfiguration:LaunchConfiguration"
_BATCH = "aws:batch/computeEnvironment:ComputeEnvironment"
_ENDPOINT = "aws:sagemaker/endpointConfiguration:EndpointConfiguration"
_TRAINING = "aws:sagemaker/trainingJob:TrainingJob"

_SINGLE = (INSTANCE, _SPOT_INSTANCE)
_OWN = (NODE_GROUP, AUTOSCALING_GROUP, *_SINGLE)
STARTERS = (*_OWN, _BATCH, _ENDPOINT, _TRAINING)
"""The types of resources that start machines."""

_WITHOUT_ACCELERATORS = ("optimal", "default_x86_64", "default_arm64")
"""Names by which Batch chooses among machines without accelerators (Batch user guide, compute environments)."""

_EKS_DEFAULT = "t3.medium"
"""What a node group starts when nobody says (EKS API, CreateNodegroup)."""


class AwsPool(Pool):
    """What starts machines on AWS; what it leaves out may stand in its launch template."""

    __slots__ = ()

    @override
    def types(self) -> list[Named]:
        own = list(self._own_types())
        if own or self.view.type != NODE_GROUP or "launchTemplate" in self.view:
            return own
        return [Named(_EKS_DEFAULT, "instanceTypes")]

    @override
    def accelerators(self) -> int:
        return max((accelerators(name) for name in self.started()), default=0)

    @override
    def most(self) -> int:
        if self.view.type in _SINGLE:
            return 1
        if self.view.type == AUTOSCALING_GROUP:
            return required(self.view.integer("maxSize"))
        return required(self._scaling().integer("maxSize"))

    @override
    def least(self) -> tuple[int, str]:
        if self.view.type in _SINGLE:
            return 1, ""
        if self.view.type == AUTOSCALING_GROUP:
            return required(self.view.integer("minSize")), "minSize"
        return required(self._scaling().integer("minSize")), "scalingConfig.minSize"

    @override
    def bought(self) -> Bought:
        if self.view.type == _SPOT_INSTANCE:
            return "spot"
        kind = (self.view.text("capacityType") or "ON_DEMAND") if self.view.type == NODE_GROUP else ""
        if kind in ("SPOT", "CAPACITY_BLOCK"):
            return "spot" if kind == "SPOT" else "capacity_block"
        held = self.template()
        market = held.block("instanceMarketOptions") if held is not None else None
        way = (market.text("marketType") or "") if market is not None else ""
        if way:
            return "spot" if way == "spot" else "capacity_block"
        wanted = held.block("capacityReservationSpecification") if held is not None else None
        if wanted is not None and (
            "capacityReservationTarget" in wanted
            or wanted.text("capacityReservationPreference") == "capacity-reservations-only"
        ):
            return "reserved"
        if self.view.type == AUTOSCALING_GROUP and "mixedInstancesPolicy" in self.view:
            raise NotKnown  # it may mix Spot and on-demand machines in any proportion
        return "on_demand"

    @override
    def peak(self) -> int:
        if self.view.type != AUTOSCALING_GROUP:
            return Pool.peak(self)
        weights = {name: weight for name, weight in self._overrides() if weight > 1}
        if not weights:
            return Pool.peak(self)
        most = self.most()
        return max((accelerators(name) * ceil(most / weights.get(name, 1)) for name in self.started()), default=0)

    def template(self) -> View | None:
        """The launch template that it starts machines from; None where it needs none.

        Raises:
            NotKnown: the template lies outside the program.
        """
        mixed = self._mixed()
        reference = mixed.block("launchTemplateSpecification") if mixed is not None else None
        reference = reference if reference is not None else self.view.block("launchTemplate")
        for key in ("id", "name", "launchTemplateId", "launchTemplateName"):
            if reference is not None and key in reference:
                found = reference.one(key, LAUNCH_TEMPLATE)
                if found is None or found.resource.external:
                    raise NotKnown
                return found
        return None

    def started(self) -> list[str]:
        """The machine types that it may start, wherever they are named."""
        own = [named.name for named in self._own_types()]
        if own:
            return own
        if self.view.type == AUTOSCALING_GROUP and "launchConfiguration" in self.view:
            behind = self.view.one("launchConfiguration", _LAUNCH_CONFIGURATION)
            return [] if behind is None else [behind.text("instanceType") or ""]
        held = self.template()
        if held is None:
            return [_EKS_DEFAULT]
        if "instanceRequirements" in held:
            raise NotKnown
        return [held.text("instanceType") or _EKS_DEFAULT]

    def _own_types(self) -> Iterator[Named]:
        if self.view.type == NODE_GROUP:
            for index, name in enumerate(self.view.texts("instanceTypes")):
                yield Named(name, f"instanceTypes[{index}]")
        elif self.view.type in _SINGLE:
            own = self.view.text("instanceType")
            if own is not None:
                yield Named(own, "instanceType")
        else:
            path = "mixedInstancesPolicy.launchTemplate.overrides"
            yield from (Named(name, f"{path}[{index}]") for index, (name, _) in enumerate(self._overrides()) if name)

    def _overrides(self) -> list[tuple[str, int]]:
        """The machine types of an autoscaling group, and how much of its size one of each takes."""
        mixed = self._mixed()
        found = mixed.blocks("overrides") if mixed is not None else []
        if any("instanceRequirements" in each for each in found):
            raise NotKnown
        return [(each.text("instanceType") or "", each.integer("weightedCapacity") or 1) for each in found]

    def _mixed(self) -> Block | None:
        mixed = self.view.block("mixedInstancesPolicy") if self.view.type == AUTOSCALING_GROUP else None
        return None if mixed is None else mixed.block("launchTemplate")

    def _scaling(self) -> Block:
        scaling = self.view.block("scalingConfig")
        if scaling is None:
            raise NotKnown
        return scaling


class BatchPool(Pool):
    """Machines that Batch starts for jobs: as many as have the vCPUs that it may grow to, and one more at most."""

    __slots__ = ()

    @property
    @override
    def name(self) -> str:
        return self.view.name

    @override
    def types(self) -> list[Named]:
        named = [name for name in self.block.texts("instanceTypes") if name not in _WITHOUT_ACCELERATORS]
        return [Named(size, self.block.at("instanceTypes")) for name in named for size in _sizes(name)]

    @override
    def accelerators(self) -> int:
        return max((accelerators(each.name) for each in self.types()), default=0)

    @override
    def most(self) -> int:
        return max((self._count(each.name, "maxVcpus") for each in self.types()), default=0)

    @override
    def least(self) -> tuple[int, str]:
        path = self.block.at("minVcpus")
        given = "minVcpus" in self.block
        return max((self._count(each.name, "minVcpus") for each in self.types() if given), default=0), path

    @override
    def bought(self) -> Bought:
        return "spot" if (self.block.text("type") or "").upper() == "SPOT" else "on_demand"

    @override
    def peak(self) -> int:
        found = [(each.name, accelerators(each.name)) for each in self.types()]
        return max((number * self._count(name, "maxVcpus") for name, number in found if number), default=0)

    def _count(self, name: str, key: str) -> int:
        return ceil(required(self.block.integer(key)) / instance_types.find_instance_type(name).vcpu)


class SageMakerPool(Pool):
    """Machines that SageMaker starts, to serve a variant of a model or for a job of training."""

    __slots__ = ()

    @property
    @override
    def name(self) -> str:
        return self.view.name

    @override
    def types(self) -> list[Named]:
        named = self.block.text("instanceType")
        return [] if named is None else [Named(named.removeprefix("ml."), self.block.at("instanceType"))]

    @override
    def accelerators(self) -> int:
        return max((accelerators(each.name) for each in self.types()), default=0)

    @override
    def most(self) -> int:
        scaling = self.block.block("managedInstanceScaling")
        highest = scaling.integer("maxInstanceCount") if scaling is not None else None
        return max(self.least()[0], highest or 0)

    @override
    def least(self) -> tuple[int, str]:
        key = "instanceCount" if self.view.type == _TRAINING else "initialInstanceCount"
        return required(self.block.integer(key)), self.block.at(key)

    @override
    def bought(self) -> Bought:
        return "spot" if self.view.type == _TRAINING and self.view.flag("enableManagedSpotTraining") else "on_demand"


def _sizes(name: str) -> list[str]:
    """The machine types that a name among those of Batch means: one, or all of a family."""
    if "." in name:
        return [name]
    try:
        return [each.name for each in instance_types.of_family(name)]
    except UnknownFact:
        raise NotKnown from None


def leaves(view: View) -> list[Pool]:
    """The pools that a resource itself describes."""
    if view.type in _OWN:
        return [AwsPool(view, view)]
    if view.type == _BATCH:
        resources = view.block("computeResources")
        fargate = resources is None or (resources.text("type") or "").upper().startswith("FARGATE")
        return [] if resources is None or fargate else [BatchPool(resources, view)]
    return [SageMakerPool(block, view) for block in _of_sagemaker(view)]


def _of_sagemaker(view: View) -> list[Block]:
    if view.type == _ENDPOINT:
        return [*view.blocks("productionVariants"), *view.blocks("shadowProductionVariants")]
    resources = view.block("resourceConfig") if view.type == _TRAINING else None
    if resources is None:
        return []
    return resources.blocks("instanceGroups") or [resources]


def pools(view: View) -> list[Pool]:
    """The pools that a resource or a component describes; those of a component only where it speaks for its own."""
    speaking = spokesman(view, leaves)
    return [*leaves(view)] if speaking is None else [speaking]


def all_pools(site: Site) -> list[Pool]:
    """Every pool of a program, each once."""
    views = site.of_type(COMPONENT, *STARTERS)
    return [pool for view in views if not is_spoken_for(view, leaves) for pool in pools(view)]


def accelerators(name: str) -> int:
    """How many accelerators a machine type has.

    Raises:
        NotKnown: the catalogue does not know.
    """
    try:
        machine = machines.find_machine(name, "aws")
    except UnknownFact:
        pass
    else:
        return 0 if machine.accelerator_kind == "fpga" else machine.accelerators
    try:
        kind = instance_types.find_instance_type(name).accelerator_kind
    except UnknownFact:
        raise NotKnown from None
    if kind is not None:
        raise NotKnown
    return 0


def has_accelerators(group: View) -> bool:
    """Whether a node group starts machines with accelerators."""
    return AwsPool(group, group).accelerators() > 0


def has_gpus(group: View) -> bool:
    """Whether a node group starts machines with GPUs of NVIDIA or AMD, and not with AWS' own chips alone."""
    return any(_has_gpus(name) for name in AwsPool(group, group).started())


def _has_gpus(name: str) -> bool:
    if not accelerators(name):
        return False
    return machines.find_machine(name, "aws").accelerator_kind == "gpu"


def launch_template(view: View) -> View | None:
    """The launch template of a node group; as `AwsPool.template`."""
    if view.type != NODE_GROUP:
        raise Misfit
    return AwsPool(view, view).template()
