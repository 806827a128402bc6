"""Machines that people get on to, in the terms that all clouds share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import View


@dataclass(frozen=True, slots=True)
class MachineKind:
    """A type of machine in a network: `path` points at the network, or at something `of` a type in it.

    `what` is the field's noun for one that people get on to, as `is_reached` says.
    """

    type: str
    path: str
    of: str
    what: str
    is_reached: Callable[[View], bool]


def surely(check: Callable[[View], bool], view: View) -> bool:
    """Return whether a check holds; a value that is not known yet may be the one that makes it hold."""
    try:
        return check(view)
    except NotKnown:
        return True
    except TypeMismatch:
        return False
