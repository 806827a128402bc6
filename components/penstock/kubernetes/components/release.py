"""Helm releases of pinned charts: the one way in which components install a chart.

Each is a `helm.v3.Release`, none a `helm.v4.Chart`. About half of the pinned charts have hooks, which make the
certificates of webhooks, upgrade kinds and clean up; a Chart leaves hooks out. A Chart also renders the chart in each
preview, so that a machine without access to the repository cannot even look at a change. And only a Release is undone
as a whole when it fails.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import pulumi
from pulumi_kubernetes.helm import v3 as helm

from penstock.kubernetes.components.mirrored import ask_for_images_of, from_mirror
from penstock.kubernetes.facts import chart_sources, charts
from penstock.kubernetes.facts.charts import Chart

EVERYWHERE: list[dict[str, str]] = [{"operator": "Exists"}]
"""Tolerations of what belongs on every machine of a kind, whatever keeps other pods off it."""

_OUTPUT = "output"


@dataclass(slots=True)
class _Mirror:
    """Where charts come from meanwhile, and those that are wanted of a folder which lacks them."""

    place: str | None = None
    lacking: list[Chart] = field(default_factory=list)


_MIRROR: ContextVar[_Mirror] = ContextVar("mirror of charts", default=_Mirror())  # noqa: B039 - never changed


class MissingCharts(Exception):
    """A folder lacks charts that were to be installed from it; the text names each, with the version expected."""

    def __init__(self, mirror: str, charts: Sequence[Chart]) -> None:
        self.mirror, self.charts = mirror, tuple(charts)
        super().__init__(" ".join(chart_sources.lacking(mirror, chart) for chart in charts))


@contextmanager
def charts_from(mirror: str | None) -> Iterator[None]:
    """Take every chart that is installed meanwhile, by whatever component, from a mirror.

    Args:
        mirror: An OCI registry, such as oci://registry.example.com/charts, or a folder of charts; None for their
            makers' repositories.

    Raises:
        MissingCharts: the mirror is a folder that lacks some of them; raised at the end, with all that it lacks.
    """
    meanwhile = _Mirror(mirror)
    before = _MIRROR.set(meanwhile)
    try:
        yield
    finally:
        _MIRROR.reset(before)
    if mirror is not None and meanwhile.lacking:
        raise MissingCharts(mirror, meanwhile.lacking)


def image(chart: str, mirror: pulumi.Input[str] | None) -> pulumi.Input[str] | None:
    """The images that a chart runs, from its public registry or, by the same path, from a registry that mirrors it."""
    public = charts.find_chart(chart).image
    return from_mirror(public, mirror) if public is not None else None


def release(
    name: str,
    chart: str,
    *,
    values: Mapping[str, Any],
    mirrored: bool = False,
    opts: pulumi.ResourceOptions,
) -> helm.Release:
    """Install a chart of `penstock.kubernetes.facts.charts`, under its name, in the namespace of its makers.

    The caller creates that namespace before: one that Helm creates has no bounds, and stays when the release goes.

    It waits for the chart's pods as long as the chart's row says; a release that fails leaves nothing half-installed.
    Two kinds of releases do not wait: of charts whose pods become ready only once somebody acts, and with images from a
    mirror (`mirrored`), which somebody copies there, maybe later. With a webhook the latter wait all the same: until it
    serves, the API server refuses what comes after them.

    Args:
        name: Of the resource; the release itself goes by the chart's name, so that it is the same on each run.
        chart: As its row is called.
        values: Plain data; passwords belong into a Secret that values name.
        mirrored: Whether its images come from a mirror.
        opts: Its parent, at least.

    Raises:
        UnknownFact: Penstock pins no such chart.
        ValueError: a value holds a password or a token.
    """
    _keep_secrets_out(chart, values)
    pin = charts.find_chart(chart)
    if mirrored:
        ask_for_images_of(pin)
    address = _address(pin)
    awaited = pin.awaited and (pin.webhook or not mirrored)
    return helm.Release(
        name,
        name=chart,
        chart=address.chart,
        version=pin.version,
        repository_opts={"repo": address.repository} if address.repository else None,
        namespace=pin.namespace,
        values=values,
        atomic=True if awaited else None,
        cleanup_on_fail=None if awaited else True,
        skip_await=None if awaited else True,
        timeout=pin.timeout_s,
        opts=opts,
    )


def _address(pin: Chart) -> chart_sources.Address:
    """Where a chart is taken from; what a folder lacks is noted, so that all of it is reported together."""
    mirror = _MIRROR.get()
    found = chart_sources.address_of(pin, mirror.place)
    if found is None:
        mirror.lacking.append(pin)
    return found or chart_sources.Address(pin.chart, pin.repository)


def _keep_secrets_out(chart: str, values: Mapping[str, Any]) -> None:
    """Refuse values that Helm would keep in the cluster, for whoever may read releases, and Pulumi in its state."""
    from penstock.secrets.detection import looks_secret

    for path, name, value in _leaves(values, "", ""):
        # What an output holds is not known yet; under the name of a password, any text is one.
        text = _OUTPUT if isinstance(value, pulumi.Output) else value
        if isinstance(text, str) and looks_secret(name, text):
            raise ValueError(
                f"the value {path} of {chart} holds a secret, which Helm would keep among its values; put it into a "
                "Secret, and name that in the value that the chart has for it, such as existingSecret"
            )


def _leaves(value: Any, path: str, name: str) -> Iterator[tuple[str, str, Any]]:
    """Each value in values that is neither a map nor a list, with its path and the name that it goes by."""
    from penstock.secrets.detection import named_items

    if not isinstance(value, Mapping | list | tuple):
        yield path, name, value
        return
    for key, inner, called in named_items(value, name):
        yield from _leaves(inner, f"{path}[{key}]" if isinstance(key, int) else f"{path}.{key}".lstrip("."), called)
