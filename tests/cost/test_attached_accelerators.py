"""Machines of Google Cloud that are sold by their parts: attached accelerators, and custom machine types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pulumi_gcp import compute, container, workbench
from tests.cost.bills import of_machines

from penstock import cost
from penstock.catalog import prices
from penstock.cost import Cost, Line, Unpriced
from penstock.testing import rehearse

HOURS = 730
REGION, ZONE = "us-central1", "us-central1-a"
N1 = 0.379998
T4 = 0.35


def of(program: Callable[[], object]) -> Cost:
    return of_machines(cost.cost_of(rehearse(program).graph))


def node_pool(**config: Any) -> Line | Unpriced:
    """The cost of two nodes in one zone."""

    def program() -> None:
        cluster = container.Cluster("main", location=REGION, remove_default_node_pool=True, initial_node_count=1)
        zones: Any = [ZONE]
        node_config: Any = config
        container.NodePool(
            "pool", cluster=cluster.name, location=REGION, node_locations=zones, node_count=2, node_config=node_config
        )

    bill = of(program)
    items: list[Line | Unpriced] = [*bill.lines, *bill.unpriced]
    (item,) = items
    return item


def test_a_node_costs_its_machine_and_its_accelerators() -> None:
    item = node_pool(machine_type="n1-standard-8", guest_accelerators=[{"type": "nvidia-tesla-t4", "count": 2}])

    assert isinstance(item, Line)
    assert item.what == "2 × n1-standard-8 with 2 × nvidia-tesla-t4, on demand"
    assert item.monthly_usd == pytest.approx(2 * HOURS * (N1 + 2 * T4), abs=0.01)


def test_accelerators_on_spot_cost_the_spot_price() -> None:
    gpus = [{"type": "nvidia-tesla-v100", "count": 1}]
    item = node_pool(machine_type="n1-standard-8", spot=True, guest_accelerators=gpus)
    machine, chip = prices.spot("n1-standard-8", REGION, "gcp"), 1.0885

    assert isinstance(item, Line)
    assert machine is not None
    assert item.unit_usd == pytest.approx(machine.usd + chip)
    assert item.high_usd == pytest.approx(2 * HOURS * (N1 + 2.48), rel=1e-4), "no more than on demand"


def test_accelerators_that_come_with_a_machine_are_paid_with_it() -> None:
    named, bare = (
        node_pool(machine_type="a2-highgpu-1g", **more)
        for more in ({"guest_accelerators": [{"type": "nvidia-tesla-a100", "count": 1}]}, {})
    )

    assert isinstance(named, Line)
    assert isinstance(bare, Line)
    assert (named.what, named.monthly_usd) == (bare.what, bare.monthly_usd)


def test_an_accelerator_without_a_price_leaves_the_machine_without_one() -> None:
    item = node_pool(machine_type="n1-standard-8", guest_accelerators=[{"type": "nvidia-tesla-k80", "count": 1}])

    assert isinstance(item, Unpriced)
    assert "2 × n1-standard-8 with 1 × nvidia-tesla-k80, on demand: no price known" in item.why


def test_a_machine_with_shared_vcpu_has_a_price() -> None:
    item = node_pool(machine_type="g1-small")

    assert isinstance(item, Line)
    assert item.unit_usd == pytest.approx(0.0257)


def test_single_machines_and_reservations_have_accelerators_apart() -> None:
    def program() -> None:
        compute.Instance(
            "one", machine_type="n1-standard-8", zone=ZONE, boot_disk={}, network_interfaces=[{"network": "default"}],
            guest_accelerators=[{"type": f"projects/p/zones/{ZONE}/acceleratorTypes/nvidia-tesla-t4", "count": 1}],
        )  # fmt: skip
        accelerators = [{"accelerator_type": "nvidia-tesla-p100", "accelerator_count": 2}]
        properties: Any = {"machine_type": "n1-standard-8", "guest_accelerators": accelerators}
        compute.Reservation("held", zone=ZONE, specific_reservation={"count": 3, "instance_properties": properties})

    found = {line.what: line.unit_usd for line in of(program).lines if "n1-standard-8" in line.what}

    assert found == {
        "1 × n1-standard-8 with 1 × nvidia-tesla-t4, on demand": pytest.approx(N1 + T4),
        "3 × n1-standard-8 with 2 × nvidia-tesla-p100, reserved": pytest.approx(N1 + 2 * 1.46),
    }


def test_a_notebook_pays_for_its_accelerator() -> None:
    def program() -> None:
        accelerators = [{"type": "NVIDIA_TESLA_T4", "core_count": "1"}]
        setup: Any = {"machine_type": "n1-standard-8", "accelerator_configs": accelerators}
        workbench.Instance("lab", location=ZONE, gce_setup=setup)

    (line,) = of(program).lines

    assert line.what == "1 × n1-standard-8 with 1 × nvidia-tesla-t4, on demand"


@pytest.mark.parametrize(
    ("machine_type", "usd"),
    [
        ("custom-4-16384", 4 * 0.033174 + 16 * 0.004446),
        ("n1-custom-2-8192", 2 * 0.033174 + 8 * 0.004446),
        ("n2-custom-6-24576", 6 * 0.033174 + 24 * 0.004446),
        ("n2d-custom-4-16384", 4 * 0.028877 + 16 * 0.003870),
        ("e2-custom-4-8192", 4 * 0.022890 + 8 * 0.003067),
    ],
)
def test_a_custom_machine_type_costs_its_vcpu_and_memory(machine_type: str, usd: float) -> None:
    price = prices.on_demand(machine_type, REGION, "gcp")

    assert price is not None
    assert price.usd == pytest.approx(usd, rel=1e-3)
    assert price.unverified == ()


def test_extended_memory_costs_more_and_is_not_confirmed() -> None:
    most, beyond = (prices.on_demand(f"n2-custom-2-{gib * 1024}-ext", REGION, "gcp") for gib in (16, 24))

    assert most is not None
    assert beyond is not None
    assert beyond.usd - most.usd == pytest.approx(8 * 0.00955, rel=1e-3)
    assert (most.unverified, beyond.unverified) == ((), ("usd",))


@pytest.mark.parametrize("machine_type", ["n4-custom-2-40960-ext", "z9-custom-2-4096", "n2-custom-2", "t3.custom-1-1"])
def test_a_custom_machine_type_of_which_nobody_says_the_price_has_none(machine_type: str) -> None:
    assert prices.on_demand(machine_type, REGION, "gcp") is None


@pytest.mark.parametrize(
    ("machine_type", "chips"), [("ct6e-standard-4t", 4), ("ct5lp-hightpu-8t", 8), ("ct5p-hightpu-4t", 4)]
)
@pytest.mark.parametrize("region", ["europe-west4", "us-central1"])
def test_a_tpu_machine_has_a_price_where_its_chips_have(machine_type: str, chips: int, region: str) -> None:
    price = prices.on_demand(machine_type, region, "gcp")

    assert price is not None
    assert price.usd / chips > 1
