"""Names that are nearly those of objects of the program: whoever wrote one meant the other."""

from __future__ import annotations

from penstock.core.spelling import MISSPELT, near_matches, suggestion
from penstock.graph.verdict import NotKnown, Verdict, fail
from penstock.graph.view import Block, View
from penstock.kubernetes.rules import inventory


def nearly_there(near_to: View, type_: str, block: Block, key: str, namespace: str | None = None) -> Verdict:
    """Fail for a name that is nearly that of an object of the program, if need be one in a namespace.

    Raises:
        NotKnown: the name is like none of them; the object may exist before the program.
    """
    name = block.text(key) or ""
    known = inventory.names(near_to, type_)
    if namespace is not None:
        known = [other for other in known if namespace in inventory.lies_in(near_to, type_, other)]
    swapped = [other for other in known if sorted(other) == sorted(name)]
    close = [*swapped, *near_matches(name, known, likeness=MISSPELT, most=3)]
    near = [other for other in close if _letters(other) != _letters(name)]
    if not near:
        raise NotKnown
    kind = type_.rpartition(":")[2]
    return fail(f"the program has no {kind} called {name}", hint=suggestion(near[:1]), path=block.at(key))


def _letters(name: str) -> str:
    """A name without its digits: data-1 and data-2 are two things, and neither is the other misspelt."""
    return "".join(character for character in name if not character.isdigit())
