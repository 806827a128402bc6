"""What a cloud or a chart repository would bring, and a test has not: definitions of kinds, and charts."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import yaml
from tests.cluster.api import Api

from penstock.graph.graph import Graph
from penstock.graph.view import Site
from penstock.kubernetes.facts import chart_crds, chart_sources, charts
from penstock.kubernetes.facts.charts import RELEASE
from penstock.kubernetes.rules import inventory

MIRROR: Final = os.environ.get("PENSTOCK_CHARTS", "")
"""A folder of charts; what it lacks, at the version that is pinned, is a chart without templates."""

_OF_KUBERNETES: Final = ("x-k8s.io", "gke.io", "cloud.google.com")


def define_kinds(api: Api, graph: Graph, *, installed: Iterable[str] = ()) -> None:
    """Define the kinds of a program that neither Kubernetes nor `installed` charts bring, of any content."""
    brought = {group for chart in installed for group in chart_crds.groups(chart)}
    for kind in {inventory.kind(view) for view in inventory.objects(Site(graph))}:
        if kind is None or kind.group in brought or not (kind.is_custom or kind.group.endswith(_OF_KUBERNETES)):
            continue
        definition = _definition(kind)
        if not api.serves({"apiVersion": kind.api_version, "kind": kind.name}):
            api.apply(definition)
            api.await_kind(kind.api_version, kind.name)


def write_charts(graph: Graph, folder: Path) -> tuple[str, ...]:
    """Put the charts of a program into a folder, by their names; returns those that are the real ones."""
    real = []
    for release in graph.of_type(RELEASE):
        chart = charts.find_chart(str(release.inputs["name"]))
        name, found = chart.name, chart_sources.found_in(Path(MIRROR), chart) if MIRROR else None
        if found is not None:
            (folder / found.name).symlink_to(found)
            real.append(name)
            continue
        (folder / name).mkdir()
        pin = {"apiVersion": "v2", "name": name, "version": chart.version.lstrip("v")}
        (folder / name / "Chart.yaml").write_text(yaml.safe_dump(pin), encoding="utf-8")
    return tuple(real)


def _definition(kind: inventory.Kind) -> dict[str, Any]:
    plural = f"{kind.name.lower()}s"
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {
            "name": f"{plural}.{kind.group}",
            "annotations": {"api-approved.kubernetes.io": "unapproved, stands in for the real one"},
        },
        "spec": {
            "group": kind.group,
            "scope": "Cluster" if kind.spans_namespaces else "Namespaced",
            "names": {"plural": plural, "singular": kind.name.lower(), "kind": kind.name},
            "versions": [
                {"name": kind.version, "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
            ],
        },
    }
