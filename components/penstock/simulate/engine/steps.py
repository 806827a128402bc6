"""The steps of a stack's life under the real engine, as reports show them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EngineStep:
    """One command of the Pulumi CLI.

    `changes` counts resources by what happened to them (`create`, `same`, `delete`), in the CLI's words; `problems` are
    the errors that it reported.
    """

    name: str
    changes: Mapping[str, int]
    seconds: float
    problems: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """True if the command succeeded."""
        return not self.problems
