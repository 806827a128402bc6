"""A watch, as a person has it in a terminal: what it shows after each save, and how it ends."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.patience import becomes

pytestmark = pytest.mark.slow

PENSTOCK = Path(sys.executable).with_name("penstock")
PROGRAM = """
import pulumi, sizes
from pulumi_aws import ebs
for number in range(pulumi.Config().require_int("volumes")):
    ebs.Volume(f"v{number}", availability_zone="us-east-1a", size=sizes.SIZE, encrypted=True)
"""
FOREVER = "import pathlib\npathlib.Path('begun').touch()\nwhile True: pass\n"


class Watch:
    """A command that watches, and what it has printed."""

    def __init__(self, home: Path, *options: str) -> None:
        self.home, self.output = home, home.with_name("output")
        with self.output.open("wb") as printed:
            self.process = subprocess.Popen(
                [str(PENSTOCK), "rehearse", "dev", "--watch", *options],
                cwd=home,
                stdout=printed,
                stderr=subprocess.STDOUT,
            )
        self.seen = 0

    def shows(self, *patterns: str) -> str:
        """Wait until all patterns are in the new output, which is printed line by line, and return it."""
        assert becomes(lambda: self._has(patterns) or self.process.poll() is not None)
        text = self._new()
        assert self._has(patterns), f"there is no {patterns!r} in {text}"
        self.seen += len(text)
        return text

    def _new(self) -> str:
        text = self.output.read_text(encoding="utf-8", errors="replace")[self.seen :]
        return text[: text.rfind("\n") + 1]

    def _has(self, patterns: tuple[str, ...]) -> bool:
        text = self._new()
        return all(re.search(pattern, text, re.DOTALL) for pattern in patterns)

    def write(self, file: str, text: str) -> None:
        (self.home / file).write_text(text, encoding="utf-8")

    def end(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "Pulumi.yaml").write_text("name: p\nruntime: python\n")
    (folder / "Pulumi.dev.yaml").write_text("config: {p:volumes: 1}\n")
    (folder / "sizes.py").write_text("SIZE = 100\n")
    (folder / "__main__.py").write_text(PROGRAM)
    return folder


@pytest.fixture
def watch(home: Path) -> Iterator[Watch]:
    watched = Watch(home)
    watched.shows("1 resource; no findings")
    yield watched
    watched.process.kill()
    watched.process.wait()


def test_saves_of_the_configuration_the_program_and_its_modules_are_seen(watch: Watch) -> None:
    watch.write("Pulumi.dev.yaml", "config: {p:volumes: 3}\n")
    watch.shows("3 resources", r"\(2 new\)")

    watch.write("sizes.py", "SIZE = -1\n")
    watch.shows("3 errors", "new error")

    watch.write("sizes.py", "SIZE = 200\n")
    watch.shows("no findings", "(gone.*){3}")

    watch.write("__main__.py", PROGRAM.replace("encrypted=True", "encrypted=True, type='gp3'"))
    watch.shows("3 resources", r"\(3 changed\)")


def test_half_a_file_and_a_program_that_fails_are_reported_and_the_watch_goes_on(watch: Watch) -> None:
    watch.write("Pulumi.dev.yaml", "config: {p:volumes: [\n")
    watch.shows("nothing was rehearsed", "Pulumi.dev.yaml:")

    watch.write("Pulumi.dev.yaml", "config: {p:volumes: 2}\n")
    watch.shows("2 resources")

    watch.write("sizes.py", "SIZE = = 1\n")
    watch.shows("nothing was rehearsed", "sizes.py")

    watch.write("sizes.py", "import more\nSIZE = more.SIZE\n")
    watch.shows("nothing was rehearsed", "more")

    watch.write("more.py", "SIZE = 10\n")
    watch.shows("2 resources")


def test_each_run_begins_afresh(watch: Watch) -> None:
    text = "import builtins\nSIZE = 100\nassert not hasattr(builtins, 'left')\nbuiltins.left = 1\n"
    for number in (2, 3):
        watch.write("sizes.py", text)
        watch.write("Pulumi.dev.yaml", f"config: {{p:volumes: {number}}}\n")
        watch.shows(f"{number} resources")


def test_a_program_without_end_ends_by_its_timeout_and_at_once_by_the_next_save(home: Path) -> None:
    (home / "sizes.py").write_text(FOREVER)
    hasty = Watch(home, "--timeout", "5")
    try:
        hasty.shows("nothing was rehearsed", "--timeout")
    finally:
        hasty.end()
    (home / "begun").unlink(missing_ok=True)
    patient = Watch(home, "--timeout", "10000")
    try:
        patient.shows("Watching")
        assert becomes((home / "begun").exists)
        patient.write("sizes.py", "SIZE = 100\n")
        patient.shows("1 resource")
    finally:
        patient.end()


def test_ctrl_c_ends_it_with_its_own_status_and_leaves_nothing_running(watch: Watch) -> None:
    watch.write(
        "sizes.py", "import os, pathlib, time\npathlib.Path('pid').write_text(str(os.getpid()))\ntime.sleep(600)\n"
    )
    pid = watch.home / "pid"
    assert becomes(lambda: pid.exists() and pid.read_text() != "")

    assert watch.end() == 130
    assert "No longer watching. Nothing was created." in watch.output.read_text()
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


def test_secrets_of_the_configuration_are_not_shown(watch: Watch) -> None:
    watch.write("sizes.py", "import pulumi\nprint('it is', pulumi.Config().get('password'))\nSIZE = 100\n")
    watch.write("Pulumi.dev.yaml", "config: {p:volumes: 2, p:password: hunter2-hunter2}\n")

    assert "hunter2" not in watch.shows("2 resources", "it is")


@pytest.mark.parametrize("options", [("--format", "json"), ("--out", "report.txt"), ("--all",)])
def test_what_does_not_go_with_a_watch_is_refused(home: Path, options: tuple[str, ...]) -> None:
    done = subprocess.run(
        [PENSTOCK, "check", "dev", "--watch", *options], cwd=home, capture_output=True, text=True, check=False
    )

    assert done.returncode == 2
    assert "--watch" in done.stderr


def test_a_stack_that_is_not_there_is_refused_at_once(home: Path) -> None:
    done = subprocess.run([PENSTOCK, "check", "prod", "--watch"], cwd=home, capture_output=True, text=True, check=False)

    assert done.returncode == 2
    assert "no stack 'prod'" in done.stderr
