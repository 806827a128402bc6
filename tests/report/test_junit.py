"""A report in JUnit's XML fails where a finding blocks, and shows advice, doubts and waivers as skipped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from xml.etree import ElementTree as ET

from hypothesis import example, given
from tests.report.assessments import BUDGET, CLOUD, REASON, TEXTS, assessment

from penstock.core.findings import Severity
from penstock.report import junit
from penstock.report.assessment import Assessment


def parsed(reported: Assessment) -> ET.Element:
    return ET.fromstring(junit.render(reported))


def cases(reported: Assessment) -> Iterator[tuple[str, str, str]]:
    """The suite, the name and the outcome of each case."""
    for suite in parsed(reported):
        for case in suite:
            yield suite.attrib["name"], case.attrib["name"], next(child.tag for child in case)


def test_a_rule_on_a_resource_is_a_case_of_its_concern() -> None:
    found = {(suite, name.rpartition("::")[2]): outcome for suite, name, outcome in cases(assessment())}

    assert found == {
        ("encryption-at-rest", "plain"): "failure",
        ("encryption-at-rest", "excused"): "skipped",
        ("encryption-at-rest", "doubtful"): "skipped",
        ("encryption-at-rest", "all other checks"): "system-out",
        ("cloud", "net"): "skipped",
        ("cloud", "doubtful"): "skipped",
        ("cloud", "all other checks"): "system-out",
        ("budget", "BUDGET-001"): "skipped",
    }


def test_counts_are_those_of_the_cases() -> None:
    root = parsed(assessment())

    for element, inside in ((root, root.iter("testcase")), *((suite, iter(suite)) for suite in root)):
        tags = [next(child.tag for child in case) for case in inside]
        assert element.attrib["tests"] == str(len(tags))
        assert element.attrib["failures"] == str(tags.count("failure"))
        assert element.attrib["skipped"] == str(tags.count("skipped"))


def test_a_failure_tells_where_it_is_and_what_is_wrong() -> None:
    (failure,) = parsed(assessment()).iter("failure")
    (case,) = (case for case in parsed(assessment()).iter("testcase") if case.find("failure") is not None)

    assert failure.attrib["message"] == "encrypted is false"
    assert "storage.py:7" in (failure.text or "")
    assert (case.attrib["file"], case.attrib["line"]) == ("storage.py", "7")


def test_a_waiver_is_reported_with_its_reason() -> None:
    messages = [each.attrib["message"] for each in parsed(assessment()).iter("skipped")]

    assert f"waived: {REASON} (ml, until 2027-01-31)" in messages


def test_a_doubt_that_the_settings_want_to_see_is_one_case_only() -> None:
    found = [name for suite, name, _ in cases(assessment(unknown="mandatory")) if suite == "encryption-at-rest"]

    assert len(found) == len(set(found))
    assert ("encryption-at-rest", "failure") in {
        (suite, outcome) for suite, name, outcome in cases(assessment(unknown="mandatory")) if "doubtful" in name
    }


def test_several_failures_of_one_rule_on_one_resource_are_one_case() -> None:
    reported = Assessment(
        environment="dev", findings=(CLOUD, replace(CLOUD, severity=Severity.ERROR, path="tags", message="no tags"))
    )

    ((_, _, outcome),) = cases(reported)
    (failure,) = parsed(reported).iter("failure")

    assert outcome == "failure"
    assert "no tags" in failure.attrib["message"]
    assert "10 is no range" in failure.attrib["message"]


@given(message=TEXTS, name=TEXTS, file=TEXTS)
@example(message="]]>", name="a\nb", file="\0\ud800\x1b\ufffe")
def test_no_odd_finding_ends_a_report(message: str, name: str, file: str) -> None:
    odd = replace(BUDGET, message=message, path=name, file=file)

    assert len(list(cases(Assessment(environment=name, findings=(odd,))))) == 1
