"""What a program says itself never repeats a secret."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pulumi
import pytest
from pulumi_random import RandomString

from penstock.core.errors import ProgramFailed
from penstock.simulate.run import Rehearsal, rehearse

CONFIG = {"project:token": "hunter2", "project:keys": '{"old": ["hunter3"]}'}


def run(program: Callable[[], object]) -> Rehearsal:
    return rehearse(program, config=CONFIG, secret_keys=tuple(CONFIG))


def fail(value: object) -> None:
    raise ValueError(f"cannot use {value}")


def within_a_group() -> None:
    raise ExceptionGroup("both", [ValueError("no hunter2"), KeyError("no hunter3")])


@pytest.mark.parametrize(
    "program",
    [
        lambda: fail(pulumi.Config().require("token")),
        lambda: fail(pulumi.Config().require("keys")),
        lambda: fail("hunter3"),
        lambda: pulumi.Output.secret({"key": ["hunter4"]}).apply(fail),
        lambda: pulumi.Output.all(pulumi.Output.secret("hunter4"), "b").apply(fail),
        within_a_group,
        lambda: fail("postgres://admin:hunter5@host/db"),
        lambda: sys.exit("hunter2 is missing"),
    ],
)
def test_an_error_of_the_program_shows_no_secret(program: Callable[[], object]) -> None:
    with pytest.raises(ProgramFailed) as failed:
        run(program)

    assert "hunter" not in str(failed.value)
    assert "[secret]" in str(failed.value) or "(hidden)" in str(failed.value)


def test_what_a_program_logs_shows_no_secret(capsys: pytest.CaptureFixture[str]) -> None:
    def program() -> None:
        made = RandomString("r", length=4, keepers={"key": pulumi.Output.secret("hunter4")})
        made.result.apply(lambda _: pulumi.log.warn("the key is hunter4"))
        pulumi.log.error("the token is hunter2")

    run(program)

    said = capsys.readouterr().err
    assert "the token is [secret]" in said
    assert "the key is [secret]" in said


def test_an_error_without_secrets_is_reported_as_it_is() -> None:
    with pytest.raises(ProgramFailed, match="cannot use 4 true"):
        run(lambda: fail("4 true"))


def test_a_time_beside_a_secret_is_none() -> None:
    def program() -> None:
        pulumi.Output.secret({"password": "hunter4", "createdAt": "2026-01-01T00:00:00Z"}).apply(
            lambda _: fail("hunter4 since 2026-01-01T00:00:00Z")
        )

    with pytest.raises(ProgramFailed) as failed:
        run(program)

    assert "since 2026-01-01T00:00:00Z" in str(failed.value)
    assert "hunter" not in str(failed.value)
