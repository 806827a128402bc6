"""What a preflight asks and is answered, whatever cloud it asks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, Protocol

from penstock.core.wording import inflect
from penstock.graph.view import Site
from penstock.preconditions import Precondition

if TYPE_CHECKING:
    from penstock.description.platform import Spec  # reports need the answers alone


class Status(StrEnum):
    """Whether a precondition holds; what could not be asked is neither met nor not met."""

    MET = "met"
    NOT_MET = "not_met"
    NOT_ASKED = "not_asked"


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to one question.

    Attributes:
        status: Whether the precondition holds.
        found: The state that the cloud showed, or why it could not be asked.
        fix: What to do, where that is something else than the precondition says.
    """

    status: Status
    found: str
    fix: str = ""


class Asked(NamedTuple):
    """A precondition with its answer."""

    precondition: Precondition
    reply: Reply


class Inquiry(Protocol):
    """An open way to one cloud or cluster, with credentials that it has accepted."""

    @property
    def caller(self) -> str:
        """Who asks, and in which account, for people to read."""

    def further(self, site: Site, described: Spec | None) -> Iterable[Precondition]:
        """Yield what else must hold that a fresh account always has: permissions, zones, quotas that others use up."""

    def answer(self, precondition: Precondition) -> Reply | None:
        """Ask for one precondition; None where this cloud has nothing to say of it. Called from several threads."""


def met(found: str) -> Reply:
    """Return that a precondition holds."""
    return Reply(Status.MET, found)


def not_met(found: str, fix: str = "") -> Reply:
    """Return that a precondition does not hold."""
    return Reply(Status.NOT_MET, found, fix)


def not_asked(why: str, fix: str = "") -> Reply:
    """Return that a precondition could not be asked for."""
    return Reply(Status.NOT_ASKED, why, fix)


def enough(amount: float, limit: float, used: float | None, unit: str, place: str = "") -> Reply:
    """Return whether what is left of a quota suffices; `used` is None where the cloud does not show it."""
    unit, where = f" {unit}" if unit else "", f" in {place}" if place else ""
    has = f"The quota{where} is {limit:,.15g}{unit}"
    if used is None:
        return met(f"{has}; its use is not shown.") if amount <= limit else not_met(f"{has}.")
    has = f"{has}, of which {used:,.15g} {inflect(used, 'is', 'are')} in use"
    if amount <= limit - used or amount > limit:
        return met(f"{has}.") if amount <= limit - used else not_met(f"{has}.")
    return not_met(f"{has}: {max(limit - used, 0):,.15g} left, and {amount:,.15g} needed.")
