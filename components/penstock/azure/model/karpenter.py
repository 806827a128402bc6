"""Machine types that Karpenter starts on Azure, as AKS node auto-provisioning does."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from typing_extensions import override

from penstock.azure.model import pools
from penstock.core.quantities import GIB
from penstock.kubernetes.facts.node_labels import ARCHITECTURE, ARCHITECTURES, INSTANCE_TYPE
from penstock.kubernetes.model.karpenter_machines import (
    Candidate,
    KarpenterMachines,
)

_SIZE: Final = "karpenter.azure.com/sku-name"
_EFA: Final = "vpc.amazonaws.com/efa"


class AzureKarpenterMachines(KarpenterMachines):
    """The machine types that AKS node auto-provisioning starts."""

    groups = ("karpenter.azure.com",)
    size_labels = (_SIZE,)

    @override
    def accelerators_of(self, name: str) -> int:
        return pools.accelerators_of(name)

    @override
    def candidate(self, name: str) -> Candidate:
        machine = pools.machine_of_size(name)
        labels: dict[str, frozenset[str] | None] = {key: frozenset({name}) for key in (INSTANCE_TYPE, _SIZE)}
        if machine is None:
            return Candidate(name, labels, {}, known=False)
        labels[ARCHITECTURE] = frozenset({ARCHITECTURES[machine.architecture]})
        nvidia = 0 if (machine.accelerator or "").startswith("mi") else machine.accelerators
        capacity: dict[str, Decimal | None] = {
            "cpu": Decimal(machine.vcpu),
            "memory": Decimal(machine.ram_gib) * GIB,
            "nvidia.com/gpu": Decimal(nvidia),
            _EFA: Decimal(0),
        }
        return Candidate(name, labels, capacity)


MACHINES: Final = AzureKarpenterMachines()
