"""Openings of Google Cloud: rules of a network's firewall, and rules of firewall policies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from penstock.gcp.types import COMPUTE_NETWORK_FIREWALL_POLICY_WITH_RULES
from penstock.graph.values import listed
from penstock.graph.view import Block, View
from penstock.model.openings.reach import Reach, ports_of

EVERYWHERE: Final = "0.0.0.0/0"

POLICIES_WITH_RULES: Final = (
    COMPUTE_NETWORK_FIREWALL_POLICY_WITH_RULES,
    "gcp:compute/regionNetworkFirewallPolicyWithRules:RegionNetworkFirewallPolicyWithRules",
    "gcp:compute/firewallPolicyWithRules:FirewallPolicyWithRules",
)
"""The types of firewall policies that write their rules themselves."""

_ONE_ADDRESS: Final = {"0.0.0.0": "0.0.0.0/32", "::": "::/128"}  # noqa: S104 - no bind address
_NAMES: Final = ("sourceTags", "sourceServiceAccounts")
_SCOPES: Final = ("srcNetworkContext", "srcNetworkScope")
_INSIDE: Final = ("INTRA_VPC", "NON_INTERNET", "VPC_NETWORKS")
"""Scopes of traffic when a rule of a policy leaves the internet out, whatever its ranges are."""


@dataclass(frozen=True, slots=True)
class GcpOpening:
    """One rule: what it lets through, and from whom; raises `NotKnown` and `TypeMismatch` as blocks do.

    Attributes:
        rule: where the rule is written.
        match: where its ranges and protocols are written: in the rule, or an object of it.
        ranges: the property of its source ranges.
        layers: the property of its protocols with their ports.
        protocol: the property of a protocol.
    """

    rule: Block
    match: Block
    ranges: str
    layers: str
    protocol: str

    @property
    def path(self) -> str:
        """The path of its sources, for a finding."""
        return self.match.at(self.ranges)

    @property
    def lets_in(self) -> bool:
        """Say whether it is in force and lets traffic in, inspected or not."""
        if (self.rule.text("direction") or "INGRESS") != "INGRESS" or self.rule.flag("disabled"):
            return False
        if self.match is self.rule:
            return self.layers in self.rule
        return self.rule.text("action") in ("allow", "apply_security_profile_group")

    @property
    def names_machines(self) -> bool:
        """Say whether it names machines as its sources, by tags or service accounts.

        Raises:
            NotKnown: a value is not known, and comes from no resource of the program.
        """
        return any(self.match.has(key) for key in _NAMES)

    @property
    def is_from_inside(self) -> bool:
        """Say whether its scope leaves the internet out, whatever its ranges are."""
        return not self._scopes.isdisjoint(_INSIDE)

    @property
    def sources(self) -> list[Any]:
        """The ranges that it lets in; all of them where it names no sources. What is not known stays as unknown."""
        named = [_with_mask(item) for place in self.match.locations(self.ranges) for item in listed(place.value)]
        if named:
            return named
        is_open = "INTERNET" in self._scopes if self.match is not self.rule else not self.names_machines
        return [EVERYWHERE] if is_open else []

    @property
    def admitted(self) -> list[Block]:
        """The objects of which each names a protocol and ports that it decides on."""
        return self.match.blocks(self.layers)

    def protocol_path(self, admitted: Block) -> str:
        """The path of a protocol."""
        return admitted.at(self.protocol)

    def reach(self, admitted: Block) -> Reach:
        """A protocol and the ports of it that are let through."""
        ports = [ports_of(port) for port in listed(admitted.value("ports"))]
        return Reach.of(admitted.text(self.protocol), ports)

    @property
    def _scopes(self) -> frozenset[str | None]:
        return frozenset(self.match.text(key) for key in _SCOPES)


def _with_mask(source: Any) -> Any:
    """Compute Engine reads an address without a mask as that one address, also the one of zeros."""
    return _ONE_ADDRESS.get(source, source) if isinstance(source, str) else source


def firewall_opening(firewall: View) -> GcpOpening:
    """The opening that a firewall rule of a network is."""
    return GcpOpening(firewall, firewall, "sourceRanges", "allows", "protocol")


def policy_rules(policy: View) -> list[Block]:
    """The rules that a firewall policy writes itself, or the one rule that a resource is."""
    return list(policy.blocks_at("rules[]")) if policy.type in POLICIES_WITH_RULES else [policy]


def policy_opening(rule: Block) -> GcpOpening | None:
    """The opening that a rule of a policy is; None where it says nothing of what it is about."""
    match = rule.block("match")
    return None if match is None else GcpOpening(rule, match, "srcIpRanges", "layer4Configs", "ipProtocol")
