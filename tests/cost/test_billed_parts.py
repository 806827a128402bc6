"""Parts of resources that tables bill: their paths exist, their quantities, conditions and declared amounts count."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, Final, get_args

import pytest
from tests.programs import IT, graph_of

from penstock.catalog import prices
from penstock.catalog.billed_parts import BilledPart
from penstock.catalog.records import records
from penstock.catalog.tables import clouds_with, rows
from penstock.cost import Cost, cost_of
from penstock.cost.part_quantities import properties_of
from penstock.description.usage import parse_usage
from penstock.graph.values import UNKNOWN
from penstock.providers import provider_of
from penstock.simulate.sdk_shortcuts import types_of_properties
from penstock.simulate.sdk_types import arguments_class

PARTS = [part for cloud in clouds_with("billed_parts") for part in records(BilledPart, f"{cloud}/billed_parts")]
KEYS: Final = r"\.|\[\d*\]"
TYPES = sorted({part.type for part in PARTS})


def bill(type_: str, inputs: Mapping[str, Any], usage: Mapping[str, Any] | None = None) -> Cost:
    declared = parse_usage(usage) if usage else None
    return cost_of(graph_of({IT: (type_, inputs)}), declared)


@pytest.mark.parametrize("type_", TYPES)
def test_each_row_reads_properties_that_the_sdk_has(type_: str) -> None:
    provider = provider_of(type_)
    assert provider is not None
    import_module(provider.sdk)
    arguments = arguments_class(type_)
    assert arguments is not None
    paths = {path for part in PARTS if part.type == type_ for path in properties_of(part)}

    assert not [path for path in paths if not has_property(arguments, [key for key in re.split(KEYS, path) if key])]


def has_property(cls: type, keys: Sequence[str]) -> bool:
    """Return whether keys lead from the inputs of a class of the SDK to a property."""
    declared = types_of_properties(cls).get(keys[0])
    if declared is None or len(keys) == 1:
        return declared is not None
    inner = [each for each in classes_of(declared) if each.__module__.startswith("pulumi_")]
    return any(has_property(each, keys[1:]) for each in inner)


def classes_of(hint: Any) -> Iterator[type]:
    if get_args(hint):
        for inner in get_args(hint):
            yield from classes_of(inner)
    elif isinstance(hint, type):
        yield hint


def test_no_type_is_billed_by_parts_and_named_as_billed_otherwise() -> None:
    assert not [type_ for type_ in TYPES if prices.billed_otherwise(type_)]


@pytest.mark.parametrize("part", [part for part in PARTS if part.service], ids=lambda part: f"{part.type}/{part.item}")
def test_the_item_of_each_row_is_in_the_price_list(part: BilledPart) -> None:
    provider = provider_of(part.type)
    assert provider is not None
    listed = (
        row
        for table in ("services", "node_prices")
        if provider.name in clouds_with(table)
        for row in rows(f"{provider.name}/{table}")
    )
    items = {row["item"] for row in listed if row["service"] == part.service}
    fixed, _, open_end = part.item.partition("{")

    assert part.item in items or (open_end and any(item.startswith(fixed) for item in items))


def test_a_quantity_is_the_product_of_its_factors() -> None:
    cache = {"sku": {"name": "Premium", "family": "P", "capacity": 1}, "shardCount": 3, "replicasPerMaster": 1}
    (line,) = bill("azure-native:redis:Redis", {"location": "eastus", **cache}).lines

    assert line.quantity == 6 * 730
    assert line.monthly_usd == pytest.approx(1213.26, rel=0.001)
    assert line.confidence == "list"


def test_a_part_whose_price_nobody_knows_is_named() -> None:
    (unpriced,) = bill("azure-native:redis:Redis", {"sku": {"name": "Basic", "family": "C", "capacity": 9}}).unpriced

    assert unpriced.why == "Basic cache, C9: no price known"


def test_an_unknown_property_is_named_by_its_path() -> None:
    (unpriced,) = bill("azure-native:redis:Redis", {"sku": {"name": UNKNOWN}}).unpriced

    assert unpriced.why == "sku.name, which the bill needs, is not known yet"


@pytest.mark.parametrize("value", ["many", {"of": 3}, float("nan")])
@pytest.mark.parametrize("type_", TYPES)
def test_a_value_of_another_type_ends_no_bill(type_: str, value: Any) -> None:
    paths = {
        path.partition(".")[0].partition("[")[0] for part in PARTS if part.type == type_ for path in properties_of(part)
    }

    assert bill(type_, dict.fromkeys(paths, value)).monthly_usd >= 0


def test_a_resource_that_no_row_is_for_is_named() -> None:
    (unpriced,) = bill("azure-native:redis:Redis", {"sku": {"name": "Newer", "family": "N", "capacity": 1}}).unpriced

    assert unpriced.why == "Redis: no price known"


def test_usage_of_an_existing_resource_that_its_bill_does_not_read_is_reported() -> None:
    found = bill("azure-native:redis:Redis", {}, {"services": {IT: {"messages": 5}}, "storage": {"nobody": {"gb": 1}}})

    assert [(each.code, each.path) for each in found.misdeclared] == [("USAGE-006", ("services", IT))]
    assert found.unmatched == ("storage.nobody",)


@pytest.mark.parametrize(
    ("cloud", "service", "item", "region", "marked"),
    [
        ("azure", "log-analytics", "data written", "westeurope", False),
        ("azure", "files", "Premium_LRS", "westus", False),
        ("azure", "files", "Premium_LRS", "japaneast", True),
        ("azure", "log-analytics", "data written", "eastus", False),
        ("azure", "postgresql", "GeneralPurpose vCore", "westus", False),
        ("azure", "postgresql", "GeneralPurpose vCore", "westeurope", True),
        ("gcp", "cloud-run", "vCPU", "europe-west3", False),
        ("gcp", "cloud-run", "vCPU", "asia-east1", True),
        ("gcp", "public-ip", "address not in use", "europe-central2", False),
        ("gcp", "artifact-registry", "storage", "asia-east1", False),
        ("azure", "nat-gateway", "hour", "japaneast", False),
        ("azure", "blob", "Standard_LRS hot", "westus", False),
        ("azure", "blob", "Standard_LRS hot", "", True),
    ],
)
def test_a_price_is_marked_where_it_is_not_that_of_its_region(
    cloud: str, service: str, item: str, region: str, marked: bool
) -> None:
    price = prices.service(cloud, service, item, region)

    assert price is not None
    assert ("region" in price.unverified) == marked


def test_a_confirmed_price_of_another_region_comes_before_a_guess() -> None:
    price = prices.service("azure", "postgresql", "GeneralPurpose vCore", "westeurope")

    assert price is not None
    assert price.unverified == ("region",)


def test_usage_that_a_row_bills_beyond_the_included_amount() -> None:
    plan = ("azure-native:web:StaticSite", {"location": "eastus", "sku": {"name": "Standard"}})
    little, much = (bill(*plan, {"services": {IT: {"gb": gb}}}).monthly_usd for gb in (100, 250))

    assert much - little == pytest.approx(150 * 0.2)


def test_amounts_between_two_tiers_are_billed_by_both() -> None:
    records_ = ("azure-native:dns:RecordSet", {"recordType": "A"})
    lines = bill(*records_, {"services": {IT: {"queries": 1_500_000_000}}}).lines

    assert sorted(line.monthly_usd for line in lines) == [100, 400]


def test_a_free_choice_is_neither_priced_nor_named() -> None:
    found = bill("azure-native:web:AppServicePlan", {"sku": {"name": "F1"}})

    assert not found.lines
    assert not found.unpriced


def test_amounts_that_are_seldom_used_are_named_only_if_declared() -> None:
    hub = ("azure-native:network:DdosProtectionPlan", {"location": "westeurope"})

    assert not bill(*hub).unpriced
    assert len(bill(*hub, {"services": {IT: {"resources": 120}}}).lines) == 2
