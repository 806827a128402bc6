"""Launch templates of EC2: which of them something starts its machines from, and what that template holds."""

from __future__ import annotations

from penstock.aws.types import AUTOSCALING_GROUP, EC2_INSTANCE, EC2_LAUNCH_TEMPLATE, EKS_NODE_GROUP
from penstock.graph.verdict import NotKnown
from penstock.graph.view import Block, View

_USES = {
    EKS_NODE_GROUP: ("launchTemplate.id", "launchTemplate.name"),
    EC2_INSTANCE: ("launchTemplate.id", "launchTemplate.name"),
    AUTOSCALING_GROUP: (
        "launchTemplate.id",
        "launchTemplate.name",
        "mixedInstancesPolicy.launchTemplate.launchTemplateSpecification.launchTemplateId",
        "mixedInstancesPolicy.launchTemplate.launchTemplateSpecification.launchTemplateName",
    ),
}
"""Where each type names its launch template."""

_KEYS = ("id", "name", "launchTemplateId", "launchTemplateName")


def inside(view: View) -> View:
    """Return the resource itself.

    Raises:
        NotKnown: the program only looks it up, so that nothing is known of it but its name.
    """
    if view.resource.external:
        raise NotKnown
    return view


def template_of(starter: View) -> View | None:
    """Return the launch template that something starts machines from; None where it needs none.

    Raises:
        NotKnown: the template lies outside the program.
    """
    mixed = mixed_template(starter)
    return template_by(
        mixed.block("launchTemplateSpecification") if mixed is not None else starter.block("launchTemplate")
    )


def template_by(reference: Block | None) -> View | None:
    """Return the launch template that a reference names by its id or name; as `template_of`."""
    for key in _KEYS:
        if reference is not None and key in reference:
            found = reference.one(key, EC2_LAUNCH_TEMPLATE)
            return None if found is None else inside(found)
    return None


def mixed_template(starter: View) -> Block | None:
    """Return what the mixed instances policy of an autoscaling group says of its template and types."""
    mixed = starter.block("mixedInstancesPolicy") if starter.type == AUTOSCALING_GROUP else None
    return mixed.block("launchTemplate") if mixed is not None else None


def starters_from(launch_template: View) -> list[View]:
    """Return what starts machines from a launch template."""
    found = (
        user for type_, paths in _USES.items() for path in paths for user in launch_template.referrers(type_, path)
    )
    return list({user.urn: user for user in found}.values())


def efa_interfaces(launch_template: View) -> list[Block]:
    """Return the EFA interfaces of a launch template."""
    return [each for each in launch_template.blocks("networkInterfaces") if is_efa(each)]


def is_efa(interface: Block) -> bool:
    """Return whether an interface of a launch template is one for EFA, with or without an address."""
    return interface.text("interfaceType") in ("efa", "efa-only")


def market_of(holder: View) -> str | None:
    """Return the market that a template or an instance buys its machines at; None where it does not say."""
    options = holder.block("instanceMarketOptions") if holder.type in (EC2_LAUNCH_TEMPLATE, EC2_INSTANCE) else None
    return options.text("marketType") if options is not None else None


def reservation_target(holder: View) -> Block | None:
    """Return which reservation a template or an instance names; None where it names none."""
    specification = holder.block("capacityReservationSpecification")
    return specification.block("capacityReservationTarget") if specification is not None else None
