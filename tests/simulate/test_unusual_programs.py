"""Programs that are right by the documentation of their cloud, and that a simple-minded rule would refuse."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from inspect import getmembers, isfunction
from pathlib import Path
from typing import Final

import pytest

from penstock.core.findings import Finding
from penstock.simulate.run import rehearse

pytestmark = pytest.mark.exhaustive

CONFIG: Final = {
    "aws": {"aws:region": "us-east-1"},
    "azure": {
        "azure-native:location": "westeurope",
        "azure-native:subscriptionId": "0282681f-7a9e-424b-80b2-96babd57a8a1",
    },
    "gcp": {"gcp:project": "acme-ml-prod", "gcp:region": "us-central1", "gcp:zone": "us-central1-a"},
    "kubernetes": {},
}
"""The configuration of a stack, by cloud."""


def programs() -> Iterator[tuple[str, Callable[[], None], dict[str, str]]]:
    """Each program by name with its configuration: a function of a module, whose docstring names its page."""
    for file in sorted(Path(__file__).with_name("unusual").glob("*.py")):
        module = import_module(f"tests.simulate.unusual.{file.stem}")
        for name, program in getmembers(module, isfunction):
            if not name.startswith("_") and program.__module__ == module.__name__:
                yield f"{file.stem}-{name}", program, CONFIG[file.stem.partition("_")[0]]


PROGRAMS: Final = [pytest.param(program, config, id=name) for name, program, config in programs()]


@pytest.mark.parametrize(("program", "config"), PROGRAMS)
def test_what_is_documented_is_not_refused(program: Callable[[], None], config: dict[str, str]) -> None:
    assert blocking(program, config, preview=False) == []


@pytest.mark.parametrize(("program", "config"), PROGRAMS[::4])
def test_nor_is_it_before_values_are_known(program: Callable[[], None], config: dict[str, str]) -> None:
    """Some of them: what a preview leaves unknown is little judged."""
    assert blocking(program, config, preview=True) == []


def blocking(program: Callable[[], None], config: dict[str, str], *, preview: bool) -> list[Finding]:
    return [finding for finding in rehearse(program, config=config, preview=preview).findings if finding.blocks]
