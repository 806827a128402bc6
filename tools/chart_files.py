"""The files of Helm charts, from folders and from packed charts inside them."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

_TEMPLATES = ("templates/", "files/", "config/", "values.yaml")
"""Where templates are, and files that they may read as templates; values hold some, too."""


@dataclass(frozen=True)
class ChartFiles:
    """One chart: its texts by path, and the charts in its folder `charts` by their names."""

    texts: Mapping[str, str]
    packed: Mapping[str, ChartFiles]

    @property
    def about(self) -> Mapping[str, Any]:
        """What `Chart.yaml` says."""
        return _mapping(self.texts.get("Chart.yaml", ""))

    @property
    def values(self) -> Mapping[str, Any]:
        """The values that its makers chose."""
        return _mapping(self.texts.get("values.yaml", ""))

    @property
    def schema(self) -> Mapping[str, Any]:
        """The schema of its values; empty where it has none."""
        return _mapping(self.texts.get("values.schema.json", ""))

    @property
    def templates(self) -> Mapping[str, str]:
        """Its templates, and files that they may read as templates."""
        return {path: text for path, text in self.texts.items() if path.startswith(_TEMPLATES) and "{{" in text}

    @property
    def helpers(self) -> Mapping[str, str]:
        """The templates of the charts inside it, however deep."""
        inner = {f"{name}/{path}": text for name, each in self.packed.items() for path, text in each.templates.items()}
        return inner | {path: text for each in self.packed.values() for path, text in each.helpers.items()}


def chart_in(folder: Path) -> ChartFiles:
    """The chart in a folder.

    Raises:
        FileNotFoundError: no chart is there.
    """
    if not (folder / "Chart.yaml").exists():
        raise FileNotFoundError(f"{folder} has no Chart.yaml, so that no chart is there")
    texts = {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    return _chart(texts)


def _chart(files: Mapping[str, bytes]) -> ChartFiles:
    """A chart of files by their paths in it, those of the charts that it has among them."""
    own: dict[str, str] = {}
    inner: dict[str, dict[str, bytes]] = {}
    packed: dict[str, ChartFiles] = {}
    for path, content in files.items():
        first, _, rest = path.partition("/")
        name, _, below = rest.partition("/")
        if first != "charts":
            own[path] = content.decode(errors="replace")
        elif below:
            inner.setdefault(name, {})[below] = content
        elif rest.endswith(".tgz"):
            chart = _chart(dict(_unpacked(content)))
            packed[str(chart.about.get("name"))] = chart
    return ChartFiles(own, packed | {name: _chart(each) for name, each in inner.items() if "Chart.yaml" in each})


def _unpacked(content: bytes) -> Iterator[tuple[str, bytes]]:
    import io

    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        for member in archive.getmembers():
            file = archive.extractfile(member)
            if file is not None:
                yield member.name.partition("/")[2], file.read()


def _mapping(text: str) -> Mapping[str, Any]:
    found = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - a safe loader, in C
    return found if isinstance(found, Mapping) else {}
