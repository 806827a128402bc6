"""Exemptions: what a fabric or a driver cannot do without, although a rule forbids it; data/exemptions.csv has reasons.

An exemption holds for a resource if everything at a path is like one of its patterns, or if the rule has no
purpose for resources in a relation. The path `images` means the images of all containers of a workload, and
one after `pod:` is searched in every pod of it. A pattern in parentheses exempts only beside others, such as
the image of a shell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final

from penstock.aws.policies import relations
from penstock.catalog.records import Column, records
from penstock.graph.values import Secret, Unknown
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import View
from penstock.kubernetes.model.pods import containers as pods
from penstock.kubernetes.policies import fabric_pods

_DATA = Path(__file__).parent / "data"
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
            return _RELATIONS[self.relation](it)
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


_RELATIONS: Mapping[str, Callable[[View], bool]] = {
    relation.__name__.replace("_", "-"): relation
    for relation in (
        relations.is_of_one_fabric,
        relations.holds_only_gateways,
        relations.is_of_accelerators,
        relations.holds_no_machines,
        relations.takes_logs,
        relations.feeds_a_file_system,
        fabric_pods.adds_for_a_gpudirect_daemon,
        fabric_pods.mounts_for_a_gpudirect_daemon,
    )
}
"""Relations by name, as the table has them."""


def exemption_of(rule: str, it: View) -> Exemption | None:
    """The exemption of a resource from a rule, if there is one.

    Raises:
        NotKnown: an exemption is undetermined.
    """
    return next((each for each in _by_rule().get(rule, ()) if each.holds(rule, it)), None)


def all_exemptions() -> tuple[Exemption, ...]:
    """All exemptions."""
    return records(Exemption, "exemptions", folder=_DATA)


@cache
def _by_rule() -> dict[str, tuple[Exemption, ...]]:
    rules = {rule for each in all_exemptions() for rule in each.rules}
    return {rule: tuple(each for each in all_exemptions() if rule in each.rules) for rule in rules}
