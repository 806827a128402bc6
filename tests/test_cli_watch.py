"""A watch, as a person has it in a terminal: what it shows after each save, and how it ends."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

PENSTOCK = Path(sys.executable).with_name("penstock")
PROGRAM = """
import pulumi, sizes
from pulumi_aws import ebs
for number in range(pulumi.Config().require_int("volumes")):
    ebs.Volume(f"v{number}", availability_zone="us-east-1a", size=sizes.SIZE, encrypted=True)
"""
LONGEST_S = 30
"""The time after which a verdict that does not come fails its test."""


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

    def verdict(self, words: str) -> str:
        """Wait until something is printed that has these words, and return all that is new."""
        deadline = time.monotonic() + LONGEST_S
        while time.monotonic() < deadline and self.process.poll() is None:
            text = self.output.read_text(encoding="utf-8")[self.seen :]
            if re.search(words, text) and text.endswith("\n"):
                self.seen += len(text)
                return text
            time.sleep(0.01)
        pytest.fail(f"there is no {words!r} in {self.output.read_text(encoding='utf-8')}")

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
    watched.verdict("1 resource; no findings")
    yield watched
    watched.process.kill()
    watched.process.wait()


def test_saves_of_the_configuration_the_program_and_its_modules_are_seen(watch: Watch) -> None:
    watch.write("Pulumi.dev.yaml", "config: {p:volumes: 3}\n")
    assert "(2 new)" in watch.verdict("3 resources")

    watch.write("sizes.py", "SIZE = -1\n")
    assert "new error" in watch.verdict("3 errors")

    watch.write("sizes.py", "SIZE = 200\n")
    assert watch.verdict("no findings").count("gone") == 3

    watch.write("__main__.py", PROGRAM.replace("encrypted=True", "encrypted=True, type='gp3'"))
    assert "(3 changed)" in watch.verdict("3 resources")


def test_half_a_file_and_a_program_that_fails_are_reported_and_the_watch_goes_on(watch: Watch) -> None:
    watch.write("Pulumi.dev.yaml", "config: {p:volumes: [\n")
    assert "Pulumi.dev.yaml:" in watch.verdict("nothing was rehearsed")

    watch.write("Pulumi.dev.yaml", "config: {p:volumes: 2}\n")
    watch.verdict("2 resources")

    watch.write("sizes.py", "SIZE = = 1\n")
    assert "sizes.py" in watch.verdict("nothing was rehearsed")

    watch.write("sizes.py", "import more\nSIZE = more.SIZE\n")
    assert "more" in watch.verdict("nothing was rehearsed")

    watch.write("more.py", "SIZE = 10\n")
    watch.verdict("2 resources")


def test_each_run_begins_afresh(watch: Watch) -> None:
    text = "import builtins\nSIZE = 100\nassert not hasattr(builtins, 'left')\nbuiltins.left = 1\n"
    for number in (2, 3):
        watch.write("sizes.py", text)
        watch.write("Pulumi.dev.yaml", f"config: {{p:volumes: {number}}}\n")
        watch.verdict(f"{number} resources")


def test_a_program_without_end_ends_by_its_timeout_and_at_once_by_the_next_save(home: Path) -> None:
    watch = Watch(home, "--timeout", "5")
    try:
        watch.verdict("1 resource")
        watch.write("sizes.py", "while True: pass\n")
        assert "--timeout" in watch.verdict("nothing was rehearsed")
    finally:
        watch.end()
    patient = Watch(home, "--timeout", "10000")
    try:
        patient.verdict("Watching")
        patient.write("sizes.py", "SIZE = 100\n")
        patient.verdict("1 resource")
    finally:
        patient.end()


def test_ctrl_c_ends_it_with_its_own_status_and_leaves_nothing_running(watch: Watch) -> None:
    watch.write(
        "sizes.py", "import os, pathlib, time\npathlib.Path('pid').write_text(str(os.getpid()))\ntime.sleep(600)\n"
    )
    pid = watch.home / "pid"
    while not (pid.exists() and pid.read_text()):
        time.sleep(0.01)

    assert watch.end() == 130
    assert "No longer watching. Nothing was created." in watch.output.read_text()
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


def test_secrets_of_the_configuration_are_not_shown(watch: Watch) -> None:
    watch.write("sizes.py", "import pulumi\nprint('it is', pulumi.Config().get('password'))\nSIZE = 100\n")
    watch.write("Pulumi.dev.yaml", "config: {p:volumes: 2, p:password: hunter2-hunter2}\n")

    assert "hunter2" not in watch.verdict("2 resources")


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
