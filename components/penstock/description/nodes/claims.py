"""The devices that pods get by resource claims, beside those that they request by name or in place of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from penstock.kubernetes.facts import accelerators, device_classes

_CHANNEL: Final = "compute-domain-default-channel.nvidia.com"
"""Of the chart of NVIDIA's DRA driver, 25.8.0."""


SINCE: Final = "1.34"
"""The version of Kubernetes that serves claims without a feature gate (Kubernetes documentation, dynamic resource
allocation), and has the version of their API that Kueue reads."""


@dataclass(frozen=True, slots=True)
class DeviceClaim:
    """What a pod claims that takes a whole node.

    Attributes:
        name: what the pod calls it.
        device_class: of the devices.
        devices: how many.
        by_domain: whether a `ComputeDomain` of the job makes the template of the claim.
        resource: the extended resource that a device plugin would offer the same devices as, by which they are counted;
            None where nobody counts them.
    """

    name: str
    device_class: str
    devices: int
    by_domain: bool = False
    resource: str | None = None


def of_nvlink(accelerator: str | None) -> tuple[DeviceClaim, ...]:
    """The way to the memory of GPUs of other nodes, where NVLink joins them."""
    spans = accelerators.spans_nodes(accelerator)
    return (DeviceClaim("channel", _CHANNEL, 1, by_domain=True),) if spans else ()


def of_devices(devices: Mapping[str, int]) -> tuple[DeviceClaim, ...]:
    """The claims of all devices of a node that some driver publishes, one for each class.

    Each has its own: a claim holds 32 devices at most (Kubernetes API 1.34, DeviceAllocationResult), and p5.48xlarge
    has as many of EFA alone. None binds a GPU to adapters at its root of PCIe: who has all devices, has these pairs.
    """
    return tuple(
        DeviceClaim(resource.rpartition("/")[2], found.name, count, resource=resource)
        for resource, count in devices.items()
        if (found := device_classes.class_of_resource(resource)) is not None
    )
