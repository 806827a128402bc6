"""Machines that leave a reservation outside the program save nothing: it is billed whether it is used or not."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from tests.programs import Program, Ref, graph_of

from penstock.changes.diff import diff
from penstock.changes.diff_findings import findings_of
from penstock.cost import cost_of
from penstock.cost.change import CostChange, cost_change
from penstock.graph.values import UNKNOWN
from penstock.graph.view import Site
from penstock.model.pools.outside_reservations import left_reservations
from penstock.report import cost as report_cost
from penstock.report.cost_change import in_words

AWS: Program = {"aws": ("pulumi:providers:aws", {"region": "us-east-1"})}
ZONE = "us-east-1a"
GOOGLE: Program = {"gcp": ("pulumi:providers:gcp", {"region": "us-central1", "project": "p", "zone": "us-central1-a"})}
H100 = {"aws": "p5.48xlarge", "gcp": "a3-highgpu-8g", "azure": "Standard_ND96isr_H100_v5"}
GROUP_ID = "/subscriptions/s/resourceGroups/r/providers/Microsoft.Compute/capacityReservationGroups/h100"
Pool = Callable[[int, Any], Program]


def _target(held: Any) -> dict[str, Any]:
    key = "capacityReservationResourceGroupArn" if str(held).startswith("arn:") else "capacityReservationId"
    return {"capacityReservationSpecification": {"capacityReservationTarget": {key: held}}}


def instances(count: int, held: Any) -> Program:
    inputs = {"instanceType": H100["aws"], "availabilityZone": ZONE, **(_target(held) if held else {})}
    return {**AWS, **{f"i{number}": ("aws:ec2/instance:Instance", inputs) for number in range(count)}}


def _started_from_a_template(held: Any, **template: Any) -> dict[str, Any]:
    return {"instanceType": H100["aws"], **template, **(_target(held) if held else {})}


def node_group(count: int, held: Any) -> Program:
    sizes = {"minSize": count, "maxSize": count, "desiredSize": count}
    inputs = {"scalingConfig": sizes, "launchTemplate": {"id": Ref("template")}, "subnetIds": ["subnet-1"]}
    template = ("aws:ec2/launchTemplate:LaunchTemplate", _started_from_a_template(held))
    return {**AWS, "template": template, "pool": ("aws:eks/nodeGroup:NodeGroup", inputs)}


def scaling_group(count: int, held: Any) -> Program:
    inputs = {"minSize": count, "maxSize": count, "desiredCapacity": count, "launchTemplate": {"id": Ref("template")}}
    template = ("aws:ec2/launchTemplate:LaunchTemplate", _started_from_a_template(held))
    group = ("aws:autoscaling/group:Group", {**inputs, "availabilityZones": [ZONE]})
    return {**AWS, "template": template, "pool": group}


def _affinity(held: Any) -> dict[str, Any]:
    return {"key": "compute.googleapis.com/reservation-name", "values": [held]}


def gke_pool(count: int, held: Any) -> Program:
    affinity = {"consumeReservationType": "SPECIFIC_RESERVATION", **_affinity(held)}
    config = {"machineType": H100["gcp"], **({"reservationAffinity": affinity} if held else {})}
    inputs = {"cluster": "c", "location": "us-central1-a", "nodeCount": count, "nodeConfig": config}
    return {**GOOGLE, "pool": ("gcp:container/nodePool:NodePool", inputs)}


def gce_machines(count: int, held: Any) -> Program:
    affinity = {"type": "SPECIFIC_RESERVATION", "specificReservation": _affinity(held)}
    inputs: dict[str, Any] = {"machineType": H100["gcp"], "zone": "us-central1-a"}
    inputs |= {"reservationAffinity": affinity} if held else {}
    return {**GOOGLE, **{f"m{number}": ("gcp:compute/instance:Instance", inputs) for number in range(count)}}


def aks_pool(count: int, held: Any) -> Program:
    inputs = {"count": count, "vmSize": H100["azure"], **({"capacityReservationGroupID": held} if held else {})}
    return {
        "group": ("azure-native:resources:ResourceGroup", {"location": "eastus"}),
        "pool": ("azure-native:containerservice:AgentPool", {"resourceGroupName": Ref("group", "name"), **inputs}),
    }


def azure_machines(count: int, held: Any) -> Program:
    group = {"capacityReservation": {"capacityReservationGroup": {"id": held}}} if held else {}
    inputs = {"location": "eastus", "hardwareProfile": {"vmSize": H100["azure"]}, **group}
    return {f"m{number}": ("azure-native:compute:VirtualMachine", inputs) for number in range(count)}


def scale_set(count: int, held: Any) -> Program:
    group = {"capacityReservation": {"capacityReservationGroup": {"id": held}}} if held else {}
    sku = {"name": H100["azure"], "capacity": count}
    inputs = {"location": "eastus", "sku": sku, "virtualMachineProfile": group}
    return {"set": ("azure-native:compute:VirtualMachineScaleSet", inputs)}


POOLS: Mapping[Pool, tuple[str, str]] = {
    instances: ("cr-0123456789abcdef0", "cr-0123456789abcdef0"),
    node_group: ("cr-0123456789abcdef0", "cr-0123456789abcdef0"),
    scaling_group: ("arn:aws:resource-groups:us-east-1:123456789012:group/h100", "h100"),
    gke_pool: ("train-h100", "train-h100"),
    gce_machines: ("projects/other/reservations/train-h100", "train-h100"),
    aks_pool: (GROUP_ID, "h100"),
    azure_machines: (GROUP_ID, "h100"),
    scale_set: (GROUP_ID, "h100"),
}
EACH = pytest.mark.parametrize("pool", POOLS, ids=lambda pool: pool.__name__)


def left(before: Program, after: Program) -> list[tuple[str, float]]:
    found = left_reservations(Site(graph_of(before)), Site(graph_of(after)), lambda pool: pool.start())
    return [(each.name, each.machines) for each in found]


def change_of(before: Program, after: Program) -> CostChange:
    old, new = graph_of(before), graph_of(after)
    return cost_change(cost_of(old), old, cost_of(new), new)


def codes(before: Program, after: Program) -> list[str]:
    changes = diff(graph_of(before), graph_of(after))
    return [each.code for each in findings_of(changes) if each.code == "DIFF-023"]


@EACH
def test_a_pool_that_shrinks_leaves_machines_of_its_reservation(pool: Pool) -> None:
    held, name = POOLS[pool]

    assert left(pool(4, held), pool(1, held)) == [(name, 3)]
    assert codes(pool(4, held), pool(1, held)) == ["DIFF-023"]


@EACH
def test_a_pool_that_is_bought_otherwise_or_goes_leaves_all_of_them(pool: Pool) -> None:
    held, name = POOLS[pool]
    nothing = {key: each for key, each in pool(2, held).items() if "providers" in each[0]}

    assert left(pool(2, held), pool(2, None)) == [(name, 2)]
    assert left(pool(2, held), nothing) == [(name, 2)]
    assert codes(pool(2, held), pool(2, None)) == ["DIFF-023"]


@EACH
def test_a_pool_that_stays_or_grows_leaves_nothing(pool: Pool) -> None:
    held, _ = POOLS[pool]

    assert left(pool(2, held), pool(2, held)) == []
    assert left(pool(2, held), pool(5, held)) == []
    assert left(pool(2, None), pool(1, None)) == []
    assert codes(pool(2, None), pool(1, None)) == []


@EACH
def test_a_reservation_whose_name_is_not_known_is_not_judged(pool: Pool) -> None:
    assert left(pool(2, UNKNOWN), pool(1, UNKNOWN)) == []


def test_a_reservation_of_the_program_is_billed_by_its_own_line() -> None:
    inputs = {"instanceType": H100["aws"], "instanceCount": 4, "availabilityZone": ZONE}
    held: Program = {"held": ("aws:ec2/capacityReservation:CapacityReservation", inputs)}

    assert left({**held, **instances(4, Ref("held"))}, {**held, **instances(1, Ref("held"))}) == []


def test_machines_that_move_to_another_pool_of_the_reservation_leave_nothing() -> None:
    before, after = gke_pool(4, "train-h100"), gce_machines(4, "train-h100")

    assert left(before, after) == []


def test_machines_of_another_type_leave_those_of_the_former() -> None:
    before = gke_pool(4, "train-h100")
    other = json.loads(json.dumps(before).replace(H100["gcp"], "a3-megagpu-8g"))

    assert left(before, {name: tuple(each) for name, each in other.items()}) == [("train-h100", 4)]


@EACH
def test_what_is_still_paid_is_no_saving(pool: Pool) -> None:
    held, name = POOLS[pool]
    change = change_of(pool(4, held), pool(1, held))
    (paid,) = change.still_paid

    if paid.monthly_usd is None:
        assert change.difference_usd is None
        return
    beside = change.old.monthly_usd - change.new.monthly_usd - paid.monthly_usd
    assert change.difference_usd == pytest.approx(-beside, abs=0.01)
    assert abs(change.difference_usd or 0) < paid.monthly_usd / 20
    assert f"still paid for 3 × {paid.machine_type} of the reservation {name}" in in_words(change)
    steps = sum(step.difference_usd or 0 for step in change.steps)
    assert steps == pytest.approx(change.difference_usd, abs=0.02)
    assert report_cost.change_document(change)["still_paid"][0]["machines"] == 3


def test_most_of_these_machines_have_a_price() -> None:
    priced = [change_of(pool(4, held), pool(1, held)).still_paid[0].monthly_usd for pool, (held, _) in POOLS.items()]

    assert sum(usd is not None for usd in priced) >= 4


def test_a_capacity_block_is_paid_until_it_ends() -> None:
    template = {"instanceMarketOptions": {"marketType": "capacity-block"}, **_started_from_a_template("cr-1")}

    def block(count: int) -> Program:
        return {**node_group(count, "cr-1"), "template": ("aws:ec2/launchTemplate:LaunchTemplate", template)}

    changes = diff(graph_of(block(4)), graph_of(block(2)))
    (found,) = [each for each in findings_of(changes) if each.code == "DIFF-023"]

    assert "paid until it ends" in found.message
