"""Simulated nodes: an object for each machine of a pool, with the labels, taints and devices that we foresee."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Final

from tests.cluster.api import Api, Object
from tests.environments import environment, rehearsed

from penstock import description
from penstock.description import document
from penstock.description.nodes import PoolNodes, nodes_of
from penstock.graph.verdict import NotKnown
from penstock.graph.view import Site
from penstock.kubernetes.rules import inventory, nodes
from penstock.kubernetes.rules.node_offer import NodeOffer

_MOST: Final = 4
"""As many machines of a pool are simulated at most: no case needs more to be told apart from fewer."""

_PODS: Final = "110"

_OF_EVERY_NODE: Final = {"kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64"}
"""The labels that a kubelet gives; those of a pool may name another architecture."""

_MACHINE: Final = {"cpu": "224", "memory": "2Ti"}
"""What a machine with eight accelerators has beside them, where its description does not tell."""


def node_objects(offers: Iterable[NodeOffer]) -> Iterator[Object]:
    """The nodes of pools, as if each had grown to its most machines."""
    seen: Counter[str] = Counter()  # a pool of several machine types makes several offers
    for offer in offers:
        for _ in range(min(_MOST, _MOST if offer.count is None else offer.count)):
            yield _offered(offer, seen[offer.pool.urn])
            seen[offer.pool.urn] += 1


def described_nodes(pools: Iterable[PoolNodes], *, most: int = _MOST) -> Iterator[Object]:
    """The nodes of pools that no program creates, as their description has them."""
    for pool in pools:
        for number in range(min(most, pool.nodes.max)):
            devices = {name: str(amount) for name, amount in pool.requested.items()} | _MACHINE
            if pool.huge_pages_mib:
                devices["hugepages-2Mi"] = f"{pool.huge_pages_mib}Mi"
            taints = [_taint(each.key, each.value, each.effect) for each in pool.taints]
            yield _node(f"{pool.pool}-{number}", pool.labels, devices, taints)


def machines(stack: str) -> list[Object]:
    """The nodes of an environment: those that its program creates, or that its description says are there."""
    described = description.parse(json.loads(environment(stack).config.values[document.KEY]))
    if described.cloud.provider == "kubernetes":
        return list(described_nodes(nodes_of(described)))
    try:
        first = next(iter(inventory.objects(Site(rehearsed(stack).graph))))
        return list(node_objects(nodes.offers(first)))
    except (NotKnown, StopIteration):
        return []


def join(api: Api, nodes: Iterable[Object]) -> None:
    """Let nodes join a cluster: kwok reports them ready."""
    for node in nodes:
        api.create(node)


def _offered(offer: NodeOffer, number: int) -> Object:
    labels = {key: _one(values, number) for key, values in offer.labels.items() if values}
    devices = {key: _amount(value) for key, value in offer.capacity.items() if value}
    return _node(
        f"{offer.pool.name.lower()}-{number}", labels, devices, [_taint(*taint) for taint in offer.taints or ()]
    )


def _node(name: str, labels: Mapping[str, str], devices: Mapping[str, str], taints: list[dict[str, str]]) -> Object:
    capacity = {"cpu": "64", "memory": "256Gi", "ephemeral-storage": "1Ti", "pods": _PODS, **devices}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {**_OF_EVERY_NODE, **labels, "kubernetes.io/hostname": name}},
        "spec": {"taints": taints},
        "status": {"capacity": capacity, "allocatable": capacity},
    }


def _one(values: frozenset[str], number: int) -> str:
    """The value of one node, where those of the pool differ, such as by zone."""
    ordered = sorted(values)
    return ordered[number % len(ordered)]


def _taint(key: str, value: str, effect: str) -> dict[str, str]:
    return {"key": key, "effect": effect} | ({"value": value} if value else {})


def _amount(value: Decimal) -> str:
    return str(int(value)) if value == int(value) else str(value)
