"""Small programs for AWS that are right: a network, a cluster, a launch template with EFA, and what starts machines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.rulecases import Ref

from penstock.catalog import machines
from penstock.catalog.aws import efa
from penstock.rules.aws.types import AUTOSCALING_GROUP, CLUSTER, LAUNCH_TEMPLATE, NODE_GROUP, SUBNET, VPC

Parts = dict[str, tuple[str, Mapping[str, Any]]]
"""A program, or a part of one: parts are joined by |, and what comes later wins."""


def network(*zones: str, **subnet: Any) -> Parts:
    """A VPC and a subnet in each zone; `subnet` is given to all of them. They are called by the last letter."""
    return {
        "vpc": (VPC, {"cidrBlock": "10.0.0.0/16", "enableDnsHostnames": True}),
        **{
            zone[-1]: (
                SUBNET,
                {
                    "vpcId": Ref("vpc"),
                    "availabilityZone": zone,
                    "cidrBlock": f"10.0.{32 * place}.0/19",
                    **subnet,
                },
            )
            for place, zone in enumerate(zones or ("us-east-1a",))
        },
    }


def cluster(called: str = "cluster", /, **inputs: Any) -> Parts:
    """A cluster in two zones, with its network."""
    place = {"subnetIds": [Ref("a"), Ref("b")], "endpointPrivateAccess": True, **inputs.pop("vpcConfig", {})}
    given = {"name": "prod", "version": "1.35", "vpcConfig": place, **inputs}
    return {**network("us-east-1a", "us-east-1b"), called: (CLUSTER, {key: given[key] for key in given})}


def group(called: str = "it", /, **inputs: Any) -> Parts:
    """A node group in one zone; without a launch template unless one is given."""
    scaling = {"minSize": 0, "desiredSize": 2, "maxSize": 4}
    given = {"subnetIds": [Ref("a")], "scalingConfig": scaling, **inputs}
    return {**network(), called: (NODE_GROUP, {key: value for key, value in given.items() if value is not None})}


def from_template(called: str = "it", /, **inputs: Any) -> Parts:
    """A node group that starts from the launch template `template`, which the program adds."""
    return group(called, **{"launchTemplate": {"id": Ref("template"), "version": "1"}, **inputs})


def scaled(**inputs: Any) -> Parts:
    """An autoscaling group in one zone that starts from `template`."""
    given = {"vpcZoneIdentifiers": [Ref("a")], "minSize": 0, "maxSize": 4, "launchTemplate": {"id": Ref("template")}}
    return {**network(), "it": (AUTOSCALING_GROUP, {**given, **inputs})}


def template(called: str = "template", /, **inputs: Any) -> Parts:
    """A launch template of just these inputs."""
    return {called: (LAUNCH_TEMPLATE, {key: value for key, value in inputs.items() if value is not None})}


def fabric(machine_type: str, **first: Any) -> list[dict[str, Any]]:
    """The interfaces of a machine as AWS recommends them; `first` changes the first one."""
    found = [
        {"networkCardIndex": each.card, "deviceIndex": each.device, "interfaceType": each.kind}
        for each in efa.interfaces(machines.find_machine(machine_type, "aws"), "ip_optimized")
    ]
    return [{**found[0], **first}, *found[1:]]
