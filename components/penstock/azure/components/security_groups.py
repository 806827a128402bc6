"""The security groups of a network's subnets: nothing comes in from outside, and little goes out."""

from __future__ import annotations

from typing import Any

import pulumi
from pulumi_azure_native import network

from penstock.azure.components.handles import GroupHandle
from penstock.azure.description import ranges
from penstock.azure.facts import lustre
from penstock.description.network import NetworkSpec

_FIRST, _LAST = 100, 4096
_STEP = 10
_NETWORK, _INTERNET = "VirtualNetwork", "Internet"
_WEB = ("80", "443")


def guard_nodes(
    name: str, spec: NetworkSpec, *, group: GroupHandle, opts: pulumi.ResourceOptions
) -> network.NetworkSecurityGroup:
    """The group of nodes: they reach each other, their pods and all else in the network, and of the internet the web.

    Pods of an overlay come as themselves where the other one is a pod, and as their node everywhere else.
    """
    inside = [str(spec.cidr), str(ranges.pods(spec.cidr))]
    rules = [
        _rule("allow-internal", "Inbound", inside, inside),
        _balancer(),
        _rule("allow-egress-internal", "Outbound", inside, inside),
        _rule("allow-web", "Outbound", ["*"], [_INTERNET], protocol="Tcp", ports=_WEB),
    ]
    return _group(name, spec, rules, group=group, opts=opts)


def guard_services(
    name: str, spec: NetworkSpec, *, group: GroupHandle, opts: pulumi.ResourceOptions
) -> network.NetworkSecurityGroup:
    """The group of private endpoints, the API and databases: the network reaches them, and Azure runs them."""
    rules = [_rule("allow-internal", "Inbound", [_NETWORK], [_NETWORK]), _balancer()]
    return _group(name, spec, rules, group=group, opts=opts, egress=True)


def guard_lustre(
    name: str, spec: NetworkSpec, *, subnets: list[str], group: GroupHandle, opts: pulumi.ResourceOptions
) -> network.NetworkSecurityGroup:
    """The group of file systems: clients in the network, and what Azure needs to run them."""

    def addresses(text: str) -> list[str]:
        return subnets if text == "{subnet}" else [text.replace("{region}", group.region)]

    rules = [
        _rule(
            each.name,
            each.direction,
            addresses(each.source_address),
            addresses(each.destination_address),
            protocol=each.protocol,
            ports=each.ports,
        )
        for each in lustre.rules()
    ]
    return _group(name, spec, rules, group=group, opts=opts)


def _group(
    name: str,
    spec: NetworkSpec,
    rules: list[dict[str, Any]],
    *,
    group: GroupHandle,
    opts: pulumi.ResourceOptions,
    egress: bool = False,
) -> network.NetworkSecurityGroup:
    """A group in which all that no rule allows is denied, before Azure's own rules allow the rest of the network."""
    allowed = [{**rule, "priority": _FIRST + _STEP * number} for number, rule in enumerate(rules)]
    denied = [_rule("deny-ingress", "Inbound", ["*"], ["*"], access="Deny")]
    if not egress:
        denied.append(_rule("deny-egress", "Outbound", ["*"], ["*"], access="Deny"))
    return network.NetworkSecurityGroup(
        name,
        resource_group_name=group.name,
        location=group.region,
        security_rules=[*allowed, *({**rule, "priority": _LAST} for rule in denied)],
        tags=spec.tags,
        opts=opts,
    )


def _balancer() -> dict[str, Any]:
    return _rule("allow-balancer", "Inbound", ["AzureLoadBalancer"], ["*"])


def _rule(
    name: str,
    direction: str,
    sources: list[str],
    destinations: list[str],
    *,
    protocol: str = "*",
    ports: tuple[str, ...] = ("*",),
    access: str = "Allow",
) -> dict[str, Any]:
    """A rule as the API wants it: one address or port in one property, several in another, and "*" never in a list."""
    return {
        "name": name,
        "direction": direction,
        "access": access,
        "protocol": protocol,
        "source_port_range": "*",
        **_one_or_many("source_address_prefix", sources, "es"),
        **_one_or_many("destination_address_prefix", destinations, "es"),
        **_one_or_many("destination_port_range", list(ports), "s"),
    }


def _one_or_many(key: str, values: list[str], plural: str) -> dict[str, Any]:
    return {key: values[0]} if len(values) == 1 else {f"{key}{plural}": values}
