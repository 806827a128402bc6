"""EKS AMI types: which machines each one starts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from penstock.aws.facts.instance_types import InstanceType
from penstock.aws.facts.machines import AwsMachine
from penstock.catalog.records import Column, record_of, records


@dataclass(frozen=True, slots=True, kw_only=True)
class AmiType:
    """One value of a node group's amiType.

    Attributes:
        system: al2, al2023, bottlerocket, windows or custom.
        architecture: of the processor; None for CUSTOM, which may be any.
        accelerator_kinds: the accelerators (gpu, neuron) whose drivers it carries.
        newest_kubernetes: the last minor version it is published for; None while AWS goes on publishing it.
    """

    name: Annotated[str, Column("ami_type")]
    system: str
    architecture: str | None
    accelerator_kinds: tuple[str, ...]
    newest_kubernetes: str | None
    unverified: tuple[str, ...]
    source: str
    as_of: str

    def fits(self, machine: AwsMachine | InstanceType) -> bool:
        """Return whether it starts on the machine's processor with drivers for its accelerators, and none beside them.

        EKS refuses accelerated AMI types on machines without accelerators. FPGA machines take the standard ones.
        """
        if self.system == "custom":
            return True
        if self.architecture != machine.architecture:
            return False
        if machine.accelerator_kind in ("gpu", "neuron"):
            return machine.accelerator_kind in self.accelerator_kinds
        return not self.accelerator_kinds


def find_ami_type(name: str) -> AmiType:
    """The AMI type of that name.

    Raises:
        UnknownFact: EKS has no such AMI type; the text names the nearest ones.
    """
    return record_of(AmiType, "aws/ami_types", name, "EKS AMI type")


def all_ami_types() -> tuple[AmiType, ...]:
    """Every AMI type that EKS takes."""
    return records(AmiType, "aws/ami_types")
