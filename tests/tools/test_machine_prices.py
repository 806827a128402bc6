"""Checkouts of published lists become the prices of regions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tools import aws_prices, azure_prices, gcp_prices, machine_prices

KARPENTER = """// generated at {date}T13:44:30Z for us-east-1
var Prices = map[string]map[ec2types.InstanceType]float64{{
	"us-east-1": {{
		"q7i.large": 0.100000, "q7i.24xlarge": 4.800000, "q7i.metal-24xl": 5.280000, "q8i.large": 0.105000,
	}},
}}
"""


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return folder


def page(**prices: float) -> str:
    entries = {name: {"Instance Type": name.replace("_", "."), "price": str(usd)} for name, usd in prices.items()}
    manifest = {"hawkFilePublicationDate": "2026-11-04T22:41:22Z"}
    return json.dumps({"manifest": manifest, "regions": {"somewhere": entries}})


def lines(cloud: str, found: dict[str, machine_prices.Published], region: str) -> set[str]:
    """The rows of a region's table that come from the given lists."""
    text = machine_prices.region_texts(cloud, found)[region]
    return {line for line in text.splitlines() if line.partition(",")[0] in found}


def test_lists_of_aws_are_read_from_their_checkouts(tmp_path: Path) -> None:
    karpenter = written(
        tmp_path / "a", "pkg/providers/pricing/zz_generated.pricing_aws.go", KARPENTER.format(date="2026-11-20")
    )
    written(karpenter, "pkg/providers/pricing/zz_generated.pricing_aws_cn.go", KARPENTER.replace("0.1", "0.7"))
    pages = written(tmp_path / "b", "data/ec2/us-east-1-ondemand.json", page(q7i_large=0.2, t2_nano=0.005))
    written(pages, "data/ec2/eu-west-1-ondemand.json", page(q7i_large=0.11))
    written(pages, "data/ec2/eu-west-1-previousgen-ondemand.json", "<Error>NoSuchKey</Error>")

    found = machine_prices.gathered("aws", aws_prices.LISTS, [karpenter, pages])

    assert (found["karpenter"].as_of, found["ec2-pricing-page"].as_of) == ("2026-11-20", "2026-11-04")
    assert lines("aws", found, "us-east-1") == {
        "karpenter,q7i.large,0.1",
        "karpenter,q7i.24xlarge,4.8",
        "karpenter,q7i.metal-24xl,4.8",
        "karpenter,q8i.large,0.105",
        "ec2-pricing-page,t2.nano,0.005",
    }, "the first list wins, China is not in USD, and bare metal costs what its size costs"
    assert lines("aws", found, "eu-west-1") == {
        "ec2-pricing-page,q7i.large,0.11",
        "family-before,q7i.24xlarge,5.28",
        "family-before,q7i.metal-24xl,5.28",
        "family-before,q8i.large,0.1155",
    }, "q7i is a tenth dearer there, so q8i is"


def test_reservations_hold_for_the_price_that_they_were_published_beside(tmp_path: Path) -> None:
    entry = {"LeaseContractLength": "1yr", "Instance Type": "t3.large", "price": "0.0522"}
    offers = {
        "now": {**entry, "OnDemand:PricePerUnit": "0.0832"},
        "then": {**entry, "Instance Type": "p5.48xlarge", "OnDemand:PricePerUnit": "98.32"},
    }
    folder = written(
        tmp_path, "data/ec2/us-east-1-reservedinstance-1y.json", json.dumps({"regions": {"Virginia": offers}})
    )

    found = machine_prices.gathered("aws", aws_prices.LISTS, [folder])

    assert found["reserved-1y"].prices == {("us-east-1", "t3.large"): 0.0522}


def test_a_saving_of_the_spot_advisor_is_one_of_the_price_on_demand(tmp_path: Path) -> None:
    advice = {"us-east-1": {"Linux": {"t3.large": {"s": 60, "r": 1}, "t3.small": {"s": 0, "r": 0}}}}
    folder = written(tmp_path, "internal/spot/data/spot-advisor-data.json", json.dumps({"spot_advisor": advice}))

    found = machine_prices.gathered("aws", aws_prices.LISTS, [folder])

    assert found["spot-advisor"].prices == {("us-east-1", "t3.large"): pytest.approx(0.4 * 0.0832)}


def test_the_list_of_azure_is_read_without_dedicated_hosts(tmp_path: Path) -> None:
    text = (
        "// generated at 2026-11-18T03:43:41Z\n"
        '	initialOnDemandPrices["eastus"] = map[string]float64{\n'
        '		"Dsv3_Type1":      4.900000,\n'
        '		"Standard_B1s":    0.010400,\n'
        '		"Standard_B2s":    0.000000,\n'
        "	}\n"
    )
    folder = written(tmp_path, "pkg/providers/pricing/zz_generated.pricing.go", text)

    found = machine_prices.gathered("azure", azure_prices.LISTS, [folder])

    assert found["karpenter"].as_of == "2026-11-18"
    assert lines("azure", found, "eastus") == {"karpenter,Standard_B1s,0.0104"}


def test_the_list_of_google_has_two_ways_of_buying(tmp_path: Path) -> None:
    prices = {"us-central1": {"on_demand": {"e2-micro": 0.0083764275}, "spot": {"e2-micro": 0.0025}}}
    folder = written(tmp_path, "pkg/providers/pricing/initial-prices.json", json.dumps({"prices": prices}))

    found = machine_prices.gathered("gcp", gcp_prices.LISTS, [folder])

    assert lines("gcp", found, "us-central1") == {"karpenter,e2-micro,0.008376", "karpenter-spot,e2-micro,0.0025"}


def test_lists_that_no_folder_has_stay_as_they_are(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"not a checkout with .*initial-prices\.json"):
        machine_prices.gathered("gcp", gcp_prices.LISTS, [tmp_path])

    assert machine_prices.region_texts("gcp", {}) == machine_prices.region_texts("gcp", {"karpenter": shipped()})


def shipped() -> machine_prices.Published:
    return machine_prices.Published(machine_prices.shipped("gcp")["karpenter"])
