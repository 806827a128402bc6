"""The policies of Kyverno are up to date with the rules, complete, and those that are missing are so for a reason."""

from __future__ import annotations

import pytest
from tools import kyverno_policies

from penstock.addons.security.policies import cluster_policies
from penstock.rules import registry

ANNOTATIONS = ("title", "category", "severity", "description")
POLICIES, UNTRANSLATED = kyverno_policies.translated()


def test_the_files_are_as_the_rules_say() -> None:
    assert kyverno_policies.data_set().differences() == []


@pytest.mark.parametrize("id_", POLICIES)
def test_a_policy_tells_what_it_is_and_only_audits(id_: str) -> None:
    policy = POLICIES[id_]

    assert policy["metadata"]["name"] == id_
    assert all(policy["metadata"]["annotations"][f"policies.kyverno.io/{key}"] for key in ANNOTATIONS)
    assert {rule["validate"]["failureAction"] for rule in policy["spec"]["rules"]} == {"Audit"}


@pytest.mark.parametrize("id_", POLICIES)
def test_no_policy_stops_a_deletion(id_: str) -> None:
    matched = [each["resources"] for rule in POLICIES[id_]["spec"]["rules"] for each in rule["match"]["any"]]

    assert [each["operations"] for each in matched] == [["CREATE", "UPDATE"]] * len(matched)


def test_the_security_add_on_has_each_policy() -> None:
    assert list(cluster_policies()) == list(POLICIES)


def test_a_rule_of_kubernetes_is_a_policy_or_says_why_not() -> None:
    of_kubernetes = {rule.id for rule in registry.policies() if any(on.startswith("kubernetes:") for on in rule.on)}

    assert POLICIES.keys() | UNTRANSLATED.keys() == of_kubernetes
    assert all(UNTRANSLATED.values())
