"""Charts from their makers, from a registry, and from a folder that has them at their version."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from penstock.kubernetes.facts.chart_sources import Address, address_of, lacking, pull_command
from penstock.kubernetes.facts.charts import find_chart

KUEUE, EFA = find_chart("kueue"), find_chart("aws-efa-k8s-device-plugin")


def unpacked(folder: Path, name: str, version: str) -> None:
    (folder / name).mkdir()
    (folder / name / "Chart.yaml").write_text(f"name: {name}\nversion: '{version}'  # of the chart\n")


def test_without_a_mirror_a_chart_comes_from_its_makers() -> None:
    assert address_of(KUEUE, None) == Address("oci://registry.k8s.io/kueue/charts/kueue", None)
    assert address_of(EFA, None) == Address("aws-efa-k8s-device-plugin", "https://aws.github.io/eks-charts")


def test_a_registry_has_each_chart_by_its_name() -> None:
    for mirror in ("oci://registry.example.com/charts", "oci://registry.example.com/charts/"):
        assert address_of(EFA, mirror) == Address("oci://registry.example.com/charts/aws-efa-k8s-device-plugin", None)


@pytest.mark.parametrize("version", [EFA.version, EFA.version.removeprefix("v")])
def test_a_folder_has_charts_unpacked_or_packed(version: str, tmp_path: Path) -> None:
    chart = replace(EFA, digest=None)
    (tmp_path / f"{EFA.name}-{version}.tgz").write_bytes(b"")
    assert address_of(chart, str(tmp_path)) == Address(str(tmp_path / f"{EFA.name}-{version}.tgz"), None)

    unpacked(tmp_path, EFA.name, version)
    assert address_of(chart, str(tmp_path)) == Address(str(tmp_path / EFA.name), None)


def test_a_packed_chart_is_what_its_makers_published(tmp_path: Path) -> None:
    file = tmp_path / f"{EFA.name}-{EFA.version}.tgz"
    file.write_bytes(b"as published")
    published = replace(EFA, digest=f"sha256:{sha256(b'as published').hexdigest()}")
    assert address_of(published, str(tmp_path)) == Address(str(file), None)

    file.write_bytes(b"changed on the way")
    assert address_of(published, str(tmp_path)) is None
    assert lacking(str(tmp_path), published) == (
        f"{file} is not what its makers published: its digest is sha256:{sha256(b'changed on the way').hexdigest()}, "
        f"theirs {published.digest}."
    )


def test_a_path_is_written_so_that_helm_takes_it_for_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "charts").mkdir()
    unpacked(tmp_path / "charts", "kueue", KUEUE.version)

    assert address_of(KUEUE, "charts") == Address("./charts/kueue", None)


def test_a_folder_with_another_version_lacks_the_chart(tmp_path: Path) -> None:
    unpacked(tmp_path, "kueue", "0.18.0")
    (tmp_path / "kueue-0.17.1.tgz").write_bytes(b"")
    (tmp_path / f"kueue-populator-{KUEUE.version}.tgz").write_bytes(b"")

    assert address_of(KUEUE, str(tmp_path)) is None
    assert lacking("charts", KUEUE) == f"charts lacks the chart kueue {KUEUE.version}; there is no such folder."
    assert lacking(str(tmp_path), KUEUE).endswith(f"kueue {KUEUE.version}; it has 0.17.1 and 0.18.0.")


def test_the_command_that_puts_a_chart_into_a_folder_names_its_version() -> None:
    assert pull_command(KUEUE, "charts") == (
        f"helm pull oci://registry.k8s.io/kueue/charts/kueue --version {KUEUE.version} --destination charts"
    )
    assert "--repo https://aws.github.io/eks-charts" in pull_command(EFA, "charts")
