"""The environments in stacks/, each rehearsed once in a process of tests."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from penstock.simulate.environment import Environment, find_environment
from penstock.simulate.project import project_at
from penstock.simulate.run import Rehearsal

PROJECT = project_at(Path(__file__).parents[1])
STACKS = PROJECT.stacks()


@cache
def environment(stack: str) -> Environment:
    """An environment, by the name of its stack."""
    return find_environment(str(PROJECT.stack_file(stack)))


@cache
def rehearsed(stack: str, *, preview: bool = False) -> Rehearsal:
    """The rehearsal of an environment; all tests share it, so none may change it."""
    return environment(stack).rehearse(preview=preview)
