"""Who gets which role on Google Cloud, in all forms of saying so: one member, all members of a role, a whole policy."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from penstock.graph.values import Secret, Unknown
from penstock.graph.verdict import PASS, NotKnown, TypeMismatch, Verdict, each, fail
from penstock.graph.view import Block, View
from penstock.rules.checks import Check

if TYPE_CHECKING:
    from penstock.rules.settings import Settings

EVERYBODY: Final = ("allUsers", "allAuthenticatedUsers")
_WHOLE_POLICY: Final = "policyData"
_ALWAYS: Final = re.compile(r"\s*(?:true|(\d+)\s*==\s*\1)?\s*")


@dataclass(frozen=True, slots=True)
class Grant:
    """A role, who gets it, the path that says so, and a condition. All but the path may be not known."""

    role: Any
    member: Any
    path: str
    condition: Any = None

    @property
    def named_role(self) -> str:
        """The role.

        Raises:
            NotKnown: it is not known yet.
        """
        return _text(self.role)

    @property
    def named_member(self) -> str:
        """Who gets it.

        Raises:
            NotKnown: that is not known yet.
        """
        return _text(self.member)

    @property
    def is_conditional(self) -> bool:
        """True where the grant depends on a condition that is not always true.

        Raises:
            NotKnown: the condition is not known yet.
        """
        expression = self.condition.get("expression") if isinstance(self.condition, Mapping) else self.condition
        return expression is not None and _ALWAYS.fullmatch(_text(expression)) is None


def grant_types(service: str, *stems: str) -> tuple[str, ...]:
    """The type tokens for a service's resources: of one member, of all members of a role, and of the whole policy."""
    return tuple(
        f"gcp:{service}/{stem[:1].lower()}{stem[1:]}{form}:{stem}{form}"
        for stem in stems
        for form in ("Member", "Binding", "Policy")
    )


@dataclass(frozen=True, slots=True)
class OfGrants(Check):
    """A check of each grant of a resource; a complaint of None passes, another fails at the member or `at_role`."""

    complaint: Callable[[Grant], str | None]
    at_role: bool = False

    @override
    def reads(self, type_: str) -> tuple[str, ...]:
        if type_.endswith("Policy"):
            return (_WHOLE_POLICY,)
        return ("role", "member" if type_.endswith("Member") else "members[]", "condition")

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        def one(grant: Grant) -> Verdict:
            wrong = self.complaint(grant)
            at_role = self.at_role and grant.path != _WHOLE_POLICY
            return PASS if wrong is None else fail(wrong, path="role" if at_role else grant.path)

        return each(grants_of(it.owner), one)


def grants_of(it: View) -> Iterator[Grant]:
    """Yield the grants of a resource, one for each member."""
    if _WHOLE_POLICY in it:
        for binding in _bindings(it.value(_WHOLE_POLICY)):
            for member in binding.get("members") or ():
                yield Grant(binding.get("role"), member, _WHOLE_POLICY, binding.get("condition"))
        return
    role = it.resource.inputs.get("role")
    for path in ("member", "members[]"):
        for place in it.locations(path):
            if place.value is not None:
                yield Grant(role, place.value, place.path, it.given("condition"))


def _bindings(written: Any) -> list[Mapping[str, Any]]:
    try:
        policy = json.loads(written)
    except (TypeError, ValueError):
        raise TypeMismatch from None
    found = policy.get("bindings") if isinstance(policy, Mapping) else None
    return [each for each in found or () if isinstance(each, Mapping)]


def _text(value: Any) -> str:
    if isinstance(value, Unknown | Secret):
        raise NotKnown
    if not isinstance(value, str):
        raise TypeMismatch
    return value
