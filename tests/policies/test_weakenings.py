"""The packs notice each way in which our own platforms could be weakened, and find nothing in them as they are."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from tests.environments import STACKS, environment, rehearsed
from tests.policies.weakening import Weakening, unprotected, weakened
from tests.policies.weakenings import WEAKENINGS

from penstock.catalog import regions
from penstock.policies.judge import judge_policies
from penstock.resources.graph import Graph
from penstock.rules.levels import BLOCKING, Category
from penstock.rules.settings import DESCRIPTION, Pack, Parameters, Settings

pytestmark = pytest.mark.slow

PACKS: tuple[Pack, ...] = ("baseline", "regulated", "cost", "sovereign")
ACCELERATORS = 512
"""More than any of our environments may grow to."""

ADVICE = {
    "aws-rds-monitoring": "RDS already has the metrics of the database; those of its host need a role of their own",
    "aws-sm-rotation": "a token of another company is exchanged by people, at that company",
    "gcp-secret-rotation": "a token of another company is exchanged by people, at that company",
    "k8s-data-class-label": "node agents read no data, and their namespace has none",
    "k8s-image-digest": "a job brings its own image, and no public source has digests of Microsoft's drivers",
    "k8s-image-pull-always": "each job brings its own image in place of that of its runtime",
    "k8s-ns-limit-range": "a queue of Kueue bounds a team, and agents have requests of their own",
    "k8s-ns-pss-restricted": "RDMA needs IPC_LOCK, which the level restricted refuses",
    "k8s-ns-quota": "a queue of Kueue bounds a team, and agents run once on each node",
    "k8s-pod-cpu-limit": "a limit slows agents down while their node is idle",
    "k8s-pod-nonroot": "RDMA takes IPC_LOCK, which only root has in a container, and CSI sockets are root's",
    "k8s-pod-ro-rootfs": "training code writes beside itself",
    "cost-pod-gpu-limits": "who brings the machines has not said how much CPU and memory they have",
}
"""What a platform with such secrets and agents is rightly advised of, and why it stays so."""

ADVICE_WITHOUT_OWNER = {"tag-k8s-labels": "a description without an owner leaves its namespaces without one"}
ADVICE_IN_DEV = {"aws-log-retention": "a dev environment keeps logs for a month, for what they cost"}
ADVICE_ON_AZURE = {
    "az-acr-trust": "images are judged at admission, by `addons.security`",
    "az-aks-defender": "Defender is bought by a subscription, and sees all clusters of it",
    "az-aks-host-enc": "Microsoft does not say whether the sizes of these accelerators have it",
    "az-aks-oms": "observability is in the cluster, and logs have no workspace yet",
    "az-aks-policy-addon": "admission is for `addons.security`",
    "az-aks-system-taint": "the first pool runs the pods of add-ons, too",
    "az-aks-upgrade-channel": "a run of weeks ends with the first of its nodes",
    "az-amlfs-subnet": "jobs are root in their containers, and share what they write",
    "az-diag-settings": "flow logs and diagnostic settings are not built yet",
    "az-kv-key-expiry": "what an expired key encrypts cannot be read",
    "az-kv-key-hsm": "keys in hardware are for who asks for them",
    "az-service-logs": "flow logs and diagnostic settings are not built yet",
    "az-storage-logs": "flow logs and diagnostic settings are not built yet",
    "az-storage-no-shared-key": "Lustre imports by the key of the account, which a waiver excuses",
    "az-storage-sas-expiry": "no part of a platform makes a shared access signature",
}

Broken = frozenset[tuple[Category, str, str]]


def described(stack: str) -> dict[str, Any]:
    """The description as in the stack file."""
    description: dict[str, Any] = json.loads(environment(stack).config.values[DESCRIPTION])
    return description


def graph(stack: str) -> Graph:
    return rehearsed(stack).graph


def settings(stack: str, *, in_production: bool = True) -> Settings:
    """Everything that a platform offers, in production or in its own environment; an existing cluster has no region."""
    cloud = described(stack)["cloud"]
    region = regions.find_region(cloud["region"], cloud["provider"]) if "region" in cloud else None
    return Settings(
        packs=PACKS,
        environment="prod" if in_production else described(stack)["environment"],
        residency=region.residency if region is not None else None,
        parameters=Parameters(max_accelerators=ACCELERATORS),
    )


def broken(of: Graph, stack: str) -> Broken:
    """The failures of a platform: category, rule and resource."""
    answers = judge_policies(of, settings(stack)).of("fail")
    return frozenset((answer.rule.category, answer.rule.id, answer.resource.urn) for answer in answers)


@cache
def broken_before(stack: str) -> Broken:
    return broken(graph(stack), stack)


@pytest.mark.parametrize("stack", STACKS)
def test_our_environments_break_no_rule_of_any_pack(stack: str) -> None:
    report = judge_policies(graph(stack), settings(stack, in_production=False))
    advice = ADVICE | (ADVICE_IN_DEV if described(stack)["environment"] == "dev" else {})
    advice |= ADVICE_ON_AZURE if described(stack)["cloud"]["provider"] == "azure" else {}
    advice |= {} if "owner" in described(stack) else ADVICE_WITHOUT_OWNER

    assert {answer.rule.id for answer in report.of("fail")} <= advice.keys()


@pytest.mark.parametrize("pack", ["strict", "regulated"])
@pytest.mark.parametrize("stack", STACKS)
def test_our_environments_break_nothing_that_a_strict_pack_blocks(stack: str, pack: Pack) -> None:
    report = judge_policies(graph(stack), Settings(packs=(pack,), environment=described(stack)["environment"]))

    assert [answer.rule.id for answer in report.of("fail") if answer.rule.severity in BLOCKING] == []


@pytest.mark.parametrize("weakening", WEAKENINGS, ids=str)
def test_a_weakened_platform_is_noticed(weakening: Weakening) -> None:
    tried = [
        (stack, weak)
        for stack in sorted(STACKS, key=lambda stack: described(stack)["environment"] == "dev")
        for _, weak in [*weakened(graph(stack), weakening)][:1]
    ]

    assert tried
    for stack, weak in tried[:2]:
        assert any(category is weakening.category for category, *_ in broken(weak, stack) - broken_before(stack)), stack


_PROTECTING = {"res-protect-stateful", "gcp-kms-prevent-destroy"}
"""Each speaks of types of its own."""


@pytest.mark.parametrize(
    "stack",
    [
        each
        for each in STACKS
        if described(each)["environment"] == "prod"
        and "storage" in described(each)
        and described(each)["cloud"]["provider"] != "kubernetes"  # storage there exists already
    ],
)
def test_what_holds_data_and_is_not_protected_is_noticed(stack: str) -> None:
    unguarded = list(unprotected(graph(stack)))

    assert unguarded
    for resource, weak in unguarded:
        new = broken(weak, stack) - broken_before(stack)
        assert _PROTECTING & {rule for _, rule, urn in new if urn == resource.urn}
