"""Rules on networks of Google Cloud: room for nodes and pods, room for fabrics, and what an adopted one must have."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from penstock.catalog import limits
from penstock.catalog.address_ranges import usable_addresses
from penstock.core.wording import one_of, quoted
from penstock.description import platform
from penstock.description.network import ExistingNetwork
from penstock.description.node_pool import NodePoolSpec
from penstock.description.platform import Spec
from penstock.description.positions import Path
from penstock.description.problems import Problem
from penstock.description.rules import known
from penstock.description.rules.network import holds_subnets
from penstock.description.rules.rule import rule
from penstock.gcp.description import pools as gcp_pools
from penstock.gcp.description import ranges
from penstock.gcp.description.rules import known_on_gcp

_CIDR: Path = ("network", "cidr")
_EXISTING: Path = ("network", "existing")

_PROJECT = r"projects/[a-z][-a-z0-9.:]*"
_NAME = r"[a-z]([-a-z0-9]{0,61}[a-z0-9])?"
"""Compute Engine API, Network, Subnetwork and SubnetworkSecondaryRange (RFC 1035)."""


@rule("SPEC-041", reads=("network", "node_pools"), provider="gcp")
def network_leaves_fabrics_their_ranges(spec: Spec) -> Iterator[Problem]:
    """The network does not overlap the ranges of the fabrics' own networks: a node is in both."""
    cidr = spec.network.cidr
    wired = any(pool for pool in _pools(spec) if gcp_pools.fabric(pool) is not None)
    if spec.network.existing is None and wired and cidr.overlaps(ranges.FABRICS):
        message = f"{cidr} overlaps {ranges.FABRICS}, which holds the networks of the pools' fabrics."
        yield Problem(_CIDR, message, "Use another private range, such as 10.40.0.0/16.")


@rule("SPEC-042", reads=("network", "node_pools"), provider="gcp")
def network_has_addresses_for_all_nodes_and_pods(spec: Spec) -> Iterator[Problem]:
    """The subnetwork has addresses for all nodes, and its range for pods a part for each of them."""
    if spec.network.existing is not None or not holds_subnets(spec):
        return
    cidr, pools = spec.network.cidr, _pools(spec)
    nodes = sum(pool.nodes.max for pool in pools)
    room = usable_addresses(ranges.nodes(cidr), "gcp")
    pods = sum(pool.nodes.max * ranges.addresses_for_pods(gcp_pools.max_pods(pool)) for pool in pools)
    room_of_pods = ranges.pods(cidr).num_addresses
    if nodes > room:
        yield _too_small(f"{cidr} has {room} addresses for nodes", f"{nodes} nodes")
    elif pods > room_of_pods:
        yield _too_small(f"{cidr} has {room_of_pods} addresses for pods", f"take {pods}, in a block for each node")


@rule("SPEC-042", reads=("network", "node_pools"), provider="gcp")
def fabric_has_addresses_for_all_nodes(spec: Spec) -> Iterator[Problem]:
    """Each network of a fabric has addresses for the nodes of all pools in it."""
    room = usable_addresses(ranges.fabric(0), "gcp")
    wired: Counter[tuple[str, str | None]] = Counter()
    for index, pool in enumerate(spec.node_pools):
        resolved = known_on_gcp.pool_with_machine(pool, spec)
        fabric = gcp_pools.fabric(resolved) if resolved is not None else None
        if fabric is None:
            continue
        place = (fabric.name, known.zone(pool, spec) if fabric.zonal else None)
        wired[place] += pool.nodes.max
        if wired[place] > room:
            message = f"A network of a fabric has addresses for {room} nodes, but {wired[place]} can be in it."
            yield Problem(("node_pools", index, "nodes"), message, "Lower nodes.max, or use another zone.")


