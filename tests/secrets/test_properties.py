"""A part of what is known to be secret is so too."""

from __future__ import annotations

import pytest

from penstock.secrets import properties


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
    assert properties.holds_secrets(type_, path) is holds
