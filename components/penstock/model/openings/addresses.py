"""Ranges of addresses, however a cloud writes them: which are the whole internet, and which are private."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from ipaddress import (
    IPv4Network,
    IPv6Network,
    collapse_addresses,
    ip_address,
    ip_network,
    summarize_address_range,
)
from typing import Any

from penstock.core.cidr import RFC_1918, Network, is_inside
from penstock.graph.values import Secret, Unknown

_ANYONE = frozenset({"*", "any", "internet", "0.0.0.0", "::"})  # noqa: S104 - names of the internet, no bind address
_LARGEST_OWNED = {4: 8, 6: 16}
"""The largest blocks that one organisation was ever given: a /8 of IPv4, and 2630::/16 of IPv6."""

_PRIVATE: tuple[Network, ...] = (
    *RFC_1918,
    IPv4Network("100.64.0.0/10"),
    IPv4Network("169.254.0.0/16"),
    IPv6Network("fc00::/7"),
)
""" RFC 1918, 6598, 3927 and 4193: what no router of the internet carries."""


def open_range(ranges: Iterable[Any]) -> str | None:
    """The range that opens to the whole internet, alone or together with others; None where nothing does."""
    networks: list[Network] = []
    for text in ranges:
        if not isinstance(text, str):
            continue
        if _is_open(text):
            return text
        networks += networks_of(text)
    if not _may_add_up(networks):
        return None
    return next((str(network) for network in _together(networks) if _is_wide(network)), None)


def public_range(ranges: Iterable[Any]) -> str | None:
    """The first range that addresses of the internet are in; None where all are private."""
    for text in ranges:
        if isinstance(text, str) and (
            text.strip().casefold() in _ANYONE or not all(is_private(network) for network in networks_of(text))
        ):
            return text
    return None


def is_private(network: Network) -> bool:
    """Say whether no address of a network is the internet's."""
    return is_inside(network, _PRIVATE)


@lru_cache(maxsize=4096)
def networks_of(text: str) -> tuple[Network, ...]:
    """The networks of a text: a CIDR, an address, or two with a dash between; none where it is something else."""
    first, dash, last = text.partition("-")
    try:
        if dash:
            return tuple(summarize_address_range(ip_address(first.strip()), ip_address(last.strip())))
        return (ip_network(text.strip(), strict=False),)
    except (ValueError, TypeError):
        return ()


def has_unknown(values: Iterable[Any]) -> bool:
    """Say whether one of the values is not known yet, or secret."""
    return any(isinstance(value, Unknown | Secret) for value in values)


def _is_wide(network: Network) -> bool:
    return network.prefixlen < _LARGEST_OWNED[network.version] and not is_private(network)


@lru_cache(maxsize=4096)
def _is_open(text: str) -> bool:
    return text.strip().casefold() in _ANYONE or any(_is_wide(network) for network in networks_of(text))


def _may_add_up(networks: Collection[Network]) -> bool:
    """Say whether networks might be a wide one together: to merge them takes long, and hardly any are large enough."""
    if len(networks) < 2:  # noqa: PLR2004 one alone is what it is
        return False
    return any(
        sum(2.0**-network.prefixlen for network in networks if network.version == version) > 2.0**-owned
        for version, owned in _LARGEST_OWNED.items()
    )


def _together(networks: Iterable[Network]) -> Iterator[Network]:
    """The networks with neighbours merged: two halves of the internet are all of it."""
    networks = tuple(networks)
    yield from collapse_addresses(network for network in networks if isinstance(network, IPv4Network))
    yield from collapse_addresses(network for network in networks if isinstance(network, IPv6Network))
