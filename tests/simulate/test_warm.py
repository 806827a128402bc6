"""A warm process: each run begins afresh, is reported once, and takes nothing with it when it is killed."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from typing import NoReturn

import pytest

from penstock.core.errors import Unfinished
from penstock.simulate import run_notes
from penstock.simulate.warm import WarmProcess

counted: list[str] = []
Start = Callable[..., WarmProcess]


@pytest.fixture
def warm() -> Iterator[Start]:
    """Starts a warm process that ends with the test."""
    started: list[WarmProcess] = []

    def start(command: Callable[..., NoReturn], prepare: Callable[..., None] | None = None) -> WarmProcess:
        started.append(WarmProcess(command, prepare))
        return started[-1]

    yield start
    for each in started:
        each.close()


def counting(word: str) -> NoReturn:
    """A command that leaves something in its process."""
    counted.append(word)
    sys.stdout.write(f"{','.join(counted)}\n")
    sys.stderr.write(f"no {word}\n")
    run_notes.note({"word": word})
    sys.exit(len(word))


def waiting(word: str) -> NoReturn:
    """A command that ends at once, or never."""
    while word == "long":
        time.sleep(0.01)
    sys.exit(0)


def test_each_run_begins_afresh_and_is_reported_with_all_it_says(warm: Start) -> None:
    process = warm(counting)
    numbers = {process.begin(word): word for word in ("a", "bc", "def")}
    runs = [process.finished() for _ in numbers]

    assert {run.number: run.arguments for run in runs} == {number: (word,) for number, word in numbers.items()}
    for run in runs:
        (word,) = run.arguments
        assert (run.status, run.result, run.messages) == (len(word), f"{word}\n", f"no {word}\n")
        assert run.note is not None
        assert run.note.verdict == {"word": word}
        assert "penstock.simulate.warm" in run.note.modules
    assert counted == []


def test_what_is_prepared_stays_for_the_runs_that_follow(warm: Start) -> None:
    process = warm(counting, counted.append)
    process.prepare("before")
    process.begin("a")

    assert process.finished().result == "before,a\n"


def test_a_run_that_is_killed_has_no_verdict(warm: Start) -> None:
    def dies(_: str) -> NoReturn:
        os.kill(os.getpid(), signal.SIGKILL)
        sys.exit(0)

    process = warm(dies)
    process.begin("a")
    run = process.finished()

    assert run.status == -signal.SIGKILL
    assert run.note is None


def test_a_run_that_is_given_up_is_not_reported(warm: Start) -> None:
    process = warm(waiting)
    process.begin("long")
    process.abandon()
    number = process.begin("short")

    assert process.finished().number == number


def test_a_process_that_is_gone_is_an_error_of_its_own(warm: Start) -> None:
    process = warm(lambda _: os.kill(os.getppid(), signal.SIGKILL))
    process.begin("a")

    with pytest.raises(Unfinished):
        process.finished()


def test_the_files_that_a_run_reads_are_noted_but_not_those_of_libraries(
    warm: Start, tmp_path: os.PathLike[str]
) -> None:
    own = os.path.join(tmp_path, "own.txt")  # noqa: PTH118
    with open(own, "w", encoding="utf-8") as file:  # noqa: PTH123
        file.write("x")

    def reads(_: str) -> NoReturn:
        with open(own, encoding="utf-8"), open(os.__file__, encoding="utf-8"):  # noqa: PTH123
            run_notes.note({})
        sys.exit(0)

    process = warm(reads)
    process.begin("a")
    note = process.finished().note

    assert note is not None
    assert list(note.files) == [own]
