"""The table of places covers what the catalogue and the settings name, and is exact about the EU."""

from __future__ import annotations

import pulumi_aws
import pulumi_azure_native
import pulumi_gcp
import pytest

from penstock.app.judge import judge_policies
from penstock.catalog import regions
from penstock.catalog.tables import rows, rows_of_clouds
from penstock.graph.verdict import NotKnown, Outcome
from penstock.policies.geography import judge_place
from penstock.rules.levels import Category
from penstock.rules.settings import Parameters, Settings
from penstock.simulate.run import rehearse

ROWS = [*rows_of_clouds("residences")]
OF_AZURE = rows("azure/residences")


def allowed(cloud: str, location: str, residency: str) -> bool:
    return judge_place(cloud, location, "location", Settings(residency=residency)).outcome is Outcome.PASS


def test_each_place_says_where_it_is_and_who_says_so() -> None:
    for row in ROWS:
        assert bool(row["residence"]) is not bool(row["members"]), row
        assert row["source"], row
        assert row["as_of"], row


def test_members_are_regions_of_the_catalogue() -> None:
    known = {region.name for cloud in ("aws", "gcp") for region in regions.all_regions(cloud)}

    assert {member for row in ROWS for member in row["members"].split()} <= known


def test_regions_of_azure_have_the_residence_of_the_table() -> None:
    residences = {row["location"]: row["residence"] for row in OF_AZURE}

    assert all(residences[region.name] == region.residency for region in regions.all_regions("azure"))


def test_pairs_are_regions_of_the_table() -> None:
    azure = {row["location"]: row["pair"] for row in OF_AZURE}

    assert set(azure.values()) - {"none"} <= set(azure)


def test_multi_regions_of_the_catalogue_are_in_the_table() -> None:
    assert {row["location"] for row in rows("gcp/multi_regions")} <= {row["location"] for row in ROWS}


@pytest.mark.parametrize("residency", ["eu", "us", "gb", "ch", "ca", "jp", "au", "in", "br"])
def test_a_residency_has_places_on_each_cloud(residency: str) -> None:
    for cloud in ("aws", "gcp", "azure"):
        assert residency in {region.residency for region in regions.all_regions(cloud)}


@pytest.mark.parametrize(
    ("cloud", "location"),
    [
        ("aws", "eu-central-1"),
        ("aws", "eu-north-1a"),
        ("aws", "arn:aws:backup:eu-west-1:123456789012:backup-vault:copies"),
        ("gcp", "EU"),
        ("gcp", "eur4"),
        ("gcp", "europe-west4-b"),
        ("azure", "West Europe"),
        ("azure", "polandcentral"),
    ],
)
def test_the_eu_is_its_member_states(cloud: str, location: str) -> None:
    assert allowed(cloud, location, "eu")


@pytest.mark.parametrize(
    ("cloud", "location"),
    [
        ("aws", "eu-west-2"),
        ("aws", "eu-central-2"),
        ("gcp", "europe-west2"),
        ("gcp", "europe-west6-a"),
        ("gcp", "eur5"),
        ("gcp", "eur8"),
        ("gcp", "global"),
        ("azure", "UK South"),
        ("azure", "norwayeast"),
        ("azure", "switzerlandnorth"),
    ],
)
def test_london_zurich_and_oslo_are_not_in_the_eu(cloud: str, location: str) -> None:
    assert not allowed(cloud, location, "eu")


def test_what_is_listed_is_allowed_beside_the_residency() -> None:
    settings = Settings(
        residency="eu", parameters=Parameters(allowed_regions=("us-east-1", "West US 3", "us-central1"))
    )

    places: list[tuple[str, str]] = [
        ("aws", "us-east-1b"),
        ("azure", "westus3"),
        ("gcp", "us-central1-a"),
        ("gcp", "EU"),
    ]

    for cloud, location in places:
        assert judge_place(cloud, location, "location", settings).outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("cloud", "location"), [("aws", "eu-north-9"), ("gcp", "europe-west99"), ("azure", "atlantisnorth")]
)
def test_a_place_that_no_table_has_is_not_known(cloud: str, location: str) -> None:
    with pytest.raises(NotKnown):
        judge_place(cloud, location, "location", Settings(residency="eu"))


def test_a_local_zone_may_lie_in_another_country_than_its_region() -> None:
    with pytest.raises(NotKnown):
        allowed("aws", "us-east-1-bue-1a", "us")


def one_of_each() -> None:
    pulumi_aws.sqs.Queue("queue")
    pulumi_gcp.redis.Instance("cache", memory_size_gb=1)
    pulumi_azure_native.resources.ResourceGroup("group")


OUTSIDE = {"aws:region": "us-east-1", "gcp:region": "us-east1", "azure-native:location": "eastus"}
INSIDE = {"aws:region": "eu-west-1", "gcp:zone": "europe-west4-a", "azure-native:location": "WestEurope"}


@pytest.mark.parametrize(
    ("config", "secret_keys", "outcome"),
    [(OUTSIDE, [], "fail"), (INSIDE, [], "pass"), ({}, [], "unknown"), (OUTSIDE, [*OUTSIDE], "unknown")],
    ids=["outside", "inside", "not configured", "secret"],
)
def test_the_configuration_of_the_stack_says_where_that_lies_which_names_no_place(
    config: dict[str, str], secret_keys: list[str], outcome: str
) -> None:
    graph = rehearse(one_of_each, config=config, secret_keys=secret_keys).graph

    report = judge_policies(graph, Settings(packs=(), residency="eu"))

    assert report.counts[Category.RESIDENCY, outcome] == len(OUTSIDE)
