"""The policies of Kyverno are up to date with the rules, complete, and those that are missing are so for a reason."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from penstock import pack
from penstock.policies import kyverno
from penstock.rules import registry

FOLDER = Path(pack.__file__).parent / "policy_pack" / "kyverno"
ANNOTATIONS = ("title", "category", "severity", "description")
POLICIES = kyverno.kyverno_policies()


def test_the_files_are_as_the_rules_say(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--accept"):
        FOLDER.mkdir(exist_ok=True)
        for file in FOLDER.glob("*.yaml"):
            file.unlink()
        for name, text in POLICIES.items():
            (FOLDER / name).write_text(text, encoding="utf-8")

    assert {file.name: file.read_text(encoding="utf-8") for file in FOLDER.glob("*.yaml")} == POLICIES


@pytest.mark.parametrize("name", POLICIES)
def test_a_policy_tells_what_it_is_and_only_audits(name: str) -> None:
    policy = yaml.safe_load(POLICIES[name])

    assert f"{policy['metadata']['name']}.yaml" == name
    assert all(policy["metadata"]["annotations"][f"policies.kyverno.io/{key}"] for key in ANNOTATIONS)
    assert {rule["validate"]["failureAction"] for rule in policy["spec"]["rules"]} == {"Audit"}


@pytest.mark.parametrize("name", POLICIES)
def test_no_policy_stops_a_deletion(name: str) -> None:
    rules = yaml.safe_load(POLICIES[name])["spec"]["rules"]
    matched = [each["resources"] for rule in rules for each in rule["match"]["any"]]

    assert [each["operations"] for each in matched] == [["CREATE", "UPDATE"]] * len(matched)


def test_a_rule_of_kubernetes_is_a_policy_or_says_why_not() -> None:
    of_kubernetes = {rule.id for rule in registry.policies() if any(on.startswith("kubernetes:") for on in rule.on)}

    assert {name.removesuffix(".yaml") for name in POLICIES} | set(kyverno.untranslated_rules()) == of_kubernetes
    assert all(kyverno.untranslated_rules().values())
