"""Tags and labels: which types take them (`taggable` of each cloud), and whether a resource has the required ones.

Letter case counts, or it does not, or keys have small letters only (`Provider.tag_case`): there the key Owner is owner.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from typing_extensions import override

from penstock.catalog.records import Column, keyed, record_of_type
from penstock.graph.property_path import Location
from penstock.graph.values import Secret, Unknown
from penstock.graph.verdict import NOT_APPLICABLE, NotKnown, Verdict, allow
from penstock.graph.view import Block, View
from penstock.providers import TagCase, provider_of
from penstock.rules.checks import Check
from penstock.rules.settings import Settings


@dataclass(frozen=True, slots=True)
class Taggable:
    """Where a type has its tags, and whether its provider adds some to them (`defaultTags`, `defaultLabels`)."""

    path: Annotated[str, Column("property")]
    takes_defaults: bool


class Tagged(Check):
    """The resource has every required tag, its own or from its provider. It does not apply where none is required."""

    __slots__ = ()

    @override
    def reads(self, type_: str) -> tuple[str, ...]:
        return (taggable(type_).path,)

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        kind = taggable(it.owner.type)
        inherited = defaults_of(it.owner) if kind.takes_defaults else ()
        return judge_tags(it, kind.path, settings, inherited)


def judge_tags(it: Block, path: str, settings: Settings, inherited: Collection[str] = ()) -> Verdict:
    """Return the verdict that a path has all required tags, together with keys that come from elsewhere.

    Raises:
        NotKnown: the tags are not known yet.
    """
    wanted = required_keys(it.owner.type, settings)
    if not wanted:
        return NOT_APPLICABLE
    missing = [key for key in wanted if not _has(it.owner.type, inherited, key)]
    if not missing:
        return allow(True, "")
    (place,) = it.locations(path)
    if isinstance(place.value, Unknown | Secret):
        raise NotKnown
    own = keys_of(it.owner, place)
    missing = [key for key in missing if not _has(it.owner.type, own, key)]
    near = [key for key in own if key.lower() in missing]
    hint = f" ({', '.join(near)}: letter case counts)" if near else ""
    return allow(not missing, f"{place.path} has no {' and no '.join(missing)}{hint}", path=place.path)


def required_keys(type_: str, settings: Settings) -> tuple[str, ...]:
    """The keys that are required, as the cloud of a type writes them."""
    wanted = settings.parameters.required_tags
    return tuple(key.lower() for key in wanted) if _case_of(type_) == "lower" else wanted


def keys_of(owner: View, place: Location) -> tuple[str, ...]:
    """The keys of tags that have a value; one from another resource is a value, be it known or not.

    Raises:
        NotKnown: the keys are not known yet, or a value that comes from nowhere in the program.
    """
    tags = place.value
    if isinstance(tags, Unknown | Secret):
        raise NotKnown
    if not isinstance(tags, Mapping):
        return ()
    block = Block(tags, place.path, owner)
    return tuple(key for key in tags if block.has(key))


def defaults_of(it: View) -> tuple[str, ...]:
    """The keys of the tags that the provider adds to everything it makes.

    Raises:
        NotKnown: the tags are not known yet.
    """
    found = it.site.graph.resources.get(it.resource.provider_urn)
    if found is None:
        return ()
    provider = View(found, it.site)
    tags = _parsed(provider.value("defaultTags"))
    labels = Location("defaultLabels", _parsed(provider.value("defaultLabels")))
    return keys_of(provider, labels) + keys_of(provider, Location("defaultTags.tags", tags.get("tags")))


def taggable_types(cloud: str, path: str) -> tuple[str, ...]:
    """Return the types of a cloud that have their tags at a path."""
    return tuple(type_ for type_, kind in keyed(Taggable, f"{cloud}/taggable").items() if kind.path == path)


def taggable(type_: str) -> Taggable:
    """Return where a type that takes tags has them."""
    found = record_of_type(Taggable, "taggable", type_)
    if found is None:
        raise KeyError(type_)
    return found


def _has(type_: str, keys: Collection[str], wanted: str) -> bool:
    return wanted in keys or (_case_of(type_) == "ignored" and wanted.lower() in map(str.lower, keys))


def _case_of(type_: str) -> TagCase:
    provider = provider_of(type_)
    return provider.tag_case if provider is not None else "exact"


def _parsed(value: Any) -> Mapping[str, Any]:
    """An object of a provider's configuration, which crosses the wire as text."""
    try:
        found = json.loads(value) if isinstance(value, str) else value
    except ValueError:
        return {}
    return found if isinstance(found, Mapping) else {}
