"""The reach of a firewall's rule: a protocol and ports.

Every cloud writes this its own way: protocols by name or number, ports as a pair, a text or a list.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from penstock.graph.values import Secret, Unknown
from penstock.graph.verdict import NotKnown, TypeMismatch

ALL = "all"
"""The protocol of rules for all of them."""

_PROTOCOLS = {"-1": "all", "*": "all", "any": "all", "1": "icmp", "58": "icmpv6", "6": "tcp", "17": "udp"}
_LAST_PORT = 65535
_HARMLESS = ("icmp", "icmpv6")
"""Nobody gets in by ICMP, and connections from far away hang where it is refused (RFC 4890)."""
_WITH_PORTS = ("tcp", "udp", "sctp")


@dataclass(frozen=True, slots=True)
class Reach:
    """Traffic that is let through: a protocol by its usual name, and ranges of ports; no ranges are all ports."""

    protocol: str
    ports: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(cls, protocol: str | None, ports: Iterable[tuple[int, int]] = ()) -> Reach:
        """A protocol as any cloud writes it; none at all means every protocol."""
        name = (protocol or "all").casefold()
        return cls(_PROTOCOLS.get(name, name), tuple(ports))

    @property
    def is_everything(self) -> bool:
        """Say whether no port of the protocol, or no protocol, is left out; one without ports, as ESP, has none."""
        if self.protocol not in _WITH_PORTS:
            return self.protocol == "all"
        reached = 0
        for first, last in sorted(self._ranges()):
            if first <= reached + 1:
                reached = max(reached, last)
        return reached >= _LAST_PORT

    def within(self, public: Collection[int]) -> bool:
        """Say whether it goes to ports of this list only; a range with one other port does not."""
        if self.protocol in _HARMLESS:
            return True
        if self.protocol not in ("tcp", "udp"):
            return False
        return all(
            first <= last and all(port in public for port in range(first, last + 1)) for first, last in self._ranges()
        )

    def touches(self, ports: Collection[int]) -> bool:
        """Say whether it goes to one of these TCP ports."""
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
        return f"{name} {', '.join(_port_range(*pair) for pair in self.ports)}".strip()


def ports_of(text: Any) -> tuple[int, int]:
    """A port or a range of ports as Azure and Google write them: 443, "443", "8000-8999" or "*".

    Raises:
        NotKnown: the value is not known yet.
        TypeMismatch: it is none of these.
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
        raise TypeMismatch from None


def _port_range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"
