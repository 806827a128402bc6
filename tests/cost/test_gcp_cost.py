"""The bill of a month on Google Cloud: zones multiply, chips add up, and what has no price is named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pulumi_gcp import compute, container, filestore, lustre, projects, sql, storage
from tests.cost.bills import of_machines
from tests.programs import IT, Program, graph_of

from penstock import cost
from penstock.catalog import prices
from penstock.cost import Cost, cost_of
from penstock.testing import rehearse

HOURS = 730
REGION, ZONE = "us-central1", "us-central1-a"


def of(program: Callable[[], object], *, preview: bool = False) -> Cost:
    return cost.cost_of(rehearse(program, preview=preview).graph)


def pool(machine_type: str, *, nodes: dict[str, Any], place: dict[str, Any] | None = None, **config: Any) -> Cost:
    """The bill of a regional cluster and one node pool, without the control plane."""
    arguments: dict[str, Any] = {**({"node_locations": [ZONE]} if place is None else place), **nodes}

    def program() -> None:
        cluster = container.Cluster("main", location=REGION, remove_default_node_pool=True, initial_node_count=1)
        node_config: Any = {"machine_type": machine_type, **config}
        container.NodePool("pool", cluster=cluster.name, location=REGION, node_config=node_config, **arguments)

    return of_machines(of(program))


def hourly(machine_type: str, capacity: str = "on_demand") -> float:
    price = prices.machine_hour(machine_type, REGION, capacity, "gcp")
    assert price is not None
    return price.usd


def test_nodes_cost_by_the_hour() -> None:
    (line,) = pool("a2-highgpu-8g", nodes={"node_count": 2}).lines

    assert line.what == "2 × a2-highgpu-8g, on demand"
    assert line.monthly_usd == pytest.approx(2 * HOURS * hourly("a2-highgpu-8g"), abs=0.01)


@pytest.mark.parametrize(
    ("place", "zones"),
    [({"node_locations": [ZONE]}, 1), ({"node_locations": [ZONE, "us-central1-b"]}, 2), ({}, 3)],
)
def test_a_count_is_that_of_each_zone(place: dict[str, Any], zones: int) -> None:
    (line,) = pool("e2-standard-8", nodes={"node_count": 1}, place=place).lines

    assert line.what == f"{zones} × e2-standard-8, on demand"


@pytest.mark.parametrize(
    ("scaling", "count"),
    [
        ({"min_node_count": 1, "max_node_count": 4}, 2),
        ({"total_min_node_count": 3, "total_max_node_count": 4}, 3),
        ({"min_node_count": 0, "max_node_count": 4}, 0),
    ],
)
def test_a_pool_that_scales_starts_with_its_minimum(scaling: dict[str, int], count: int) -> None:
    zones = {"node_locations": [ZONE, "us-central1-b"]}
    (line,) = pool("e2-standard-8", nodes={"autoscaling": scaling}, place=zones).lines

    assert line.what == f"{count} × e2-standard-8, on demand"
    assert bool(line.monthly_usd) is bool(count)


def test_spot_costs_what_spot_costs() -> None:
    (line,) = pool("a2-highgpu-8g", nodes={"node_count": 1}, spot=True).lines

    assert line.monthly_usd == pytest.approx(HOURS * hourly("a2-highgpu-8g", "spot"), abs=0.01)
    assert hourly("a2-highgpu-8g", "spot") < hourly("a2-highgpu-8g")


def test_flex_start_has_a_price_of_its_own_that_nobody_guesses() -> None:
    bill = pool("a3-highgpu-8g", nodes={"node_count": 1}, flex_start=True)

    assert not bill.lines
    assert [each.why for each in bill.unpriced] == ["1 × a3-highgpu-8g, flex start: no price known"]


def test_tpus_cost_by_the_chip() -> None:
    (line,) = pool("ct5p-hightpu-4t", nodes={"node_count": 16}).lines

    assert line.monthly_usd == pytest.approx(16 * 4 * 4.2 * HOURS)


def test_a_machine_without_a_price_is_named() -> None:
    bill = pool("a4x-highgpu-4g", nodes={"node_count": 18})

    assert [each.why for each in bill.unpriced] == ["18 × a4x-highgpu-4g, on demand: no price known"]


def test_a_stale_price_is_marked() -> None:
    (line,) = pool("ct5lp-hightpu-4t", nodes={"node_count": 1}).lines

    assert line.stale


@pytest.mark.parametrize("capacity", ["on_demand", "spot"])
def test_a_doubtful_price_is_marked(capacity: str) -> None:
    price = prices.machine_hour("a4-highgpu-8g", "us-east4", capacity, "gcp")

    assert price is not None
    assert "usd" in price.unverified


def test_what_is_not_known_yet_hides_nothing_that_is() -> None:
    def program() -> None:
        made = storage.Bucket("made", location=REGION)
        container.Cluster("main", location=REGION, initial_node_count=made.project_number.apply(int))

    bill = of(program, preview=True)

    assert [line.what for line in bill.lines] == ["control plane"]
    assert "how many machines it starts is not known yet" in [each.why for each in bill.unpriced]


def with_reservation(values: Callable[[compute.Reservation], Any]) -> Callable[[], None]:
    def program() -> None:
        held = compute.Reservation(
            "held",
            name="held",
            zone=ZONE,
            specific_reservation={"count": 4, "instance_properties": {"machine_type": "a2-highgpu-8g"}},
            specific_reservation_required=True,
        )
        container.NodePool(
            "pool",
            cluster="theirs",
            location=REGION,
            node_locations=[ZONE],
            node_count=2,
            node_config={
                "machine_type": "a2-highgpu-8g",
                "reservation_affinity": {
                    "consume_reservation_type": "SPECIFIC_RESERVATION",
                    "key": "compute.googleapis.com/reservation-name",
                    "values": [values(held)],
                },
            },
        )

    return program


@pytest.mark.parametrize("preview", [False, True])
def test_a_reservation_is_paid_in_full_and_its_machines_not_again(preview: bool) -> None:
    bill = of_machines(of(with_reservation(lambda held: held.name), preview=preview))

    assert [line.what for line in bill.lines] == ["4 × a2-highgpu-8g, reserved"]


def test_machines_in_a_reservation_from_elsewhere_are_counted() -> None:
    bill = of_machines(of(with_reservation(lambda _: "projects/other/reservations/theirs")))

    assert sorted(line.what for line in bill.lines) == ["2 × a2-highgpu-8g, reserved", "4 × a2-highgpu-8g, reserved"]


def test_a_cluster_costs_its_fee_and_the_nodes_that_nobody_removed() -> None:
    bill = of(lambda: container.Cluster("main", location=REGION, initial_node_count=1))

    assert sorted(line.what for line in bill.lines) == [
        "3 public addresses",
        "3 × 100 GiB disk, pd-balanced",
        "3 × e2-medium, on demand",
        "control plane",
    ]


def test_autopilot_is_billed_by_what_pods_ask_for() -> None:
    bill = of(lambda: container.Cluster("main", location=REGION, enable_autopilot=True))

    assert [line.what for line in bill.lines] == ["control plane"]
    assert [each.why for each in of_machines(bill).unpriced] == ["by what pods ask for (Autopilot)"]


def test_single_machines_count_too() -> None:
    def program() -> None:
        compute.Instance(
            "one",
            zone=ZONE,
            machine_type="g2-standard-8",
            boot_disk={"initialize_params": {"image": "cos-cloud/cos-stable"}},
            network_interfaces=[{"network": "main"}],
            scheduling={"provisioning_model": "SPOT", "preemptible": True, "automatic_restart": False},
        )

    (line,) = of(program).lines

    assert line.what == "1 × g2-standard-8, spot"
    assert line.monthly_usd == pytest.approx(HOURS * hourly("g2-standard-8", "spot"), abs=0.01)


def test_storage_costs_what_was_bought_and_not_what_is_used() -> None:
    def program() -> None:
        lustre.Instance(
            "scratch",
            instance_id="scratch",
            location=ZONE,
            filesystem="lustrefs",
            capacity_gib="18000",
            per_unit_storage_throughput="500",
            network="projects/p/global/networks/n",
        )
        filestore.Instance(
            "home",
            tier="REGIONAL",
            location=REGION,
            file_shares={"name": "home", "capacity_gb": 1024},
            networks=[{"network": "main", "modes": ["MODE_IPV4"]}],
        )

    bill = of(program)

    assert {line.what: round(line.monthly_usd) for line in bill.lines} == {
        "18000 GiB at 500 MB/s/TiB": 6120,
        "1024 GiB of Filestore, REGIONAL": 461,
    }
    assert all(line.unverified for line in bill.lines)


def test_a_database_costs_its_processors_its_memory_and_its_disk() -> None:
    def program() -> None:
        sql.DatabaseInstance(
            "tracking",
            region=REGION,
            database_version="POSTGRES_17",
            settings={
                "tier": "db-custom-2-7680",
                "edition": "ENTERPRISE",
                "availability_type": "REGIONAL",
                "disk_size": 103,
            },
        )

    assert {line.what: round(line.monthly_usd) for line in of(program).lines} == {
        "2 vCPU of Cloud SQL": 121,
        "7.5 GiB memory of Cloud SQL": 77,
        "103 GiB disk of Cloud SQL": 35,
    }


def test_a_database_of_another_edition_is_not_priced_as_this_one() -> None:
    def program() -> None:
        sql.DatabaseInstance("tracking", database_version="POSTGRES_17", settings={"tier": "db-perf-optimized-N-2"})

    bill = of(program)

    assert not bill.lines
    assert [each.why for each in bill.unpriced] == ["db-perf-optimized-N-2, by the hour: no price known"]


def test_what_has_no_price_is_named_and_what_is_free_is_not() -> None:
    def program() -> None:
        storage.Bucket("datasets", location=REGION)
        projects.Service("api", service="container.googleapis.com")

    bill = of(program)

    assert not bill.lines
    assert [each.urn.rpartition("::")[2] for each in bill.unpriced] == ["datasets"]


def test_a_preview_costs_what_the_real_run_does() -> None:
    def program() -> None:
        cluster = container.Cluster("main", location=REGION, remove_default_node_pool=True, initial_node_count=1)
        container.NodePool("pool", cluster=cluster.id, node_count=1, node_config={"machine_type": "e2-standard-8"})

    assert of(program, preview=True).lines == of(program).lines
    assert len(of_machines(of(program)).lines) == 1


def test_a_pool_whose_place_nobody_knows_is_named() -> None:
    bill = of_machines(of(lambda: container.NodePool("pool", cluster="theirs", node_count=1)))

    assert [each.why for each in bill.unpriced] == ["how many machines it starts is not known yet"]


def test_a_fixed_count_of_each_zone_has_no_bounds() -> None:
    (line,) = pool("e2-standard-8", nodes={"node_count": 1}, place={}).lines

    assert line.low_usd == line.monthly_usd == line.high_usd
    assert line.what.startswith("3 ×")


def test_sql_server_is_paid_with_its_licence() -> None:
    def program() -> None:
        sql.DatabaseInstance(
            "tracking", database_version="SQLSERVER_2019_STANDARD", settings={"tier": "db-custom-4-15360"}
        )

    lines = {line.what: line for line in of(program).lines}

    assert lines["SQL Server licence, 4 vCPU"].monthly_usd == pytest.approx(4 * 0.13 * 730)
    assert lines["SQL Server licence, 4 vCPU"].confidence == "unverified"


def test_a_small_sql_server_is_licensed_for_four_cores() -> None:
    def program() -> None:
        sql.DatabaseInstance("tracking", database_version="SQLSERVER_2022_WEB", settings={"tier": "db-custom-2-7680"})

    assert "SQL Server licence, 4 vCPU" in {line.what for line in of(program).lines}


def test_machines_with_public_addresses_are_not_behind_the_gateway() -> None:
    pool = {"location": "us-central1-a", "nodeCount": 10, "cluster": "main"}
    zone = {"zone": "us-central1-a", "machineType": "e2-standard-4"}
    program: Program = {
        IT: ("gcp:compute/routerNat:RouterNat", {}),
        "hidden": ("gcp:container/nodePool:NodePool", {**pool, "networkConfig": {"enablePrivateNodes": True}}),
        "open": ("gcp:container/nodePool:NodePool", {**pool, "networkConfig": {"enablePrivateNodes": False}}),
        "single": ("gcp:compute/instance:Instance", {**zone, "networkInterfaces": [{"accessConfigs": [{}]}]}),
        "named": (
            "gcp:compute/instance:Instance",
            {**zone, "networkInterfaces": [{"accessConfigs": [{"natIp": "203.0.113.7"}]}]},
        ),
    }
    (gateway,) = (line for line in cost_of(graph_of(program)).lines if line.what.startswith("NAT"))

    assert gateway.quantity == 10 * 730


def test_machines_that_may_have_public_addresses_bound_the_gateway() -> None:
    nodes = {"location": "us-central1-a", "cluster": "main", "nodeCount": 4}
    program: Program = {
        IT: ("gcp:compute/routerNat:RouterNat", {}),
        "nodes": ("gcp:container/nodePool:NodePool", nodes),
    }
    (gateway,) = (line for line in cost_of(graph_of(program)).lines if line.what.startswith("NAT"))

    assert gateway.low_usd == 0
    assert gateway.monthly_usd == gateway.high_usd == pytest.approx(4 * 730 * 0.0014, abs=0.01)
