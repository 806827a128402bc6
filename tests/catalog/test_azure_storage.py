"""Kinds of storage accounts on Azure."""

from __future__ import annotations

import pytest
from pulumi_azure_native import storage

from penstock.azure.facts import storage_accounts
from penstock.catalog.tables import rows
from penstock.core.errors import UnknownFact
from penstock.simulate.sdk_types import input_types

KINDS = [row["kind"] for row in rows("azure/storage_accounts")]


def test_kinds_and_their_skus_are_those_of_the_sdk() -> None:
    skus = frozenset[str]().union(*(storage_accounts.find_kind(kind).skus for kind in KINDS))

    assert set(KINDS) == {each.value for each in storage.Kind}
    assert skus == {each.value for each in storage.SkuName}


@pytest.mark.parametrize("kind", KINDS)
def test_a_hierarchical_namespace_is_one_of_blobs_and_nfs_one_of_files(kind: str) -> None:
    found = storage_accounts.find_kind(kind)

    assert found.blobs or not (found.hierarchical or found.lustre)
    assert found.files or not found.nfs_files


def test_premium_kinds_keep_one_copy_in_no_other_region() -> None:
    assert storage_accounts.find_kind("BlockBlobStorage").skus == {"Premium_LRS", "Premium_ZRS"}


@pytest.mark.parametrize("feature", storage_accounts.blob_features().values(), ids=lambda each: each.feature)
def test_a_feature_has_a_switch_and_a_flat_account_has_it(feature: storage_accounts.BlobFeature) -> None:
    switches = input_types("azure-native:storage:BlobServiceProperties") or {}

    assert feature.property.partition(".")[0] in switches
    assert feature.flat


def test_versions_go_without_a_hierarchical_namespace_and_soft_delete_with_it() -> None:
    features = storage_accounts.blob_features()

    assert not features["versioning"].hierarchical
    assert features["soft_delete"].hierarchical


def test_a_kind_that_azure_has_not_names_its_neighbours() -> None:
    with pytest.raises(UnknownFact, match="StorageV2"):
        storage_accounts.find_kind("StorageV3")
