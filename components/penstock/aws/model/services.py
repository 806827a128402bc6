"""Machines that services of AWS start: Batch for jobs, SageMaker for training, serving and notebooks, EKS Auto Mode."""

from __future__ import annotations

from math import ceil

from typing_extensions import override

from penstock.aws.facts import instance_types
from penstock.aws.model.ec2 import accelerators_of, aws_region
from penstock.aws.types import SAGEMAKER_ENDPOINT_CONFIGURATION, SAGEMAKER_NOTEBOOK_INSTANCE, SAGEMAKER_TRAINING_JOB
from penstock.core.errors import UnknownFact
from penstock.graph.verdict import NotKnown
from penstock.graph.view import Block, View
from penstock.model.pools.pool import MachinePool, NamedType, Purchase, required

_WITHOUT_ACCELERATORS = ("optimal", "default_x86_64", "default_arm64")
"""Names by which Batch chooses among machines without accelerators (Batch user guide, compute environments)."""


class _ServicePool(MachinePool):
    """Machines of a service, in the region of the resource that asks for them."""

    __slots__ = ()

    @property
    @override
    def name(self) -> str:
        return self.view.name

    @override
    def accelerators(self) -> int:
        return max((accelerators_of(each.name) for each in self.machine_types()), default=0)

    @override
    def region(self) -> str:
        return aws_region(self.view)


class BatchPool(_ServicePool):
    """Machines that Batch starts for jobs: as many as have the vCPUs that it may grow to, and one more at most."""

    __slots__ = ()

    @override
    def machine_types(self) -> list[NamedType]:
        named = [name for name in self.block.texts("instanceTypes") if name not in _WITHOUT_ACCELERATORS]
        path = self.block.at("instanceTypes")
        return [NamedType(size, self.view, path) for name in named for size in _sizes(name)]

    @override
    def start(self) -> int:
        key = "desiredVcpus" if "desiredVcpus" in self.block else "minVcpus"
        if not (self.block.integer(key) or 0):
            return 0
        types = self.machine_types()
        if not types:
            raise NotKnown  # Batch chooses
        return self._count(types[0].name, key)

    @override
    def least(self) -> tuple[int, str]:
        path = self.block.at("minVcpus")
        given = "minVcpus" in self.block
        return max((self._count(each.name, "minVcpus") for each in self.machine_types() if given), default=0), path

    @override
    def most(self) -> int:
        return max((self.most_of(each.name) for each in self.machine_types()), default=0)

    @override
    def most_of(self, machine_type: str) -> int:
        return self._count(machine_type, "maxVcpus")

    @override
    def peak(self) -> int:
        found = [(each.name, accelerators_of(each.name)) for each in self.machine_types()]
        return max((number * self.most_of(name) for name, number in found if number), default=0)

    @override
    def purchase(self) -> Purchase:
        return "spot" if (self.block.text("type") or "").upper() == "SPOT" else "on_demand"

    def _count(self, name: str, key: str) -> int:
        try:
            return ceil(required(self.block.integer(key)) / instance_types.find_instance_type(name).vcpu)
        except UnknownFact:
            raise NotKnown from None


class SageMakerPool(_ServicePool):
    """Machines that SageMaker starts, to serve a variant of a model, for a job of training, or for one notebook."""

    __slots__ = ()

    @property
    @override
    def service(self) -> str:
        return "SageMaker"

    @override
    def machine_types(self) -> list[NamedType]:
        named = self.block.text("instanceType")
        path = self.block.at("instanceType")
        return [] if named is None else [NamedType(named.removeprefix("ml."), self.view, path)]

    @override
    def start(self) -> int:
        return self.least()[0]

    @override
    def least(self) -> tuple[int, str]:
        if self.view.type == SAGEMAKER_NOTEBOOK_INSTANCE:
            return 1, ""
        key = "instanceCount" if self.view.type == SAGEMAKER_TRAINING_JOB else "initialInstanceCount"
        return required(self.block.integer(key)), self.block.at(key)

    @override
    def most(self) -> int:
        scaling = self.block.block("managedInstanceScaling")
        highest = scaling.integer("maxInstanceCount") if scaling is not None else None
        return max(self.least()[0], highest or 0)

    @override
    def purchase(self) -> Purchase:
        return (
            "spot"
            if self.view.type == SAGEMAKER_TRAINING_JOB and self.view.flag("enableManagedSpotTraining")
            else "on_demand"
        )


class AutoModePool(_ServicePool):
    """The machines that EKS Auto Mode starts by its built-in node pools, for pods: never with accelerators."""

    __slots__ = ()

    @property
    @override
    def provisioner(self) -> str:
        return "EKS Auto Mode"

    @override
    def machine_types(self) -> list[NamedType]:
        return []

    @override
    def start(self) -> int:
        return 0

    @override
    def least(self) -> tuple[int, str]:
        return 0, ""

    @override
    def most(self) -> int:
        raise NotKnown

    @override
    def purchase(self) -> Purchase:
        return "on_demand"


def batch_pools(view: View) -> list[MachinePool]:
    """Return the machines of a compute environment of Batch; none on Fargate."""
    resources = view.block("computeResources")
    fargate = resources is None or (resources.text("type") or "").upper().startswith("FARGATE")
    return [] if resources is None or fargate else [BatchPool(resources, view)]


def sagemaker_pools(view: View) -> list[MachinePool]:
    """Return the machines of an endpoint's variants, of a training job, or of a notebook."""
    if view.type == SAGEMAKER_NOTEBOOK_INSTANCE:
        return [SageMakerPool(view, view)]
    if view.type == SAGEMAKER_ENDPOINT_CONFIGURATION:
        listed = [*view.blocks("productionVariants"), *view.blocks("shadowProductionVariants")]
        return [SageMakerPool(block, view) for block in listed if "serverlessConfig" not in block]
    resources = view.block("resourceConfig")
    groups: list[Block] = [] if resources is None else resources.blocks("instanceGroups") or [resources]
    return [SageMakerPool(block, view) for block in groups]


def auto_mode_pools(view: View) -> list[MachinePool]:
    """Return the built-in node pools of a cluster in EKS Auto Mode."""
    compute = view.block("computeConfig")
    on = compute is not None and compute.flag("enabled") and compute.count("nodePools")
    return [AutoModePool(view, view)] if on else []


def _sizes(name: str) -> list[str]:
    """The machine types that a name among those of Batch means: one, or all of a family."""
    if "." in name:
        return [name]
    try:
        return [each.name for each in instance_types.of_family(name)]
    except UnknownFact:
        raise NotKnown from None
