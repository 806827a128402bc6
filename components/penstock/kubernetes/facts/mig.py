"""The equal parts that an NVIDIA GPU can be partitioned into (MIG)."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import records

_NEARLY = 0.1
"""Makers round the memory of a GPU."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MigProfile:
    """One size of parts.

    Attributes:
        memory_gib: of the whole GPU, where it is sold with several; None where the name alone determines it.
        parts: how many of this size one GPU has.
    """

    accelerator: str
    memory_gib: int | None
    profile: str
    parts: int
    unverified: tuple[str, ...]
    source: str
    as_of: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Indivisible:
    accelerator: str
    unverified: tuple[str, ...]
    source: str
    as_of: str


def profiles(accelerator: str, memory_gib: float | None) -> dict[str, MigProfile]:
    """The sizes of parts of an accelerator, by name; none for one that cannot be partitioned."""
    return {
        each.profile: each
        for each in records(MigProfile, "kubernetes/mig_profiles")
        if each.accelerator == accelerator and _is_near(each.memory_gib, memory_gib)
    }


def is_indivisible(accelerator: str) -> bool:
    """Return whether an accelerator is known to have no parts; of the newest ones only the sizes are not known yet."""
    return any(each.accelerator == accelerator for each in records(_Indivisible, "kubernetes/without_mig"))


def _is_near(memory: int | None, of_machine: float | None) -> bool:
    return memory is None or of_machine is None or abs(memory - of_machine) <= _NEARLY * memory
