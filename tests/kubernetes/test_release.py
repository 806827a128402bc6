"""Releases of pinned charts: named, waited for, undone when they fail, and free of secrets."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pulumi
import pytest

from penstock.kubernetes.components.release import MissingCharts, charts_from, release
from penstock.kubernetes.facts import charts
from penstock.testing import rehearse

RELEASE = "kubernetes:helm.sh/v3:Release"


def inputs(chart: str, values: Mapping[str, Any] | None = None, *, mirror: str | None = None, **given: Any) -> Any:
    """The inputs of a release of a chart."""

    def program() -> None:
        with charts_from(mirror):
            release("label", chart, values=values or {}, opts=pulumi.ResourceOptions(), **given)

    (found,) = rehearse(program).graph.of_type(RELEASE)
    return found.inputs


@pytest.mark.parametrize("chart", charts.all_charts(), ids=lambda chart: chart.name)
def test_a_release_goes_by_its_chart_and_waits_as_long_as_that_needs(chart: charts.Chart) -> None:
    found = inputs(chart.name)

    assert (found["name"], found["version"], found["timeout"]) == (chart.name, chart.version, chart.timeout_s)
    assert (found.get("atomic"), found.get("skipAwait")) == ((True, None) if chart.awaited else (None, True))


def test_what_may_wait_for_somebody_is_not_undone_meanwhile() -> None:
    for found in (inputs("vault"), inputs("dcgm-exporter", mirrored=True)):
        assert "atomic" not in found
        assert (found["skipAwait"], found["cleanupOnFail"]) == (True, True)


@pytest.mark.parametrize("chart", ["cert-manager", "jobset", "kubeflow-trainer", "kueue", "slurm-operator"])
def test_what_others_must_ask_is_waited_for_whatever_its_images_come_from(chart: str) -> None:
    found = inputs(chart, mirrored=True)

    assert (found["atomic"], found.get("skipAwait")) == (True, None)


def test_every_chart_comes_from_the_mirror(tmp_path: Path) -> None:
    (tmp_path / "kueue").mkdir()
    (tmp_path / "kueue" / "Chart.yaml").write_text(f"version: {charts.find_chart('kueue').version}")

    for mirror, address in (("oci://mirror/charts", "oci://mirror/charts/kueue"), (str(tmp_path), f"{tmp_path}/kueue")):
        found = inputs("kueue", mirror=mirror)
        assert (found["chart"], found.get("repositoryOpts")) == (address, None)
    assert inputs("kueue")["chart"] == charts.find_chart("kueue").chart


def test_all_that_a_folder_lacks_is_reported_together(tmp_path: Path) -> None:
    def program() -> None:
        with charts_from(str(tmp_path)):
            for chart in ("kueue", "vault"):
                release(chart, chart, values={}, opts=pulumi.ResourceOptions())

    with pytest.raises(MissingCharts) as missing:
        program_in_a_rehearsal(program)

    assert [chart.name for chart in missing.value.charts] == ["kueue", "vault"]


def program_in_a_rehearsal(program: Any) -> None:
    """Run a program, and raise what it raises."""
    raised: list[Exception] = []

    def run() -> None:
        try:
            program()
        except Exception as error:  # noqa: BLE001 - whatever the program raises
            raised.append(error)

    rehearse(run)
    if raised:
        raise raised[0]


@pytest.mark.parametrize(
    ("values", "path"),
    [
        ({"grafana": {"adminPassword": "correct horse"}}, "grafana.adminPassword"),
        ({"grafana": {"adminPassword": pulumi.Output.from_input("x")}}, "grafana.adminPassword"),
        ({"env": [{"name": "DB_PASSWORD", "value": "hunter2"}]}, r"env\[0\].value"),
        ({"apiToken": "hvs.CAESIJ8Zk2vP0qLx9T3mWc7yRb1uD4eF6gH"}, "apiToken"),
    ],
)
def test_a_secret_among_values_is_refused(values: Mapping[str, Any], path: str) -> None:
    with pytest.raises(ValueError, match=f"the value {path} of kube-prometheus-stack holds a secret"):
        release("label", "kube-prometheus-stack", values=values, opts=pulumi.ResourceOptions())


def test_the_name_of_a_secret_is_none() -> None:
    values = {"grafana": {"admin": {"existingSecret": "grafana-login", "passwordKey": "password"}}, "token": True}

    assert inputs("kube-prometheus-stack", values)["values"] == values
