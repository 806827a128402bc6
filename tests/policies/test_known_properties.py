"""Properties that are known to be secret, or not to be, are those that the installed SDKs have and mark."""

from __future__ import annotations

import pytest
from tools import held_secrets

from penstock.policies import known_properties
from penstock.rehearsal import sdk_types


def test_what_the_sdks_mark_as_secret_is_known_to_be() -> None:
    assert held_secrets.data_set().differences() == []


def test_harmless_tokens_are_properties_that_no_sdk_marks() -> None:
    marked = {(type_, path) for type_, path, _ in held_secrets.marked()}

    for type_, tokens in known_properties.paths("harmless_tokens").items():
        assert {token.partition(".")[0] for token in tokens} <= set(sdk_types.output_types(type_)), type_
        assert not {(type_, token) for token in tokens} & marked


@pytest.mark.parametrize(
    ("type_", "path", "holds"),
    [
        ("aws:rds/instance:Instance", "password", True),
        ("aws:rds/instance:Instance", "passwordWoVersion", False),
        ("aws:elasticache/user:User", "passwords[0]", True),
        ("kubernetes:core/v1:Secret", "data.user", True),
        ("azure-native:keyvault:Secret", "properties.value", True),
        ("azure-native:keyvault/v20230701:Secret", "properties.value", True),
        ("gcp:storage/bucket:Bucket", "effectiveLabels.owner", False),
    ],
)
def test_a_part_of_what_is_secret_is_so_too(type_: str, path: str, *, holds: bool) -> None:
    assert known_properties.holds_secrets(type_, path) is holds
