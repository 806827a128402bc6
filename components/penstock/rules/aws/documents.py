"""Policy documents as rules read them: the JSON of IAM and of what guards buckets, keys and the like."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from penstock.resources.invented import may_be_invented
from penstock.resources.values import Secret, Unknown
from penstock.resources.verdict import NotKnown, TypeMismatch
from penstock.resources.view import Block

Document = Mapping[str, Any]


def read(block: Block, key: str) -> Document | None:
    """A property that holds a policy document; None where it is not given.

    Raises:
        TypeMismatch: it is no JSON object.
        NotKnown: the simulated cloud made it up.
    """
    written = block.value(key)
    if isinstance(written, str):
        if may_be_invented(written) and not written.lstrip().startswith("{"):
            raise NotKnown
        try:
            written = json.loads(written)
        except ValueError:
            raise TypeMismatch from None
    if written is not None and not isinstance(written, Mapping):
        raise TypeMismatch
    return written


def statements(document: Document) -> list[Document]:
    """The statements of a document, be they one or many; what is no object among them is left out."""
    found = document.get("Statement", [])
    return [each for each in (found if isinstance(found, list) else [found]) if isinstance(each, Mapping)]


def listed(value: Any) -> list[Any]:
    """What may stand alone or in a list, as a list.

    Raises:
        NotKnown: a part of it is not known.
    """
    found = value if isinstance(value, list) else [] if value is None else [value]
    if any(isinstance(each, Unknown | Secret) for each in found):
        raise NotKnown
    return found


def principals(statement: Document, kind: str) -> Iterator[str]:
    """Those whom a statement names, of one kind such as Service or AWS."""
    named = statement.get("Principal")
    if isinstance(named, Mapping):
        yield from (each for each in listed(named.get(kind)) if isinstance(each, str))


def is_for_all(statement: Document) -> bool:
    """Whether a statement names everybody."""
    return statement.get("Principal") == "*" or "*" in principals(statement, "AWS")


def allows(statement: Document) -> bool:
    """Whether a statement grants something."""
    return statement.get("Effect") == "Allow"
