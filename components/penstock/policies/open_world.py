"""What the whole internet reaches: address ranges that nobody owns alone, and what a firewall rule lets through.

Every cloud writes this its own way: ranges, words such as `Internet`, protocols by name or number, ports as a pair, a
text or a list. Rules bring them here, so that one answer holds for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
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

from typing_extensions import override

from penstock.resources.values import Secret, Unknown
from penstock.resources.verdict import NOT_APPLICABLE, PASS, UNKNOWN, Misfit, NotKnown, Verdict, fail
from penstock.resources.view import Block
from penstock.rules import defaults
from penstock.rules.checks import AtPath
from penstock.rules.settings import Settings

Network = IPv4Network | IPv6Network

_ANYONE = frozenset({"*", "any", "internet", "0.0.0.0", "::"})  # noqa: S104 - names of the internet, no bind address
_LARGEST_OWNED = {4: 8, 6: 16}
"""The largest blocks that one organisation was ever given: a /8 of IPv4, and 2630::/16 of IPv6."""

_PRIVATE = tuple(
    IPv4Network(block) for block in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.0.0/16")
)
_UNIQUE_LOCAL = IPv6Network("fc00::/7")
"""With these, RFC 1918, 6598, 3927 and 4193: what no router of the internet carries."""

_PROTOCOLS = {"-1": "all", "*": "all", "any": "all", "1": "icmp", "58": "icmpv6", "6": "tcp", "17": "udp"}
_LAST_PORT = 65535
_HARMLESS = ("icmp", "icmpv6")
"""Nobody gets in by ICMP, and connections from far away hang where it is refused (RFC 4890)."""
_WITH_PORTS = ("tcp", "udp", "sctp")


@dataclass(frozen=True, slots=True)
class Reach:
    """What a rule lets through: a protocol by its usual name, and ranges of ports; no ranges are all ports."""

    protocol: str
    ports: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(cls, protocol: str | None, ports: Iterable[tuple[int, int]] = ()) -> Reach:
        """A protocol as any cloud writes it; none at all means every protocol."""
        name = (protocol or "all").casefold()
        return cls(_PROTOCOLS.get(name, name), tuple(ports))

    @property
    def is_everything(self) -> bool:
        """Whether no port of the protocol, or no protocol at all, is left out; one without ports, as ESP, has none."""
        if self.protocol not in _WITH_PORTS:
            return self.protocol == "all"
        reached = 0
        for first, last in sorted(self._ranges()):
            if first <= reached + 1:
                reached = max(reached, last)
        return reached >= _LAST_PORT

    def within(self, public: Collection[int]) -> bool:
        """Whether it goes to ports of this list only; a range with one other port does not."""
        if self.protocol in _HARMLESS:
            return True
        if self.protocol not in ("tcp", "udp"):
            return False
        return all(
            first <= last and all(port in public for port in range(first, last + 1)) for first, last in self._ranges()
        )

    def touches(self, ports: Collection[int]) -> bool:
        """Whether it goes to one of these TCP ports."""
        if self.protocol not in ("all", "tcp"):
            return False
        return any(first <= port <= last for first, last in self._ranges() for port in ports)

    def _ranges(self) -> tuple[tuple[int, int], ...]:
        return ((0, _LAST_PORT),) if self.protocol == "all" or not self.ports else self.ports

    def __str__(self) -> str:
        if self.protocol == "all":
            return "every protocol and port"
        name = f"protocol {self.protocol}" if self.protocol.isdigit() else self.protocol.upper()
        if self.is_everything:
            return f"every port of {name}"
        return f"{name} {', '.join(_ports_told(*pair) for pair in self.ports)}".strip()


@dataclass(frozen=True, slots=True)
class NotOpen(AtPath):
    """The address ranges at a path are not the whole internet, nor a large part of it; none at all do not apply."""

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        ranges: dict[str, list[Any]] = {}
        for spot in it.spots(self.path):
            given = listed(spot.value)
            default = None if given else defaults.of(it.owner.type, spot.path)  # clouds take no ranges for all of them
            if default is not None and open_range(default.value):
                return fail(f"{spot.path} is not set, which lets the whole internet in", path=spot.path)
            ranges[spot.path] = given
        every = [each for given in ranges.values() for each in given]
        if not every:
            return NOT_APPLICABLE
        found = open_range(every)
        if found is not None:
            path = next((path for path, given in ranges.items() if open_range(given)), next(iter(ranges)))
            return fail(f"{path} lets the whole internet in ({found})", path=path)
        return UNKNOWN if has_unknown(every) else PASS


def refuse_world(sources: Iterable[Any], reach: Callable[[], Reach], public: Collection[int], path: str) -> Verdict:
    """Fails where the whole internet reaches more than public ports.

    `reach` is asked only where that matters, so that ports that are not known yet do not spoil what is private.
    """
    sources = tuple(sources)
    found = open_range(sources)
    if found is None and not has_unknown(sources):
        return PASS
    reached = reach()
    if reached.within(public):
        return PASS
    if found is None:
        return UNKNOWN
    return fail(f"{path} lets the whole internet ({found}) reach {reached}", path=path)


def open_range(ranges: Iterable[Any]) -> str | None:
    """What among ranges opens to the whole internet, alone or together with others; None where nothing does."""
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
    """Whether no address of a network is the internet's."""
    if isinstance(network, IPv4Network):
        return any(network.subnet_of(block) for block in _PRIVATE)
    return network.subnet_of(_UNIQUE_LOCAL)


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


def ports_of(text: Any) -> tuple[int, int]:
    """A port or a range of ports as Azure and Google write them: 443, "443", "8000-8999" or "*".

    Raises:
        NotKnown: nobody can tell yet.
        Misfit: it is none of these.
    """
    if isinstance(text, Unknown | Secret):
        raise NotKnown
    written = str(text).strip()
    if written == "*":
        return 0, _LAST_PORT
    first, _, last = written.partition("-")
    try:
        return int(first), int(last or first)
    except ValueError:
        raise Misfit from None


def listed(value: Any) -> list[Any]:
    """A value as a list: a list's items, nothing where it is not given, and otherwise itself."""
    if value is None:
        return []
    return list(value) if isinstance(value, list | tuple) else [value]


def has_unknown(values: Iterable[Any]) -> bool:
    """Whether one of the values is not known yet, or secret."""
    return any(isinstance(value, Unknown | Secret) for value in values)


def _is_wide(network: Network) -> bool:
    return network.prefixlen < _LARGEST_OWNED[network.version] and not is_private(network)


@lru_cache(maxsize=4096)
def _is_open(text: str) -> bool:
    return text.strip().casefold() in _ANYONE or any(_is_wide(network) for network in networks_of(text))


def _may_add_up(networks: Collection[Network]) -> bool:
    """Whether networks might be a wide one together: to merge them takes long, and hardly any are large enough."""
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


def _ports_told(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"
