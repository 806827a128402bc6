"""What policies say is counted by what came of it, and all that is no pass is there for machines."""

from __future__ import annotations

from dataclasses import replace

from tests.report.assessments import REASON, report

from penstock.policies.exemptions import Exemption
from penstock.report import policies
from penstock.rules.judge import Report


def with_exemption(reported: Report) -> Report:
    """The report as if a fact exempted what is waived in it."""
    fact = Exemption(
        "a fact", frozenset({"aws-ebs-encrypted"}), (), "", (), "", "It must be so.", "a page", "2026-11", False
    )
    answers = tuple(replace(each, waiver=None, exemption=fact) if each.waiver else each for each in reported.answers)
    return replace(reported, answers=answers)


def test_a_person_reads_what_is_waived_what_is_doubtful_and_the_counts() -> None:
    assert list(policies.lines(report())) == [
        "Waived policies:",
        f"  aws-ebs-encrypted  excused (Volume): {REASON} (ml, until 2027-01-31)",
        "Undetermined policies: 1 of encryption-at-rest.",
        "1 policy check passed (single rules), 1 failed, 1 undetermined, 1 waived.",
    ]


def test_where_no_policy_applies_nothing_is_said() -> None:
    assert not list(policies.lines(report(rules={"aws-ebs-encrypted": "disabled"}, waivers=())))


def test_a_machine_reads_each_of_them() -> None:
    reported = policies.document(report())

    assert reported["packs"] == []
    assert reported["counts"] == {"encryption-at-rest": {"pass": 1, "fail": 1, "unknown": 1, "waived": 1, "exempt": 0}}
    assert [(each["rule"], each["urn"].rpartition("::")[2]) for each in reported["unknown"]] == [
        ("aws-ebs-encrypted", "doubtful")
    ]
    (waived,) = reported["waived"]
    assert (waived["reason"], waived["owner"], waived["expires"]) == (REASON, "ml", "2027-01-31")
    assert waived["messages"] == ["encrypted is false"]


def test_an_exemption_is_reported_with_its_source() -> None:
    (exempt,) = policies.document(with_exemption(report()))["exempt"]

    assert (exempt["exemption"], exempt["reason"], exempt["source"]) == ("a fact", "It must be so.", "a page")


def test_frameworks_are_reported_by_control() -> None:
    (view,) = policies.document(report(frameworks=["gdpr"]))["frameworks"]
    control = next(each for each in view["controls"] if each["control"] == "Art. 32(1)(a)")

    assert "aws-ebs-encrypted" in control["failed"]
    assert control["waived"] == ["aws-ebs-encrypted"]
    assert control["unverified"]
