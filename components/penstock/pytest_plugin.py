"""The pytest plugin of `penstock.testing`, which loads by itself where Penstock is installed.

It costs nothing until a test uses it: Pulumi and the SDKs are imported then.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import chdir, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from penstock.testing import Rehearsable, RehearsalResult

_PROJECT: Final = "penstock_project"
_OF_SDKS: Final = r"ignore:.*deprecated:DeprecationWarning:pulumi_\w+"
"""The SDKs of providers warn of their own deprecated classes as they are imported."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the setting for the folder of the Pulumi project."""
    parser.addini(_PROJECT, "The folder of the Pulumi project that the fixture rehearse looks in.", default="")


def pytest_configure(config: pytest.Config) -> None:
    """Ignore the deprecation warnings that come from the SDKs' own modules."""
    config.addinivalue_line("filterwarnings", _OF_SDKS)


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """Explain why two lists of findings, changes or resources are not equal."""
    if op != "==" or "penstock.testing" not in sys.modules:
        return None
    from penstock.testing import failures

    return failures.not_equal(left, right)


@pytest.fixture(scope="session")
def rehearse(pytestconfig: pytest.Config) -> Callable[..., RehearsalResult]:
    """Return `penstock.testing.rehearse`, with stacks and paths relative to the folder `penstock_project`.

    Without that setting it is the folder that pytest is run in.
    """
    configured = pytestconfig.getini(_PROJECT)
    folder = pytestconfig.rootpath / configured if configured else pytestconfig.invocation_params.dir
    if not folder.is_dir():
        raise pytest.UsageError(f"{_PROJECT}: {folder} is not a folder")

    def run(what: Rehearsable, **options: Any) -> RehearsalResult:
        __tracebackhide__ = True
        from penstock import testing

        with chdir(folder) if isinstance(what, str | Path) else nullcontext():
            return testing.rehearse(what, **options)

    return run
