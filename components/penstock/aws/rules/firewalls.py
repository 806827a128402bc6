"""The security groups and the VPC of resources in a network."""

from __future__ import annotations

from penstock.aws.model.openings import GROUPS
from penstock.aws.types import EC2_VPC
from penstock.graph.property_path import PropertyPath
from penstock.graph.verdict import NotKnown
from penstock.graph.view import View


def network(placed: View) -> str:
    """Return the key of the VPC of a subnet or a group: its URN, or its id where it is outside the program.

    Raises:
        NotKnown: it is in the region's default VPC, or the id is not known yet.
    """
    try:
        vpc = placed.one("vpcId", EC2_VPC)
    except NotKnown:
        vpc = None
    name = vpc.urn if vpc is not None else placed.text("vpcId")
    if name is None:
        raise NotKnown
    return name


def used(holder: View, path: str) -> list[View]:
    """The program's security groups that a property names; those outside the program are left out.

    `path` may lead into objects and lists. In a preview the groups are the sources of the property.
    """
    try:
        return holder.found(path, *GROUPS)
    except NotKnown:
        return holder.sources(PropertyPath.parse(path).top, *GROUPS)
