"""The types and properties that rules, cases and tables name are those that the installed SDKs declare.

All of it is in one file, for each process that runs tests of it loads every class of every SDK.
"""

from __future__ import annotations

from importlib import import_module

import pytest
from tests.rules.cases import policy_cases, provider_cases
from tools import held_secrets

from penstock.policies import known_properties, tags
from penstock.rehearsal import sdk_types
from penstock.rehearsal.sdk_paths import is_known
from penstock.rules import registry
from penstock.rules.levels import Category, RuleKind

pytestmark = pytest.mark.exhaustive

for _package in ("aws", "gcp", "azure_native", "kubernetes", "random"):
    import_module(f"pulumi_{_package}")

PACKAGES = ("aws", "gcp", "azure-native", "kubernetes")
ADDED_BY_PROVIDER = {"aws": "tagsAll", "gcp": "effectiveLabels"}
"""What a provider answers for a type to whose tags it adds its own."""


@pytest.mark.parametrize("package", PACKAGES)
def test_cases_have_only_properties_that_the_sdk_declares(package: str) -> None:
    """A rule that reads another would fail in its cases alone."""
    wrong = {
        f"{case}: {mismatch.message}"
        for case in (*provider_cases(), *policy_cases())
        for type_, inputs in case.program.values()
        if type_.startswith(f"{package}:")
        for mismatch in sdk_types.mismatches(type_, inputs)
        if mismatch.code == "TYPE-001"
    }

    assert not wrong


@pytest.mark.parametrize("category", Category)
def test_a_rule_reads_types_and_properties_that_the_sdk_declares(category: Category) -> None:
    of_category = [rule for rule in registry.policies() if rule.category is category]

    assert [(rule.id, type_) for rule in of_category for type_ in rule.on if not is_known(type_)] == []
    assert [
        (rule.id, type_, path)
        for rule in of_category
        for type_ in rule.on
        for path in rule.reads(type_)
        if not is_known(type_, path)
    ] == []


def test_a_provider_rule_reads_properties_that_one_of_its_types_has() -> None:
    """One rule on several types reads other properties of each."""
    rules = list(registry.rules_of(RuleKind.PROVIDER))

    assert [(rule.id, type_) for rule in rules for type_ in rule.on if not is_known(type_)] == []
    assert [
        (rule.id, path)
        for rule in rules
        for path in {path for type_ in rule.on for path in rule.reads(type_)}
        if not any(is_known(type_, path) for type_ in rule.on)
    ] == []


@pytest.mark.parametrize("package", ["aws", "gcp", "azure-native"])
def test_each_type_takes_tags_where_the_table_says(package: str) -> None:
    table = {type_: kind for type_, kind in tags.taggable_by_type().items() if type_.startswith(f"{package}:")}

    assert len(table) > 50
    assert [type_ for type_, kind in table.items() if not is_known(type_, kind.path)] == []


@pytest.mark.parametrize("package", ["aws", "gcp"])
def test_the_table_knows_to_which_tags_a_provider_adds_its_own(package: str) -> None:
    for type_, kind in tags.taggable_by_type().items():
        if type_.startswith(f"{package}:") and "." not in kind.path:
            assert kind.takes_defaults is (ADDED_BY_PROVIDER[package] in sdk_types.output_types(type_)), type_


def test_azure_adds_no_tags_of_its_provider() -> None:
    assert not any(
        kind.takes_defaults for type_, kind in tags.taggable_by_type().items() if type_.startswith("azure-native:")
    )


def test_what_the_sdks_mark_as_secret_is_known_to_be() -> None:
    assert held_secrets.data_set().differences() == []


def test_harmless_tokens_are_properties_that_no_sdk_marks() -> None:
    marked = {(type_, path) for type_, path, _ in held_secrets.marked()}

    for type_, tokens in known_properties.paths_by_type("harmless_tokens").items():
        assert {token.partition(".")[0] for token in tokens} <= set(sdk_types.output_types(type_)), type_
        assert not {(type_, token) for token in tokens} & marked
