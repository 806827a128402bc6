"""The fields of a stack file at a path, from its published schema."""

from __future__ import annotations

import re

from pydantic import BaseModel, Field

from penstock.core.errors import UnknownFact
from penstock.core.wording import one_of, quoted
from penstock.editor.schema_fields import described, field_of, fields_at, keys_in, words_in
from penstock.editor.stack_text import Path

_STEP = re.compile(r"([\w-]+)((?:\[\d*\])*)")


class SchemaField(BaseModel):
    """A field of a block."""

    name: str
    types: list[str] = Field(description="JSON types of the value.")
    required: bool
    meaning: str
    words: list[str] = Field(description="The words that the value may be; empty if it may be others.")


class SchemaFields(BaseModel):
    """The part of a stack file at a path below `penstock:platform`."""

    path: str
    meaning: str
    words: list[str] = Field(description="The words that the value may be; empty if it may be others.")
    fields: list[SchemaField] = Field(description="The fields of the block, those first that must be given.")


def schema_fields(path: str) -> SchemaFields:
    """Return what may be at a path such as `node_pools[].nodes`; the empty path is the whole description.

    Raises:
        UnknownFact: there is no such field; the text names those that are there.
    """
    steps: Path = ()
    for step in filter(None, path.split(".")):
        found = _STEP.fullmatch(step)
        known = keys_in(fields_at(steps, None))
        if found is None or (found[1] not in known and not fields_at((*steps, found[1]), None)):
            block = "".join(f"[{each}]" if isinstance(each, int) else f".{each}" for each in steps).strip(".")
            where = f" of {block}" if block else ""
            raise UnknownFact(f"{quoted(step)} is not a field{where}. {one_of(step, list(known), 'Fields')}")
        steps = (*steps, found[1], *(0 for _ in found[2][::2] if found[2]))
    schemas = fields_at(steps, None)
    if any("items" in each for each in schemas):  # a list is described by its items
        steps = (*steps, 0)
        schemas = fields_at(steps, None)
    here = field_of(steps, None)
    return SchemaFields(
        path=path,
        meaning=described(here) if here is not None else "",
        words=list(words_in(schemas)),
        fields=[
            SchemaField(
                name=name,
                types=sorted({str(each["type"]) for each in fields_at((*steps, name), None) if "type" in each}),
                required=any(name in each.get("required", ()) for each in schemas),
                meaning=described(field),
                words=list(words_in(fields_at((*steps, name), None))),
            )
            for name, field in keys_in(schemas).items()
        ],
    )
