"""The table of tags says what the installed SDKs say."""

from __future__ import annotations

import pytest

from penstock.policies import tags
from penstock.rehearsal import sdk_types
from penstock.rehearsal.sdk_paths import is_known

ADDED_BY_PROVIDER = {"aws": "tagsAll", "gcp": "effectiveLabels"}
"""What a provider answers for a type to whose tags it adds its own."""


@pytest.mark.parametrize("package", ["aws", "gcp", "azure-native"])
def test_each_type_takes_tags_where_the_table_says(package: str) -> None:
    table = {type_: kind for type_, kind in tags.table().items() if type_.startswith(f"{package}:")}

    assert len(table) > 50
    assert [type_ for type_, kind in table.items() if not is_known(type_, kind.path)] == []


@pytest.mark.parametrize("package", ["aws", "gcp"])
def test_the_table_knows_to_which_tags_a_provider_adds_its_own(package: str) -> None:
    for type_, kind in tags.table().items():
        if type_.startswith(f"{package}:") and "." not in kind.path:
            assert kind.takes_defaults is (ADDED_BY_PROVIDER[package] in sdk_types.output_types(type_)), type_


def test_azure_adds_no_tags_of_its_provider() -> None:
    assert not any(kind.takes_defaults for type_, kind in tags.table().items() if type_.startswith("azure-native:"))
