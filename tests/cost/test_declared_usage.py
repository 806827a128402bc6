"""What a stack declares of a month counts, in proportion; what it does not declare stays named."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cost.bills import of_machines
from tests.cost.reference_architectures import AWS, nodes
from tests.programs import IT, Program, graph_of

from penstock.core.findings import Severity
from penstock.cost import Cost, cost_of
from penstock.cost.work import job_costs, pool_rates
from penstock.description.usage import parse_usage
from penstock.report.cost import job_cells, rate_cells

BUCKET, VPC, NAT = "aws:s3/bucket:Bucket", "aws:ec2/vpc:Vpc", "aws:ec2/natGateway:NatGateway"
GPU = nodes("gpu", "p5.48xlarge", 4, 300, "gp3")
HOUR, SPOT_HOUR = 55.04, 18.6838


def bill(program: Program, usage: Mapping[str, Any] | None = None, today: date | None = None) -> Cost:
    return cost_of(graph_of({**AWS, **program}), parse_usage(usage or {}), today)


def amount(cost: Cost, part: str) -> float:
    found = [line.monthly_usd for line in cost.lines if part in line.what]
    assert found, [line.what for line in cost.lines]
    return sum(found)


def test_without_a_declaration_storage_is_named_and_not_free() -> None:
    found = bill({"datasets": (BUCKET, {})})
    (unpriced,) = found.unpriced

    assert not found.lines
    assert unpriced.depends_on == "penstock:usage.storage.datasets.gb"
    assert (unpriced.unit_usd, unpriced.unit) == (0.023, "GB-month")


@given(st.floats(0, 1e6), st.floats(0, 100))
def test_units_scale_linearly(gb: float, factor: float) -> None:
    def cost(amount_gb: float) -> float:
        bucket: Program = {"datasets": ("gcp:storage/bucket:Bucket", {"location": "us-central1"})}
        return bill(bucket, {"storage": {"datasets": {"gb": amount_gb}}}).monthly_usd

    assert cost(gb * factor) == pytest.approx(cost(gb) * factor, abs=0.01 * (1 + factor))


@pytest.mark.parametrize(
    ("gb", "usd"),
    [(51_200, 51_200 * 0.023), (60_000, 51_200 * 0.023 + 8_800 * 0.022), (600_000, 13_163.2)],
)
def test_many_objects_cost_less_each(gb: float, usd: float) -> None:
    found = bill({"datasets": (BUCKET, {})}, {"storage": {"datasets": {"gb": gb}}})

    assert found.monthly_usd == pytest.approx(usd)


@given(st.floats(0, 1e6), st.floats(0, 1e6))
def test_more_objects_never_cost_less(one: float, other: float) -> None:
    costs = [
        bill({"datasets": (BUCKET, {})}, {"storage": {"datasets": {"gb": gb}}}).monthly_usd
        for gb in sorted((one, other))
    ]

    assert costs[0] <= costs[1] + 0.01


@given(st.lists(st.floats(0, 51_200), min_size=3, max_size=3))
def test_bounds_of_a_declaration_are_those_of_the_line(amounts: list[float]) -> None:
    low, expected, high = sorted(amounts)
    declared = {"gb": {"low": low, "expected": expected, "high": high}}

    found = bill({"datasets": (BUCKET, {})}, {"storage": {"datasets": declared}})

    assert found.high_usd is not None
    assert found.low_usd <= found.monthly_usd <= found.high_usd
    assert found.low_usd == pytest.approx(low * 0.023, abs=0.01)
    assert found.high_usd == pytest.approx(high * 0.023, abs=0.01)


def test_old_versions_and_what_soft_delete_keeps_are_paid_like_the_rest() -> None:
    program: Program = {"models": ("gcp:storage/bucket:Bucket", {"location": "us-central1"})}
    usage = {"storage": {"models": {"gb": 1000, "old_versions_gb": 200, "deleted_gb": 100}}}

    assert bill(program, usage).monthly_usd == pytest.approx(1300 * 0.02)


def test_a_name_may_be_that_of_the_component_or_an_end_of_it() -> None:
    program: Program = {"platform-prod-datasets": (BUCKET, {})}

    assert bill(program, {"storage": {"datasets": {"gb": 100}}}).monthly_usd == pytest.approx(2.3)
    assert bill(program, {"storage": {"sets": {"gb": 100}}}).unmatched == ("storage.sets",)


@pytest.mark.parametrize(
    ("gb", "usd"),
    [(0, 0), (1_000, 90), (10_240, 921.6), (51_200, 921.6 + 3_481.6), (153_700, 921.6 + 3_481.6 + 7_168 + 100 * 0.05)],
)
def test_egress_is_paid_tier_by_tier(gb: float, usd: float) -> None:
    found = bill({"main": (VPC, {})}, {"network": {"egress_gb": gb}})

    assert sum(line.monthly_usd for line in found.lines) == pytest.approx(usd)


def test_what_is_declared_once_is_paid_once() -> None:
    clusters: Program = {name: ("aws:eks/cluster:Cluster", {"version": "1.35"}) for name in ("blue", "green")}
    networks: Program = {name: (VPC, {}) for name in ("first", "second")}
    usage = {"network": {"egress_gb": 1000}, "volumes_gb": 100}

    assert bill({**clusters, **networks}, usage).monthly_usd == pytest.approx(2 * 73 + 90 + 8)


def test_usage_that_nothing_is_billed_by_is_named() -> None:
    assert bill({"datasets": (BUCKET, {})}, {"network": {"nat_gb": 5}, "volumes_gb": 1}).unmatched == (
        "network.nat_gb",
        "volumes_gb",
    )


def test_traffic_between_zones_is_paid_at_both_ends() -> None:
    found = bill({"main": (VPC, {})}, {"network": {"cross_zone_gb": 1000}})

    assert amount(found, "between zones") == pytest.approx(20)


def test_gateways_share_what_goes_through_them() -> None:
    found = bill({"a": (NAT, {}), "b": (NAT, {})}, {"network": {"nat_gb": 1000}})

    assert [line.quantity for line in found.lines if "through NAT" in line.what] == [500, 500]
    assert amount(found, "through NAT") == pytest.approx(45)
    assert len(bill({"a": (NAT, {}), "b": (NAT, {})}).unpriced) == 1, "named once"


def test_machines_cost_for_the_hours_that_they_run() -> None:
    half = bill(GPU, {"pools": {"gpu": {"nodes": 4, "hours": 365}}})

    assert amount(half, "p5.48xlarge") == pytest.approx(4 * 365 * HOUR, rel=1e-6)
    assert amount(half, "volume") == pytest.approx(2 * 300 * 0.08)


def test_a_number_of_machines_is_shown_in_few_digits() -> None:
    found = bill(GPU, {"pools": {"gpu": {"nodes": 4, "hours": 400}}})

    assert "2.2 × 300 GiB volume, gp3" in [line.what for line in found.lines]


def test_a_pool_is_bought_in_shares() -> None:
    usage = {"pools": {"gpu": {"reserved": 0.5, "spot": 0.25, "on_demand": 0.25, "discount": 0.4}}}
    found = bill(GPU, usage)

    assert amount(found, "reserved") == pytest.approx(2 * 730 * HOUR * 0.6, rel=1e-6)
    assert amount(found, "spot") == pytest.approx(730 * SPOT_HOUR, rel=1e-6)
    assert amount(found, "on demand") == pytest.approx(730 * HOUR, rel=1e-6)


@given(st.floats(0, 1), st.floats(0, 1))
def test_more_commitment_never_costs_more_at_full_use(one: float, other: float) -> None:
    def cost(reserved: float) -> float:
        shares = {"reserved": reserved, "on_demand": 1 - reserved, "commitment": "1y"}
        return bill(GPU, {"pools": {"gpu": shares}}).monthly_usd

    less, more = sorted((one, other))
    assert cost(more) <= cost(less) + 0.02


def test_reserved_machines_are_paid_also_when_nobody_uses_them() -> None:
    idle = bill(GPU, {"pools": {"gpu": {"reserved": 1.0, "hours": 0}}})

    assert amount(idle, "p5.48xlarge") == pytest.approx(4 * 730 * HOUR, rel=1e-6)


def test_interruptions_make_spot_dearer() -> None:
    calm = amount(bill(GPU, {"pools": {"gpu": {"spot": 1.0}}}), "spot")
    stormy = bill(GPU, {"pools": {"gpu": {"spot": 1.0, "interruptions_per_week": 7, "restart_minutes": 10}}})

    assert amount(stormy, "spot") > calm * 1.05
    assert any("lost to interruptions" in line.assumes for line in stormy.lines)


@pytest.mark.parametrize(("fewer", "more"), [(0, 1), (1, 7), (7, 14), (14, 40)])
def test_cost_never_falls_as_interruptions_rise(fewer: int, more: int) -> None:
    def usd(interruptions: int) -> float:
        shares = {"nodes": 4, "hours": 100, "spot": 1.0, "interruptions_per_week": interruptions}
        return amount(bill(GPU, {"pools": {"gpu": shares}}), "spot")

    assert usd(fewer) < usd(more)


@pytest.mark.parametrize("interruptions", [1_000, 1e15])
def test_work_that_never_ends_has_no_price(interruptions: float) -> None:
    usage = {"pools": {"gpu": {"hours": 100, "spot": 1.0, "interruptions_per_week": interruptions}}}
    found = bill(GPU, usage)
    (problem,) = found.misdeclared

    assert not [line for line in found.lines if "p5.48xlarge" in line.what]
    assert [each.why for each in of_machines(found).unpriced] == [
        "4 × p5.48xlarge, spot: never ends, interruptions lose all the time"
    ]
    assert (problem.code, problem.severity) == ("USAGE-004", Severity.ERROR)
    assert problem.path == ("pools", "gpu", "interruptions_per_week")
    assert "never ends" in problem.message


def test_more_hours_than_a_month_has_are_said() -> None:
    usage = {"pools": {"gpu": {"hours": 700, "spot": 1.0, "interruptions_per_week": 14}}}
    (problem,) = bill(GPU, usage).misdeclared
    usage["pools"]["gpu"]["hours"] = 100

    assert (problem.code, problem.severity) == ("USAGE-005", Severity.WARNING)
    assert "700 hours of work take" in problem.message
    assert not bill(GPU, usage).misdeclared


@pytest.mark.parametrize(
    ("usage", "path", "message"),
    [
        (
            {"pools": {"gpu": {"nodes": 50}}},
            ("pools", "gpu", "nodes"),
            "50 nodes are declared; the pool 'gpu' has at most",
        ),
        ({"jobs": {"j": {"pool": "gpu", "nodes": 99, "hours": 1}}}, ("jobs", "j", "nodes"), "99 nodes are declared"),
        ({"jobs": {"j": {"pool": "gpus", "nodes": 1, "hours": 1}}}, ("jobs", "j", "pool"), "'gpus' is no node pool"),
    ],
)
def test_usage_that_a_pool_cannot_hold_is_an_error(usage: dict[str, Any], path: tuple[str, ...], message: str) -> None:
    (problem,) = bill(GPU, usage).misdeclared

    assert (problem.path, problem.severity) == (path, Severity.ERROR)
    assert problem.message.startswith(message)


def test_a_job_of_no_pool_has_the_near_name_and_no_cost() -> None:
    usage = parse_usage({"jobs": {"j": {"pool": "gpus", "nodes": 1, "hours": 1}}})
    graph = graph_of({**AWS, **GPU})
    cost = cost_of(graph, usage)
    (job,) = job_costs(cost, graph, usage)

    assert "Did you mean gpu?" in cost.misdeclared[0].hint
    assert job.usd is None
    assert set(job_cells(job)) == {"not known", "0.00"}, "no storage and no egress are declared"


def test_a_machine_without_a_price_has_no_rate() -> None:
    unsold = nodes("gpu", "p5.48xlarge", 1, 30, "gp3")
    graph = graph_of({"p": ("pulumi:providers:aws", {"region": "af-south-1"}), **unsold})
    (rate,) = pool_rates(cost_of(graph), graph)

    assert (rate.node_hour_usd, rate.accelerator_hour_usd, rate.monthly_usd) == (None, None, None)
    assert rate_cells(rate) == ("not known", "not known")


def test_a_spot_price_of_one_moment_is_bounded_by_the_one_on_demand() -> None:
    (line,) = (line for line in bill(GPU, {"pools": {"gpu": {"spot": 1.0}}}).lines if "spot" in line.what)

    assert line.confidence == "market"
    assert line.low_usd == pytest.approx(4 * 730 * 16.9508, rel=1e-6), "that of the cheapest zone"
    assert line.high_usd == pytest.approx(4 * 730 * HOUR, rel=1e-6)


@pytest.mark.parametrize(
    ("version", "today", "usd"),
    [("1.33", date(2026, 7, 1), 73), ("1.33", date(2026, 8, 1), 438), ("1.35", date(2026, 8, 1), 73)],
)
def test_a_control_plane_past_standard_support_costs_six_times_as_much(version: str, today: date, usd: float) -> None:
    found = bill({IT: ("aws:eks/cluster:Cluster", {"version": version})}, today=today)

    assert amount(found, "control plane") == pytest.approx(usd)


def test_without_extended_support_the_cloud_upgrades_instead() -> None:
    inputs = {"version": "1.33", "upgradePolicy": {"supportType": "STANDARD"}}

    assert amount(bill({IT: ("aws:eks/cluster:Cluster", inputs)}, today=date(2026, 8, 1)), "control") == 73


def test_less_than_the_least_of_a_tier_is_paid_as_the_least() -> None:
    inputs = {"perUnitStorageThroughput": "1000", "capacityGib": "4000", "location": "us-central1-a"}
    (line,) = bill({IT: ("gcp:lustre/instance:Instance", inputs)}).lines

    assert line.quantity == 9000
    assert "the least of this tier" in line.assumes


def test_a_price_of_another_region_is_said_to_be_one() -> None:
    far: Program = {"provider": ("pulumi:providers:aws", {"region": "eu-central-1"}), "nat": (NAT, {})}
    (line,) = cost_of(graph_of(far)).lines

    assert line.confidence == "other-region"
    assert line.low_usd < line.monthly_usd < line.high_usd


def test_the_sum_of_lines_is_the_total() -> None:
    found = bill({**GPU, "main": (VPC, {}), "datasets": (BUCKET, {})}, {"storage": {"datasets": {"gb": 5e4}}})

    assert found.monthly_usd == sum(line.monthly_usd for line in found.lines)
    assert found.low_usd <= found.monthly_usd <= (found.high_usd or 0)
    assert all(line.source and line.as_of for line in found.lines)
