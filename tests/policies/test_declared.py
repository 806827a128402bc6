"""The types and properties that rules, cases and tables name are those that the installed SDKs declare.

All of it is in one file, for each process that runs tests of it loads every class of every SDK.
"""

from __future__ import annotations

import re
from importlib import import_module

import pytest
from tests.policies.declared_names import declares, paths_in, types_in, words_in
from tests.rules.cases import policy_cases, provider_cases
from tests.rules.verdicts import rules_by_id
from tools import held_secrets, rule_reads

from penstock.catalog import holdings
from penstock.catalog.records import keyed
from penstock.catalog.replacements import replacements_of
from penstock.policies.tags import Taggable
from penstock.providers import room_of
from penstock.rules import registry
from penstock.rules.levels import Category, RuleKind
from penstock.rules.recorded_reads import reads_of
from penstock.secrets import properties
from penstock.simulate import sdk_types
from penstock.simulate.rule_reads import undeclared_reads
from penstock.simulate.sdk_paths import is_known

pytestmark = pytest.mark.exhaustive

for _package in ("aws", "gcp", "azure_native", "kubernetes", "random"):
    import_module(f"pulumi_{_package}")

PACKAGES = ("aws", "gcp", "azure-native", "kubernetes")
NO_PROPERTIES = {
    "aws-cloudtrail-management": "eventCategory readOnly",
    "aws-container-not-privileged": "resourceRequirements linuxParameters.devices",
    "aws-ecs-insights": "containerInsights",
    "aws-ecs-ro-rootfs": "readonlyRootFilesystem",
    "aws-eks-cp-logs": "controllerManager",
    "aws-ssm-session-key": "kmsKeyId",
    "aws-ssm-session-logs": "cloudWatchLogGroupName cloudWatchEncryptionEnabled s3BucketName s3EncryptionEnabled",
    "az-activity-log": "allLogs",
    "az-aks-csi-rotation": "addonProfiles.azureKeyvaultSecretsProvider.config.enableSecretRotation",
    "az-aks-oms": "addonProfiles.omsagent.enabled logAnalyticsWorkspaceResourceID",
    "az-aks-policy-addon": "addonProfiles.azurepolicy.enabled",
    "az-service-logs": "allLogs",
    "az-storage-logs": "queueServices tableServices fileServices",
    "gcp-apikey-clients": "iOS",
    "gcp-armor-known-attacks": "evaluatePreconfiguredWaf",
    "gcp-audit-config": "allServices",
    "gcp-firebase-rules-closed": "userId",
    "gcp-iam-duties-apart": "cryptoKey",
    "gcp-iam-no-public": "allUsers allAuthenticatedUsers",
    "gcp-wif-any-condition": "assertion.arn.startsWith",
}
"""Words of fixes in the form of properties: those in documents that are one text to the provider, values and names."""
OF_PROVIDERS = {"defaultTags", "defaultLabels"}
"""Properties of providers, which no SDK declares as types."""
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
        for path in rule.check.reads(type_)
        if not is_known(type_, path)
    ] == []


def test_a_provider_rule_reads_properties_that_one_of_its_types_has() -> None:
    """One rule on several types reads other properties of each."""
    rules = list(registry.rules_of(RuleKind.PROVIDER))

    assert [(rule.id, type_) for rule in rules for type_ in rule.on if not is_known(type_)] == []
    assert [
        (rule.id, path)
        for rule in rules
        for path in {path for type_ in rule.on for path in rule.check.reads(type_)}
        if not any(is_known(type_, path) for type_ in rule.on)
    ] == []


def test_the_tables_of_reads_are_what_rules_read_in_their_cases() -> None:
    assert rule_reads.data_set().differences() == [], "run `python -m tools.rule_reads`"


def test_no_rule_reads_a_misspelt_property() -> None:
    assert {
        (rule, type_, path)
        for (rule, _), by_type in rule_reads.recorded().items()
        for type_, reads in by_type.items()
        for path, near in undeclared_reads(type_, reads)
        if near and not any(is_known(other, path) for other in rules_by_id()[rule].on)
    } == set()


@pytest.mark.parametrize("package", ["aws", "gcp", "azure-native"])
def test_a_fix_names_properties_of_its_types(package: str) -> None:
    """Each is one of a type that the rule is on, or of a type that the fix names by its class."""
    wrong = {}
    for rule in registry.policies():
        types = [type_ for type_ in rule.on if type_.startswith(f"{package}:") and not type_.endswith("*")]
        if len(types) < len(rule.on):
            continue
        types += types_in(rule.fix, package)
        named = {".".join(path) for path in paths_in(rule.fix) if not any(declares(type_, path) for type_ in types)}
        if unknown := named - OF_PROVIDERS - {*NO_PROPERTIES.get(rule.id, "").split()}:
            wrong[rule.id] = unknown

    assert wrong == {}


@pytest.mark.parametrize("package", ["aws", "gcp", "azure-native"])
def test_a_fix_says_that_it_replaces_what_holds_data(package: str) -> None:
    silent = []
    for rule in registry.policies():
        if re.search("replac|at creation", rule.fix):
            continue
        words = {words for words in words_in(rule.fix) if _is_property(words, rule.fix)}
        for type_ in rule.on:
            if type_.startswith(f"{package}:") and holdings.holding_of(type_) is not None:
                silent += [(rule.id, path) for path in reads_of(rule, type_) if _replaces(type_, path, words)]

    assert silent == []


def _is_property(steps: tuple[str, ...], text: str) -> bool:
    """Return whether a word of a fix names a property; a plain one, such as `engine`, must be set to something."""
    return any(step != step.lower() for step in steps) or len(steps) > 1 or f"{steps[0]} to " in text


def _replaces(type_: str, path: str, words: set[tuple[str, ...]]) -> bool:
    """Return whether a fix names a property by its last steps, and another value replaces the resource."""
    plain = path.replace("[]", "")
    steps = tuple(plain.split("."))
    named = any(steps[index:] in words for index in range(len(steps)))
    forcing = replacements_of(type_).properties
    return named and any(plain == each or plain.startswith(f"{each}.") for each in forcing)


@pytest.mark.parametrize("package", ["aws", "gcp", "azure-native"])
def test_each_type_takes_tags_where_the_table_says(package: str) -> None:
    table = keyed(Taggable, f"{room_of(package)}/taggable")

    assert len(table) > 50
    assert [type_ for type_, kind in table.items() if not is_known(type_, kind.path)] == []


@pytest.mark.parametrize("package", ["aws", "gcp"])
def test_the_table_knows_to_which_tags_a_provider_adds_its_own(package: str) -> None:
    for type_, kind in keyed(Taggable, f"{package}/taggable").items():
        if "." not in kind.path:
            assert kind.takes_defaults is (ADDED_BY_PROVIDER[package] in sdk_types.output_types(type_)), type_


def test_azure_adds_no_tags_of_its_provider() -> None:
    assert not any(kind.takes_defaults for kind in keyed(Taggable, "azure/taggable").values())


def test_what_the_sdks_mark_as_secret_is_known_to_be() -> None:
    assert held_secrets.data_set().differences() == []


def test_harmless_tokens_are_properties_that_no_sdk_marks() -> None:
    marked = {(type_, path) for type_, path, _ in held_secrets.marked()}

    for type_, tokens in properties.paths_by_type("harmless_tokens").items():
        assert {token.partition(".")[0] for token in tokens} <= set(sdk_types.output_types(type_)), type_
        assert not {(type_, token) for token in tokens} & marked
