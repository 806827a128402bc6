"""Updates and deletions as the clouds do them: the effect on running machines, what is refused, how long it may last.

A table for each in the room of each provider. Paths are those of the provider's properties without the indexes of lists
(`nodeConfig.diskSizeGb`); what is below a path belongs to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal, TypeVar

from penstock.catalog.conditions import RowCondition, applies, condition
from penstock.catalog.records import Column, records
from penstock.core.errors import UnknownFact
from penstock.providers import provider_of

Effect = Literal["rolling", "restart", "moved", "in_place", "later", "none"]
"""What running machines of a pool see of a change.

`rolling`: each is replaced, by the update settings of its pool (waves, surge, blue-green). `restart`: each is stopped
and started. `moved`: those in zones that the pool leaves are deleted, and others start in its other ones. `in_place`:
each takes the change while it runs. `later`: the cloud replaces them after the update, at a time of its own. `none`:
they stay as they are, and at most those that start later differ.
"""

RefusalKind = Literal[
    "shrink",
    "less",
    "small step",
    "downgrade",
    "skip",
    "major",
    "second major",
    "stop",
    "mixed",
    "other engine",
    "back",
    "zones",
    "fixed",
    "in use",
    "overlap",
    "ignored",
    "ignored downgrade",
    "ignored shrink",
]
"""Changes that a cloud refuses, or a provider ignores.

Less storage, less of something else, less than a tenth more storage, an older version, more than one minor version
further, another major version (of one or two numbers), any change while the machine runs, any change while machines
of the program run, which take it only when they start again, another word before the version, an earlier word of
`order`, subnets in other zones, any change at all, less than the machines that use it, a range over the old one, and
for what is ignored any change, an older version or less.
"""

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateEffect:
    """The effect of a change of one property on the running machines of a pool."""

    type: str
    property: str
    effect: Effect
    when: Annotated[RowCondition | None, Column(read=condition)]
    why: str
    source: str
    as_of: str
    unverified: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateRefusal:
    """A change of one property that a cloud refuses; `order` are words of which it goes only to a later one."""

    type: str
    property: str
    kind: RefusalKind
    when: Annotated[RowCondition | None, Column(read=condition)]
    order: tuple[str, ...]
    message: str
    hint: str
    source: str
    as_of: str
    unverified: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """A use of a resource by another one, by which its cloud refuses to delete it."""

    type: str
    holder: str
    property: str
    message: str
    hint: str
    source: str
    as_of: str
    unverified: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """A property that turns a feature on, and the resources that use the feature.

    It is off where the property is not given, false, zero, or one of the words of `off`. Users point at the resource
    by `reference`; with an empty one any of their type uses it. `when` is a condition on their inputs.
    """

    type: str
    property: str
    off: tuple[str, ...]
    user: str
    reference: str
    when: Annotated[RowCondition | None, Column(read=condition)]
    message: str
    source: str
    as_of: str
    unverified: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GrowthNote:
    """The effect of a larger value of one property, which the cloud accepts."""

    type: str
    property: str
    message: str
    hint: str
    source: str
    as_of: str
    unverified: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class InlinePart:
    """A property whose objects are what resources of the type `part` are: the facts of that type hold for them.

    With a `message`, the cloud refuses what would replace the separate resource.
    """

    type: str
    property: str
    part: str
    message: str
    hint: str
    source: str
    as_of: str
    unverified: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateTimeouts:
    """The minutes after which a provider gives an operation up, where a program does not say."""

    type: str
    create_min: float
    update_min: float
    delete_min: float
    source: str
    as_of: str
    unverified: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionCounter:
    """An output that grows by one with each update, but of the properties `except_`.

    `default` is another output that follows it where the input `default_when` is set.
    """

    type: str
    output: str
    default: str
    default_when: str
    unchanging: tuple[str, ...]
    source: str
    as_of: str
    unverified: tuple[str, ...]


def effect_of(type_: str, keys: Sequence[str], inputs: Mapping[str, Any]) -> UpdateEffect | None:
    """The effect of a change at a path, by its keys, for a resource with these inputs; None where none is known.

    A change of a whole has the gravest effect of its parts.
    """
    found = [
        row
        for row in _by_type(UpdateEffect, "update_effects", type_)
        if _covers(row.property, keys) and applies(row.when, inputs)
    ]
    deepest = max((len(row.property) for row in found if len(row.property.split(".")) <= len(keys)), default=0)
    own = [row for row in found if len(row.property.split(".")) > len(keys) or len(row.property) == deepest]
    return min(own, key=lambda row: (_GRAVITY.index(row.effect), not row.when), default=None) if own else None


def are_known(type_: str) -> bool:
    """Return whether it is known which updates of a resource type reach running machines."""
    return bool(_by_type(UpdateEffect, "update_effects", type_))


def refusals_of(type_: str) -> tuple[UpdateRefusal, ...]:
    """The changes of a resource type that its cloud refuses."""
    return _by_type(UpdateRefusal, "update_refusals", type_)


def holders_of(type_: str) -> tuple[Holder, ...]:
    """The uses of a resource type by which its cloud refuses to delete it."""
    return _by_type(Holder, "holders", type_)


def growth_notes_of(type_: str) -> tuple[GrowthNote, ...]:
    """The notes on larger values of a resource type."""
    return _by_type(GrowthNote, "growth_notes", type_)


def features_of(type_: str) -> tuple[Feature, ...]:
    """The features of a resource type that other resources use."""
    return _by_type(Feature, "used_features", type_)


def parts_of(type_: str) -> tuple[InlinePart, ...]:
    """The parts of a resource type that are also resources of their own."""
    return _by_type(InlinePart, "inline_parts", type_)


def timeouts_of(type_: str) -> UpdateTimeouts | None:
    """The provider's own time-outs of a resource type; None where they are not known."""
    return next(iter(_by_type(UpdateTimeouts, "update_timeouts", type_)), None)


def counter_of(type_: str) -> VersionCounter | None:
    """The output of a resource type that counts its versions; None where none does."""
    return next(iter(_by_type(VersionCounter, "version_counters", type_)), None)


def _covers(property_: str, keys: Sequence[str]) -> bool:
    """Return whether a change at these keys touches a property: at it, below it, or of a whole that has it."""
    parts = property_.split(".")
    shorter = min(len(parts), len(keys))
    return list(parts[:shorter]) == list(keys[:shorter])


_GRAVITY = ("rolling", "restart", "moved", "later", "in_place", "none")


@cache
def _by_type(cls: type[Row], table: str, type_: str) -> tuple[Row, ...]:
    provider = provider_of(type_)
    if provider is None:
        return ()
    try:
        found = records(cls, f"{provider.name}/{table}")
    except UnknownFact:
        return ()
    return tuple(row for row in found if getattr(row, "type", "") == type_)
