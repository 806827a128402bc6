"""Each case of each kind of precondition."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.rules.cases import RuleCase, read_cases

from penstock.graph.view import Site
from penstock.preconditions import Precondition, all_kinds
from penstock.preconditions.named import named_things

CASES = sorted((Path(__file__).parent / "cases").glob("*.yaml"))
"""As cases of rules, with the outcomes `needed` and `nothing`; `says` is in what a precondition says."""

KINDS = {kind.id: kind for kind in all_kinds()}


def found(case: RuleCase) -> list[Precondition]:
    """The preconditions of the kind that a case is about."""
    return list(KINDS[case.rule].in_site(Site(case.graph, case.quotas)))


def problem(case: RuleCase) -> str:
    """What is not as a case shows it; empty where all is."""
    said = found(case)
    if case.outcome == "nothing":
        return f"{said} is needed" if said else ""
    about = [each for each in said if case.says in f"{each.what}\n{each.why}\n{each.how}"]
    if not about:
        return f"{case.says!r} is not in {said}"
    return "" if about[0].resource in case.graph.resources or not about[0].resource else "of no resource"


@pytest.mark.parametrize("file", CASES, ids=lambda file: file.stem)
def test_kinds_find_what_their_cases_show(file: Path) -> None:
    problems = [(case, text) for case in read_cases(file) if (text := problem(case))]

    assert not problems, "\n".join(f"{case.rule}, {case.outcome}, {case.program}: {text}" for case, text in problems)


def test_a_kind_has_a_case_of_each_outcome() -> None:
    shown = {(case.rule, case.outcome) for file in CASES for case in read_cases(file)}

    assert shown == {(kind, outcome) for kind in KINDS for outcome in ("needed", "nothing")}


def test_a_form_that_any_property_may_have_is_of_no_type_alone() -> None:
    rows = [row for provider in ("aws", "gcp") for row in named_things(provider) if row.property == "*"]

    assert rows
    assert [row.kind for row in rows if row.within] == []


def test_a_kind_says_what_must_exist() -> None:
    assert [kind.id for kind in KINDS.values() if not kind.title.endswith(".") or not kind.sources] == []
