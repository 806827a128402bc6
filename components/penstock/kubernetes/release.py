"""Helm charts at the versions of the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pulumi
from pulumi_kubernetes.helm import v3 as helm

from penstock.catalog.kubernetes import charts

EVERYWHERE: list[dict[str, str]] = [{"operator": "Exists"}]
"""Tolerations of what belongs on every machine of a kind, whatever keeps other pods off it."""


def image(chart: str, mirror: pulumi.Input[str] | None) -> pulumi.Input[str] | None:
    """The images that a chart runs, from its public registry or, by the same path, from a registry that mirrors it."""
    public = charts.find_chart(chart).image
    if mirror is None or public is None:
        return public
    return pulumi.Output.concat(mirror, "/", public.partition("/")[2])


def release(
    name: str,
    chart: str,
    *,
    values: Mapping[str, Any],
    mirrored: bool = False,
    timeout_s: int | None = None,
    opts: pulumi.ResourceOptions,
) -> helm.Release:
    """Install a chart of `penstock.catalog.charts` in the namespace that its makers install it in.

    It waits for the chart's pods, for five minutes or `timeout_s`. With images from a mirror it does not: somebody
    copies the images there, maybe later.
    """
    pin = charts.find_chart(chart)
    return helm.Release(
        name,
        name=chart,
        chart=pin.chart,
        version=pin.version,
        repository_opts={"repo": pin.repository} if pin.repository else None,
        namespace=pin.namespace,
        create_namespace=pin.namespace != "kube-system",
        values=values,
        skip_await=True if mirrored else None,
        timeout=timeout_s,
        opts=opts,
    )
