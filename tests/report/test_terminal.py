"""Nothing that a program, a state or a stack file says commands the terminal, or the log that is made of it."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable
from dataclasses import replace

import pulumi
import pytest
from hypothesis import example, given
from pulumi_aws import ebs
from rich.console import Console
from tests.report.assessments import CLOUD, TEXTS, assessment

from penstock.app.assess import overview_of
from penstock.changes.diff import diff
from penstock.changes.diff_findings import findings_of
from penstock.report import changes, terminal
from penstock.report.assessment import Assessment
from penstock.report.progress import counting
from penstock.simulate.run import Rehearsal, rehearse

STEERING = re.compile(
    r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]|^\s*::|##\w*\[", re.MULTILINE
)
NAME = "data\x1b[31m\n::error::\u202e##vso[task.complete]\x9b2J[/red]"


def printed(show: Callable[[Console], None]) -> str:
    page = io.StringIO()
    show(Console(file=page, width=120))
    return page.getvalue()


def rehearsed(size: int = 1) -> Rehearsal:
    def program() -> None:
        component = pulumi.ComponentResource("any:Component", NAME)
        component.register_outputs({"summary": NAME})
        of_it = pulumi.ResourceOptions(parent=component)
        ebs.Volume(NAME, availability_zone="us-east-1a", size=size, tags={"Name": NAME}, opts=of_it)

    return rehearse(program)


@given(message=TEXTS, hint=TEXTS, path=TEXTS, urn=TEXTS, file=TEXTS)
@example(message=NAME, hint="::stop-commands::x", path=NAME, urn=NAME, file=NAME)
def test_no_finding_steers_the_terminal(message: str, hint: str, path: str, urn: str, file: str) -> None:
    odd = replace(CLOUD, message=message, hint=hint, path=path, urn=urn, file=file)
    nowhere = replace(odd, file=None, line=None)
    reported = Assessment(environment="dev", findings=(odd, nowhere))

    assert not STEERING.search(printed(lambda console: terminal.show_check(reported, console, ending="")))


def test_line_ends_of_values_are_escaped_so_that_a_finding_has_a_line_for_each_part() -> None:
    reported = replace(CLOUD, urn="urn:pulumi:s::p::t::two\nlines", path=None, message="this\n\nNo findings.\r\n")

    head, *rest = printed(
        lambda console: terminal.show_findings(Assessment(environment="dev", findings=(reported,)), console)
    ).splitlines()

    assert r"two\nlines (t)  [aws-vpc-cidr-size]" in head
    assert rest == [r"  this\n\nNo findings.\r\n", f"  {CLOUD.hint}"]


def test_no_name_steers_the_terminal_in_a_rehearsal() -> None:
    reported = overview_of(rehearsed(), environment=NAME, cloud=None, policies=assessment().policies)

    text = printed(lambda console: terminal.show(reported, console, seconds=1))

    assert "data" in text
    assert not STEERING.search(text)


def checked(*, verbose: bool) -> list[str]:
    return printed(lambda console: terminal.show_check(assessment(), console, ending="", verbose=verbose)).splitlines()


def test_undetermined_rules_are_counted_and_verbose_lists_each_with_its_resource() -> None:
    brief, whole = checked(verbose=False), checked(verbose=True)

    assert "5 provider-rule checks passed, 1 undetermined (`--verbose` lists it)." in brief
    start = whole.index("5 provider-rule checks passed, 1 undetermined.")
    assert whole[start + 1 : start + 5] == [
        "Undetermined provider rules:",
        "  aws-ebs-size-range  doubtful (Volume)",
        "Undetermined policy checks:",
        "  aws-ebs-encrypted  doubtful (Volume)",
    ]
    assert not any("Undetermined p" in line and line.endswith(":") for line in brief)


def test_every_count_of_what_is_undetermined_says_how_to_list_it() -> None:
    brief = [line for line in checked(verbose=False) if "ndetermined" in line and "failed" not in line]

    assert len(brief) == 2
    assert all("(`--verbose` lists it)" in line for line in brief)
    assert "--verbose" not in "".join(checked(verbose=True))


@pytest.mark.parametrize("size", [1, 2])
def test_no_name_steers_the_terminal_in_a_comparison(size: int) -> None:
    compared = diff(rehearsed().graph, rehearsed(size))

    assessment = Assessment(environment="dev", findings=tuple(findings_of(compared)), changes=compared)
    text = printed(lambda console: changes.show(assessment, console, title=NAME, note=NAME))

    assert ("size: 1 → 2" in text) == (size == 2)
    assert not STEERING.search(text)


def test_no_name_ends_or_steers_what_shows_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    class Watched(io.StringIO):
        def isatty(self) -> bool:
            return True

    page = Watched()
    monkeypatch.setattr(sys, "stderr", page)

    with counting("[/dev]") as tick:
        assert tick is not None
        tick(f"urn:pulumi:s::p::t::{NAME}")

    assert "[/dev]" in page.getvalue()
    assert "\x1b[31m" not in page.getvalue()
