"""The block of the description that a component is built from.

During a rehearsal a component registers it among its inputs, and the monitor takes it out again. No real deployment and
no rule sees it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from penstock.core.rehearsed import is_rehearsal

Path = tuple[str | int, ...]
"""A place in the description: field names, keys and list indices from the top."""

_KEY: Final = "__penstockSourceBlock"


@dataclass(frozen=True, slots=True)
class SourceBlock:
    """The path of a block and the fields that decide what its component registers.

    The empty path is the whole description. `*` in a path is an item that the list does not have.

    `decided_by` maps a property (`storageCapacity`), a kind of resource (`AccessEntry`) or a rule (`aws-s3-versioning`)
    to fields, separated by spaces. The first one given in the description counts. A field of the block starts with a
    dot (`.capacity_tib`), any other is a path from the top (`network.cidr`). `*` in a field is the item that the
    message of a finding names first.
    """

    path: Path
    decided_by: Mapping[str, str]


def carried(path: Path | None, decided_by: Mapping[str, str]) -> dict[str, str]:
    """Return the inputs that carry a source block: none without a path or outside a rehearsal.

    A key of `decided_by` may name several properties, kinds or rules, separated by spaces.
    """
    if path is None or not is_rehearsal():
        return {}
    return {_KEY: json.dumps([path, {key: fields for keys, fields in decided_by.items() for key in keys.split()}])}


class _Inputs(Protocol):
    """Inputs as plain Python, or as they cross the wire."""

    def __iter__(self) -> Iterator[str]: ...
    def __getitem__(self, key: str, /) -> Any: ...
    def __delitem__(self, key: str, /) -> None: ...


def take(inputs: _Inputs) -> SourceBlock | None:
    """Take a source block out of the inputs of a component; None where they carry none."""
    if _KEY not in inputs:
        return None
    path, decided_by = json.loads(inputs[_KEY])
    del inputs[_KEY]
    return SourceBlock(tuple(path), decided_by)
