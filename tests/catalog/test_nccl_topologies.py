"""The files that NCCL reads of Azure's machines: every device once, every processor in one mask."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from penstock.azure.facts.machines import AzureMachine
from penstock.azure.facts.nccl_topologies import topology
from penstock.catalog.machines import find_machine

GPU, ADAPTER = "0x030200", "0x020700"


@pytest.mark.parametrize(
    "size",
    ["Standard_ND96asr_v4", "Standard_ND96amsr_A100_v4", "Standard_ND96isr_H100_v5", "Standard_ND96isr_H200_v5"],
)
def test_a_topology_has_every_device_of_the_machine_once(size: str) -> None:
    machine = find_machine(size, AzureMachine)

    text = topology(machine.accelerator)
    assert text is not None
    system = ET.fromstring(text)
    buses = [each.get("busid") for each in system.iter("pci")]
    assert len(buses) == len(set(buses))
    assert len(system.findall(f".//pci[@class='{GPU}']")) == machine.accelerators
    assert len(system.findall(f".//pci[@class='{ADAPTER}']")) == machine.infiniband_nics


def test_the_processors_are_shared_out_among_the_masks() -> None:
    text = topology("a100")

    assert text is not None
    masks = [int((cpu.get("affinity") or "").replace(",", ""), 16) for cpu in ET.fromstring(text)]
    assert sum(masks) == 2**96 - 1
    assert all(mask.bit_count() == 24 for mask in masks)


@pytest.mark.parametrize("accelerator", ["gb200", "mi300x", None])
def test_machines_that_show_it_themselves_have_none(accelerator: str | None) -> None:
    assert topology(accelerator) is None
