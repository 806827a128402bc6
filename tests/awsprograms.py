"""Small programs for AWS that are right: a network, a cluster, a launch template with EFA, and what starts machines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from penstock.aws.facts import efa
from penstock.aws.facts.machines import AwsMachine
from penstock.aws.types import EC2_LAUNCH_TEMPLATE
from penstock.catalog import machines

Parts = dict[str, tuple[str, Mapping[str, Any]]]
"""A program, or a part of one: parts are joined by |, and what comes later wins."""


def template(called: str = "template", /, **inputs: Any) -> Parts:
    """A launch template of just these inputs."""
    return {called: (EC2_LAUNCH_TEMPLATE, {key: value for key, value in inputs.items() if value is not None})}


def fabric(machine_type: str, **first: Any) -> list[dict[str, Any]]:
    """The interfaces of a machine as AWS recommends them; `first` changes the first one."""
    found = [
        {"networkCardIndex": each.card, "deviceIndex": each.device, "interfaceType": each.kind}
        for each in efa.interfaces(machines.find_machine(machine_type, AwsMachine), "ip_optimized")
    ]
    return [{**found[0], **first}, *found[1:]]
