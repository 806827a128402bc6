"""Where accelerators and adapters of a machine are: what virtual machines do not show, and NCCL reads from a file."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from xml.etree import ElementTree as ET

from penstock.catalog.records import records

_BRIDGE, _GPU, _ADAPTER = "0x060400", "0x030200", "0x020700"
"""Classes of PCI devices: bridge, 3D controller, InfiniBand controller (PCI code and ID assignment specification)."""

_WIDTH = "16"
_BITS = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A GPU and the adapter of its own, behind one bridge.

    Attributes:
        layout: of the machine, such as nd-v5.
        accelerators: of the machines with that layout.
        numa: the node of the processors next to them, which are `first_cpu` to `last_cpu`.
        vendor: of the processors; `family` and `model` are theirs, too.
        bridge: its number, which no other has.
        link: the speed of its links, as Linux writes it.
        gpu: the PCI domain; `adapter` likewise.
    """

    layout: str
    accelerators: tuple[str, ...]
    numa: int
    first_cpu: int
    last_cpu: int
    vendor: str
    family: int
    model: int
    bridge: str
    link: str
    gpu: str
    adapter: str
    unverified: tuple[str, ...]
    source: str
    as_of: str


def topology(accelerator: str | None) -> str | None:
    """The file that NCCL reads of machines with an accelerator, in XML; None for machines that need none."""
    pairs = [pair for pair in records(Pair, "azure/nccl_topologies") if accelerator in pair.accelerators]
    if not pairs:
        return None
    system = ET.Element("system", version="1")
    processors = max(pair.last_cpu for pair in pairs) + 1
    for _, its in groupby(pairs, key=lambda pair: pair.numa):
        of_node = list(its)
        first = of_node[0]
        cpu = ET.SubElement(
            system,
            "cpu",
            numaid=str(first.numa),
            affinity=_mask(first.first_cpu, first.last_cpu, processors),
            arch="x86_64",
            vendor=first.vendor,
            familyid=str(first.family),
            modelid=str(first.model),
        )
        for bridge, behind in groupby(of_node, key=lambda pair: pair.bridge):
            parent = _device(cpu, f"ffff:ff:{bridge}.0", _BRIDGE, first.link)
            for pair in behind:
                _device(parent, f"{pair.gpu}:00:00.0", _GPU, pair.link)
                _device(parent, f"{pair.adapter}:00:00.0", _ADAPTER, pair.link)
    ET.indent(system)
    return ET.tostring(system, encoding="unicode") + "\n"


def _device(parent: ET.Element, bus: str, kind: str, link: str) -> ET.Element:
    return ET.SubElement(parent, "pci", {"busid": bus, "class": kind, "link_speed": link, "link_width": _WIDTH})


def _mask(first: int, last: int, processors: int) -> str:
    """Processors as Linux writes a mask: groups of 32 bits, the highest first."""
    bits = (1 << (last + 1)) - (1 << first)
    groups = range(-(-processors // _BITS) - 1, -1, -1)
    return ",".join(f"{bits >> (_BITS * group) & 0xFFFFFFFF:08x}" for group in groups)
