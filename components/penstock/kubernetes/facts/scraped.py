"""What Prometheus reads beside what its own chart brings: exporters of GPUs, and controllers of other add-ons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from penstock.catalog.records import record_of, records


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuExporter:
    """Who exports what NVIDIA's GPUs do: two exporters on one node would take the counters from each other.

    Attributes:
        platform: a cloud, or a kind of cluster.
        exporter: penstock, or the GPU operator where that runs one of its own.
        namespace: where another's runs; `pods` is a label of its pods, and `port` the name of their port.
        driver_directory: of the node, with the driver's libraries, where only containers that request GPUs get them.
    """

    platform: str
    exporter: Literal["penstock", "operator"]
    namespace: str | None
    pods: str | None
    port: str | None
    driver_directory: str | None
    unverified: tuple[str, ...]
    source: str
    as_of: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScrapedController:
    """A controller that exports metrics over TLS, to whoever may read them.

    Attributes:
        addon: the field of `addons` that it runs for.
        port: the name of its service's port; `pod_port` is the number that this has at the pod.
    """

    addon: str
    namespace: str
    port: str
    pod_port: int
    unverified: tuple[str, ...]
    source: str
    as_of: str


def gpu_exporter(platform: str) -> GpuExporter:
    """Who exports on a platform.

    Raises:
        UnknownFact: the table does not have it.
    """
    return record_of(GpuExporter, "kubernetes/gpu_exporters", platform, "platform")


def scraped_controllers() -> tuple[ScrapedController, ...]:
    """Each controller."""
    return records(ScrapedController, "kubernetes/scraped_controllers")
