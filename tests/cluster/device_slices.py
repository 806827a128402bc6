"""What drivers for claims publish: classes as their charts create them, and the devices of a simulated node."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from tests.cluster.api import Object

_API: Final = "resource.k8s.io/v1"
PCIE_ROOT: Final = "resource.kubernetes.io/pcieRoot"
_EFA: Final = "Elastic Fabric Adapter (EFA)"

CLASSES: Final[tuple[Object, ...]] = tuple(
    {
        "apiVersion": _API,
        "kind": "DeviceClass",
        "metadata": {"name": name},
        "spec": {"selectors": [{"cel": {"expression": expression}}]},
    }
    for name, expression in (
        ("gpu.nvidia.com", "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'gpu'"),
        (
            "efa.networking.k8s.aws",
            f"device.driver == 'dra.net' && device.attributes['dra.net'].pciDevice == '{_EFA}'",
        ),
    )
)
"""As in dra-driver-nvidia-gpu 0.4.1 and aws-dranet 1.0.0."""


def slices_of_p5(node: str) -> Iterator[Object]:
    """The slices of a p5.48xlarge: four EFA devices at the root of each of eight GPUs (EKS user guide, EFA devices)."""
    roots = [f"pci0000:{number}" for number in range(10, 18)]
    gpus = [
        {"name": f"gpu-{index}", "attributes": {"type": {"string": "gpu"}, PCIE_ROOT: {"string": root}}}
        for index, root in enumerate(roots)
    ]
    adapters = [
        {
            "name": f"efa-{index}",
            "attributes": {"pciDevice": {"string": _EFA}, PCIE_ROOT: {"string": roots[index // 4]}},
        }
        for index in range(4 * len(roots))
    ]
    yield _slice(node, "gpu.nvidia.com", gpus)
    yield _slice(node, "dra.net", adapters)


def _slice(node: str, driver: str, devices: Sequence[Object]) -> Object:
    return {
        "apiVersion": _API,
        "kind": "ResourceSlice",
        "metadata": {"name": f"{node}-{driver}"},
        "spec": {
            "driver": driver,
            "nodeName": node,
            "pool": {"name": node, "generation": 1, "resourceSliceCount": 1},
            "devices": list(devices),
        },
    }
