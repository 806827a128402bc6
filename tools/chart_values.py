"""The tables of value keys that pinned charts read, made out of a folder with a folder for each chart.

    $ python -m tools.chart_values FOLDER [--check]

A key counts as read where `values.yaml` or the schema names it, or a template looks it up. A value that templates write
out, merge or go through takes any key. Charts that the folder lacks, or has at another version, keep their tables.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from penstock.catalog.tables import file_of, path_of, rows, table_names
from penstock.kubernetes.facts import charts
from penstock.kubernetes.facts.chart_values import ROOT, ValueKey, ValueKeys, table_of, written, written_root
from penstock.kubernetes.facts.charts import Chart
from tools.chart_files import ChartFiles, chart_in
from tools.chart_schemas import key_of
from tools.chart_templates import Use, reads_of
from tools.generated import DataSet, table

_OF_KUBERNETES = re.compile(
    r"(.*[aA])?nnotations|(.*[lL])?abels|(.*[nN]ode)?[sS]elector|(.*[aA])ffinity|tolerations|(.*[eE]nv)(Vars|From)?|env"
    r"|resources|(.*[sS])ecurityContext|(.*[pP])robe|(.*[sS])trategy|topologySpreadConstraints|matchLabels|(.*[pP]od)?[sS]pec(Extra)?|podTemplate"
)
"""Maps of Kubernetes' own, which charts hand on as they are: any key of theirs is one."""

_FITS_A_TEXT = re.compile(r"[^\s{}:~*]+")


@dataclass
class _Place:
    """A place in the values, while all that reads it is gathered."""

    below: dict[str, _Place] = field(default_factory=dict)
    use: Use = Use.READ
    takes_any: bool = False

    def at(self, path: tuple[str, ...]) -> _Place:
        """The place below this one at a path."""
        place = self
        for name in path:
            place = place.below.setdefault(name, _Place())
        return place

    def add(self, other: _Place) -> None:
        """Read what another place reads, too."""
        self.use = max(self.use, other.use)
        self.takes_any = self.takes_any or other.takes_any
        for name, place in other.below.items():
            self.below.setdefault(name, _Place()).add(place)


def keys_of(chart: ChartFiles) -> ValueKeys:
    """What a chart reads."""
    place, names = _gathered(chart)
    root = _key("", place, Use.READ, key_of(chart.schema, chart.schema) if chart.schema else None)
    return ValueKeys(root, frozenset(names) if _passes(root) else frozenset())


def _gathered(chart: ChartFiles) -> tuple[_Place, set[str]]:
    root = _place(chart.values)
    root.takes_any = False  # a chart without values has none that it reads
    reads = reads_of(chart.templates, chart.helpers)
    for path, use in reads.paths.items():
        place = root.at(path)
        # Whole values are written into checksums, which reads none of them.
        place.use = max(place.use, use if path else min(use, Use.PASSED))
    names = reads.names
    for dependency in chart.about.get("dependencies") or ():
        packed = chart.packed.get(dependency["name"])
        for condition in str(dependency.get("condition") or "").split(","):
            if condition.strip():
                root.at(tuple(condition.strip().split(".")))
        place = root.at((dependency.get("alias") or dependency["name"],))
        if packed is None:
            place.takes_any = True  # what a chart reads that is not there, nobody knows
        else:
            inner, looked_up = _gathered(packed)
            place.add(inner)
            names |= looked_up
            if "global" in inner.below:
                root.at(("global",)).add(inner.below["global"])
    return root, names


def _place(value: object) -> _Place:
    if not isinstance(value, Mapping):
        return _Place()
    fits = all(_FITS_A_TEXT.fullmatch(str(name)) for name in value)
    return _Place(
        {str(name): _place(inner) for name, inner in value.items()} if fits else {}, takes_any=not (value and fits)
    )


def _key(name: str, place: _Place, use: Use, schema: ValueKey | None) -> ValueKey:
    """A place as it is written; `use` is that of what it is in."""
    use = max(use, place.use)
    types, stated = (schema.types, schema.below) if schema is not None else ((), {})
    if schema is not None and schema.is_closed:
        known = {each: place.below.get(each, _Place()) for each in stated}
        return ValueKey(
            {each: _key(each, known[each], Use.READ, stated[each]) for each in known}, is_closed=True, types=types
        )
    if schema is not None and schema.takes_any:
        return ValueKey(takes_any=True, types=types)
    if use is Use.WHOLE or place.takes_any or _OF_KUBERNETES.fullmatch(name) or not place.below:
        return ValueKey(takes_any=bool(place.below or place.takes_any), types=types)
    known = {each: _Place() for each in stated} | place.below
    below = {each: _key(each, inner, use, stated.get(each)) for each, inner in known.items()}
    return ValueKey(below, takes_names=use is Use.PASSED, types=types)


def _passes(key: ValueKey) -> bool:
    return key.takes_names or any(map(_passes, key.below.values()))


def data_set(folder: Path) -> DataSet:
    """The tables of the pinned charts that a folder has; a table of a version that is no longer pinned is left over."""
    wanted, kept = {}, set()
    for chart in charts.all_charts():
        found = _found(folder, chart)
        if found is None:
            kept.add(_file(chart))
        else:
            wanted[_file(chart)] = _text(keys_of(found))
    tables = table_of(charts.all_charts()[0]).rpartition("/")[0]
    shipped = {path_of(name) for name in table_names() if name.startswith(f"{tables}/")}
    return DataSet(wanted, shipped - kept)


def _file(chart: Chart) -> Path:
    """The file of a chart's keys: beside the table that has the chart, which is that of an add-on or the shared one."""
    (row,) = (row for row in rows("kubernetes/charts") if row["name"] == chart.name)
    folder, name = table_of(chart).split("/")[1:]
    return file_of("kubernetes/charts", row).parent / folder / f"{name}.csv"


def _found(folder: Path, chart: Chart) -> ChartFiles | None:
    try:
        found = chart_in(folder / chart.name)
    except FileNotFoundError:
        return None
    return found if str(found.about.get("version")).removeprefix("v") == chart.version.removeprefix("v") else None


def _text(keys: ValueKeys) -> str:
    root = written_root(keys.root, keys.names)
    rows = [(ROOT, root)] if root else []
    rows += [(name, written("", key)) for name, key in sorted(keys.root.below.items())]
    return table(("key", "below"), rows)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--check"]):
        sys.exit("usage: python -m tools.chart_values FOLDER [--check]")
    anew = data_set(Path(sys.argv[1]))
    if sys.argv[2:]:
        sys.exit("\n".join(anew.differences()) or 0)
    anew.write()
