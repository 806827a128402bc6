"""Storage is billed by its class: what is cold costs less to keep, and something to read."""

from __future__ import annotations

from typing import Any

import pytest
from tests.programs import IT, Ref, graph_of

from penstock.cost import Cost, cost_of
from penstock.description.usage import parse_usage

_BUCKET, _ACCOUNT = "gcp:storage/bucket:Bucket", "azure-native:storage:StorageAccount"


def _bill(type_: str, inputs: dict[str, Any], **held: float) -> Cost:
    usage = parse_usage({"storage": {IT: held}}) if held else None
    return cost_of(graph_of({IT: (type_, inputs)}), usage)


@pytest.mark.parametrize(
    ("location", "class_", "usd"),
    [
        ("us-central1", None, 20.0),
        ("us-central1", "NEARLINE", 10.0),
        ("US-CENTRAL1", "COLDLINE", 4.0),
        ("us-central1", "ARCHIVE", 1.2),
        ("us-east4", "ARCHIVE", 2.5),
        ("EU", "NEARLINE", 15.0),
        ("us-central1", "REGIONAL", 20.0),
    ],
)
def test_a_bucket_is_billed_by_its_class_and_location(location: str, class_: str | None, usd: float) -> None:
    inputs = {"location": location, **({"storageClass": class_} if class_ else {})}
    bill = _bill(_BUCKET, inputs, gb=1000)

    assert bill.monthly_usd == pytest.approx(usd)
    assert {line.confidence for line in bill.lines} == {"list"}


@pytest.mark.parametrize(
    "inputs",
    [
        {"location": "NAM4"},
        {"location": "US", "customPlacementConfig": {"dataLocations": ["US-CENTRAL1", "US-WEST1"]}},
        {"location": "asia-northeast1", "storageClass": "ARCHIVE"},
    ],
)
def test_what_no_price_is_known_for_is_named(inputs: dict[str, Any]) -> None:
    bill = _bill(_BUCKET, inputs, gb=1000)

    assert not bill.lines
    assert [each.why for each in bill.unpriced if each.why.endswith("no price known")]


@pytest.mark.parametrize(
    ("sku", "tier", "usd"),
    [
        ("Standard_LRS", None, 20.8),
        ("Standard_LRS", "Cool", 15.2),
        ("Standard_GRS", "Cool", 23.0),
        ("Premium_LRS", "Cool", 195.0),
    ],
)
def test_an_account_is_billed_by_its_access_tier(sku: str, tier: str | None, usd: float) -> None:
    inputs = {"sku": {"name": sku}, "location": "eastus", **({"accessTier": tier} if tier else {})}

    assert _bill(_ACCOUNT, inputs, gb=1000).monthly_usd == pytest.approx(usd)


def test_a_tier_without_a_price_is_named() -> None:
    bill = _bill(_ACCOUNT, {"sku": {"name": "Standard_LRS"}, "location": "eastus", "accessTier": "Cold"}, gb=1000)

    assert not bill.lines
    assert "blobs, Standard_LRS, cold: no price known" in [each.why for each in bill.unpriced]


@pytest.mark.parametrize(
    ("type_", "inputs", "usd"),
    [
        (_BUCKET, {"location": "us-central1", "storageClass": "COLDLINE"}, 0.02),
        (_ACCOUNT, {"sku": {"name": "Standard_LRS"}, "accessTier": "Cool"}, 0.01),
    ],
)
def test_reading_what_is_cold_is_named_with_its_price(type_: str, inputs: dict[str, Any], usd: float) -> None:
    assert [each.unit_usd for each in _bill(type_, inputs).unpriced if each.depends_on == "GB read"] == [usd]


def test_classes_that_a_lifecycle_moves_objects_to_are_named() -> None:
    rules = [{"status": "Enabled", "transitions": [{"days": 30, "storageClass": "GLACIER"}]}]
    apart = ("aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration", {"bucket": Ref(IT), "rules": rules})
    bill = cost_of(graph_of({IT: ("aws:s3/bucket:Bucket", {}), "rules": apart}))

    assert [each.depends_on for each in bill.unpriced if "GLACIER" in each.why] == ["GB moved"]
