"""What Azure's list of SKUs says of a size of virtual machines, as our tables of machines and of offers write it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

SOURCE = "Azure Resource SKUs API, virtualMachines"
_ARCHITECTURES = {"x64": "x86_64", "Arm64": "arm64"}
_MIB_OF_GIB = 1024


@dataclass(frozen=True, slots=True)
class ListedSize:
    """One size in one region."""

    name: str
    family: str
    region: str
    is_open: bool
    capabilities: Mapping[str, str]

    def columns(self) -> Iterator[tuple[str, str]]:
        """The columns of azure/machines that the list has; rates and numbers of interfaces for InfiniBand it lacks."""
        found = self.capabilities
        yield "vcpu", found["vCPUs"]
        yield "ram_gib", f"{float(found['MemoryGB']):g}"
        yield "quota", self.family
        yield "architecture", _ARCHITECTURES[found.get("CpuArchitectureType", "x64")]
        yield "interfaces", found["MaxNetworkInterfaces"]
        yield "accelerated_networking", _yes(found["AcceleratedNetworkingEnabled"])
        yield "temp_gib", str(int(found.get("MaxResourceVolumeMB", "0")) // _MIB_OF_GIB)
        yield "ephemeral_os", _yes(found["EphemeralOSDiskSupported"])
        yield "host_encryption", _yes(found["EncryptionAtHostSupported"])
        if "NvmeDiskSizeInMiB" in found:
            yield "nvme_gib", str(int(found["NvmeDiskSizeInMiB"]) // _MIB_OF_GIB)


def listed_sizes(text: str) -> list[ListedSize]:
    """The sizes of the file that `az vm list-skus` prints; disks, snapshots and hosts are left out.

    Raises:
        ValueError: the text is not such a file.
    """
    listed = json.loads(text)
    if not isinstance(listed, list) or not all("resourceType" in each for each in listed):
        raise ValueError("this is not what az vm list-skus prints: a list of SKUs")
    return [_size(each) for each in listed if each["resourceType"] == "virtualMachines"]


def _size(sku: Mapping[str, Any]) -> ListedSize:
    return ListedSize(
        name=sku["name"],
        family=sku["family"],
        region=sku["locations"][0].lower(),
        is_open=not any(restriction["type"] == "Location" for restriction in sku["restrictions"]),
        capabilities={each["name"]: each["value"] for each in sku["capabilities"]},
    )


def _yes(value: str) -> str:
    return "yes" if value == "True" else "no"
