"""Security groups: the protocols, ports and peers of their rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from ipaddress import ip_network

from penstock.aws.model.openings import RULE_TYPES, AwsOpening, inline_openings, separate_opening, separate_rules
from penstock.aws.types import EC2_SECURITY_GROUP, EC2_SECURITY_GROUP_RULE
from penstock.catalog import limits
from penstock.graph.property_path import Location
from penstock.graph.values import Secret, Unknown, listed
from penstock.graph.verdict import NOT_APPLICABLE, PASS, Failure, NotKnown, Outcome, Verdict, allow, each, fail
from penstock.graph.view import View
from penstock.model.openings.reach import ALL
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_RULES = (EC2_SECURITY_GROUP, *RULE_TYPES)
_LAST_PORT = 65535
_LAST_PROTOCOL = 255
_PROTOCOLS = ("-1", "all", "tcp", "udp", "icmp", "icmpv6")


def _declared(holder: View) -> list[AwsOpening]:
    return [separate_opening(holder)] if holder.type in RULE_TYPES else inline_openings(holder)


@RULES.rule(
    on=_RULES,
    each_of=_declared,
    severity=HIGH,
    rationale="The provider rejects a TCP or UDP rule without ports or with an invalid range.",
    fix="Set fromPort and toPort within 0 to 65535, in ascending order.",
    sources=(
        "Pulumi AWS 7.51, SecurityGroup",
        "Pulumi AWS 7.51, SecurityGroupRule",
        "Pulumi AWS 7.51, SecurityGroupIngressRule",
    ),
)
def aws_sg_port_range(opening: AwsOpening) -> Verdict:
    """A security group rule for TCP or UDP has a first and a last port, in ascending order, within 0 to 65535."""
    if opening.reach.protocol not in ("tcp", "udp"):
        return NOT_APPLICABLE
    (first, last), path = opening.ports, opening.block.at("fromPort")
    hint = "Set both, such as fromPort 443 and toPort 443."
    if first is None or last is None:
        return fail("a rule for TCP or UDP has no ports", hint=hint, path=path)
    good = 0 <= first <= last <= _LAST_PORT
    return allow(good, f"{first} to {last} is not a port range", hint=hint, path=path)


@RULES.rule(
    on=EC2_SECURITY_GROUP,
    severity=HIGH,
    rationale="The provider rejects a rule for all protocols with other ports.",
    fix="Set fromPort and toPort to 0, or set protocol to tcp.",
    sources=(
        "Pulumi AWS 7.51, SecurityGroup",
        "Pulumi AWS 7.51, SecurityGroupRule",
        "Pulumi AWS 7.51, SecurityGroupIngressRule",
    ),
)
def aws_sg_inline_all_protocols_ports(group: View) -> Verdict:
    """A rule for all protocols (-1) that is listed in a security group has the ports 0 and 0."""
    return each(_declared(group), lambda opening: _without_ports(opening, (0,)))


@RULES.rule(
    on=RULE_TYPES,
    severity=MEDIUM,
    rationale="AWS ignores the ports and opens all of them.",
    fix="Leave fromPort and toPort out, or set the protocol to tcp.",
    sources=("EC2 API model in botocore 1.44, AuthorizeSecurityGroupIngress: ports of protocol -1 are ignored",),
)
def aws_sg_all_protocols_no_ports(holder: View) -> Verdict:
    """A security group rule resource for all protocols (-1) has no ports."""
    return _without_ports(separate_opening(holder), (0, -1, _LAST_PORT))


@RULES.rule(
    on=RULE_TYPES,
    severity=HIGH,
    rationale="The provider rejects a rule with no peer, or with peers of more than one kind.",
    fix=(
        "Set exactly one of cidrIpv4, cidrIpv6, prefixListId and referencedSecurityGroupId, or of cidrBlocks, "
        "sourceSecurityGroupId and self."
    ),
    sources=(
        "Pulumi AWS 7.51, SecurityGroup",
        "Pulumi AWS 7.51, SecurityGroupRule",
        "Pulumi AWS 7.51, SecurityGroupIngressRule",
    ),
)
def aws_sg_rule_one_peer(holder: View) -> Verdict:
    """A security group rule resource names one kind of peer: CIDR ranges, a prefix list, or a security group."""
    if holder.type == EC2_SECURITY_GROUP_RULE:
        ranges = any(key in holder for key in ("cidrBlocks", "ipv6CidrBlocks"))
        named = [ranges, "sourceSecurityGroupId" in holder, holder.flag("self") is True]
        good = sum(named) == 1 or (not any(named) and "prefixListIds" in holder)
        path, hint = "sourceSecurityGroupId", "Set cidrBlocks, or sourceSecurityGroupId, or self."
    else:
        keys = ("cidrIpv4", "cidrIpv6", "prefixListId", "referencedSecurityGroupId")
        given = [key for key in keys if key in holder]
        good, path = len(given) == 1, given[-1] if given else keys[0]
        hint = f"Set exactly one of {', '.join(keys)}."
    return allow(good, "the rule has no peer, or more than one kind of peer", hint=hint, path=path)


@RULES.rule(
    on=_RULES,
    each_of=lambda holder: (place for opening in _declared(holder) for place in opening.ranges),
    severity=HIGH,
    rationale="The provider rejects a range with host bits set or without a prefix length.",
    fix="Write each range as its network address with a prefix length.",
    sources=(
        "Pulumi AWS 7.51, SecurityGroup",
        "Pulumi AWS 7.51, SecurityGroupRule",
        "Pulumi AWS 7.51, SecurityGroupIngressRule",
    ),
)
def aws_sg_cidr_network(place: Location) -> Verdict:
    """Each CIDR range of a security group rule is written as its network, such as 10.0.0.0/16 and not 10.0.1.5/16."""
    if not isinstance(place.value, str):
        raise NotKnown
    return _is_network(place.value, place.path)


@RULES.rule(
    on=EC2_SECURITY_GROUP,
    severity=HIGH,
    rationale="EC2 rejects the second rule with InvalidPermission.Duplicate.",
    fix="Leave one of the two rules out.",
    joins=True,
    sources=("EC2 API: InvalidPermission.Duplicate",),
)
def aws_sg_rule_unique(group: View) -> Verdict:
    """No two rule resources of a security group are identical."""
    holders = separate_rules(group)
    if not holders:
        return NOT_APPLICABLE
    first: dict[str, View] = {}
    twice = []
    for holder in holders:
        for meaning in _meanings(holder):
            original = first.setdefault(repr(meaning), holder)  # a field may hold what has no hash
            if original is not holder:
                message = f"{original.name} is an identical rule"
                twice.append(Failure(message, "Leave one of the two out.", "securityGroupId", holder.urn))
                break
    return Verdict(Outcome.FAIL, tuple(twice)) if twice else PASS


@RULES.rule(
    on=EC2_SECURITY_GROUP,
    severity=MEDIUM,
    rationale="EC2 refuses further rules unless the quota has been raised.",
    fix="Reference a security group or a prefix list instead of single ranges, or request a quota increase.",
    sources=("VPC user guide, quotas (L-0EA8095F)",),
)
def aws_quota_sg_rules(group: View) -> Verdict:
    """A security group has at most the account's quota of rules for each direction; each range or group counts."""
    limit = limits.find_limit("security_group_rules", "aws")
    most = group.site.quotas.get(limit.quota, limit.most)
    count: Counter[str] = Counter()
    for opening in (*inline_openings(group), *map(separate_opening, separate_rules(group))):
        count[opening.direction] += _size(opening)
    if not count:
        return NOT_APPLICABLE
    direction, found = count.most_common(1)[0]
    return allow(
        found <= most,
        f"{found} rules for {direction}; quota {limit.quota} allows {most:g}",
        hint=f"Reference a group or a prefix list instead of single ranges, down to {most:g} rules.",
        path=direction,
    )


