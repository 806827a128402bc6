"""The topology that a report draws is that of the program, on every cloud and on clusters that exist."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from pulumi_aws import ec2, eks
from tests.environments import STACKS, rehearsed
from tests.graphs import graph_of

from penstock.report.html import topology as page
from penstock.report.topology import DrawnPool, DrawnRegion, topology_of
from penstock.simulate.run import rehearse


def region(stack: str) -> DrawnRegion:
    (found,) = topology_of(rehearsed(stack).graph)
    return found


def pool(pools: Iterable[DrawnPool], ending: str) -> DrawnPool:
    (found,) = (each for each in pools if each.name.endswith(ending))
    return found


def test_a_pool_of_one_zone_is_in_its_zone_and_subnet_with_its_fabric() -> None:
    found = region("aws-train")
    train = pool(found.zones["us-east-1a"].pools, "-train")

    assert (found.cloud, found.name) == ("AWS", "us-east-1")
    assert (train.start, train.most, train.accelerators, train.accelerator) == (16, 16, 8, "h100")
    assert train.subnets == ("platform-prod-network-us-east-1a",)
    assert train.fabric is not None
    assert (train.fabric.name, train.fabric.interfaces, train.fabric.gbps) == ("EFA", 32, 3200)
    assert train.fabric.compact
    assert [store.name for store in found.zones["us-east-1a"].stores] == ["platform-prod-scratch"]


def test_a_pool_of_several_zones_belongs_to_the_region() -> None:
    system = pool(region("aws-train").pools, "-system")

    assert system.zones == ("us-east-1a", "us-east-1b", "us-east-1c")
    assert system.fabric is None


def test_each_cloud_has_its_own_fabric() -> None:
    tcpxo = pool(region("gcp-mega").zones["us-east4-a"].pools, "-train")
    infiniband = pool(region("azure-train").pools, "-train")
    chips = pool(region("gcp-tpu").zones["us-east5-a"].pools, "-pretrain-0")

    assert tcpxo.fabric is not None
    assert (tcpxo.fabric.name, tcpxo.fabric.interfaces) == ("GPUDirect-TCPXO", 8)
    assert len(tcpxo.subnets) == 9
    assert infiniband.fabric is not None
    assert (infiniband.fabric.name, infiniband.fabric.gbps) == ("InfiniBand", 3200)
    assert chips.fabric is not None
    assert (chips.fabric.name, chips.fabric.shape) == ("ICI", "4x4x4")


@pytest.mark.parametrize(
    ("stack", "machines", "fabric"), [("onprem-train", 32, "rdma"), ("coreweave-train", 16, "infiniband")]
)
def test_a_cluster_that_exists_has_the_pools_of_its_description(stack: str, machines: int, fabric: str) -> None:
    found = region(stack)
    train = pool(found.pools, "train")

    assert found.cloud == "Kubernetes"
    assert (train.most, train.accelerators) == (machines, 8)
    assert train.fabric is not None
    assert train.fabric.name == fabric


def test_a_program_without_a_description_is_drawn_too() -> None:
    def program() -> None:
        vpc = ec2.Vpc("net", cidr_block="10.0.0.0/16")
        inside = [
            ec2.Subnet(zone, vpc_id=vpc.id, cidr_block=f"10.0.{index}.0/24", availability_zone=zone)
            for index, zone in enumerate(("us-west-2a", "us-west-2b"))
        ]
        ec2.Instance("alone", instance_type="g6.xlarge", ami="ami-0123456789abcdef0", subnet_id=inside[1].id)
        eks.NodeGroup(
            "group",
            cluster_name="theirs",
            node_role_arn="arn:aws:iam::123456789012:role/nodes",
            subnet_ids=[inside[0].id],
            instance_types=["p4d.24xlarge"],
            scaling_config={"desired_size": 1, "min_size": 1, "max_size": 3},
        )

    (found,) = topology_of(rehearse(program, config={"aws:region": "us-west-2"}).graph)

    assert found.name == "us-west-2"
    assert [each.name for each in found.zones["us-west-2a"].pools] == ["group"]
    assert [each.name for each in found.zones["us-west-2b"].pools] == ["alone"]
    assert [each.cidr for each in found.zones["us-west-2a"].subnets] == ["10.0.0.0/24"]
    assert not found.stores


@pytest.mark.slow
@pytest.mark.parametrize("stack", STACKS)
def test_every_pool_of_an_environment_is_drawn_once(stack: str) -> None:
    regions = topology_of(rehearsed(stack).graph)
    pools = [each for found in regions for each in found.every_pool]
    boxes = page.section(regions)
    cards = [
        card
        for box in boxes
        for card in (*box.spanning, *(card for zone in box.zones for subnet in zone.subnets for card in subnet.pools))
    ]

    assert pools
    assert sorted(card.pool.name for card in cards) == sorted(each.name for each in pools)
    assert len({(each.urn, each.name) for each in pools}) == len(pools)


def test_nothing_is_drawn_of_nothing() -> None:
    assert topology_of(graph_of()) == []


def test_many_machines_are_counted_and_not_drawn_one_by_one() -> None:
    (box,) = page.section(topology_of(rehearsed("onprem-train").graph))
    train = next(card for card in box.spanning if card.pool.name == "train")

    assert len(train.machines) + train.more == 32
    assert all(train.machines)
