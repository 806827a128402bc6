"""What a part of a description means, what follows from it, and what it costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from penstock.core.errors import InvalidDescription
from penstock.description import document, nodes
from penstock.description.platform import Spec
from penstock.description.positions import Place, written
from penstock.description.rules import known
from penstock.editor import schema_fields
from penstock.editor.schema_fields import Schema
from penstock.editor.stack_text import Path, TextSpan, span_of_key

_ROOT = ("config", document.KEY)
_POOLS = "node_pools"


def hover_text(
    text: str, file: str, line: int, character: int, *, spec: Spec | None, costs: Mapping[int, float]
) -> tuple[TextSpan, str] | None:
    """Return what to show at a cursor, in Markdown, and the key that it is about; None where there is nothing to show.

    `line` and `character` count from 0. `costs` are USD a month by the line of the file that they come from, which
    counts from 1; `spec` is the last description of this file that had nothing wrong.
    """
    try:
        found = document.read_text(text, file)
    except InvalidDescription:
        return None
    if found is None:
        return None
    at = _innermost(found.places, line + 1, character + 1)
    if at is None:
        return None
    path, place = at
    parts = [f"**{written(path)}**", *_meaning(path, found.description)]
    if spec is not None:
        parts += _derived(path, spec)
    parts += _cost(found, path, costs, len(text.split("\n")))
    return span_of_key(text, place.line, place.column), "\n\n".join(parts)


def _innermost(places: Mapping[tuple[str | int, ...], Place], line: int, column: int) -> tuple[Path, Place] | None:
    """The part of the description that begins last before a cursor, on its line."""
    here = [
        (place.column, len(path), path)
        for path, place in places.items()
        if place.line == line and place.column <= column
    ]
    below = [each for each in here if each[2][: len(_ROOT)] == _ROOT and len(each[2]) > len(_ROOT)]
    if not below:
        return None
    path = max(below)[2]
    return path[len(_ROOT) :], places[path]


def _meaning(path: Path, data: Any) -> Iterator[str]:
    field = schema_fields.field_of(path, data)
    if field is None:
        schemas = schema_fields.fields_at(path, data)
        yield from filter(None, (schema_fields.described(each) for each in schemas[:1]))
        return
    if meaning := schema_fields.described(field):
        yield meaning
    words = schema_fields.words_in(schema_fields.fields_at(path, data))
    if words:
        yield f"One of {', '.join(f'`{word}`' for word in words)}."
    if (default := _default(field)) is not None:
        yield f"Default: `{default}`."


def _default(field: Schema) -> str | None:
    default = field.get("default")
    if isinstance(default, bool):
        return str(default).lower()
    return str(default) if isinstance(default, str | int | float) and default != "" else None


def _derived(path: Path, spec: Spec) -> Iterator[str]:
    """The values that follow from the description of a pool."""
    if path[0] != _POOLS or len(path) == 1 or not isinstance(path[1], int) or path[1] >= len(spec.node_pools):
        return
    pool = spec.node_pools[path[1]]
    each = nodes.pool_nodes(pool, spec)
    machine = known.machine(pool, spec)
    facts = {
        "machine type": each.machine_type,
        "accelerators of a node": f"{each.accelerators} × {each.accelerator}" if each.accelerator else None,
        "at most": f"{each.accelerators * each.nodes.max:,} accelerators" if each.accelerator else None,
        "fabric": each.fabric,
        "vCPU": each.vcpu or (machine.vcpu if machine is not None else None),
        "memory": f"{each.memory_gib:g} GiB" if each.memory_gib else None,
        "taints": ", ".join(f"`{taint.key}={taint.value}:{taint.effect}`" for taint in each.taints),
        "pods request": f"`{each.resource}`" if each.resource else None,
    }
    yield "\n".join(f"- {name}: {fact}" for name, fact in facts.items() if fact)


def _cost(found: document.Document, path: Path, costs: Mapping[int, float], last_line: int) -> Iterator[str]:
    """The monthly cost of what the lines of a block come to, as it was last saved and rehearsed."""
    block = path[:2] if len(path) > 1 and isinstance(path[1], int) else path[:1]
    first = found.place(block)
    if first is None:
        return
    starts = sorted(
        place.line
        for other, place in found.places.items()
        if len(other) <= len(_ROOT) + len(block) and place.line > first.line
    )
    end = starts[0] if starts else last_line + 1
    cost = sum(usd for line, usd in costs.items() if first.line <= line < end)
    if cost:
        yield f"About {cost:,.0f} USD a month as started, at list prices ({written(block)}, as last saved)."
