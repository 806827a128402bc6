"""What vendors publish, in their own formats, becomes rows of our tables."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from tools import (
    aws_machines,
    aws_offerings,
    aws_prices,
    aws_zones,
    azure_machines,
    azure_offerings,
    azure_prices,
    azure_size_families,
    gcp_prices,
    gcp_zones,
)
from tools.refresh import merged

from penstock.catalog import prices
from penstock.catalog.tables import rows

SAMPLES = Path(__file__).parent / "samples"


def sample(name: str) -> str:
    return (SAMPLES / name).read_text(encoding="utf-8")


def test_a_price_list_of_aws_replaces_the_on_demand_prices_of_its_regions() -> None:
    shipped = rows("aws/prices")

    anew = {(row["machine_type"], row["region"], row["capacity"]): row for row in refreshed_aws()}

    assert anew["p5.48xlarge", "eu-north-1", "on_demand"]["usd_h"] == "54.9"
    assert anew["p5.48xlarge", "eu-north-1", "on_demand"]["as_of"] == "2026-11-14"
    assert anew["g6.xlarge", "eu-north-1", "on_demand"]["usd_h"] == "0.8533"
    here = {key for key in anew if key[1:] == ("eu-north-1", "on_demand")}
    assert {key[0] for key in here} == {"p5.48xlarge", "g6.xlarge"}, (
        "Windows, dedicated and reserved are no prices of ours"
    )
    assert [row for row in refreshed_aws() if row["region"] != "eu-north-1"] == [
        row for row in shipped if row["region"] != "eu-north-1"
    ]


def refreshed_aws() -> list[dict[str, str]]:
    return [dict(row) for row in aws_prices.refreshed(rows("aws/prices"), sample("aws_price_list.csv"))]


def test_skus_of_google_add_up_to_the_prices_of_machines() -> None:
    anew = {
        (row["machine_type"], row["region"], row["capacity"]): row
        for row in gcp_prices.refreshed(rows("gcp/prices"), sample("gcp_skus.json"))
    }

    now = prices.on_demand("a2-highgpu-1g", "us-central1", "gcp")
    assert now is not None
    assert float(anew["a2-highgpu-1g", "us-central1", "on_demand"]["usd_h"]) == pytest.approx(now.usd, rel=1e-4)
    assert anew["a2-highgpu-8g", "us-central1", "on_demand"]["usd_h"] == "29.38708"
    assert anew["a2-highgpu-1g", "us-central1", "spot"]["usd_h"] == "1.836692"
    assert anew["a2-highgpu-1g", "us-central1", "on_demand"]["as_of"] == "2026-11-01"
    assert ("a3-highgpu-8g", "us-central1", "on_demand") not in anew, "no price without its local SSDs"


def test_what_the_api_tells_of_a_machine_type_is_what_the_table_has() -> None:
    shipped = rows("aws/machines")

    assert aws_machines.refreshed(shipped, sample("aws_instance_types.json")) == shipped


def test_a_changed_machine_type_gets_the_figures_of_the_api() -> None:
    answer = json.loads(sample("aws_instance_types.json"))
    answer["InstanceTypes"][0]["NetworkInfo"]["EfaInfo"]["MaximumEfaInterfaces"] = 16

    anew = aws_machines.refreshed(rows("aws/machines"), json.dumps(answer), "2026-11-22")

    (changed,) = (row for row in anew if row not in rows("aws/machines"))
    assert (changed["machine_type"], changed["efa_max"], changed["as_of"]) == ("p5.48xlarge", "16", "2026-11-22")
    assert changed["efa_layout"] == "B", "what the API does not tell stays"


def test_offerings_of_a_region_are_the_types_of_the_table_that_it_sells() -> None:
    shipped = rows("aws/offerings")

    anew = aws_offerings.refreshed(shipped, sample("aws_offerings.json"), "2026-11-22")

    (changed,) = (row for row in anew if row not in shipped)
    assert (changed["region"], changed["machine_types"]) == ("eu-north-1", "p5.48xlarge g6.xlarge")
    assert len(anew) == len(shipped)


def test_zones_of_a_region_are_those_of_the_file_and_zones_of_other_regions_stay() -> None:
    shipped = rows("aws/machine_zones")

    anew = {row["machine_type"]: row for row in aws_zones.refreshed(shipped, sample("aws_zones.json"), "2026-11-22")}

    before = {row["machine_type"]: row["zones"].split() for row in shipped}
    assert anew["g7.2xlarge"]["zones"] == "eun1-az2"
    assert "eun1-az3" in before["p5.48xlarge"], "what the file no longer sells was sold"
    assert anew["p5.48xlarge"]["zones"].split() == [zone for zone in before["p5.48xlarge"] if zone != "eun1-az3"]
    assert anew["p5.48xlarge"]["as_of"] == "2026-11-22"
    assert "t3.micro" not in anew


def test_zones_of_google_are_those_of_the_file_for_the_types_that_it_has() -> None:
    shipped = rows("gcp/machine_zones")

    anew = {
        row["machine_type"]: row for row in gcp_zones.refreshed(shipped, sample("gcp_machine_types.json"), "2026-11-22")
    }

    assert anew["a3-ultragpu-8g"]["zones"] == "us-central1-b us-east7-ai1b"
    assert anew["n4-standard-4"]["zones"] == "us-central1-a"
    assert anew["tpu7x-standard-4t"] in shipped, "the API lists no TPU"
    assert "z9-standard-4" not in anew


def test_retail_prices_of_azure_replace_those_of_their_regions() -> None:
    shipped = rows("azure/prices")

    anew = azure_prices.refreshed(shipped, sample("azure_prices.json"), "2026-11-22")

    here = {
        (row["machine_type"], row["capacity"]): row["usd_h"] for row in anew if row["region"] == "australiasoutheast"
    }
    assert here == {
        ("Standard_D4ds_v5", "on_demand"): "0.271",
        ("Standard_D4ds_v5", "spot"): "0.0542",
        ("Standard_D8ds_v5", "on_demand"): "0.542",
    }, "Windows, low priority and reservations are no prices of ours"
    assert [row for row in anew if row["region"] != "australiasoutheast"] == [
        row for row in shipped if row["region"] != "australiasoutheast"
    ]


def test_what_azure_lists_of_a_size_confirms_the_table_or_changes_it() -> None:
    shipped = {row["machine_type"]: row for row in rows("azure/machines")}

    anew = azure_machines.refreshed(rows("azure/machines"), sample("azure_skus.json"), "2026-11-22")

    after = {row["machine_type"]: row for row in anew}
    assert after["Standard_NC24ads_A100_v4"] == shipped["Standard_NC24ads_A100_v4"]
    assert shipped["Standard_D4ds_v5"]["unverified"] == "host_encryption"
    assert after["Standard_D4ds_v5"]["unverified"] == ""
    assert after["Standard_D4ds_v5"]["as_of"] == "2026-11-22"
    assert after["Standard_D4ds_v5"]["ethernet_gbps"] == "12.5", "what the list does not tell stays"
    assert "Standard_A1_v2" not in after


def test_a_new_size_of_azure_joins_its_family() -> None:
    shipped = [row for row in rows("azure/size_families") if row["family"] != "standardAv2Family"]

    anew = azure_size_families.refreshed(shipped, sample("azure_skus.json"), "2026-11-22")

    (added,) = (row for row in anew if row not in shipped)
    assert (added["family"], added["vcpus"]) == ("standardAv2Family", "Standard_A1_v2:1")


def test_sizes_that_a_region_of_azure_keeps_from_an_account_are_not_sold_to_it() -> None:
    shipped = rows("azure/offerings")

    anew = azure_offerings.refreshed(shipped, sample("azure_skus.json"), "2026-11-22")

    (changed,) = (row for row in anew if row not in shipped)
    assert (changed["region"], changed["machine_types"]) == (
        "southcentralus",
        "Standard_NC24ads_A100_v4 Standard_D4ds_v5",
    )


@pytest.mark.parametrize(
    "tool",
    [
        aws_prices,
        gcp_prices,
        azure_prices,
        aws_machines,
        azure_machines,
        aws_offerings,
        azure_offerings,
        azure_size_families,
        aws_zones,
        gcp_zones,
    ],
    ids=lambda each: each.__name__,
)
def test_another_file_is_refused(tool: object) -> None:
    with pytest.raises(ValueError, match="this is no"):
        tool.refreshed([], '{"some": "json"}')  # type: ignore[attr-defined]


def test_rows_keep_their_places_and_new_ones_stand_beside_their_kind() -> None:
    shipped = [{"kind": "b", "at": "1"}, {"kind": "a", "at": "1"}, {"kind": "a", "at": "2"}]
    fresh = [{"kind": "b", "at": "2"}, {"kind": "a", "at": "1"}]

    anew = merged(shipped, fresh, ("kind", "at"), lambda row: row["kind"] == "a")

    assert [(row["kind"], row["at"]) for row in anew] == [("b", "1"), ("b", "2"), ("a", "1")]


def test_the_sample_of_a_price_list_has_the_lines_of_one() -> None:
    lines = sample("aws_price_list.csv").splitlines()

    assert [next(csv.reader([line]))[0] for line in lines[:6]] == [
        "FormatVersion",
        "Disclaimer",
        "Publication Date",
        "Version",
        "OfferCode",
        "SKU",
    ]
