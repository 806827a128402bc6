"""Keys."""

from __future__ import annotations

from collections.abc import Iterator

from tests.providers.toy import sdk

from penstock.graph.view import View
from penstock.preconditions import Precondition
from penstock.preconditions.kind import Kinds

KINDS = Kinds()


@KINDS.kind("toy-key", on=sdk.CHEST, sources=("The toy box",))
def a_key(chest: View) -> Iterator[Precondition]:
    """A key to every chest."""
    yield Precondition(f"A key to the {chest.name}", "Nobody opens it.", "Ask whoever has the toys.", chest.urn)
