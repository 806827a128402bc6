"""Helm charts whose pods advertise devices to Kubernetes, and the taints that those pods tolerate by default."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import keyed


@dataclass(frozen=True, slots=True, kw_only=True)
class DevicePlugin:
    """One chart.

    Attributes:
        resource: what pods ask for, such as nvidia.com/gpu.
        advertises_if: the value, as a path, that turns the plugin off when false; None where it always runs.
        tolerated_keys: the taints that its pods tolerate when the values do not say.
        tolerations_at: the value, as a path, that replaces these.
    """

    chart: str
    resource: str
    advertises_if: str | None
    tolerated_keys: tuple[str, ...]
    tolerations_at: str
    unverified: tuple[str, ...]
    source: str
    as_of: str


def plugin_of_chart(chart: str) -> DevicePlugin | None:
    """The plugin that a chart of this name brings; None for any other chart."""
    return keyed(DevicePlugin, "kubernetes/device_plugins").get(chart)
