"""Where a pinned chart is taken from: its makers' repository, or a mirror that is a registry or a folder."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from penstock.kubernetes.facts.charts import Chart

REGISTRY = "oci://"

_VERSION = re.compile(r"^version:\s*[\"']?([^\s\"'#]+)", re.MULTILINE)


class Address(NamedTuple):
    """A chart as Helm finds it: by its name in a repository, or by a whole address or path without one."""

    chart: str
    repository: str | None


def is_registry(mirror: str) -> bool:
    """Return whether a mirror is an OCI registry; any other is a folder."""
    return mirror.startswith(REGISTRY)


def address_of(chart: Chart, mirror: str | None) -> Address | None:
    """The address of a chart at its makers', or in a mirror; None for a folder that lacks it at its version."""
    if mirror is None:
        return Address(chart.chart, chart.repository)
    if is_registry(mirror):
        return Address(f"{mirror.rstrip('/')}/{chart.name}", None)
    found = found_in(Path(mirror), chart)
    # Helm takes a path for a chart's name unless it begins as one.
    return None if found is None else Address(str(found) if found.is_absolute() else f"./{found}", None)


def found_in(folder: Path, chart: Chart) -> Path | None:
    """The chart in a folder of charts, unpacked under its name or packed as `helm pull` leaves it; None for none.

    What is packed is as its makers published it, where their digest is known; what is unpacked has none.
    """
    unpacked = folder / chart.name
    if _plain(_version_in(unpacked)) == _plain(chart.version):
        return unpacked
    packed = _packed(folder, chart)
    return packed if packed is not None and chart.digest in (None, _digest(packed)) else None


def lacking(mirror: str, chart: Chart) -> str:
    """What is wrong with a folder that lacks a chart: the version that was expected, and those that are there."""
    folder = Path(mirror)
    if (packed := _packed(folder, chart)) is not None:
        return f"{packed} is not what its makers published: its digest is {_digest(packed)}, theirs {chart.digest}."
    others = sorted(filter(None, (_version_in(folder / chart.name), *_packed_versions(folder, chart.name))))
    there = f"; it has {' and '.join(others)}" if others else "" if folder.is_dir() else "; there is no such folder"
    return f"{mirror} lacks the chart {chart.name} {chart.version}{there}."


def pull_command(chart: Chart, folder: str) -> str:
    """The command that puts a chart into a folder."""
    repository = f" --repo {chart.repository}" if chart.repository else ""
    return f"helm pull {chart.chart}{repository} --version {chart.version} --destination {folder}"


def _packed(folder: Path, chart: Chart) -> Path | None:
    plain = _plain(chart.version)
    files = (folder / f"{chart.name}-{version}.tgz" for version in (plain, f"v{plain}"))
    return next((file for file in files if file.is_file()), None)


def _digest(file: Path) -> str:
    return f"sha256:{sha256(file.read_bytes()).hexdigest()}"


def _packed_versions(folder: Path, name: str) -> list[str]:
    form = re.compile(rf"{re.escape(name)}-(v?\d+\.\d+\.\d+.*)\.tgz")
    return [found[1] for file in sorted(folder.glob(f"{name}-*.tgz")) if (found := form.fullmatch(file.name))]


def _version_in(folder: Path) -> str:
    file = folder / "Chart.yaml"
    found = _VERSION.search(file.read_text(encoding="utf-8")) if file.is_file() else None
    return found[1] if found is not None else ""


def _plain(version: str) -> str:
    """A version without the v that some makers write before it."""
    return version.removeprefix("v")
