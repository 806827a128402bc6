"""Names that are nearly those of objects of the program: whoever wrote one meant the other."""

from __future__ import annotations

from penstock.graph.verdict import NotKnown, Verdict, fail
from penstock.graph.view import Block, View
from penstock.kubernetes.rules import inventory

_NEAR = 0.8
"""How alike two names are before one is taken for the other misspelt."""


def nearly_there(near_to: View, type_: str, block: Block, key: str, namespace: str | None = None) -> Verdict:
    """Fail for a name that is nearly that of an object of the program, if need be one in a namespace.

    Raises:
        NotKnown: the name is like none of them; the object may exist before the program.
    """
    from difflib import get_close_matches  # slow to import, and only a name that is not found needs it

    name = block.text(key) or ""
    known = inventory.names(near_to, type_)
    if namespace is not None:
        known = [other for other in known if namespace in inventory.lies_in(near_to, type_, other)]
    swapped = [other for other in known if sorted(other) == sorted(name)]
    close = [*swapped, *get_close_matches(name, known, cutoff=_NEAR)]
    near = [other for other in close if _letters(other) != _letters(name)]
    if not near:
        raise NotKnown
    kind = type_.rpartition(":")[2]
    return fail(f"the program has no {kind} called {name}", hint=f"Did you mean {near[0]}?", path=block.at(key))


def _letters(name: str) -> str:
    """A name without its digits: data-1 and data-2 are two things, and neither is the other misspelt."""
    return "".join(character for character in name if not character.isdigit())
