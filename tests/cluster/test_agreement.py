"""Our Kubernetes rules and a real control plane decide alike, over all cases that a control plane can decide."""

from __future__ import annotations

import pytest
from tests.cluster import agreement
from tests.cluster.agreement import ADMISSION, SEEN, decidable, decide, deciders, explained
from tests.cluster.control_plane import ControlPlane
from tests.rules.cases import cases_by_rule

from penstock.rules.kubernetes import SUBJECTS


def test_somebody_or_nobody_decides_each_rule() -> None:
    assert set(deciders()) == {rule.id for subject in SUBJECTS for rule in subject.RULES}
    assert set(deciders()) <= set(cases_by_rule())


def test_only_cases_that_exist_are_explained() -> None:
    assert set(explained()) <= {name for name, _ in decidable(*deciders().values())}


@pytest.mark.cluster
@pytest.mark.parametrize("decider", [ADMISSION, *SEEN])
def test_a_control_plane_decides_as_the_rules_foresee(
    decider: str, cluster: ControlPlane, admitting_cluster: ControlPlane, capsys: pytest.CaptureFixture[str]
) -> None:
    decisions = [
        decide((admitting_cluster if agreement.admits_requests(case) else cluster).api, name, case)
        for name, case in decidable(decider)
    ]

    with capsys.disabled():
        print(f"\n{agreement.table(decisions)}")
    differing = {each.name: each.words for each in decisions if each.words is not None and not each.agrees}
    assert {name: words for name, words in differing.items() if name not in explained()} == {}
    assert {name for name, _ in decidable(decider)} & set(explained()) == set(differing)
