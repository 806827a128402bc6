"""Names that the services of clouds accept."""

from __future__ import annotations

import pulumi_azure_native  # noqa: F401 - the types of the SDKs are known once they are imported
import pulumi_gcp  # noqa: F401
import pytest

from penstock.catalog.name_forms import NameForm, name_forms
from penstock.simulate.sdk_types import input_types

FORMS = [form for cloud in ("gcp", "azure") for form in name_forms(cloud).values()]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.type)
def test_the_example_is_a_name_and_stands_where_the_resource_has_one(form: NameForm) -> None:
    assert form.allow(form.example)
    assert form.property in (input_types(form.type) or {})


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.type)
def test_what_is_too_long_or_of_another_form_is_no_name(form: NameForm) -> None:
    assert form.allow("a" * form.longest)
    assert not form.allow("a" * (form.longest + 1))
    assert not form.allow("a/b")
    assert not form.allow("")


@pytest.mark.parametrize("form", name_forms("gcp").values(), ids=lambda form: form.type)
def test_no_name_of_google_has_a_dot(form: NameForm) -> None:
    assert not form.allow("a.b")


@pytest.mark.parametrize(
    ("type_", "name"),
    [
        ("azure-native:containerservice:AgentPool", "gpu-h100"),
        ("azure-native:containerservice:AgentPool", "aksMigNode"),
        ("azure-native:containerservice:AgentPool", "1gpu"),
        ("azure-native:keyvault:Vault", "train--keys"),
        ("azure-native:keyvault:Vault", "1keys"),
        ("azure-native:storage:StorageAccount", "train-data"),
        ("azure-native:storage:BlobContainer", "data--sets"),
        ("azure-native:resources:ResourceGroup", "train."),
        ("azure-native:containerregistry:Registry", "my-images"),
        ("azure-native:storagecache:AmlFilesystem", "_scratch"),
    ],
)
def test_names_that_azure_refuses_are_no_names(type_: str, name: str) -> None:
    assert not name_forms("azure")[type_].allow(name)


def test_names_that_the_whole_of_azure_shares_are_known() -> None:
    shared = {form.type.rpartition(":")[2] for form in name_forms("azure").values() if form.everywhere}

    assert shared == {"Registry", "Vault", "StorageAccount", "Server"}
