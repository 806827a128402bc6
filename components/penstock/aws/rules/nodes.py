"""The node groups, autoscaling groups and instances that rules ask about, by the model's reading of them."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.aws.model.ec2 import Ec2Type, instance_types_of, types_in
from penstock.aws.model.launch_templates import efa_interfaces, inside, starters_from, template_of
from penstock.aws.types import AUTOSCALING_GROUP, EC2_INSTANCE, EKS_CLUSTER, EKS_NODE_GROUP
from penstock.catalog import regions
from penstock.graph.verdict import NotKnown
from penstock.graph.view import Site, View

STARTERS = (EKS_NODE_GROUP, AUTOSCALING_GROUP, EC2_INSTANCE)
"""The types of resources whose machines the rules ask about."""


def types_of_template(launch_template: View) -> list[Ec2Type]:
    """The instance types that start from a launch template: its own, or else those of what uses it."""
    own = list(types_in(launch_template, launch_template))
    return own or [named for starter in starters_from(launch_template) for named in instance_types_of(starter)]


def cluster(group: View) -> View:
    """The cluster of a node group.

    Raises:
        NotKnown: it lies outside the program.
    """
    found = group.one("clusterName", EKS_CLUSTER)
    if found is None:
        raise NotKnown
    return inside(found)


def region_of(zone_name: str) -> str | None:
    """The region of a zone; None for a zone that the catalogue does not know."""
    return next((region.name for region in regions.all_regions("aws") if zone_name in region.zones), None)


def with_fabric(site: Site) -> Iterator[View]:
    """The groups that start machines with EFA interfaces, as far as is known."""
    for starter in site.of_type(EKS_NODE_GROUP, AUTOSCALING_GROUP):
        held = template_of(starter)
        if held is not None and efa_interfaces(held):
            yield starter
