"""Node pools of Karpenter, EKS Auto Mode's own among them: they start machines of a cloud as pods ask for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from typing_extensions import override

from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Block, View
from penstock.kubernetes.facts.node_labels import INSTANCE_TYPE
from penstock.kubernetes.model import karpenter_machines
from penstock.kubernetes.model.karpenter_machines import KarpenterMachines
from penstock.model.pools.pool import MachinePool, NamedType, Purchase, required

TYPES: Final = tuple(f"kubernetes:karpenter.sh/{version}:NodePool" for version in ("v1", "v1beta1"))
"""The types of resources that start machines."""

_ACCELERATORS = ("nvidia.com/gpu", "amd.com/gpu", "aws.amazon.com/neuron", "habana.ai/gaudi")

_FAMILY = "karpenter.k8s.aws/instance-family"
_CATEGORY = "karpenter.k8s.aws/instance-category"
_PLAIN_CATEGORIES = frozenset("cmrt")
"""Categories of instance types without accelerators (EC2 user guide, instance type naming)."""


class KarpenterPool(MachinePool):
    """A node pool of Karpenter, by its `spec`; its limits count what its nodes have, and not the nodes."""

    __slots__ = ()

    @property
    @override
    def name(self) -> str:
        return self.view.name

    @property
    @override
    def cloud(self) -> str:
        template = self._nodes()
        reference = template.block("nodeClassRef") if template is not None else None
        if reference is None:
            return ""
        return karpenter_machines.cloud_of(
            reference.text("group") or (reference.text("apiVersion") or "").partition("/")[0]
        )

    @property
    @override
    def provisioner(self) -> str:
        return "Karpenter"

    @override
    def machine_types(self) -> list[NamedType]:
        path = self.block.at("template.spec.requirements")
        names = self._allowed(INSTANCE_TYPE)
        if not names:
            names = [name for family in self._allowed(_FAMILY) for name in self._machines().types_of_family(family)]
        return [NamedType(name, self.view, path) for name in names]

    @override
    def accelerators(self) -> int:
        machines = self._machines()
        found = [machines.accelerators_of(named.name) for named in self.machine_types()]
        if found:
            return max(found)
        categories = self._allowed(_CATEGORY)
        if not categories or not _PLAIN_CATEGORIES.issuperset(categories):
            raise NotKnown
        return 0

    @override
    def start(self) -> int:
        return self.least()[0]

    @override
    def least(self) -> tuple[int, str]:
        return self.block.integer("replicas") or 0, self.block.at("replicas")

    @override
    def most(self) -> int:
        types = self.machine_types()
        return max(self.most_of(named.name) for named in types) if types else required(self._limit("nodes"))

    @override
    def most_of(self, machine_type: str) -> int:
        bounds = (self._limit("nodes"), self._by_vcpu(machine_type), self._by_accelerators(machine_type))
        return required(min((bound for bound in bounds if bound is not None), default=None))

    @override
    def peak(self) -> int:
        limit = self._accelerators_limit()
        try:
            each = self.accelerators()
            grown = each * self.most() if each else 0
        except NotKnown:
            return required(limit)
        return grown if limit is None else min(grown, limit)

    @override
    def purchase(self) -> Purchase:
        ways = self.ways()
        if len(ways) > 1:
            raise NotKnown
        return ways[0]

    @override
    def ways(self) -> tuple[Purchase, ...]:
        """The ways that it may choose among for each machine, so that all may be bought in one of them."""
        known: dict[str, Purchase] = {"spot": "spot", "reserved": "reserved"}
        given = self._allowed("karpenter.sh/capacity-type") or ["on-demand"]
        return tuple(dict.fromkeys(known.get(way, "on_demand") for way in given))

    def _machines(self) -> KarpenterMachines:
        return karpenter_machines.machines_of(self.cloud) or karpenter_machines.first_machines()

    def _nodes(self) -> Block | None:
        template = self.block.block("template")
        return template.block("spec") if template is not None else None

    def _allowed(self, key: str) -> list[str]:
        """The values that a label of its nodes is bound to; none where it is not."""
        nodes = self._nodes()
        requirements = nodes.blocks("requirements") if nodes is not None else []
        given = [each for each in requirements if each.text("key") == key and each.text("operator") == "In"]
        return [value for each in given for value in each.texts("values")]

    def _limit(self, key: str) -> int | None:
        limits = self.block.block("limits")
        if limits is None:
            return None
        try:
            return limits.integer(key)
        except TypeMismatch:
            written = limits.text(key) or ""
        if not written.isdecimal():
            raise NotKnown  # a quantity with a suffix
        return int(written)

    def _accelerators_limit(self) -> int | None:
        limits = [limit for key in _ACCELERATORS if (limit := self._limit(key)) is not None]
        return sum(limits) if limits else None

    def _by_accelerators(self, name: str) -> int | None:
        limit = self._accelerators_limit()
        each = 0 if limit is None else self._machines().accelerators_of(name)
        return limit // each if limit is not None and each else None

    def _by_vcpu(self, name: str) -> int | None:
        limit = self._limit("cpu") if self.cloud and self._machines().counts_vcpu else None
        vcpu = self._machines().vcpu_of(name) if limit is not None else None
        return limit // vcpu if limit is not None and vcpu is not None else None


def read_pools(view: View) -> Sequence[MachinePool]:
    """Return the pools that a resource itself describes."""
    spec = view.block("spec")
    return [] if spec is None else [KarpenterPool(spec, view)]
