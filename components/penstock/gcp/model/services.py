"""Machines that services of Google Cloud start: Cloud TPU, Vertex AI and Cloud Run."""

from __future__ import annotations

import re
from math import prod

from typing_extensions import override

from penstock.gcp.model import places
from penstock.gcp.model.gce import accelerators_of, chips_of, type_of_config
from penstock.gcp.types import COLAB_RUNTIME_TEMPLATE, TPU_V2_VM
from penstock.graph.values import Secret, Unknown
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Block
from penstock.model.pools.pool import MachinePool, NamedType, Purchase, required

_TPU_TYPE = re.compile(r"(?P<version>v\d\w*?|v5litepod)-(?P<cores>\d+)")
_CORES_A_CHIP = {"v2": 2, "v3": 2, "v4": 2, "v5p": 2, "v5litepod": 1, "v6e": 1}
"""TensorCores by which names of TPU types count (Cloud TPU documentation, TPU configurations)."""
_TPU_DEFAULT = "v2-8"
"""The type of a TPU VM when nobody says (pulumi-gcp 10, tpu.V2Vm, acceleratorType)."""


class _ServicePool(MachinePool):
    """One machine of a service, unless it says more."""

    __slots__ = ()

    @override
    def machine_types(self) -> list[NamedType]:
        return []

    @override
    def start(self) -> int:
        return self.least()[0]

    @override
    def least(self) -> tuple[int, str]:
        return 1, ""

    @override
    def most(self) -> int:
        return 1

    @override
    def purchase(self) -> Purchase:
        return "on_demand"

    @override
    def region(self) -> str:
        return places.region(self.view)


class TpuVmPool(_ServicePool):
    """A slice of TPUs without GKE; its machines are not counted, its chips are."""

    __slots__ = ()

    @property
    @override
    def service(self) -> str:
        return "Cloud TPU"

    @override
    def accelerators(self) -> int:
        return self.chips()

    @override
    def chips(self) -> int:
        shape = self.block.block("acceleratorConfig") if "acceleratorConfig" in self.block else None
        if shape is not None:
            edges = (shape.text("topology") or "").split("x")
            if not all(edge.isdecimal() for edge in edges):
                raise TypeMismatch
            return prod(int(edge) for edge in edges)
        named = _TPU_TYPE.fullmatch(self.block.text("acceleratorType") or _TPU_DEFAULT)
        if named is None or named["version"] not in _CORES_A_CHIP:
            raise NotKnown
        return int(named["cores"]) // _CORES_A_CHIP[named["version"]]

    @override
    def purchase(self) -> Purchase:
        scheduling = self.block.block("schedulingConfig") if self.view.type == TPU_V2_VM else None
        if scheduling is not None and (scheduling.flag("preemptible") or scheduling.flag("spot")):
            return "spot"
        return "reserved" if scheduling is not None and scheduling.flag("reserved") else "on_demand"


class VertexPool(_ServicePool):
    """Machines of Vertex AI, by a block that holds their `machineSpec` and how many replicas there may be."""

    __slots__ = ()

    @property
    @override
    def service(self) -> str:
        return "Vertex AI"

    @override
    def machine_types(self) -> list[NamedType]:
        spec = self._spec()
        return [] if spec is None else [NamedType(type_of_config(spec), spec.owner, spec.at("machineType"))]

    @override
    def accelerators(self) -> int:
        spec = self._spec()
        if spec is None:
            return 0
        return max(spec.integer("acceleratorCount") or 0, accelerators_of(type_of_config(spec)))

    @override
    def chips(self) -> int:
        spec = self._spec()
        return 0 if spec is None else chips_of(type_of_config(spec))

    @override
    def least(self) -> tuple[int, str]:
        scaling = self._scaling()
        return self._first(scaling.integer("minReplicaCount"), self.block.integer("replicaCount")), scaling.at(
            "minReplicaCount"
        )

    @override
    def start(self) -> int:
        return self._first(self.block.integer("replicaCount"), self.least()[0])

    @override
    def most(self) -> int:
        return max(self._scaling().integer("maxReplicaCount") or 0, self.start())

    @override
    def purchase(self) -> Purchase:
        return "spot" if self.block.flag("spot") else "on_demand"

    def _scaling(self) -> Block:
        return self.block.block("autoscalingSpec") or self.block

    def _spec(self) -> Block | None:
        return self.block.block("machineSpec")

    @staticmethod
    def _first(*counts: int | None) -> int:
        return next((count for count in counts if count), 1)


class ColabPool(VertexPool):
    """The machine of a Colab runtime, as its template describes it."""

    __slots__ = ()

    @override
    def _spec(self) -> Block | None:
        reference = self.view.block("notebookRuntimeTemplateRef")
        found = reference.one("notebookRuntimeTemplate", COLAB_RUNTIME_TEMPLATE) if reference is not None else None
        if found is None or found.resource.external:
            raise NotKnown
        return found.block("machineSpec")


class CloudRunPool(_ServicePool):
    """Instances of a Cloud Run service, as its `template` describes them."""

    __slots__ = ()

    @property
    @override
    def service(self) -> str:
        return "Cloud Run"

    @override
    def accelerators(self) -> int:
        limits = [found.value for found in self.block.locations('containers[].resources.limits."nvidia.com/gpu"')]
        if any(isinstance(limit, Unknown | Secret) for limit in limits):
            raise NotKnown
        return sum(int(limit) for limit in limits if limit is not None)

    @override
    def least(self) -> tuple[int, str]:
        return max((scaling.integer("minInstanceCount") or 0 for scaling in self._scalings()), default=0), ""

    @override
    def most(self) -> int:
        most = [number for scaling in self._scalings() if (number := scaling.integer("maxInstanceCount"))]
        return required(min(most, default=None))

    def _scalings(self) -> list[Block]:
        return [scaling for each in (self.view, self.block) if (scaling := each.block("scaling")) is not None]
