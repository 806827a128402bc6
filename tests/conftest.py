"""What all tests share."""

from __future__ import annotations

import gc
import os
import signal
import time
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


# What a person who runs tests may have set: tests would use a real account, or print in another form.
AMBIENT = ("ARM_", "AWS_", "AZURE_", "CLOUDSDK_", "GCLOUD_", "GOOGLE_", "KUBE", "LC_", "PULUMI_", "XDG_CONFIG_")
AMBIENT_NAMES = ("COLUMNS", "FORCE_COLOR", "LANG", "LANGUAGE", "LINES", "NO_COLOR", "PENSTOCK_PROJECT", "TZ")
EMPTY = {
    "AWS_CONFIG_FILE": os.devnull,
    "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
    "AWS_EC2_METADATA_DISABLED": "true",
    "CLOUDSDK_CONFIG": "/nonexistent/gcloud",
    "KUBECONFIG": "/nonexistent/kubeconfig",
    "PENSTOCK_PRICES": "/nonexistent/prices",
}
"""The content of files in the home folder during tests."""


def pytest_configure() -> None:
    """Gives tests the same environment everywhere, and the signals that a shell takes from a background job."""
    for name in list(os.environ):
        if name.startswith(AMBIENT) or name in AMBIENT_NAMES:
            del os.environ[name]
    os.environ.update(EMPTY)
    time.tzset()
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
