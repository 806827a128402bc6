"""The bill of a month on Azure: by region, by tier of disks and clusters, and what has no price is named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pulumi_azure_native import (
    compute,
    containerregistry,
    containerservice,
    dbforpostgresql,
    network,
    privatedns,
    resources,
    storage,
    storagecache,
)
from tests.cost.bills import of_machines
from tests.programs import IT, Program, Ref, graph_of, urn_of

from penstock import cost
from penstock.azure.facts import lustre
from penstock.catalog import prices
from penstock.cost import Cost
from penstock.testing import rehearse

HOURS = 730
SIZE = "Standard_NC24ads_A100_v4"


def of(program: Callable[[resources.ResourceGroup], object], location: str = "eastus") -> Cost:
    def whole() -> None:
        program(resources.ResourceGroup("group", location=location))

    return cost.cost_of(rehearse(whole).graph)


def pool(location: str = "eastus", **arguments: Any) -> Cost:
    """The bill of a cluster and one node pool, without the control plane."""

    def program(group: resources.ResourceGroup) -> None:
        cluster = containerservice.ManagedCluster("main", resource_group_name=group.name)
        containerservice.AgentPool(
            "pool", resource_group_name=group.name, resource_name_=cluster.name, vm_size=SIZE, **arguments
        )

    return of_machines(of(program, location))


def hourly(region: str) -> float:
    price = prices.on_demand(SIZE, region, "azure")
    assert price is not None
    return price.usd


@pytest.mark.parametrize("location", ["eastus", "westeurope", "West Europe"])
def test_nodes_cost_what_their_region_asks(location: str) -> None:
    (line,) = pool(location, count=2).lines

    region = location.replace(" ", "").lower()
    assert line.what == f"2 × {SIZE}, on demand"
    assert line.monthly_usd == pytest.approx(2 * HOURS * hourly(region), abs=0.01)
    assert hourly("westeurope") > hourly("eastus")


def test_a_pool_that_scales_starts_with_its_minimum() -> None:
    (line,) = pool(enable_auto_scaling=True, min_count=1, max_count=4).lines

    assert line.what == f"1 × {SIZE}, on demand"


def test_spot_has_no_price_and_is_named() -> None:
    bill = pool(count=2, scale_set_priority="Spot")

    assert not bill.lines
    assert [each.why for each in bill.unpriced] == [f"2 × {SIZE}, spot: no price known"]


def test_capacity_that_is_reserved_is_billed_once() -> None:
    def program(group: resources.ResourceGroup) -> None:
        named: Any = {"resource_group_name": group.name}
        held = compute.CapacityReservationGroup("held", **named)
        compute.CapacityReservation(
            "capacity", capacity_reservation_group_name=held.name, sku={"name": SIZE, "capacity": 3}, **named
        )
        cluster = containerservice.ManagedCluster("main", sku={"name": "Base", "tier": "Standard"}, **named)
        containerservice.AgentPool(
            "pool", resource_name_=cluster.name, vm_size=SIZE, count=2, capacity_reservation_group_id=held.id, **named
        )

    bill = of(program)

    assert {line.what for line in bill.lines} == {f"3 × {SIZE}, reserved", "control plane, Standard tier"}
    assert not of_machines(bill).unpriced


@pytest.mark.parametrize(("tier", "usd"), [("Free", 0), ("Standard", 73), ("Premium", 438)])
def test_the_control_plane_costs_by_its_tier(tier: str, usd: float) -> None:
    (line,) = of(
        lambda group: containerservice.ManagedCluster(
            "main", resource_group_name=group.name, sku={"name": "Base", "tier": tier}
        )
    ).lines

    assert (line.what, line.monthly_usd) == (f"control plane, {tier} tier", usd)


@pytest.mark.parametrize(
    ("sku", "gib", "usd"),
    [
        ("Premium_LRS", 128, 19.71),
        ("Premium_LRS", 100, 19.71),
        ("Premium_LRS", 129, 38.01),
        ("StandardSSD_LRS", 1024, 76.8),
    ],
)
def test_a_disk_costs_the_tier_that_holds_it(sku: str, gib: int, usd: float) -> None:
    (line,) = of(
        lambda group: compute.Disk(
            "data",
            resource_group_name=group.name,
            creation_data={"create_option": "Empty"},
            disk_size_gb=gib,
            sku={"name": sku},
        )
    ).lines

    assert line.monthly_usd == usd


def test_a_disk_that_is_billed_by_its_performance_is_no_guess_of_a_tier() -> None:
    bill = of(
        lambda group: compute.Disk(
            "data",
            resource_group_name=group.name,
            creation_data={"create_option": "Empty"},
            disk_size_gb=512,
            sku={"name": "PremiumV2_LRS"},
        )
    )

    (line,) = bill.lines
    assert line.what == "512 GiB disk, PremiumV2_LRS"
    assert (line.unit, line.confidence) == ("GiB-month", "unverified")


@pytest.mark.parametrize("tier", lustre.tiers())
def test_every_tier_of_lustre_has_a_price_and_says_that_it_is_not_confirmed(tier: int) -> None:
    steps = lustre.steps(tier)
    tib = steps.minimum / 1000
    (line,) = of(
        lambda group: storagecache.AmlFilesystem(
            "scratch",
            resource_group_name=group.name,
            filesystem_subnet="subnet",
            maintenance_window={"day_of_week": "Sunday", "time_of_day_utc": "04:00"},
            sku={"name": steps.sku},
            storage_capacity_ti_b=tib,
            zones=["1"],
        )
    ).lines

    price = prices.service("azure", "managed-lustre", f"{tier} MB/s/TiB")
    assert price is not None
    assert line.monthly_usd == pytest.approx(tib * 1024 * price.usd)
    assert line.unverified


def test_what_a_network_has_costs_by_the_hour() -> None:
    def program(group: resources.ResourceGroup) -> None:
        named: Any = {"resource_group_name": group.name}
        network.PublicIPAddress("address", sku={"name": "Standard"}, **named)
        network.NatGateway("nat", sku={"name": "Standard"}, **named)
        network.PrivateEndpoint("endpoint", **named)
        privatedns.PrivateZone("zone", private_zone_name="privatelink.blob.core.windows.net", **named)
        network.PublicIPPrefix("prefix", prefix_length=30, **named)
        rules = [{"name": f"rule-{number}"} for number in range(7)]
        network.LoadBalancer("balancer", sku={"name": "Standard"}, load_balancing_rules=rules, **named)

    found = {line.what: line.monthly_usd for line in of(program).lines}

    assert found == {
        "public address": 3.65,
        "NAT gateway, without traffic": 32.85,
        "private endpoint, without traffic": 7.3,
        "private DNS zone": 0.5,
        "4 public addresses": 17.52,
        "load balancer, without traffic": 18.25,
        "2 further rules of a load balancer": 14.6,
    }


def test_a_standby_doubles_a_database() -> None:
    def program(group: resources.ResourceGroup) -> None:
        dbforpostgresql.Server(
            "db",
            resource_group_name=group.name,
            sku={"name": "Standard_D2ds_v5", "tier": "GeneralPurpose"},
            storage={"storage_size_gb": 128},
            high_availability={"mode": "ZoneRedundant"},
        )

    found = {line.what: line.monthly_usd for line in of(program).lines}

    assert found == {"4 vCore of PostgreSQL, GeneralPurpose": 259.88, "256 GiB disk of PostgreSQL": 29.44}


def test_a_file_share_costs_its_quota_where_the_account_is_premium() -> None:
    def program(group: resources.ResourceGroup) -> None:
        named: Any = {"resource_group_name": group.name}
        fast = storage.StorageAccount("fast", kind="FileStorage", sku={"name": "Premium_LRS"}, **named)
        plain = storage.StorageAccount("plain", kind="StorageV2", sku={"name": "Standard_LRS"}, **named)
        storage.FileShare("shared", account_name=fast.name, share_quota=1024, **named)
        storage.FileShare("slow", account_name=plain.name, share_quota=1024, **named)

    bill = of(program)

    assert [(line.what, line.monthly_usd) for line in bill.lines] == [("1024 GiB file share, Premium_LRS", 163.84)]
    assert sorted(each.depends_on for each in bill.unpriced) == [
        "penstock:usage.storage.plain.gb",
        "penstock:usage.storage.slow.gb",
    ]


def test_a_registry_and_its_copies_cost_by_the_month() -> None:
    def program(group: resources.ResourceGroup) -> None:
        named: Any = {"resource_group_name": group.name}
        registry = containerregistry.Registry("images", sku={"name": "Premium"}, **named)
        containerregistry.Replication("copy", registry_name=registry.name, location="westeurope", **named)

    assert sorted(line.monthly_usd for line in of(program).lines) == [50, 50]


@pytest.mark.parametrize(("sku", "named"), [("Y1", 2), ("FC1", 2), ("P1v3", 0), ("EP1", 0)])
def test_functions_are_paid_by_execution_unless_their_plan_pays(sku: str, named: int) -> None:
    program: Program = {
        IT: ("azure-native:web:WebApp", {"kind": "functionapp", "serverFarmId": Ref("plan")}),
        "plan": ("azure-native:web:AppServicePlan", {"sku": {"name": sku}}),
    }
    bill = cost.cost_of(graph_of(program))

    assert len([each for each in bill.unpriced if each.urn == urn_of(IT, program)]) == named


def test_throughput_of_cosmos_db_is_paid_in_each_region_of_its_account() -> None:
    places = [{"locationName": "westus"}, {"locationName": "centralus", "isZoneRedundant": True}]
    program: Program = {
        IT: (
            "azure-native:cosmosdb:SqlResourceSqlDatabase",
            {"accountName": Ref("account"), "options": {"throughput": 500}},
        ),
        "account": ("azure-native:cosmosdb:DatabaseAccount", {"locations": places}),
    }
    (line,) = cost.cost_of(graph_of(program)).lines

    assert line.monthly_usd == pytest.approx(29.20 + 36.50)


@pytest.mark.parametrize(
    ("scaling", "usd"),
    [
        ({"sku": {"name": "WAF_v2", "tier": "WAF_v2", "capacity": 2}}, (0.443 + 2 * 10 * 0.0144) * HOURS),
        (
            {
                "sku": {"name": "Standard_v2", "tier": "Standard_v2"},
                "autoscaleConfiguration": {"minCapacity": 3, "maxCapacity": 9},
            },
            (0.246 + 3 * 10 * 0.008) * HOURS,
        ),
        ({"sku": {"name": "WAF_v2", "tier": "WAF_v2"}, "autoscaleConfiguration": {"minCapacity": 0}}, 0.443 * HOURS),
    ],
)
def test_an_application_gateway_pays_for_the_units_that_its_instances_reserve(
    scaling: dict[str, Any], usd: float
) -> None:
    """As the examples of azure-docs, Application Gateway: understanding pricing."""
    program: Program = {IT: ("azure-native:network:ApplicationGateway", {"location": "eastus", **scaling})}

    assert cost.cost_of(graph_of(program)).monthly_usd == pytest.approx(usd, abs=0.02)


@pytest.mark.parametrize("policy", ["FirewallPolicy", "WebApplicationFirewallPolicy"])
def test_a_policy_of_firewalls_leaves_a_total_complete(policy: str) -> None:
    program: Program = {IT: (f"azure-native:network:{policy}", {"location": "eastus"})}

    assert cost.cost_of(graph_of(program)).is_complete
