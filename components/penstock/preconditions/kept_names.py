"""Names that a cloud keeps after a deletion: the first `pulumi up` after a `destroy` needs one that is free."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated

from penstock.catalog.conditions import RowCondition, condition
from penstock.catalog.records import Column, records
from penstock.catalog.tables import clouds_with
from penstock.graph.view import Site, View
from penstock.preconditions.need import FreeNameNeed
from penstock.preconditions.precondition import Precondition
from penstock.providers import provider_of


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptName:
    """A property whose value stays taken after its resource is deleted.

    Attributes:
        type: The type of the resource.
        property: The name; where a program leaves it out, Pulumi generates another one each time.
        unless: A property and its value with which the name is free at once.
        thing: The kind of thing, in words.
        kept: For how long the name is taken, in words.
        how: The template of what to do: look whether it is there, bring it back, or import it.
    """

    type: str
    property: str
    unless: Annotated[RowCondition | None, Column(read=condition)]
    thing: str
    kept: str
    how: str
    unverified: tuple[str, ...]
    source: str
    as_of: str


@cache
def kept_name_of(type_: str) -> KeptName | None:
    """Return what is known of the name of a resource type after a deletion; None where the name is free at once."""
    provider = provider_of(type_)
    if provider is None or provider.name not in clouds_with("kept_names"):
        return None
    return next((kept for kept in records(KeptName, f"{provider.name}/kept_names") if kept.type == type_), None)


def names_to_be_free(
    site: Site, provider: str, placeholders: Callable[[View], Mapping[str, str]]
) -> Iterator[Precondition]:
    """Yield the names that a program writes out and an earlier stack may have left behind."""
    for kept in records(KeptName, f"{provider}/kept_names"):
        for view in site.of_type(kept.type):
            name = view.given(kept.property)
            if isinstance(name, str) and not (kept.unless and kept.unless.holds(view.resource.inputs)):
                words = placeholders(view)
                yield Precondition(
                    f"Name {name} of {kept.thing} free",
                    f"A deleted one keeps its name {kept.kept}, and creating it again is refused.",
                    kept.how.format_map({**words, "name": name}),
                    view.urn,
                    FreeNameNeed(kept.type, name, next(iter(words.values()), "")),
                )
