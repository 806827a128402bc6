"""What all tests share."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# No test depends on how fast a machine is; in CI every run tries the same cases, and twice as many.
IN_CI = "CI" in os.environ
settings.register_profile(
    "penstock",
    deadline=None,
    derandomize=IN_CI,
    max_examples=50 if IN_CI else 25,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.load_profile("penstock")


def pytest_collection_finish() -> None:
    """Keeps the collector from the modules: the SDKs are millions of objects, and walking them costs a quarter."""
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)


def pytest_configure() -> None:
    """Takes signals again that a shell turns off for a job in the background: commands under test inherit that."""
    for number in (signal.SIGINT, signal.SIGQUIT):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--accept` writes golden files anew; a person then reads the difference before it is committed."""
    parser.addoption("--accept", action="store_true", help="write golden files anew, for a person to review")


@pytest.fixture
def penstock(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """Runs the command here; gives its status, what it printed, and what it said of errors."""
    from penstock import cli

    def run(*arguments: str | Path) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["penstock", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            cli.main()
        printed = capsys.readouterr()
        return int(end.value.code or 0), printed.out, printed.err

    return run
