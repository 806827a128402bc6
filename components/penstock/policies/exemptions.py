"""Exemptions: what a fabric or a driver cannot do without, although a rule forbids it.

The table `exemptions` of each cloud has the reasons.

An exemption holds for a resource if everything at a path is like one of its patterns, or if the rule has no
purpose for resources in a relation. The path `images` means the images of all containers of a workload, and
one after `pod:` is searched in every pod of it. A pattern in parentheses exempts only beside others, such as
the image of a shell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from typing import Annotated, Any, Final

from penstock.catalog.records import Column, records
from penstock.catalog.tables import folders_with
from penstock.graph.values import Secret, Unknown
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import View
from penstock.kubernetes.model.pods import containers as pods
from penstock.providers import provider_of

_IN_PODS: Final = "pod:"


@dataclass(frozen=True, slots=True)
class Exemption:
    """A fact that exempts resources from rules: which, by what, why, and who says so."""

    name: str
    rules: frozenset[str]
    types: tuple[str, ...]
    where: str
    like: tuple[str, ...]
    relation: str
    reason: str
    source: str
    as_of: str
    unverified: Annotated[bool, Column(read=bool)]

    def holds(self, rule: str, it: View) -> bool:
        """Return whether it exempts a resource from a rule.

        Raises:
            NotKnown: all that is known is like its patterns, and something is not known yet.
        """
        if rule not in self.rules or not any(fnmatchcase(it.type, type_) for type_ in self.types):
            return False
        if not self.relation:
            return self._is_like(it)
        try:
            return _relation(it.type, self.relation)(it)
        except (NotKnown, TypeMismatch):
            return False

    def _is_like(self, it: View) -> bool:
        try:
            found = [value for value in self._found(it) if value is not None]
        except (NotKnown, TypeMismatch):
            return False
        known = [value for value in found if not isinstance(value, Unknown | Secret)]
        own = [pattern for pattern in self.like if not pattern.startswith("(")]
        everything = [pattern.strip("()") for pattern in self.like]
        if not all(_is_any(value, everything) for value in known):
            return False
        if len(known) < len(found):
            raise NotKnown
        return any(_is_any(value, own) for value in known)

    def _found(self, it: View) -> list[Any]:
        if self.where == "images":
            return [place.value for container in pods.containers(it) for place in container.locations("image")]
        if self.where.startswith(_IN_PODS):
            inside = [it.within(place) for place in pods.specs(it)]
            return [place.value for pod in inside for place in pod.locations(self.where.removeprefix(_IN_PODS))]
        return [place.value for place in it.locations(self.where)]


def _is_any(value: Any, patterns: Sequence[str]) -> bool:
    return isinstance(value, str) and any(fnmatchcase(value, pattern) for pattern in patterns)


def exemption_of(rule: str, it: View) -> Exemption | None:
    """Return the exemption of a resource from a rule, if there is one.

    Raises:
        NotKnown: an exemption is undetermined.
    """
    provider = provider_of(it.type)
    known = _by_rule(provider.name) if provider is not None else {}
    return next((each for each in known.get(rule, ()) if each.holds(rule, it)), None)


def all_exemptions() -> tuple[Exemption, ...]:
    """Return all exemptions."""
    folders = folders_with("exemptions", "policies/data").values()
    return tuple(each for folder in folders for each in records(Exemption, "exemptions", folder=folder))


@cache
def _by_rule(cloud: str) -> Mapping[str, tuple[Exemption, ...]]:
    folder = folders_with("exemptions", "policies/data").get(cloud)
    found = records(Exemption, "exemptions", folder=folder) if folder is not None else ()
    rules = {rule for each in found for rule in each.rules}
    return {rule: tuple(each for each in found if rule in each.rules) for rule in rules}


@cache
def _relation(type_: str, name: str) -> Callable[[View], bool]:
    """The relation of that name, as the provider of a type has it."""
    provider = provider_of(type_)
    found: Iterable[Callable[[View], bool]] = provider.load("exemptions") if provider is not None else ()
    return next(each for each in found if each.__name__.replace("_", "-") == name)
