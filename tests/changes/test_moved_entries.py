"""Entries that move between a list and resources of their own: what one change would drop is reported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pulumi
import pytest
from pulumi_aws import ec2
from pulumi_azure_native import network

from penstock.changes.diff import diff
from penstock.changes.diff_findings import findings_of
from penstock.simulate.run import rehearse

Program = Callable[[], object]


def net(*, inline: bool = False, separate: bool = False, kept: bool = False, tags: bool = False) -> Program:
    def program() -> None:
        found = network.VirtualNetwork(
            "net",
            resource_group_name="ml",
            address_space={"address_prefixes": ["10.0.0.0/8"]},
            subnets=[{"name": "nodes", "address_prefix": "10.1.0.0/20"}] if inline else None,
            tags={"team": "ml"} if tags else None,
        )
        if separate:
            network.Subnet(
                "nodes",
                resource_group_name="ml",
                virtual_network_name=found.name,
                subnet_name="nodes",
                address_prefix="10.1.0.0/20",
                opts=pulumi.ResourceOptions(retain_on_delete=kept),
            )

    return program


def table(*, inline: bool) -> Program:
    def program() -> None:
        way: Any = {"cidr_block": "10.9.0.0/16", "gateway_id": "igw-0123456789abcdef0"}
        routes = ec2.RouteTable("t", vpc_id="vpc-0123456789abcdef0", routes=[way] if inline else None)
        if not inline:
            ec2.Route(
                "hub",
                route_table_id=routes.id,
                destination_cidr_block="10.9.0.0/16",
                gateway_id="igw-0123456789abcdef0",
            )

    return program


def moved(before: Program, after: Program) -> list[str]:
    changes = diff(rehearse(before), rehearse(after))
    return [each.message for each in findings_of(changes) if each.code == "DIFF-026"]


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        (net(separate=True), net(inline=True), "subnets gets entries, and nodes is deleted after that"),
        (net(inline=True), net(separate=True), "subnets loses entries, and nodes is created after that"),
        (table(inline=False), table(inline=True), "routes gets entries, and hub is deleted after that"),
        (table(inline=True), table(inline=False), "routes loses entries, and hub is created after that"),
    ],
)
def test_an_entry_that_moves_is_reported(before: Program, after: Program, says: str) -> None:
    (message,) = moved(before, after)

    assert says in message


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (net(separate=True), net(separate=True, tags=True)),
        (net(separate=True), net(tags=True)),
        (net(), net(inline=True)),
        (net(separate=True, kept=True), net(inline=True)),
    ],
)
def test_entries_that_stay_come_or_are_kept_are_not_reported(before: Program, after: Program) -> None:
    assert moved(before, after) == []