@RULES.rule(
    on=_RULES,
    each_of=_declared,
    severity=HIGH,
    rationale="EC2 rejects any other protocol.",
    fix='Set protocol or ipProtocol to tcp, udp, icmp, icmpv6, a number up to 255, or "-1".',
    sources=("EC2 API model in botocore 1.44, IpPermission.IpProtocol",),
)
def aws_sg_protocol(opening: AwsOpening) -> Verdict:
    """The protocol of a security group rule is tcp, udp, icmp, icmpv6, a protocol number, or -1 for all."""
    named = opening.block.text(opening.form.protocol)
    if not named:
        return NOT_APPLICABLE
    good = named.lower() in _PROTOCOLS or (named.isdecimal() and int(named) <= _LAST_PROTOCOL)
    hint = 'Use tcp, udp, icmp, icmpv6, or "-1" for all of them.'
    return allow(good, f"{named!r} is not a protocol of EC2", hint=hint, path=opening.protocol_path)


def _without_ports(opening: AwsOpening, none: tuple[int, ...]) -> Verdict:
    if opening.reach.protocol != ALL:
        return NOT_APPLICABLE
    ports = opening.ports
    return allow(
        all(port is None or port in none for port in ports),
        f"the rule is for all protocols, and sets the ports {ports[0]} to {ports[1]}",
        hint="Set both ports to 0, or the protocol to tcp.",
        path=opening.block.at("fromPort"),
    )


def _is_network(written: str, path: str) -> Verdict:
    try:
        ip_network(written)
    except ValueError:
        try:
            hint = f"Write {ip_network(written, strict=False)}."
        except ValueError:
            hint = "Write a range such as 10.0.0.0/16."
        return fail(f"{written!r} is not a CIDR range", hint=hint, path=path)
    return allow("/" in written, f"{written!r} has no prefix length", hint=f"Write {ip_network(written)}.", path=path)


def _meanings(holder: View) -> Iterator[object]:
    """The meaning of a rule, once for each peer; identical rules have equal meanings."""
    opening = separate_opening(holder)
    protocol = opening.reach.protocol
    kind = opening.direction, protocol, None if protocol == ALL else opening.ports
    for key in (*opening.form.ranges, opening.form.prefix_lists):
        for place in holder.locations(f"{key}[]"):
            if isinstance(place.value, Unknown | Secret):
                raise NotKnown
            if place.value is not None:
                yield kind, place.value
    if opening.form.groups in holder:
        yield kind, next(iter(opening.peers), None) or holder.text(opening.form.groups)
    if holder.flag("self"):
        yield kind, opening.group.urn


def _size(opening: AwsOpening) -> int:
    """The number of quota units of a rule: each range, list or group that it names."""
    keys = (*opening.form.ranges, opening.form.prefix_lists, opening.form.groups)
    named = sum(len(listed(opening.block.value(key))) for key in keys)
    return named + bool(opening.block.flag("self"))
