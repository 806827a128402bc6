"""EFA: how a launch template spreads network interfaces over the cards of a machine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from penstock.aws.facts.machines import AwsMachine
from penstock.aws.model.ec2 import PLACES, zones_of
from penstock.aws.model.launch_templates import efa_interfaces, template_of
from penstock.aws.rules import nodes
from penstock.aws.rules.network_interfaces import INTERFACE_TYPES
from penstock.aws.types import AUTOSCALING_GROUP, EC2_LAUNCH_TEMPLATE, EKS_NODE_GROUP
from penstock.graph.verdict import NOT_APPLICABLE, PASS, Verdict, allow, each, fail, together
from penstock.graph.view import Block, View
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_ADDRESSES = (
    "associatePublicIpAddress",
    "privateIpAddress",
    "ipv4AddressCount",
    "ipv4Addresses",
    "ipv4PrefixCount",
    "ipv4Prefixes",
    "ipv6AddressCount",
    "ipv6Addresses",
    "ipv6PrefixCount",
    "ipv6Prefixes",
)
"""What gives an interface an address (EC2 API, LaunchTemplateInstanceNetworkInterfaceSpecificationRequest)."""


@RULES.rule(
    on=EC2_LAUNCH_TEMPLATE,
    severity=HIGH,
    rationale=(
        "EC2 takes no efa-only interface as the primary one, and an instance without a primary interface that carries "
        "IP traffic cannot be reached."
    ),
    fix=(
        "Set networkCardIndex 0 and deviceIndex 0 on an interface of the type interface, and put an efa-only one on "
        "card 0 at device 1."
    ),
    sources=("EC2 user guide, EFA interfaces by instance type (efa-acc-inst-types)",),
)
def aws_efa_primary_interface(template: View) -> Verdict:
    """A launch template that lists interfaces has a primary one on card 0 at device 0, which is not efa-only."""
    interfaces = template.blocks("networkInterfaces")
    if not interfaces:
        return NOT_APPLICABLE
    primary = [interface for interface in interfaces if _seat(interface) == (0, 0)]
    if not primary:
        message = "no interface is on network card 0 at device 0, the place of the primary one"
        return fail(message, hint="Set networkCardIndex 0 and deviceIndex 0 on one of them.", path="networkInterfaces")
    return each(primary, _carries_addresses)


@RULES.rule(
    on=EC2_LAUNCH_TEMPLATE,
    severity=HIGH,
    rationale=(
        "EC2 attaches one EFA device to each network card, and refuses to launch an instance with a second one on a "
        "card."
    ),
    fix="Set networkCardIndex of each EFA interface to a card of its own.",
    sources=("EKS user guide, node-efa",),
)
def aws_efa_one_device_per_card(template: View) -> Verdict:
    """A network card has at most one EFA device."""
    fabric = efa_interfaces(template)
    if not fabric:
        return NOT_APPLICABLE
    first: dict[int, Block] = {}
    doubled = [interface for interface in fabric if first.setdefault(_card(interface), interface) is not interface]
    return together([PASS, *(_second_on_card(interface) for interface in doubled)])


@RULES.rule(
    on=EC2_LAUNCH_TEMPLATE,
    severity=HIGH,
    rationale="EC2 refuses to launch an instance with more EFA interfaces than the maximum of its type.",
    fix="List at most the instance type's maximum number of interfaces with interfaceType efa or efa-only.",
    joins=True,
    sources=("EC2 API model in botocore 1.44, EfaInfo.MaximumEfaInterfaces",),
)
def aws_efa_max_devices(template: View) -> Verdict:
    """A launch template has at most as many EFA devices as the instance type supports."""

    def check(machine: AwsMachine, fabric: list[Block]) -> Verdict:
        if not machine.efa_max:
            return NOT_APPLICABLE
        return allow(
            len(fabric) <= machine.efa_max,
            f"{machine.machine_type} supports {machine.efa_max} EFA devices; the launch template has {len(fabric)}",
            hint=f"List {machine.efa_max} interfaces with interfaceType efa-only.",
            path="networkInterfaces",
        )

    return _on_machines(template, check)


@RULES.rule(
    on=EC2_LAUNCH_TEMPLATE,
    severity=HIGH,
    rationale=(
        "EC2 refuses to launch an instance whose interfaces name a network card or a device index that the type does "
        "not have."
    ),
    fix=(
        "Set networkCardIndex to a card of the instance type and deviceIndex to 0, or to 1 on card 0 beside the "
        "primary interface."
    ),
    sources=("EC2 API model in botocore 1.44, NetworkCardInfo", "eksctl issue 7520"),
)
def aws_lt_interface_card_exists(template: View) -> Verdict:
    """Each network interface is on a network card that the instance type has, at a device index that the card has."""
    interfaces = template.blocks("networkInterfaces")

    def check(machine: AwsMachine) -> Verdict:
        cards, devices = machine.network_cards, machine.interfaces_per_card
        if cards is None or devices is None:
            return NOT_APPLICABLE
        fuzzy = "interfaces_per_card" in machine.unverified
        return each(interfaces, lambda interface: _has_room(interface, machine, cards, None if fuzzy else devices))

    return together(check(machine) for machine in _machines(template)) if interfaces else NOT_APPLICABLE


@RULES.rule(
    on=EC2_LAUNCH_TEMPLATE,
    severity=HIGH,
    rationale="EC2 refuses to launch an instance with two interfaces at one network card and device index.",
    fix="Give each interface a free pair of networkCardIndex and deviceIndex, counted from 0.",
    sources=("EC2 API model in botocore 1.44", "EC2 user guide, multiple network cards"),
)
def aws_lt_interface_index_unique(template: View) -> Verdict:
    """No two network interfaces have the same network card and device index, and no index is below 0."""
    interfaces = template.blocks("networkInterfaces")
    if not interfaces:
        return NOT_APPLICABLE
    taken: Counter[tuple[int, int]] = Counter()

    def check(interface: Block) -> Verdict:
        card, device = _seat(interface)
        taken[card, device] += 1
        if min(card, device) < 0:
            message = f"network card {card}, device {device} does not exist"
            return fail(message, hint="Count both from 0.", path=interface.at("deviceIndex"))
        message = f"network card {card}, device {device} already has another interface"
        hint = "Use a free card or device."
        return allow(taken[card, device] == 1, message, hint=hint, path=interface.at("deviceIndex"))

    return each(interfaces, check)


@RULES.rule(
    on=EC2_LAUNCH_TEMPLATE,
    severity=HIGH,
    rationale="Network card 0 of these instance types does not support EFA, so EC2 refuses to launch the instance.",
    fix="Set interfaceType of card 0 to interface, and put the EFA interfaces on cards 1 and up at device 0.",
    sources=("EC2 user guide, EFA interfaces by instance type (efa-acc-inst-types)",),
)
def aws_efa_not_on_card_zero(template: View) -> Verdict:
    """On instance types whose network card 0 carries IP traffic only, such as p6-b300, EFA starts at card 1."""

    def check(machine: AwsMachine, fabric: list[Block]) -> Verdict:
        if machine.efa_layout != "C":
            return NOT_APPLICABLE
        message = f"network card 0 of {machine.machine_type} does not support EFA"
        hint = f"Set interfaceType to interface, and put EFA on cards 1 to {machine.efa_max} at device 0."
        return each(
            fabric,
            lambda interface: allow(_card(interface) != 0, message, hint=hint, path=interface.at("interfaceType")),
        )

    return _on_machines(template, check)


@RULES.rule(
    on=EC2_LAUNCH_TEMPLATE,
    severity=MEDIUM,
    rationale=(
        "Public sources contradict one another on the EFA cards of this type, so EC2 may refuse to launch the instance "
        "with another layout."
    ),
    fix="Set networkCardIndex to 1, 5, 9 and 13, or to every odd card up to 15, with deviceIndex 0.",
    sources=("aws-parallelcluster PR 6930", "ai-on-eks module README, which contradicts it"),
)
def aws_efa_gb200_odd_cards(template: View) -> Verdict:
    """On p6e-gb200, EFA devices are on odd network cards at device index 0."""

    def check(machine: AwsMachine, fabric: list[Block]) -> Verdict:
        if machine.efa_layout != "D":
            return NOT_APPLICABLE
        message = f"{machine.machine_type} has EFA on odd network cards at device 0 only, by most sources"
        return each(
            fabric,
            lambda interface: allow(
                _card(interface) % 2 and not _device(interface),
                f"{message}; the interface is on card {_card(interface)}, device {_device(interface)}",
                hint="Use cards 1, 5, 9 and 13, or every odd card to 15.",
                path=interface.at("networkCardIndex"),
            ),
        )

    return _on_machines(template, check)


@RULES.rule(
    on=EC2_LAUNCH_TEMPLATE,
    severity=HIGH,
    rationale="An efa-only interface carries no IP traffic, and EC2 refuses an address on it.",
    fix="Leave associatePublicIpAddress and the address and prefix properties out, or set interfaceType to efa.",
    sources=("EC2 API model in botocore 1.44, interface types",),
)
def aws_efa_only_no_address(template: View) -> Verdict:
    """A network interface of the type efa-only has no IP address, prefix or public address."""
    fabric = efa_interfaces(template)
    return each((interface for interface in fabric if interface.text("interfaceType") == "efa-only"), _has_no_address)


@RULES.rule(
    on=(EKS_NODE_GROUP, AUTOSCALING_GROUP),
    severity=HIGH,
    rationale=(
        "EFA traffic does not cross availability zones, so instances in different zones cannot communicate over EFA."
    ),
    fix="Give the group subnets of a single availability zone.",
    joins=True,
    sources=("EC2 user guide, EFA limitations", "eksctl validation"),
)
def aws_efa_one_zone(starter: View) -> Verdict:
    """All instances of a node group or autoscaling group with EFA start in one availability zone."""
    template = template_of(starter)
    if template is None or not efa_interfaces(template):
        return NOT_APPLICABLE
    zones = zones_of(starter)
    return allow(
        len(zones) < 2,  # noqa: PLR2004 - several
        f"EFA does not cross zones; instances can start in {', '.join(zones)}",
        hint=f"Use subnets of one zone, such as {zones[0] if zones else 'the first'}.",
        path=PLACES[starter.type],
    )


@RULES.rule(
    on=EC2_LAUNCH_TEMPLATE,
    severity=MEDIUM,
    rationale=(
        "One list of interfaces fits one layout, so instances of the other types fail to launch or leave EFA devices "
        "unused."
    ),
    fix="Create a launch template and a group for each instance type.",
    joins=True,
    sources=("[?] inferred: eksctl and Karpenter do so",),
)
def aws_efa_one_card_layout(template: View) -> Verdict:
    """All instance types that start from a launch template with EFA have the same network card layout."""
    if not efa_interfaces(template):
        return NOT_APPLICABLE
    layouts = {machine.machine_type: (machine.efa_max, machine.efa_layout) for machine in _machines(template)}
    if not layouts:
        return NOT_APPLICABLE
    return allow(
        len(set(layouts.values())) == 1,
        f"one launch template cannot fit the network cards of {', '.join(sorted(layouts))}",
        path="networkInterfaces",
    )


@RULES.rule(
    on=EC2_LAUNCH_TEMPLATE,
    severity=MEDIUM,
    rationale="The instances start, but collective operations run at only a part of the network bandwidth.",
    fix="List one EFA interface on each network card that supports EFA.",
    sources=("EC2 user guide, EFA interfaces by instance type (efa-acc-inst-types)",),
)
def aws_efa_all_devices_used(template: View) -> Verdict:
    """A launch template with EFA uses all EFA devices of the instance type."""

    def check(machine: AwsMachine, fabric: list[Block]) -> Verdict:
        if not machine.efa_max or "efa_max" in machine.unverified or not _typed(template):
            return NOT_APPLICABLE
        return allow(
            len(fabric) >= machine.efa_max,
            f"{machine.machine_type} has {machine.efa_max} EFA devices; the launch template uses {len(fabric)}",
            hint=f"List {machine.efa_max} EFA interfaces, one on each card that has EFA.",
            path="networkInterfaces",
        )

    return _on_machines(template, check)


@RULES.rule(
    on=EC2_LAUNCH_TEMPLATE,
    severity=HIGH,
    rationale="EC2 refuses to launch an instance with an EFA interface on a type without EFA.",
    fix="Leave interfaceType out, or use a larger instance type of the family.",
    sources=("EC2 API model in botocore 1.44, NetworkInfo.EfaSupported",),
)
def aws_efa_supported_type(template: View) -> Verdict:
    """EFA interfaces are requested only for instance types that support EFA, in most families the large sizes."""

    def check(machine: AwsMachine, fabric: list[Block]) -> Verdict:
        return allow(
            machine.efa_max,
            f"{machine.machine_type} does not support EFA",
            path=fabric[0].at("interfaceType"),
        )

    return _on_machines(template, check)


def _on_machines(template: View, check: Callable[[AwsMachine, list[Block]], Verdict]) -> Verdict:
    fabric = efa_interfaces(template)
    if not fabric:
        return NOT_APPLICABLE
    return together(check(machine, fabric) for machine in _machines(template))


def _machines(template: View) -> list[AwsMachine]:
    found = (named.machine for named in nodes.types_of_template(template))
    return list({machine.machine_type: machine for machine in found if machine is not None}.values())


def _carries_addresses(interface: Block) -> Verdict:
    message = "the primary interface is efa-only, which carries no IP traffic, so the instance is unreachable"
    hint = "Set interfaceType to interface, and put an efa-only one on card 0 at device 1."
    return allow(interface.text("interfaceType") != "efa-only", message, hint=hint, path=interface.at("interfaceType"))


def _second_on_card(interface: Block) -> Verdict:
    message = f"network card {_card(interface)} already has an EFA device"
    return fail(message, hint="Set networkCardIndex to a free card.", path=interface.at("networkCardIndex"))


def _has_room(interface: Block, machine: AwsMachine, cards: int, devices: int | None) -> Verdict:
    card, device = _seat(interface)
    if card >= cards:
        message = f"{machine.machine_type} has network cards 0 to {cards - 1}, not {card}"
        return fail(message, hint=f"Use a card up to {cards - 1}.", path=interface.at("networkCardIndex"))
    return allow(
        devices is None or device < devices,
        f"a network card of {machine.machine_type} has devices 0 to {(devices or 0) - 1}, not {device}",
        hint="Use device 0; on card 0, where the primary interface is, device 1.",
        path=interface.at("deviceIndex"),
    )


def _has_no_address(interface: Block) -> Verdict:
    given = next(
        (key for key in _ADDRESSES if key in interface and interface.value(key) not in (False, "false", 0, "", [])), ""
    )
    message = f"an efa-only interface has no IP address, so EC2 refuses {given}"
    return allow(not given, message, hint=f"Leave {given} out, or set interfaceType to efa.", path=interface.at(given))


def _typed(template: View) -> bool:
    """Return whether every interface is of a type that EC2 knows, so that those of EFA can be counted."""
    return all(each.text("interfaceType") in (None, *INTERFACE_TYPES) for each in template.blocks("networkInterfaces"))


def _seat(interface: Block) -> tuple[int, int]:
    return _card(interface), _device(interface)


def _card(interface: Block) -> int:
    return interface.integer("networkCardIndex") or 0


def _device(interface: Block) -> int:
    return interface.integer("deviceIndex") or 0
