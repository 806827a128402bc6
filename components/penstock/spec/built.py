"""The parts of a description that Penstock builds today; it knows more words than that, and refuses those by name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from pydantic import BaseModel

from penstock.providers.registry import all_providers
from penstock.spec import addon
from penstock.spec.addons import AddonsSpec
from penstock.spec.positions import Path

ADDONS: Final = addon.keys()
STORAGE: Final = ("bucket", "lustre", "nfs", "beegfs", "scale", "postgres")
UNBUILT: Final[tuple[Path, ...]] = tuple(("addons", name) for name in AddonsSpec.model_fields if name not in ADDONS)
"""Fields of the description that nothing is built from yet."""

_LEFT_OUT: Final = {"AddonsSpec": tuple(str(path[-1]) for path in UNBUILT)}
"""Fields by their block."""


def schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON Schema of a model without what a description could say and Penstock would refuse."""
    schema = model.model_json_schema()
    for block in (schema, *schema.get("$defs", {}).values()):
        for name in _LEFT_OUT.get(block.get("title", ""), ()):
            block["properties"].pop(name, None)
        if block.get("title") == "CloudSpec":
            block["properties"]["provider"]["enum"] = [each.name for each in all_providers() if each.composer]
    for kinds in _kinds(schema):
        mapping = kinds["discriminator"]["mapping"]
        refused = [mapping.pop(kind) for kind in list(mapping) if kind not in STORAGE]
        kinds["oneOf"] = [each for each in kinds["oneOf"] if each["$ref"] not in refused]
    return schema


def _kinds(value: Any) -> Iterator[dict[str, Any]]:
    """Each choice among kinds of storage."""
    if isinstance(value, dict):
        if "discriminator" in value:
            yield value
        for each in value.values():
            yield from _kinds(each)
    elif isinstance(value, list):
        for each in value:
            yield from _kinds(each)
