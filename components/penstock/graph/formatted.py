"""Texts that a program made of an object instead of its value, such as `f"{bucket.arn}/*"` of a Pulumi Output."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_SENTENCE: Final = re.compile(
    r"calling[\W_]*\w*[\W_]*on[\W_]*an[\W_]*output(?:[\W_]*t)?[\W_]*is[\W_]*not", re.IGNORECASE
)
"""The text that the SDKs for Python, Node.js and .NET return for an Output, also in a name without its signs."""

_OBJECT: Final = re.compile(r"<(?P<kind>[\w.]+) object at 0x[0-9a-f]+")
"""The text that Python returns for an object without a text of its own."""

_NUMBER: Final = re.compile(r"text[\W_]*no[\W_]*(\d+)", re.IGNORECASE)
"""The number by which a rehearsal finds the line again that made the text."""

_OUTPUT: Final = "pulumi.output.Output"

HINTS: Final = ("on an Output", " object at 0x")
"""One of them is in each such text, unless its signs were changed."""


class FormattedObject(NamedTuple):
    """The object that a text was made of: its class (None of an Output), and the number of the text in a rehearsal."""

    kind: str | None
    number: int | None

    def __str__(self) -> str:
        return f"a Python object ({self.kind})" if self.kind else "an Output"

    @property
    def fix(self) -> str:
        """The right way to write the value."""
        if self.kind is None:
            return (
                "Use pulumi.Output.concat, pulumi.Output.format or pulumi.Output.json_dumps, or format it in apply()."
            )
        return "Use a property of the object, such as its id or name, by pulumi.Output.concat or pulumi.Output.format."


def formatted_object(text: str) -> FormattedObject | None:
    """Return the object whose text a text holds in place of a value; None where it holds none."""
    found = _OBJECT.search(text)
    if found is None and _SENTENCE.search(text) is None:
        return None
    number = _NUMBER.search(text)
    kind = found["kind"] if found is not None and found["kind"] != _OUTPUT else None
    return FormattedObject(kind, int(number[1]) if number is not None else None)


def without_number(text: str) -> str:
    """Return a text without the number of a rehearsal."""
    return _NUMBER.sub("", text)