@rule("SPEC-045", reads=("network", "cloud"), provider="gcp")
def adopted_network_is_named_by_its_paths(spec: Spec) -> Iterator[Problem]:
    """An adopted network has its path, and that of a subnetwork in the region with its ranges for pods and services."""
    existing = spec.network.existing
    if existing is None:
        return
    network = re.fullmatch(rf"(?P<project>{_PROJECT})/global/networks/{_NAME}", existing.id)
    if network is None:
        message = f"{quoted(existing.id)} is not the path of a network."
        yield Problem(
            (*_EXISTING, "id"), message, "Write a path such as projects/my-ai-project/global/networks/shared."
        )
    for region, subnetwork in existing.subnets.items():
        path = (*_EXISTING, "subnets", region)
        if spec.cloud.region is not None and region != spec.cloud.region:
            hint = f"{one_of(region, [spec.cloud.region], 'The region')} One subnetwork serves all zones of a region."
            yield Problem(path, f"{quoted(region)} is not the region of this platform.", hint)
        elif not re.fullmatch(rf"{_PROJECT}/regions/{re.escape(region)}/subnetworks/{_NAME}", subnetwork):
            hint = f"Write a path such as projects/my-ai-project/regions/{region}/subnetworks/nodes."
            yield Problem(path, f"{quoted(subnetwork)} is not the path of a subnetwork in {region}.", hint)
        elif network is not None and not subnetwork.startswith(f"{network['project']}/"):
            message = f"{quoted(subnetwork)} is in another project than its network."
            yield Problem(path, message, f"Write a path that begins with {network['project']}/, as the network's does.")
    yield from _ranges(existing)


@rule("SPEC-046", reads=("network", "cloud"), provider="gcp")
def adopted_network_has_a_subnetwork_in_the_region(spec: Spec) -> Iterator[Problem]:
    """The region of the platform has a subnetwork in the adopted network."""
    existing, region = spec.network.existing, spec.cloud.region
    if existing is not None and region is not None and not existing.subnets:
        message = f"network.existing has no subnetwork in {region}."
        yield Problem((*_EXISTING, "subnets"), message, "Add the subnetwork: the region, and its path.")


@rule("SPEC-048", reads=("network",), provider="gcp")
def adopted_network_keeps_its_mtu(spec: Spec) -> Iterator[Problem]:
    """An MTU is given to a new network only: an adopted one has its own."""
    if spec.network.existing is not None and spec.network.mtu is not None:
        message = "network.mtu is for new networks; an existing one keeps its own."
        yield Problem(("network", "mtu"), message, "Leave mtu out.")


@rule("SPEC-049", reads=("network",), provider="gcp")
def mtu_is_one_that_google_takes(spec: Spec) -> Iterator[Problem]:
    """The MTU of a network is within the bounds of Google Cloud."""
    least, most = (limits.find_limit(name, "gcp").most for name in ("network_mtu_least", "network_mtu"))
    if spec.network.mtu is not None and not least <= spec.network.mtu <= most:
        message = f"Google Cloud does not support an MTU of {spec.network.mtu} bytes."
        yield Problem(("network", "mtu"), message, f"Use {least} to {most}.")


def _ranges(existing: ExistingNetwork) -> Iterator[Problem]:
    """Yield the problems of the secondary ranges that an adopted network names."""
    names = {"pods_range": existing.pods_range, "services_range": existing.services_range}
    for field, name in names.items():
        path, hint = (*_EXISTING, field), f"Set it to a secondary range of the subnetwork, such as {field[:-6]}."
        if name is None:
            yield Problem(path, f"{field} is missing.", hint)
        elif not re.fullmatch(_NAME, name):
            yield Problem(path, f"{quoted(name)} is not the name of a secondary range.", hint)
    if existing.services_range is not None and existing.services_range == existing.pods_range:
        message = f"{quoted(existing.services_range)} is already the range for pods."
        yield Problem((*_EXISTING, "services_range"), message, "Use another secondary range for services.")


def _pools(spec: Spec) -> list[NodePoolSpec]:
    """The pools that the catalogue knows, and, if it knows all, that for the cluster's own pods."""
    pools = [known_on_gcp.pool_with_machine(pool, spec) for pool in spec.node_pools]
    return [pool for pool in pools if pool is not None] if None in pools else list(platform.node_pools(spec))


def _too_small(room: str, wanted: str) -> Problem:
    message = f"The network is too small: {room}, but the pools can grow to {wanted}."
    return Problem(_CIDR, message, "Use a larger network, or lower nodes.max.")
