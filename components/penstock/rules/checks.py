"""The vocabulary of rules: what a property must be, and how such sentences combine.

A path such as `rules[].filter.prefix` speaks of every item of each list on its way; a key with dots is in quotes
(`metadata.labels."app.kubernetes.io/name"`). A property that is not given has its provider's default. Reading what is
not known yet ends a check as unknown, and where a list has no items a check of its items does not apply.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from penstock.graph.property_path import HIDDEN, Location, PropertyPath
from penstock.graph.values import Secret, Unknown
from penstock.graph.verdict import (
    NOT_APPLICABLE,
    PASS,
    UNKNOWN,
    NotKnown,
    Outcome,
    TypeMismatch,
    Verdict,
    allow,
    asked,
    each,
    fail,
    together,
)
from penstock.graph.view import Block, View
from penstock.rules import defaults
from penstock.rules.comparing import as_number, in_one, same, shown

if TYPE_CHECKING:
    from penstock.rules.settings import Settings

Members = Callable[[View], Iterable[Any]]
"""Returns what a rule judges one by one, such as the node pools of a cluster."""


class Check:
    """Something that a resource, or an object among its inputs, does or does not fulfil."""

    __slots__ = ()

    @property
    def joins(self) -> bool:
        """True where other resources are read beside the one that is judged."""
        return False

    def reads(self, type_: str) -> tuple[str, ...]:
        """The property paths that it reads of a resource of this type."""
        raise NotImplementedError

    def judge(self, it: Block, settings: Settings) -> Verdict:
        """Return the verdict. May raise `NotKnown` and `TypeMismatch`, as all readers of resources do."""
        raise NotImplementedError

    def asked(self, it: Block, settings: Settings) -> Verdict:
        """Return the verdict; reading what is not known ends it as unknown."""
        try:
            return self.judge(it, settings)
        except NotKnown:
            return UNKNOWN
        except TypeMismatch:
            return NOT_APPLICABLE

    def judge_alternative(self, it: Block, settings: Settings) -> Verdict:
        """Return the verdict as one of several, of which one must pass: not to apply is less than to pass there."""
        return self.judge(it, settings)


@dataclass(frozen=True, slots=True)
class AtPath(Check):
    """A check of the value at one path."""

    path: str

    @override
    def reads(self, type_: str) -> tuple[str, ...]:
        return (self.path,)


@dataclass(frozen=True, slots=True)
class _OfOne(AtPath):
    """A check of each value at one path."""

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        return each(it.locations(self.path), lambda place: self.of_location(it, place, settings))

    def of_location(self, it: Block, place: Location, settings: Settings) -> Verdict:
        """Return the verdict on one place. May raise `NotKnown`."""
        value = _known(_or_default(it, place))
        return PASS if self._holds(value, settings) else fail(self._complaint(place, value), path=place.path)

    def _holds(self, value: Any, settings: Settings) -> bool:
        """Return whether a value is right; None where there is neither one nor a default."""
        raise NotImplementedError

    def _complaint(self, place: Location, value: Any) -> str:
        """The message for a wrong value."""
        if place.value is not None:
            return f"{place.path} is {shown(value)}"
        return f"{place.path} is not set" + (f", so it is {shown(value)}" if value is not None else "")


@dataclass(frozen=True, slots=True)
class Is(_OfOne):
    """The property has this value; letter case is as little a matter as it is to Azure, and "true" is true."""

    value: Any

    @override
    def _holds(self, value: Any, settings: Settings) -> bool:
        return same(value, self.value)


@dataclass(frozen=True, slots=True)
class IsNot(_OfOne):
    """The property has any other value, or none."""

    value: Any

    @override
    def _holds(self, value: Any, settings: Settings) -> bool:
        return not same(value, self.value)


@dataclass(frozen=True, slots=True)
class OneOf(_OfOne):
    """The property has one of these values."""

    values: tuple[Any, ...]

    @override
    def _holds(self, value: Any, settings: Settings) -> bool:
        return any(same(value, allowed) for allowed in self.values)


@dataclass(frozen=True, slots=True)
class NoneOf(_OfOne):
    """The property has none of these values."""

    values: tuple[Any, ...]

    @override
    def _holds(self, value: Any, settings: Settings) -> bool:
        return not any(same(value, forbidden) for forbidden in self.values)


@dataclass(frozen=True, slots=True)
class AtLeast(_OfOne):
    """The property is a number, and this large at least."""

    least: float

    @override
    def _holds(self, value: Any, settings: Settings) -> bool:
        number = as_number(value)
        return number is not None and number >= self.least


@dataclass(frozen=True, slots=True)
class AtMost(_OfOne):
    """The property is a number, and this large at most; one that is not given has no limit."""

    most: float

    @override
    def _holds(self, value: Any, settings: Settings) -> bool:
        number = as_number(value)
        return number is not None and number <= self.most


@dataclass(frozen=True, slots=True)
class Matches(_OfOne):
    """The property is a text that the pattern matches as a whole."""

    pattern: str

    @override
    def _holds(self, value: Any, settings: Settings) -> bool:
        return isinstance(value, str) and re.fullmatch(self.pattern, value) is not None


@dataclass(frozen=True, slots=True)
class Unlike(_OfOne):
    """The property is not a text that the pattern matches as a whole."""

    pattern: str

    @override
    def _holds(self, value: Any, settings: Settings) -> bool:
        return not isinstance(value, str) or re.fullmatch(self.pattern, value) is None


@dataclass(frozen=True, slots=True)
class Has(_OfOne):
    """The property is a list with all of these items among others."""

    items: tuple[Any, ...]

    @override
    def _holds(self, value: Any, settings: Settings) -> bool:
        if not isinstance(value, Sequence) or isinstance(value, str):
            return False
        if any(isinstance(item, HIDDEN) for item in value):
            raise NotKnown
        return all(any(same(item, wanted) for item in value) for wanted in self.items)


@dataclass(frozen=True, slots=True)
class Allowed(_OfOne):
    """The property is among those that a parameter of the settings lists, if it lists any."""

    parameter: str

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        return _OfOne.judge(self, it, settings) if self._listed(settings) else NOT_APPLICABLE

    @override
    def _holds(self, value: Any, settings: Settings) -> bool:
        return value is None or any(same(value, allowed) for allowed in self._listed(settings))

    def _listed(self, settings: Settings) -> Sequence[Any]:
        listed: Sequence[Any] = getattr(settings.parameters, self.parameter)
        return listed


@dataclass(frozen=True, slots=True)
class NotBelow(_OfOne):
    """The property is a number, and as large as a parameter of the settings at least."""

    parameter: str

    @override
    def _holds(self, value: Any, settings: Settings) -> bool:
        number = as_number(value)
        return number is not None and number >= getattr(settings.parameters, self.parameter)


@dataclass(frozen=True, slots=True)
class Given(_OfOne):
    """The property is given: not empty, and no empty list or object.

    A value that is not known yet is given if it comes from another resource, such as a key's ARN; otherwise the verdict
    is unknown.
    """

    @override
    def of_location(self, it: Block, place: Location, settings: Settings) -> Verdict:
        return allow(_is_given(it, place, self.path), f"{place.path} is not set", path=place.path)


@dataclass(frozen=True, slots=True)
class Absent(_OfOne):
    """The property is not given, or empty. A value from another resource is given, be it known or not."""

    @override
    def of_location(self, it: Block, place: Location, settings: Settings) -> Verdict:
        return allow(not _is_given(it, place, self.path), f"{place.path} is set", path=place.path)


@dataclass(frozen=True, slots=True)
class Each(Check):
    """Every object at a path fulfils a check; where there is none it does not apply."""

    path: str
    check: Check

    @property
    @override
    def joins(self) -> bool:
        return self.check.joins

    @override
    def reads(self, type_: str) -> tuple[str, ...]:
        return tuple(f"{self.path}.{path}" for path in self.check.reads(type_))

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        def one(place: Location) -> Verdict:
            return NOT_APPLICABLE if place.value is None else self.check.judge(it.within(place), settings)

        return each(it.locations(self.path), one)


@dataclass(frozen=True, slots=True, init=False)
class _OfSeveral(Check):
    checks: tuple[Check, ...]

    def __init__(self, *checks: Check) -> None:
        object.__setattr__(self, "checks", checks)

    @property
    @override
    def joins(self) -> bool:
        return any(check.joins for check in self.checks)

    @override
    def reads(self, type_: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(path for check in self.checks for path in check.reads(type_)))


@dataclass(frozen=True, slots=True, init=False)
class All(_OfSeveral):
    """Every one of the checks holds."""

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        return together([check.asked(it, settings) for check in self.checks])


@dataclass(frozen=True, slots=True, init=False)
class Either(_OfSeveral):
    """One of the checks holds at least; where none does, that is one failure, with the place of the first."""

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        said = [asked(lambda check: check.judge_alternative(it, settings), check) for check in self.checks]
        outcomes = {verdict.outcome for verdict in said}
        if Outcome.PASS in outcomes:
            return PASS
        if Outcome.UNKNOWN in outcomes:
            return UNKNOWN
        failed = [failure for verdict in said for failure in verdict.failures]
        if not failed:
            return NOT_APPLICABLE
        # Azure reads the same key in any case, and rules name the spellings that SDKs know.
        messages: dict[str, str] = {}
        for failure in failed:
            messages.setdefault(failure.message.casefold(), failure.message)
        return fail(in_one(messages.values()), path=failed[0].path)


@dataclass(frozen=True, slots=True)
class Where(Check):
    """Where a condition holds, the check does; elsewhere it does not apply."""

    condition: Check
    check: Check

    @property
    @override
    def joins(self) -> bool:
        return self.condition.joins or self.check.joins

    @override
    def reads(self, type_: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.condition.reads(type_), *self.check.reads(type_))))

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        condition = self.condition.asked(it, settings).outcome
        if condition in (Outcome.FAIL, Outcome.NOT_APPLICABLE):
            return NOT_APPLICABLE
        said = self.check.asked(it, settings)
        return said if condition is Outcome.PASS or said.outcome is not Outcome.FAIL else UNKNOWN

    @override
    def judge_alternative(self, it: Block, settings: Settings) -> Verdict:
        said = self.judge(it, settings)
        if said.outcome is not Outcome.PASS:
            return said
        condition = self.condition.asked(it, settings).outcome
        return said if condition is Outcome.PASS else UNKNOWN


@dataclass(frozen=True, slots=True)
class ByType(Check):
    """Each type of resource has a check of its own."""

    checks: Mapping[str, Check]

    @property
    @override
    def joins(self) -> bool:
        return any(check.joins for check in self.checks.values())

    @override
    def reads(self, type_: str) -> tuple[str, ...]:
        return self.checks[type_].reads(type_)

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        return self.checks[it.owner.type].judge(it, settings)


@dataclass(frozen=True, slots=True)
class Joined(Check):
    """Another resource points at this one, and fulfils a check; `by` are types with the path by which they point."""

    by: tuple[tuple[str, str], ...]
    complaint: str
    check: Check | None = None

    @property
    @override
    def joins(self) -> bool:
        return True

    @override
    def reads(self, type_: str) -> tuple[str, ...]:
        return ()

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        pointing = [view for type_, path in self.by for view in it.owner.referrers(type_, path)]
        if self.check is None:
            return allow(pointing, self.complaint)
        said = [self.check.asked(view, settings) for view in pointing]
        if any(verdict.outcome is Outcome.PASS for verdict in said):
            return PASS
        if any(verdict.outcome is Outcome.UNKNOWN for verdict in said):
            return UNKNOWN
        found = [failure for verdict in said for failure in verdict.failures]
        return fail(f"{self.complaint}: {found[0].message} there" if found else self.complaint)


@dataclass(frozen=True, slots=True)
class Custom(Check):
    """A check that is a function, because no vocabulary says it shorter.

    `others` says whether it reads other resources, too, and `takes_settings` whether the function takes the settings
    beside the resource. With `members`, the function judges each of these in place of the resource.
    """

    function: Callable[..., Verdict] = field(repr=False)
    others: bool = False
    takes_settings: bool = True
    members: Members | None = field(default=None, repr=False)

    @property
    @override
    def joins(self) -> bool:
        return self.others

    @override
    def reads(self, type_: str) -> tuple[str, ...]:
        return ()  # recorded while it runs

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        def check(one: Any) -> Verdict:
            return self.function(one, settings) if self.takes_settings else self.function(one)

        return check(it.owner) if self.members is None else each(self.members(it.owner), check)


def values(it: Block, path: str) -> list[Any]:
    """Return the values at a path, with the provider's defaults; None for one that is neither given nor has one.

    Raises:
        NotKnown: one of the values is not known yet.
    """
    return [_known(_or_default(it, place)) for place in it.locations(path)]


def _or_default(it: Block, place: Location) -> Any:
    if place.value is not None:
        return place.value
    default = defaults.of(it.owner.type, place.path)
    return None if default is None else default.value


def _known(value: Any) -> Any:
    if isinstance(value, HIDDEN):
        raise NotKnown
    return value


_INDEX = re.compile(r"\[\d+\]")


def _is_given(it: Block, place: Location, path: str) -> bool:
    """Return whether a property is neither absent nor empty; a value from another resource is given, known or not.

    Raises:
        NotKnown: that cannot be said of what is there, or of what is around it.
    """
    if isinstance(place.value, HIDDEN) and not _INDEX.sub("[]", place.path).endswith(str(PropertyPath.parse(path))):
        raise NotKnown(place.path)
    value = place.value.value if isinstance(place.value, Secret) else _or_default(it, place)
    if isinstance(place.value, Unknown) and not _made(it, place):
        raise NotKnown(place.path)
    return value not in (None, "", [], {}, ())


def _made(it: Block, place: Location) -> bool:
    """Return whether a value comes from another resource of the program."""
    top = re.split(r"[.\[]", place.path, maxsplit=1)[0]
    return bool(it.owner.resource.property_dependencies.get(top))
