"""The bill of a month: what is counted, what is not counted twice, and what is named because it has no price."""

from __future__ import annotations

from typing import Any

import pytest
from tests.descriptions import RESERVATION, TRAINING, changed

from penstock import cost
from penstock.catalog import prices
from penstock.cost import Cost
from penstock.cost.work import pool_rates
from penstock.description.usage import parse_usage
from penstock.testing import rehearse

pytestmark = pytest.mark.slow

HOURS = 730
H100 = {"name": "train", "accelerator": "h100", "nodes": 2}


def of(description: dict[str, Any], *, preview: bool = False) -> Cost:
    return cost.cost_of(rehearse(description, preview=preview).graph)


def with_train(**fields: object) -> dict[str, Any]:
    return changed("node_pools.1", {**H100, **fields})


def line(bill: Cost, part: str) -> float:
    return sum(each.monthly_usd for each in bill.lines if part in each.what)


def hourly(machine_type: str, *, spot: bool = False) -> float:
    price = (prices.spot if spot else prices.on_demand)(machine_type, "us-east-1", "aws")
    assert price is not None
    return price.usd


def test_machines_cost_by_the_hour_for_as_many_as_are_started() -> None:
    bill = of(with_train(nodes={"min": 2, "max": 16}))

    assert line(bill, "2 × p5.48xlarge, on demand") == pytest.approx(2 * HOURS * hourly("p5.48xlarge"), abs=0.01)


def test_spot_costs_what_spot_costs() -> None:
    bill = of(changed("storage", [], with_train(accelerator="a100", capacity="spot")))

    assert line(bill, "2 × p4d.24xlarge, spot") == pytest.approx(
        2 * HOURS * hourly("p4d.24xlarge", spot=True), abs=0.01
    )


def test_a_reservation_is_paid_in_full_and_its_machines_not_again() -> None:
    bill = of(with_train(nodes={"min": 1, "max": 4}, capacity="reserved"))

    assert [each.what for each in bill.lines if "p5" in each.what] == ["4 × p5.48xlarge, reserved"]


def test_shares_of_a_pool_are_not_paid_beside_the_reservation_that_holds_it() -> None:
    graph = rehearse(with_train(nodes={"min": 1, "max": 4}, capacity="reserved")).graph
    usage = parse_usage({"pools": {"train": {"nodes": 4, "reserved": 0.5, "on_demand": 0.5}}})
    bill = cost.cost_of(graph, usage)

    assert [each.what for each in bill.lines if "p5" in each.what] == ["4 × p5.48xlarge, reserved"]


def test_an_hour_of_a_reserved_pool_costs_no_less_for_nodes_that_it_cannot_have() -> None:
    graph = rehearse(with_train(nodes={"min": 1, "max": 4}, capacity="reserved")).graph
    rates = {}
    for nodes in (4, 8):
        usage = parse_usage({"pools": {"train": {"nodes": nodes}}})
        rate = next(each for each in pool_rates(cost.cost_of(graph, usage), graph, usage) if "p5" in each.machine_type)
        rates[nodes] = rate.node_hour_usd or 0

    assert rates[8] >= rates[4] > 0


def test_machines_in_a_reservation_from_elsewhere_are_counted() -> None:
    bill = of(with_train(capacity="reserved", reservation=RESERVATION))

    assert line(bill, "2 × p5.48xlarge") > 0


def test_a_capacity_block_was_paid_before() -> None:
    block = {"accelerator": "h200", "capacity": "capacity_block", "reservation": RESERVATION, "zone": "us-east-1a"}
    bill = of(with_train(**block))

    assert not line(bill, "p5en")
    assert any("capacity block" in each.why for each in bill.unpriced)


def test_what_has_no_price_is_named_and_not_counted_as_nothing() -> None:
    bill = of(dict(TRAINING))
    named = {each.urn.split("$")[-1].split("::")[0] for each in bill.unpriced}

    assert named >= {"aws:s3/bucket:Bucket", "aws:efs/fileSystem:FileSystem"}
    assert all(each.depends_on or "no price known" in each.why for each in bill.unpriced)


def test_a_guessed_price_is_marked() -> None:
    (lustre,) = (each for each in of(dict(TRAINING)).lines if "MB/s/TiB" in each.what)

    assert lustre.unverified


def test_the_sum_is_that_of_the_lines_and_the_dearest_comes_first() -> None:
    bill = of(dict(TRAINING))
    amounts = [each.monthly_usd for each in bill.lines]

    assert bill.monthly_usd == sum(amounts)
    assert amounts == sorted(amounts, reverse=True)


def test_a_preview_costs_what_the_real_run_does() -> None:
    assert of(with_train(), preview=True).monthly_usd == of(with_train()).monthly_usd


def test_what_is_only_looked_up_is_paid_elsewhere() -> None:
    def program() -> None:
        from pulumi_aws import ec2

        ec2.NatGateway.get("theirs", "nat-0123456789abcdef0")

    assert cost.cost_of(rehearse(program).graph) == Cost((), ())
