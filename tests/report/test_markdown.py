"""A report in Markdown tells a reviewer what blocks first, and nothing in it calls a person or breaks a table."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.report.assessments import BUDGET, CLOUD, assessment

from penstock.findings import Severity
from penstock.report import markdown
from penstock.report.assessment import Assessment

MOST_IN_A_COMMENT = 65_536


def cells(row: str) -> list[str]:
    """The cells of a row as GitHub splits them: a backslash keeps the mark behind it in its cell."""
    return re.sub(r"\\[!-/:-@\[-`{-~]", "..", row).split("|")[1:-1]


def tables(text: str) -> list[list[str]]:
    return [cells(line) for line in text.splitlines() if line.startswith("|")]


def test_what_blocks_stands_open_and_the_rest_is_folded() -> None:
    opened, _, folded = markdown.render(assessment()).partition("<details>")

    assert "aws-ebs-encrypted" in opened
    assert "`storage.py:7`" in opened
    assert "**1 problem to mend**, 2 pieces of advice." in opened
    assert "1 policy check passed (single rules), 1 failed, 1 could not tell, 1 waived." in opened
    assert "AWS-VPC-001" not in opened
    for told in ("AWS-VPC-001", "BUDGET-001", "1 waived", "1 could not tell", "2027-01-31"):
        assert told in folded


def test_what_is_fine_is_told_in_a_line() -> None:
    text = markdown.render(Assessment(environment="dev", findings=()))

    assert text == "## Penstock: `dev`\n\nNothing blocks."


def test_a_framework_shows_its_controls_and_that_nobody_verified_them() -> None:
    text = markdown.render(assessment(frameworks=["hipaa"]))

    assert "<summary>HIPAA" in text
    assert "| `164.312(a)(2)(iv)` | Stored health data is encrypted |" in text
    assert "unverified" in text


def test_nobody_is_called_and_no_issue_linked() -> None:
    text = markdown.render(assessment())

    assert "@\N{ZERO WIDTH SPACE}ml-team" in text
    assert "#\N{ZERO WIDTH SPACE}12" in text


@pytest.mark.parametrize("text", ["a|b", "[x](http://evil)", "<img src=x>", "**b**", "`c`", "a\nb", "&lt;b&gt;", "$x$"])
def test_what_a_program_says_stays_text(text: str) -> None:
    told = markdown.plain(text)

    assert "\n" not in told
    assert not re.search(r"(?<!\\)[|`*<\[\]$]", told)
    assert not re.search(r"&(?!amp;)", told)


@given(message=st.text(), hint=st.text(), path=st.text(min_size=1))
@example(message="a`|`b", hint="\\", path="``|x`")
@example(message="\\|", hint="|\\", path="\\")
def test_no_text_breaks_a_table(message: str, hint: str, path: str) -> None:
    finding = replace(CLOUD, severity=Severity.ERROR, message=message, hint=hint, path=path)

    text = markdown.render(Assessment(environment="dev", findings=(finding,)))

    assert [len(row) for row in tables(text)] == [4, 4, 4]


def test_a_report_on_very_much_fits_into_a_comment() -> None:
    many = tuple(replace(BUDGET, path=f"path[{index}]", message="x" * 2000) for index in range(1000))

    text = markdown.render(Assessment(environment="dev", findings=many))

    assert len(text) < MOST_IN_A_COMMENT
    assert f"{1000 - markdown.MOST_ROWS} more are left out here." in text
