"""Our Kubernetes rules and a real control plane decide alike, over all cases that a control plane can decide."""

from __future__ import annotations

import pytest
from tests.cluster import agreement, controllers
from tests.cluster.agreement import NOBODY, Decision, decidable, decide, deciders, explained
from tests.cluster.control_plane import ControlPlane
from tests.cluster.policy_cases import policy_cases
from tests.rules.cases import cases_by_rule

from penstock.rules import registry

KUEUE = ("kueue", "queues")
NO_KUEUE = controllers.KUEUE.missing()


def test_somebody_or_nobody_decides_each_rule() -> None:
    assert set(deciders()) == {rule.id for rule in registry.provider_rules("kubernetes")}
    assert set(deciders()) <= set(cases_by_rule())


def test_only_cases_that_exist_are_explained() -> None:
    of_rules = {name for name, _ in decidable(*deciders().values())}
    assert set(explained()) <= of_rules | {name for name, *_ in policy_cases()}


@pytest.mark.cluster
@pytest.mark.parametrize("decider", sorted({*deciders().values()} - {NOBODY, *KUEUE}))
def test_a_control_plane_decides_as_the_rules_foresee(
    decider: str, cluster: ControlPlane, admitting_cluster: ControlPlane, capsys: pytest.CaptureFixture[str]
) -> None:
    decisions = [
        decide((admitting_cluster if agreement.admits_requests(case) else cluster).api, name, case)
        for name, case in decidable(decider)
    ]

    show(decisions, capsys)
    assert differing(decisions) - set(explained()) == set()


@pytest.mark.cluster
@pytest.mark.skipif(bool(NO_KUEUE), reason=NO_KUEUE)
@pytest.mark.parametrize("decider", KUEUE)
def test_kueue_decides_as_the_rules_foresee(
    decider: str, kueue: ControlPlane, capsys: pytest.CaptureFixture[str]
) -> None:
    decisions = [decide(kueue.api, name, case) for name, case in decidable(decider)]

    show(decisions, capsys)
    assert differing(decisions) - set(explained()) == set()


def show(decisions: list[Decision], capsys: pytest.CaptureFixture[str]) -> None:
    """Print the agreement, what a cluster cannot decide, and what it decides otherwise without an explanation."""
    news = [each for each in decisions if each.differs and each.name not in explained()]
    with capsys.disabled():
        print(f"\n{agreement.table(decisions)}")  # noqa: T201 - what a person runs these tests for
        for each in decisions:
            if each.undecided:
                print(f"{each.name}: {each.undecided}")  # noqa: T201
        for each in news:
            print(f"{each.name}: {each.words or 'the cluster has no trouble with it'}")  # noqa: T201


def differing(decisions: list[Decision]) -> set[str]:
    """The cases that a cluster decides otherwise."""
    return {each.name for each in decisions if each.differs}
