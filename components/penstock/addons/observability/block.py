"""Metrics, alerts and dashboards."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from penstock.description.addon_block import AddonBlock
from penstock.description.block import ComponentSpec, SpecBlock


class LogsSpec(SpecBlock):
    """Logs of all pods, kept on a volume of the cluster and shown in Grafana."""

    retention_days: Annotated[int, Field(ge=1, le=365, strict=True)] = Field(
        default=30, description="Days that logs are kept."
    )
    storage_gib: Annotated[int, Field(ge=10, le=16384, strict=True)] = Field(
        default=100, description="Storage of logs in GiB; Loki stops where it is full."
    )


class ObservabilitySpec(AddonBlock, ComponentSpec):
    """Prometheus with alerts and dashboards for accelerators, queues and storage."""

    retention_days: Annotated[int, Field(ge=1, le=365, strict=True)] = Field(
        default=15, description="Days that metrics are kept, unless their storage fills up before."
    )
    storage_gib: Annotated[int, Field(ge=10, le=16384, strict=True)] = Field(
        default=200, description="Storage of metrics in GiB, for each of the two Prometheus servers of prod."
    )
    logs: LogsSpec | None = Field(default=None, description="Collect the logs of all pods, too.")
