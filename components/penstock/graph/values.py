"""Property values as plain Python: dicts, lists, strings, numbers, booleans and None, and what these cannot say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, Final

REDACTED: Final = "[secret]"

PLAIN: Final = (str, int, float, type(None))
"""What holds no other values, as most do; this is quicker to see than that a value is no Mapping."""
MAPPING: Final = (dict, Mapping)
"""What is asked whether it is an object: of dictionaries, as most are, Python knows it in a fifth of the time."""


class Unknown:
    """A value that only the cloud knows, after it has made the resource."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "[unknown]"


UNKNOWN: Final = Unknown()


@dataclass(frozen=True, slots=True, repr=False)
class Secret:
    """A value that is never shown: not in a report, not in a message."""

    value: Any

    def __repr__(self) -> str:
        return REDACTED


class PartlyHidden(str):
    """A document, such as JSON or a script, some words of which are hidden, because a simulation invented them."""

    __slots__ = ()

    WORD: Final = "(hidden)"
    """What is in place of a word."""


def read_document(text: str, parse: Callable[[str], Any]) -> Any:
    """What a document says, as `parse` reads it; texts of it with a hidden word are unknown."""
    found = parse(text)
    return _unknown_where_hidden(found) if isinstance(text, PartlyHidden) else found


def _unknown_where_hidden(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _unknown_where_hidden(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_unknown_where_hidden(item) for item in value]
    return UNKNOWN if isinstance(value, str) and PartlyHidden.WORD in value else value


class Sealed:
    """The value of a secret that only Pulumi can decrypt: a change of it cannot be seen here."""

    __slots__ = ()


SEALED: Final = Sealed()

ENCRYPTED: Final = "encrypted-by-pulumi"
"""What a program gets for a value that only Pulumi can decrypt; it is a secret all through the rehearsal."""


class Asset(dict[str, Any]):
    """A file, a text or an archive, by `path`, `text`, `uri` or `assets`; `signature` shows Pulumi which of them."""

    __slots__ = ("signature",)

    def __init__(self, signature: str, content: Mapping[str, Any]) -> None:
        super().__init__(content)
        self.signature = signature


def shown(value: Any) -> Any:
    """The value as a report may show it: secrets withheld, unknown values named."""
    if isinstance(value, Mapping):
        return {key: shown(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [shown(item) for item in value]
    if isinstance(value, float) and not isfinite(value):
        return str(value)  # JSON has no word for it
    return repr(value) if isinstance(value, Secret | Unknown) else value


def listed(value: Any) -> list[Any]:
    """A value as a list: a list's items, nothing where it is not given, and otherwise itself."""
    if value is None:
        return []
    return list(value) if isinstance(value, list | tuple) else [value]
