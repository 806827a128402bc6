"""Rules on networks of Azure: room for nodes and file systems, and ranges that stay apart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import AddressValueError, IPv4Network, NetmaskValueError

from penstock.azure.description import ranges
from penstock.catalog.address_ranges import usable_addresses
from penstock.core.wording import listed, one_of, quoted
from penstock.description.cluster import SERVICE_CIDR
from penstock.description.network import ExistingNetwork
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules.network import CIDR, holds_subnets
from penstock.description.rules.rule import rule
from penstock.description.storage import LustreSpec

_EXISTING = ("network", "existing")
_NETWORK = r"/subscriptions/[0-9a-f-]{36}/resourceGroups/[^/]+/providers/Microsoft\.Network/virtualNetworks/[^/]+"
_SUBNETS = ("nodes", "endpoints", "api-server")
"""Which subnets a platform has in its network, beside those of its file systems."""


@rule("SPEC-042", reads=("network", "node_pools"), provider="azure")
def network_has_addresses_for_all_nodes(spec: Spec) -> Iterator[Problem]:
    """The subnet of nodes has an address for each of them; pods have theirs elsewhere."""
    if spec.network.existing is not None or not holds_subnets(spec):
        return
    room = usable_addresses(ranges.nodes(spec.network.cidr), "azure")
    wanted = sum(p.nodes.max for p in spec.node_pools)
    if wanted > room:
        message = f"The network is too small: {spec.network.cidr} has {room} addresses for nodes, but {wanted} can be."
        yield Problem(CIDR, message, "Use a larger network, or lower nodes.max.")


@rule("SPEC-042", reads=("network", "storage"), provider="azure")
def network_has_subnets_for_all_file_systems(spec: Spec) -> Iterator[Problem]:
    """The network has a subnet for each Lustre file system."""
    if spec.network.existing is not None or not holds_subnets(spec):
        return
    room = ranges.lustre_slots(spec.network.cidr)
    wanted = sum(isinstance(item, LustreSpec) for item in spec.storage)
    if wanted > room:
        message = f"{spec.network.cidr} has subnets for {room} Lustre file systems, but there are {wanted}."
        yield Problem(CIDR, message, "Use a larger network.")


@rule("SPEC-041", reads=("network",), provider="azure")
def pods_have_a_range_that_nobody_else_has(spec: Spec) -> Iterator[Problem]:
    """No range that reaches the cluster is that of its pods, which could never answer it."""
    if spec.network.existing is not None or not holds_subnets(spec):
        return
    pods = ranges.pods(spec.network.cidr)
    for index, cidr in enumerate(spec.network.allowed_cidrs):
        if cidr.overlaps(pods):
            message = f"{cidr} overlaps {pods}, where the pods of this network have their addresses."
            other = next(pods.subnets(new_prefix=16))
            hint = f"Use a network in {pods} instead, such as {other}: its pods go elsewhere."
            yield Problem(("network", "allowed_cidrs", index), message, hint)


@rule("SPEC-045", reads=("network", "cloud"), provider="azure")
def adopted_network_is_named_by_its_id(spec: Spec) -> Iterator[Problem]:
    """An adopted network has the id of a virtual network, in the platform's subscription, and ranges for pods."""
    existing = spec.network.existing
    if existing is None:
        return
    path = (*_EXISTING, "id")
    if not re.fullmatch(_NETWORK, existing.id, re.IGNORECASE):
        form = "/subscriptions/ID/resourceGroups/GROUP/providers/Microsoft.Network/virtualNetworks/NAME"
        yield Problem(
            path, f"{quoted(existing.id)} is not the id of a virtual network.", f"Write an id such as {form}."
        )
    elif spec.cloud.account is not None and existing.id.split("/")[2].lower() != spec.cloud.account.lower():
        message = f"{quoted(existing.id)} is not in the subscription of cloud.account, {spec.cloud.account}."
        yield Problem(path, message, "Name a virtual network of that subscription.")
    for part, name in existing.subnets.items():
        if "/" in name:
            yield Problem(
                (*_EXISTING, "subnets", part), f"{quoted(name)} is not the name of a subnet.", "Write its name."
            )
    yield from _ranges(existing)


@rule("SPEC-046", reads=("network", "storage"), provider="azure")
def adopted_network_has_each_subnet(spec: Spec) -> Iterator[Problem]:
    """An adopted network has a subnet for nodes, for private endpoints, for the API and for each Lustre file system."""
    existing = spec.network.existing
    if existing is None:
        return
    wanted = [*_SUBNETS, *(item.name for item in spec.storage if isinstance(item, LustreSpec))]
    path = (*_EXISTING, "subnets")
    for part in existing.subnets:
        if part not in wanted:
            yield Problem((*path, part), f"{quoted(part)} is not what a subnet is for.", one_of(part, wanted, "Parts"))
    missing = [part for part in wanted if part not in existing.subnets]
    if missing:
        message = f"network.existing has no subnet for {listed(missing)}."
        yield Problem(path, message, "Add what each is for, and its name, such as nodes: workers.")


def _ranges(existing: ExistingNetwork) -> Iterator[Problem]:
    """Yield the problems of the ranges of pods and services, which the network does not know."""
    found: dict[str, IPv4Network] = {"services_range": SERVICE_CIDR}
    for field, text in (("pods_range", existing.pods_range), ("services_range", existing.services_range)):
        path = (*_EXISTING, field)
        if text is None:
            if field == "pods_range":
                yield Problem(
                    path, "pods_range is missing.", "Set it to a range nobody else has, such as 10.224.0.0/11."
                )
            continue
        try:
            found[field] = IPv4Network(text)
        except (AddressValueError, NetmaskValueError, ValueError):
            yield Problem(path, f"{quoted(text)} is not a range of addresses.", "Write one such as 10.224.0.0/11.")
    if "pods_range" in found and found["pods_range"].overlaps(found["services_range"]):
        message = f"The range of pods, {found['pods_range']}, overlaps that of services, {found['services_range']}."
        yield Problem((*_EXISTING, "pods_range"), message, "Give each a range of its own.")
