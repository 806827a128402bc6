"""Charts that must be in a registry of the user's own before a release takes them from there."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.graph.view import View
from penstock.kubernetes.facts import chart_sources
from penstock.kubernetes.facts.charts import RELEASE
from penstock.kubernetes.rules.charts import pinned
from penstock.preconditions import need
from penstock.preconditions.kind import Kinds
from penstock.preconditions.precondition import Precondition

KINDS = Kinds()


@KINDS.kind("kubernetes-chart", sources=("Helm documentation, registries",), on=RELEASE)
def charts_that_can_be_pulled(release: View) -> Iterator[Precondition]:
    """Charts in a registry that mirrors their makers': copied there before, at their version."""
    chart, address = pinned(release), release.text("chart") or ""
    if chart is None or not chart_sources.is_registry(address) or address == chart.chart:
        return
    mirror = address.rpartition("/")[0]
    yield Precondition(
        f"Chart {chart.name} {chart.version} in {mirror}",
        "Pulumi takes the chart from there, and only from there: the release fails without it.",
        f"{chart_sources.pull_command(chart, '.')} && helm push {chart.name}-{chart.version}.tgz {mirror}",
        release.urn,
        need.named("image", {"address": f"{mirror}/{chart.name}:{chart.version}".removeprefix("oci://")}),
    )
