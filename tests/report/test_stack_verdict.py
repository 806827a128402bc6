"""A verdict survives its way between processes, and what is shown of two of them is what differs."""

from __future__ import annotations

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from pulumi_aws import ec2
from tests.report.assessments import TEXTS

from penstock.app.assess import overview_of
from penstock.core.findings import Finding, Severity, Source
from penstock.report.fleet import _usd
from penstock.report.stack_verdict import StackVerdict, document, verdict_from, verdict_of
from penstock.report.verdict_changes import lines
from penstock.simulate.run import rehearse

FINDINGS = st.builds(
    Finding,
    code=st.sampled_from(["A-1", "B-2"]),
    severity=st.sampled_from(Severity),
    source=st.sampled_from(Source),
    message=TEXTS,
    hint=TEXTS,
    path=st.none() | TEXTS,
    file=st.none() | TEXTS,
    line=st.none() | st.integers(1, 9),
    places=st.tuples(TEXTS),
)
VERDICTS = st.builds(
    StackVerdict,
    environment=TEXTS,
    cloud=st.none() | TEXTS,
    is_result=st.booleans(),
    findings=st.lists(FINDINGS, max_size=4).map(tuple),
    resources=st.none() | st.dictionaries(TEXTS, st.integers(0, 3), max_size=3),
    monthly_usd=st.none() | st.floats(0, 1e9),
    makespan_s=st.none() | st.floats(0, 1e6),
)
ERROR = Finding(code="A-1", severity=Severity.ERROR, source=Source.CLOUD, message="too small", file="f.py", line=3)
DEV = StackVerdict(environment="dev", is_result=True, resources={"u1": 1, "u2": 2}, monthly_usd=100.0)


def shown(verdict: StackVerdict, before: StackVerdict | None) -> str:
    return "\n".join(line.plain for line in lines(verdict, before, heading="12:00:00"))


@given(verdict=VERDICTS)
def test_a_verdict_is_the_same_after_its_way(verdict: StackVerdict) -> None:
    assert verdict_from(json.loads(json.dumps(document(verdict)))) == verdict


@given(verdict=VERDICTS, heading=st.just("now"))
def test_the_same_verdict_again_shows_nothing_new_and_nothing_gone(verdict: StackVerdict, heading: str) -> None:
    assert len(list(lines(verdict, verdict, heading=heading))) == 1


def test_what_came_went_and_changed_is_shown_with_its_price() -> None:
    dearer = replace(DEV, findings=(ERROR,), resources={"u2": 3, "u3": 1, "u4": 1}, monthly_usd=1_350.4)

    assert "3 resources (2 new, 1 gone, 1 changed); 1 error; 1,350 USD a month (+1,250)." in shown(dearer, DEV)
    assert "new error  f.py:3  [A-1]\n  too small" in shown(dearer, DEV)
    assert "gone  f.py:3  [A-1]  too small" in shown(DEV, dearer)
    assert "(-1,250)" in shown(DEV, dearer)


def test_a_finding_that_only_moved_is_not_new() -> None:
    before = replace(DEV, findings=(ERROR,))
    after = replace(DEV, findings=(replace(ERROR, line=9), ERROR))

    assert shown(after, before).count("new error") == 1


def test_without_a_result_there_is_only_the_count() -> None:
    broken = StackVerdict(environment="dev", is_result=False, findings=(ERROR, ERROR))

    assert shown(broken, DEV).endswith("dev  2 problems; nothing was rehearsed.")
    assert not broken.ok


def test_the_verdict_on_a_rehearsal_counts_what_would_be_created() -> None:
    def program() -> None:
        ec2.Instance("m", instance_type="p5.48xlarge", ami="ami-0123456789abcdef0")

    rehearsal = rehearse(program, config={"aws:region": "us-east-1"})
    verdict = verdict_of(overview_of(rehearsal, environment="dev", cloud="aws"))

    assert verdict.is_result
    assert verdict.resources is not None
    assert len(verdict.resources) == 1
    assert verdict.monthly_usd
    ((place, usd),) = verdict.costs_by_place.items()
    assert usd == verdict.monthly_usd
    assert place.rpartition(":")[0].endswith("test_stack_verdict.py")


def test_where_no_price_is_known_the_cost_is_not_nothing() -> None:
    def program() -> None:
        from pulumi_aws import iam

        iam.Role("r", assume_role_policy="{}")

    rehearsal = rehearse(program, config={"aws:region": "us-east-1"})
    verdict = verdict_of(overview_of(rehearsal, environment="edge", cloud="aws"))

    assert verdict.monthly_usd is None
    assert _usd(verdict) == "not known"
    assert _usd(StackVerdict(environment="broken", is_result=False)) == ""
