"""Columns of AWS in the reference page of accelerators."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from penstock.aws.facts import efa
from penstock.aws.facts.machines import AwsMachine


def _efa_devices(machine: AwsMachine) -> str:
    return str(sum(each.kind != "interface" for each in efa.interfaces(machine, "ip_optimized")))


COLUMNS: Final[Mapping[str, Callable[[AwsMachine], str]]] = {
    "EFA devices": _efa_devices,
    "AMI type": lambda machine: f"`{machine.ami_type}`",
}
