"""What Google's APIs allow of single fields: data files of `penstock.catalog.api_limits`, out of discovery documents.

A property of a Pulumi resource is matched to a field of the API's request where both have the same name, or one that
`gcp_requests_matching` gives, and the same kind. Where the versions of an API disagree on what a field is, it is left
out; where they know different words, all of them are allowed, and those that the provider's documentation names.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, get_args, get_origin

from pulumi._types import input_type_types, is_input_type

from penstock.catalog.name_forms import name_forms
from penstock.catalog.tables import CATALOGUE
from penstock.simulate import sdk_types
from tools import gcp_api_limits_left_out as left_out
from tools import gcp_ids, gcp_requests
from tools.aws_api_limits import compiles, csv_text
from tools.declared import documented_properties, plain
from tools.gcp_requests import Schema, item_of, resolved
from tools.generated import DataSet, main

Row = tuple[str, ...]

_DEPTH = 5
_WORDS_AT_MOST = 100
"""An enumeration with more words grows with every month, and so would be out of date."""


def data_set() -> DataSet:
    """One data file for each module of the SDK (`container`)."""
    folder = CATALOGUE / "gcp" / "data" / "api_limits"
    by_module: dict[str, list[Row]] = {}
    for type_ in sorted(gcp_ids.types()):
        found = rows(type_)
        if found:
            by_module.setdefault(type_.split(":")[1].split("/")[0], []).extend(found)
    wanted = {folder / f"{module}.csv": csv_text(found) for module, found in by_module.items()}
    return DataSet(wanted, set(folder.glob("*.csv")))


def rows(type_: str) -> list[Row]:
    """What is allowed of the fields of one resource type."""
    by_version = [dict(_fields(type_, request)) for request in gcp_requests.requests(type_)]
    documented = documented_properties(type_) if by_version else {}
    found = []
    for path in sorted({path for fields in by_version for path in fields}):
        published = [fields[path] for fields in by_version if path in fields]
        row = _row(type_, path, published, documented.get(path, ""))
        if row is not None and not left_out.is_left_out(type_, path) and not _is_a_name(type_, path):
            found.append(row)
    return found


def _is_a_name(type_: str, path: str) -> bool:
    """Whether another table has the form, and more of it."""
    form = name_forms("gcp").get(type_)
    return form is not None and form.property == path


def _row(type_: str, path: str, published: Sequence[Schema], documented: str) -> Row | None:
    enumerated = [schema.get("enum") for schema in published]
    if all(enumerated):
        words = dict.fromkeys(word for words in enumerated for word in words or ())
        words |= dict.fromkeys(_beside(words, documented))
        kind = "any-case word" if f"{type_} {path}" in left_out.ANY_CASE else "word"
        return (type_, path, kind, "|".join(words), "", "", "") if len(words) <= _WORDS_AT_MOST else None
    patterns = {schema.get("pattern") for schema in published}
    pattern = patterns.pop() if len(patterns) == 1 else None
    if pattern and not any(enumerated) and compiles(pattern):
        return type_, path, "pattern", "", "", "", pattern
    return None


def _fields(type_: str, request: gcp_requests.Request) -> Iterator[tuple[str, Schema]]:
    declared = sdk_types.input_types(type_) or {}
    yield from _of(type_, declared, request.schema, request.document, "")


def _of(
    type_: str, declared: Mapping[str, Any], owner: Schema, document: str, path: str
) -> Iterator[tuple[str, Schema]]:
    for name, hint in declared.items():
        here = f"{path}.{name}" if path else name
        found = gcp_requests.field(type_, here, owner, document)
        if found is not None:
            yield from _field(type_, hint, found, document, here)


def _field(type_: str, hint: Any, schema: Schema, document: str, path: str) -> Iterator[tuple[str, Schema]]:
    kind, sent = plain(hint), resolved(schema, document)
    if kind is None or path.count(".") > _DEPTH or sent.get("readOnly"):
        return
    if get_origin(kind) is not None and issubclass(get_origin(kind), Sequence):
        if sent.get("type") == "array":
            yield from _field(type_, get_args(kind)[0], sent["items"], document, f"{path}[]")
    elif isinstance(kind, type) and is_input_type(kind):
        yield from _of(type_, input_type_types(kind), item_of(sent, document), document, path)
    elif kind is str and sent.get("type") == "string":
        yield path, sent


def _beside(words: Collection[str], text: str) -> Iterator[str]:
    """The words that the provider's documentation names: in one sentence with words of the API, or instead of all.

    The provider translates some words: `ENABLED` of a Composer environment is the API's `PLUGINS_ENABLED`.
    """
    by_sentence = [re.findall(r"[`\"']([A-Z][A-Z0-9_]+)[`\"']", each) for each in re.split(r"\.\s|\n\s*\n", text)]
    translates = not any(set(named) & set(words) for named in by_sentence)
    for named in by_sentence:
        if translates or set(named) & set(words):
            yield from named


if __name__ == "__main__":
    main(data_set)
