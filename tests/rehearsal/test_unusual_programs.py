"""Programs that are right by the documentation of their cloud, and that a simple-minded rule would refuse."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from inspect import getmembers, isfunction
from pathlib import Path
from typing import Final

import pytest

from penstock.rehearsal.run import rehearse

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


def programs() -> Iterator[object]:
    """Each function of a module is a program, whose docstring names the page that has it."""
    for file in sorted(Path(__file__).with_name("unusual").glob("*.py")):
        module = import_module(f"tests.rehearsal.unusual.{file.stem}")
        for name, program in getmembers(module, isfunction):
            if not name.startswith("_") and program.__module__ == module.__name__:
                yield pytest.param(program, CONFIG[file.stem.partition("_")[0]], id=f"{file.stem}-{name}")


@pytest.mark.parametrize("preview", [False, True], ids=["up", "preview"])
@pytest.mark.parametrize(("program", "config"), list(programs()))
def test_what_is_documented_is_not_refused(program: Callable[[], None], config: dict[str, str], preview: bool) -> None:
    rehearsal = rehearse(program, config=config, preview=preview)

    assert [finding for finding in rehearsal.findings if finding.blocks] == []
