"""The misconfigurations that the author of a plain P5 platform would meet 40 minutes into `pulumi up`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from tests.p5_platform import CARDS, GPU_TAINT, ZONES, Misconfiguration, interfaces, job, platform

from penstock.testing import RehearsalResult, rehearse


def seeded(misconfiguration: Misconfiguration, *, preview: bool = False) -> RehearsalResult:
    return rehearse(platform(misconfiguration), preview=preview)


@pytest.mark.parametrize("preview", [False, True], ids=["up", "preview"])
def test_the_right_program_has_no_finding(preview: bool) -> None:
    assert seeded({}, preview=preview).findings == ()


def efa(change: Callable[[list[dict[str, Any]]], object], cards: int = CARDS) -> Misconfiguration:
    """A misconfiguration among the template's interfaces."""

    def misconfigured(made: Mapping[str, Any]) -> list[dict[str, Any]]:
        groups = [made["fabric"].id, made["cluster"].vpc_config.cluster_security_group_id]
        found = interfaces(groups, cards)
        change(found)
        return found

    return {"template": {"network_interfaces": misconfigured}}


def first_card_only(found: list[dict[str, Any]]) -> None:
    for interface in found[2:]:
        interface["device_index"] = 3


BLOCK: Misconfiguration = {
    "template": {
        "instance_market_options": {"market_type": "capacity-block"},
        "capacity_reservation_specification": {
            "capacity_reservation_target": {"capacity_reservation_id": "cr-0123456789abcdef0"}
        },
    },
    "nodes": {"capacity_type": "CAPACITY_BLOCK"},
}

DEFECTS: Mapping[str, tuple[str, Misconfiguration]] = {
    "two EFA devices on one card": ("template", efa(lambda found: found[2].update(network_card_index=2))),
    "an efa-only primary interface": ("template", efa(lambda found: found[0].update(interface_type="efa-only"))),
    "a card more than the machine has": ("template", efa(lambda _: None, cards=33)),
    "device indexes beyond the card": ("template", efa(first_card_only)),
    "EFA on a machine without it": ("template", {"template": {"instance_type": "g5.xlarge"}}),
    "a public address beside many interfaces": (
        "template",
        efa(lambda found: found[0].update(associate_public_ip_address="true")),
    ),
    "no rule from the fabric's group to itself": (
        "fabric",
        {"fabric-in": {"referenced_security_group_id": None, "cidr_ipv4": "10.0.0.0/16"}},
    ),
    "egress to the world instead of the group": (
        "fabric",
        {"fabric-out": {"referenced_security_group_id": None, "cidr_ipv4": "0.0.0.0/0"}},
    ),
    "a fabric over two zones": (
        "nodes",
        {"nodes": {"subnet_ids": lambda made: [made[f"private-{zone}"].id for zone in ZONES]}},
    ),
    "a reservation outside its placement group": ("train", {"train": {"placement_group_arn": None}}),
    "a reservation of another machine": ("template", {"train": {"instance_type": "p4d.24xlarge"}}),
    "a reservation in another zone": ("nodes", {"train": {"availability_zone": "us-east-1b"}}),
    "a placement group around a capacity block": ("template", BLOCK),
    "an image without drivers": ("nodes", {"nodes": {"ami_type": "AL2023_x86_64_STANDARD"}}),
    "an image for another processor": ("nodes", {"nodes": {"ami_type": "AL2023_ARM_64_NVIDIA"}}),
    "an image that is no longer published": ("nodes", {"nodes": {"ami_type": "AL2_x86_64_GPU"}}),
    "the machine named twice": ("nodes", {"nodes": {"instance_types": ["p5.48xlarge"]}}),
    "a disk beside the template": ("nodes", {"nodes": {"disk_size": 300}}),
    "more nodes wanted than allowed": (
        "nodes",
        {"nodes": {"scaling_config": {"min_size": 0, "max_size": 4, "desired_size": 8}}},
    ),
    "a taint in Kubernetes' spelling": ("nodes", {"nodes": {"taints": [{**GPU_TAINT, "effect": "NoSchedule"}]}}),
    "an instance profile in the template": (
        "template",
        {"template": {"iam_instance_profile": {"name": "node"}}},
    ),
    "groups beside interfaces": (
        "template",
        {"template": {"vpc_security_group_ids": lambda made: [made["fabric"].id]}},
    ),
    "an update that needs spare machines": ("nodes", {"nodes": {"update_config": {"max_unavailable": 1}}}),
    "a subnet outside its network": ("private-us-east-1b", {"private-us-east-1b": {"cidr_block": "10.1.0.0/18"}}),
    "subnets that overlap": ("private-us-east-1b", {"private-us-east-1b": {"cidr_block": "10.0.96.0/19"}}),
    "a cluster in one zone": ("cluster", {"private-us-east-1b": {"availability_zone": "us-east-1a"}}),
    "a service range inside the network": (
        "cluster",
        {"cluster": {"kubernetes_network_config": {"service_ipv4_cidr": "10.0.128.0/20"}}},
    ),
    "a version that EKS never had": ("cluster", {"cluster": {"version": "1.53"}}),
    "a group of another network": ("template", {"fabric": {"vpc_id": lambda made: made["other"].id}}),
    "a NAT gateway without a way out": (
        "nat",
        {"out": {"gateway_id": None, "nat_gateway_id": "nat-0123456789abcdef0"}},
    ),
    "a capacity that FSx does not sell": ("scratch", {"scratch": {"storage_capacity": 20000}}),
    "a throughput that FSx does not sell": ("scratch", {"scratch": {"per_unit_storage_throughput": 300}}),
    "EFA without metadata": ("scratch", {"scratch": {"metadata_configuration": None}}),
    "EFA on scratch storage": (
        "scratch",
        {"scratch": {"deployment_type": "SCRATCH_2", "per_unit_storage_throughput": None, "kms_key_id": None}},
    ),
    "a file system that its own group keeps out": (
        "scratch",
        {"door-in-self": {"ip_protocol": "tcp", "from_port": 22}},
    ),
    "a bucket's name in capitals": ("bucket", {"bucket": {"bucket": "Acme_Training"}}),
    "a plugin that the taint keeps away": ("plugin", {"plugin": {"values": {}}}),
    "a job that the taint keeps away": ("job", {"job": {"spec": job(tolerations=[])}}),
    "a job that asks for more than a node has": (
        "job",
        {"job": {"spec": job(resources={"limits": {"nvidia.com/gpu": "16"}, "requests": {"nvidia.com/gpu": "16"}})}},
    ),
    "a job for a pool that is not there": ("job", {"job": {"spec": job({"pool": "trian"})}}),
}


WARNED = {"an image that is no longer published", "an update that needs spare machines"}
"""What AWS takes, or what no primary source says that it refuses."""


@pytest.mark.slow
@pytest.mark.parametrize("defect", DEFECTS)
@pytest.mark.parametrize("preview", [False, pytest.param(True, marks=pytest.mark.nightly)], ids=["up", "preview"])
def test_a_misconfiguration_is_reported_with_its_fix(defect: str, preview: bool) -> None:
    name, misconfiguration = DEFECTS[defect]
    findings = seeded(misconfiguration, preview=preview).findings
    found = [finding for finding in findings if finding.urn and finding.urn.endswith(f"::{name}")]

    assert found
    assert any(finding.blocks for finding in found) or defect in WARNED
    assert all(finding.hint for finding in findings)
