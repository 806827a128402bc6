"""Adds to the replacement facts what the schema of an installed SDK's version says, and records that version.

    pulumi package get-schema aws > schema.json && python -m tools.replacements aws schema.json

A schema marks the inputs that force a replacement (`willReplaceOnChanges`, `replaceOnChanges`), at the top and within
objects. It knows no conditions, and providers built on Terraform's plugin framework mark nothing there: what a schema
does not mark is kept. Read the difference, and the release notes, before committing it.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from penstock.catalog.tables import path_of
from penstock.providers import room_of

_MARKS = ("willReplaceOnChanges", "replaceOnChanges")
_DEPTH = 6


def main(package: str, schema_file: str) -> None:
    """Update the table of a package, and its version in replacement_sources.csv."""
    schema = json.loads(Path(schema_file).read_text(encoding="utf-8"))
    path = path_of(f"{room_of(package)}/replacements")
    header, rows = _read(path)
    by_type = {row["type"]: row for row in rows}
    for token, resource in schema.get("resources", {}).items():
        type_ = token.partition(":")[2]
        row = by_type.setdefault(type_, dict.fromkeys(header, "") | {"type": type_})
        added = new_properties(row["properties"], forcing(resource, schema))
        if added:
            print(f"{type_}: {' '.join(added)}")
            row["properties"] = " ".join(sorted([*row["properties"].split(), *added]))
    kept = {row["type"] for row in rows}
    new = [row for type_, row in by_type.items() if type_ not in kept and row["properties"]]
    _write(path, header, sorted([*rows, *new], key=lambda row: row["type"]))
    sources = path_of("replacement_sources")
    header, rows = _read(sources)
    _write(sources, header, [row | {"sdk": schema["version"]} if row["package"] == package else row for row in rows])


def forcing(resource: Mapping[str, Any], schema: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the input paths of a resource that its schema marks."""
    return tuple(_marked(resource.get("inputProperties", {}), schema, (), _DEPTH))


def new_properties(known: str, found: tuple[str, ...]) -> list[str]:
    """Return the found paths that a row does not have in any form, be it for some inputs or one direction only."""
    plain = {path.partition("[")[0].rstrip("<+-") for path in known.split()}
    return [each for each in found if not any(each == path or each.startswith(f"{path}.") for path in plain)]


def _marked(
    properties: Mapping[str, Any], schema: Mapping[str, Any], above: tuple[str, ...], depth: int
) -> Iterator[str]:
    for name, declared in properties.items():
        if any(declared.get(mark) for mark in _MARKS):
            yield ".".join((*above, name))
            continue
        reference = declared.get("$ref") or declared.get("items", {}).get("$ref") or ""
        inner = schema.get("types", {}).get(reference.removeprefix("#/types/"), {})
        if depth and inner:
            yield from _marked(inner.get("properties", {}), schema, (*above, name), depth - 1)


def _read(path: Path) -> tuple[list[str], list[dict[str, str]]]:
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        return list(reader.fieldnames or ()), list(reader)


def _write(path: Path, header: list[str], rows: list[dict[str, str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, header, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main(*sys.argv[1:])
