"""XID errors, by which NVIDIA's driver reports what happened to a GPU, and what they call for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from penstock.catalog.records import records

XidAction = Literal["isolate", "reboot", "reset", "nvlink", "application", "ignore"]

HARDWARE: tuple[XidAction, ...] = ("isolate", "reboot", "reset", "nvlink")
"""Actions on a machine; the others leave it alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class XidCode:
    """One code.

    Attributes:
        action: take the machine out of service, reboot it, reset the GPU, look at its links, look into the program, or
            nothing.
        models: the GPUs of which this holds, as a part of their names; None for all.
        not_models: those of which it does not.
    """

    code: int
    action: XidAction
    models: str | None
    not_models: str | None
    unverified: tuple[str, ...]
    source: str
    as_of: str


def xid_codes(*actions: XidAction) -> tuple[XidCode, ...]:
    """The codes that call for one of some actions, in the order of the table."""
    return tuple(each for each in records(XidCode, "kubernetes/xid_codes") if each.action in actions)
