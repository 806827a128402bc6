"""Openings say the same in every form that a cloud has for them, to provider rules and to policies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from tests.model.views import it, view_of
from tests.programs import Program, Ref

from penstock.aws.model.openings import AwsOpening, inline_openings, openings, separate_rules
from penstock.aws.types import (
    EC2_SECURITY_GROUP,
    EC2_SECURITY_GROUP_RULE,
    VPC_SECURITY_GROUP_EGRESS_RULE,
    VPC_SECURITY_GROUP_INGRESS_RULE,
)
from penstock.azure.model.openings import AzureOpening
from penstock.azure.types import NETWORK_ADMIN_RULE
from penstock.gcp.model.openings import EVERYWHERE, firewall_opening, policy_opening, policy_rules
from penstock.graph.values import UNKNOWN
from penstock.graph.verdict import NotKnown
from penstock.model.openings.reach import Reach

RANGE = "10.0.0.0/8"
HTTPS = {"fromPort": 443, "toPort": 443}
FIREWALL = "gcp:compute/firewall:Firewall"
POLICY_RULE = "gcp:compute/networkFirewallPolicyRule:NetworkFirewallPolicyRule"
POLICY = "gcp:compute/networkFirewallPolicyWithRules:NetworkFirewallPolicyWithRules"
SECURITY_RULE = "azure-native:network:SecurityRule"

OF_IT = {"securityGroupId": Ref("it")}
FORMS: Mapping[str, Program] = {
    "inline": {
        "it": (EC2_SECURITY_GROUP, {"ingress": [{"protocol": "tcp", **HTTPS, "cidrBlocks": [RANGE], "self": True}]})
    },
    "legacy": {
        "it": (EC2_SECURITY_GROUP, {}),
        "a": (EC2_SECURITY_GROUP_RULE, {**OF_IT, "type": "ingress", "protocol": "6", **HTTPS, "cidrBlocks": [RANGE]}),
        "b": (EC2_SECURITY_GROUP_RULE, {**OF_IT, "type": "ingress", "protocol": "6", **HTTPS, "self": True}),
    },
    "split": {
        "it": (EC2_SECURITY_GROUP, {}),
        "a": (VPC_SECURITY_GROUP_INGRESS_RULE, {**OF_IT, "ipProtocol": "TCP", **HTTPS, "cidrIpv4": RANGE}),
        "b": (
            VPC_SECURITY_GROUP_INGRESS_RULE,
            {**OF_IT, "ipProtocol": "TCP", **HTTPS, "referencedSecurityGroupId": Ref("it")},
        ),
    },
}


def of_group(program: Program, *, preview: bool = False) -> list[AwsOpening]:
    return openings(view_of(program, preview=preview))


@pytest.mark.parametrize("preview", [False, True])
@pytest.mark.parametrize("program", FORMS.values(), ids=FORMS)
def test_the_forms_of_aws_mean_the_same(program: Program, preview: bool) -> None:
    found = of_group(program, preview=preview)
    group = view_of(program)

    assert {opening.direction for opening in found} == {"ingress"}
    assert {opening.reach for opening in found} == {Reach("tcp", ((443, 443),))}
    assert [address for opening in found for address in opening.addresses] == [RANGE]
    assert {urn for opening in found for urn in opening.peers} == {group.urn}


def test_a_rule_of_tcp_without_ports_is_for_all_of_them() -> None:
    (opening,) = inline_openings(it(EC2_SECURITY_GROUP, ingress=[{"protocol": "tcp", "cidrBlocks": [RANGE]}]))

    assert opening.reach.touches((988,))
    assert opening.reach.is_everything


def test_nobody_can_tell_the_rules_of_a_group_that_is_looked_up() -> None:
    group = it(EC2_SECURITY_GROUP)
    object.__setattr__(group.resource, "external", True)

    with pytest.raises(NotKnown):
        openings(group)


def test_a_range_that_is_not_known_hides_no_port() -> None:
    (opening,) = inline_openings(it(EC2_SECURITY_GROUP, egress=[{"protocol": "-1", "cidrBlocks": UNKNOWN}]))

    assert opening.reach.protocol == "all"
    assert opening.addresses == [UNKNOWN]
    assert [place.path for place in opening.ranges] == ["egress[0].cidrBlocks"]


def test_rules_are_asked_for_by_their_direction() -> None:
    program: Program = {
        "it": (EC2_SECURITY_GROUP, {"egress": [{"protocol": "-1"}]}),
        "a": (VPC_SECURITY_GROUP_EGRESS_RULE, OF_IT),
        "b": (EC2_SECURITY_GROUP_RULE, {**OF_IT, "type": "egress"}),
        "c": (VPC_SECURITY_GROUP_INGRESS_RULE, OF_IT),
    }
    group = view_of(program)

    assert [holder.name for holder in separate_rules(group, "egress")] == ["a", "b"]
    assert len(openings(group, "egress")) == 3
    assert len(openings(group)) == 4


def test_ranges_of_a_prefix_list_are_its_addresses() -> None:
    prefixes = "aws:ec2/managedPrefixList:ManagedPrefixList"
    program: Program = {
        "list": (prefixes, {"entries": [{"cidr": RANGE}]}),
        "it": (EC2_SECURITY_GROUP, {"ingress": [{"protocol": "-1", "prefixListIds": [Ref("list"), "pl-0123"]}]}),
    }

    (opening,) = inline_openings(view_of(program))

    assert opening.addresses == [RANGE, UNKNOWN]
    assert opening.names_addresses
    assert not opening.is_own


@pytest.mark.parametrize(
    ("inputs", "lets_in", "sources"),
    [
        ({"allows": [{"protocol": "tcp"}], "sourceRanges": [RANGE]}, True, [RANGE]),
        ({"allows": [{"protocol": "6"}]}, True, [EVERYWHERE]),
        ({"allows": [{"protocol": "tcp"}], "sourceTags": ["a"]}, True, []),
        ({"allows": [{"protocol": "tcp"}], "direction": "EGRESS"}, False, [EVERYWHERE]),
        ({"allows": [{"protocol": "tcp"}], "disabled": True}, False, [EVERYWHERE]),
        ({"denies": [{"protocol": "tcp"}]}, False, [EVERYWHERE]),
    ],
)
def test_a_firewall_of_google_says_what_it_lets_in(inputs: dict[str, Any], lets_in: bool, sources: list[str]) -> None:
    opening = firewall_opening(it(FIREWALL, **inputs))

    assert opening.lets_in is lets_in
    assert opening.sources == sources
    assert [opening.reach(admitted) for admitted in opening.admitted] == ([Reach("tcp")] if "allows" in inputs else [])


@pytest.mark.parametrize("type_", [POLICY_RULE, POLICY])
def test_a_policy_of_google_says_what_it_lets_in(type_: str) -> None:
    match = {"srcIpRanges": [RANGE], "layer4Configs": [{"ipProtocol": "tcp", "ports": ["80-90", "443"]}]}
    rule = {"action": "allow", "direction": "INGRESS", "match": match}

    (written,) = policy_rules(it(type_, **(rule if type_ == POLICY_RULE else {"rules": [rule]})))
    opening = policy_opening(written)

    assert opening is not None
    assert opening.lets_in
    assert opening.sources == [RANGE]
    assert [opening.reach(admitted).ports for admitted in opening.admitted] == [((80, 90), (443, 443))]
    assert opening.path.endswith("match.srcIpRanges")


def test_a_scope_may_leave_the_internet_out() -> None:
    def scoped(scope: str) -> Any:
        return policy_opening(it(POLICY_RULE, match={"srcNetworkContext": scope}))

    assert scoped("INTRA_VPC").is_from_inside
    assert scoped("INTERNET").sources == [EVERYWHERE]


def test_the_plural_of_azure_is_read_where_the_singular_is_missing() -> None:
    opening = AzureOpening(
        it(
            SECURITY_RULE,
            access="Allow",
            direction="Inbound",
            protocol="*",
            sourceAddressPrefixes=["10.0.0.0/8", "Internet"],
            destinationPortRange="22",
        )
    )

    assert (opening.allows, opening.direction) == (True, "inbound")
    assert opening.sources == ("sourceAddressPrefixes", ["10.0.0.0/8", "Internet"])
    assert opening.reach == Reach("tcp", ((22, 22),))


def test_an_administrators_rule_of_azure_names_its_sources_as_objects() -> None:
    opening = AzureOpening(it(NETWORK_ADMIN_RULE, access="AlwaysAllow", sources=[{"addressPrefix": "*"}]))

    assert opening.allows
    assert opening.sources == ("sources", ["*"])
