"""A report in Markdown tells a reviewer what blocks first, and nothing in it calls a person or breaks a table."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import example, given
from tests.graphs import graph_of, resource
from tests.report.assessments import BUDGET, CLOUD, TEXTS, assessment

from penstock.app.assess import overview_of
from penstock.changes.diff import diff as compare
from penstock.changes.diff_findings import findings_of
from penstock.core.findings import Severity
from penstock.report import markdown, markdown_text
from penstock.report.assessment import Assessment
from penstock.simulate.run import rehearse


def cells(row: str) -> list[str]:
    """The cells of a row as GitHub splits them: a backslash keeps the mark behind it in its cell."""
    return re.sub(r"\\[!-/:-@\[-`{-~]", "..", row).split("|")[1:-1]


def tables(text: str) -> list[list[str]]:
    return [cells(line) for line in text.splitlines() if line.startswith("|")]


def test_what_blocks_stands_open_and_the_rest_is_folded() -> None:
    opened, _, folded = markdown.render(assessment()).partition("<details>")

    assert "aws-ebs-encrypted" in opened
    assert "`storage.py:7`" in opened
    assert "**1 problem**, 2 pieces of advice." in opened
    assert "1 policy check passed (single rules), 1 failed, 1 undetermined, 1 waived." in opened
    assert "aws-vpc-cidr-size" not in opened
    for reported in ("aws-vpc-cidr-size", "BUDGET-001", "1 waived", "1 undetermined", "2027-01-31"):
        assert reported in folded


def test_what_is_fine_is_reported_in_a_line() -> None:
    text = markdown.render(Assessment(environment="dev", findings=()))

    assert text == "<!-- penstock check: dev -->\n## Penstock: `dev`\n\nNothing blocks."


def test_a_framework_shows_its_controls_and_that_nobody_verified_them() -> None:
    text = markdown.render(assessment(frameworks=["gdpr"]))

    assert "<summary>GDPR" in text
    assert "| `Art. 32(1)(a)` | Personal data is encrypted |" in text
    assert "unverified" in text


def test_nobody_is_called_and_no_issue_linked() -> None:
    text = markdown.render(assessment())

    assert "@\N{ZERO WIDTH SPACE}ml-team" in text
    assert "#\N{ZERO WIDTH SPACE}12" in text


@pytest.mark.parametrize("name", ["dev", "stacks/Pulumi.dev.yaml", "--><script>", "a b", "dev\n"])
def test_a_marker_is_one_comment_that_names_the_stack(name: str) -> None:
    line, *_ = markdown.render(Assessment(environment=name, findings=())).split("\n")

    assert re.fullmatch(r"<!-- penstock check: [\w.-]+ -->", line)
    assert line.count("--") == 2
    assert ("dev" in name) == (line == "<!-- penstock check: dev -->") or name == "dev\n"


def test_reports_of_different_commands_have_different_markers() -> None:
    after = rehearse(lambda: None)
    changes = compare(after.graph, after)
    reports = (
        assessment(),
        overview_of(after, environment="dev", cloud=None),
        overview_of(after, environment="dev", cloud=None, changes=changes),
    )

    commands = [markdown.render(each).split(":")[0] for each in reports]

    assert commands == ["<!-- penstock check", "<!-- penstock rehearse", "<!-- penstock diff"]


def test_a_change_is_told_in_one_sentence_and_one_table() -> None:
    machine = resource("aws:ec2/instance:Instance", "m", inputs={"instanceType": "m7i.2xlarge"})
    bucket = resource("aws:s3/bucket:Bucket", "data")
    after = replace(rehearse(lambda: None), graph=graph_of(machine))
    changes = compare(graph_of(bucket), after)

    text = markdown.render(overview_of(after, environment="dev", cloud=None, changes=changes))
    sentence = text.split("\n\n")[1]

    assert sentence.startswith("**1 problem**; 1 deleted; data of 1 resource lost; ")
    assert "USD" in sentence
    assert text.partition("<details")[0].count("|---|") == 1
    assert "<details open><summary><b>Data will be lost</b></summary>" in text


@pytest.mark.parametrize("text", ["a|b", "[x](http://evil)", "<img src=x>", "**b**", "`c`", "a\nb", "&lt;b&gt;", "$x$"])
def test_what_a_program_says_stays_text(text: str) -> None:
    reported = markdown_text.plain(text)

    assert "\n" not in reported
    assert not re.search(r"(?<!\\)[|`*<\[\]$]", reported)
    assert not re.search(r"&(?!amp;)", reported)


@given(message=TEXTS, hint=TEXTS, path=TEXTS)
@example(message="a`|`b", hint="\\", path="``|x`")
@example(message="\\|", hint="|\\", path="\\")
def test_no_text_breaks_a_table(message: str, hint: str, path: str) -> None:
    finding = replace(CLOUD, severity=Severity.ERROR, message=message, hint=hint, path=path)

    text = markdown.render(Assessment(environment="dev", findings=(finding,)))

    assert [len(row) for row in tables(text)] == [4, 4, 4]


def test_a_report_on_very_much_fits_into_a_comment() -> None:
    many = tuple(replace(BUDGET, path=f"path[{index}]", message="x" * 2000) for index in range(1000))

    text = markdown.render(Assessment(environment="dev", findings=many))

    assert len(text) <= markdown.MOST_CHARACTERS
    assert f"{1000 - markdown_text.MOST_ROWS} more are left out here." in text


def test_a_place_has_its_column() -> None:
    placed = replace(BUDGET, file="Pulumi.dev.yaml", line=7, column=12)

    text = markdown.render(Assessment(environment="dev", findings=(placed,)))

    assert "`Pulumi.dev.yaml:7:12`" in text


def test_what_blocks_has_the_room_that_a_comment_has() -> None:
    long = replace(BUDGET, message="&" * 400, hint="*" * 400)
    many = tuple(
        replace(long, path=f"{severity}[{index}]", severity=severity)
        for severity in (Severity.WARNING, Severity.ERROR)
        for index in range(50)
    )

    text = markdown.render(Assessment(environment="dev", findings=many))
    reported = len(tables(text)) - 2 * 2  # each table has two lines of a head

    assert len(text) <= markdown.MOST_CHARACTERS
    assert text.count("<details") == text.count("</details>") == 2
    assert "error[0]" in text
    assert "warning[39]" not in text
    assert text.endswith(f"\n{2 * markdown_text.MOST_ROWS - reported} rows more would not fit into a comment.")


def test_of_very_much_that_is_lost_a_comment_tells_some() -> None:
    buckets = graph_of(*(resource("aws:s3/bucket:Bucket", f"bucket-{index}") for index in range(1000)))
    lost = compare(buckets, replace(rehearse(lambda: None), graph=graph_of()))

    text = markdown.render(Assessment(environment="dev", findings=findings_of(lost), changes=lost))

    assert len(lost.data_lost) == 1000
    assert len(text) <= markdown.MOST_CHARACTERS
    assert text.count("\n- ") == markdown_text.MOST_ROWS
    assert re.search(r"\*\*[0-9]+ problems?\*\*", text)
    assert len(tables(text)) > markdown_text.MOST_ROWS
