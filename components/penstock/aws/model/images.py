"""Whose image machines of EC2 start from, as far as a program says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from penstock.aws.model.ec2 import Ec2Pool
from penstock.aws.model.fleets import FleetPool
from penstock.aws.model.launch_templates import template_by, template_of
from penstock.aws.types import AUTOSCALING_GROUP, EC2_LAUNCH_CONFIGURATION, EC2_SPOT_FLEET_REQUEST, EKS_NODE_GROUP
from penstock.graph.graph import Lookup
from penstock.graph.view import Block
from penstock.model.pools.images import Mark
from penstock.model.pools.pool import MachinePool

_AMI, _PARAMETER = "aws:ec2/getAmi:getAmi", "aws:ssm/getParameter:getParameter"


def image_marks(pool: MachinePool) -> Iterator[Mark]:
    """Yield what says whose the image of a pool is."""
    if not isinstance(pool, Ec2Pool):
        return
    view = pool.view
    if view.type == EKS_NODE_GROUP:
        yield "ami_type", view.text("amiType") or ""
    for holder in _image_holders(pool):
        image = holder.text("ami" if "ami" in holder else "imageId")
        if image is not None:
            yield from _of_ami(image, view.site.graph.lookups)
            return


def _image_holders(pool: Ec2Pool) -> Iterator[Block]:
    """What may name the image of machines: themselves before the template or the configuration they start from."""
    view = pool.view
    yield view
    if isinstance(pool, FleetPool):
        yield from view.blocks("launchSpecifications") if view.type == EC2_SPOT_FLEET_REQUEST else ()
        references = [each.block("launchTemplateSpecification") for each in view.blocks("launchTemplateConfigs")]
        yield from (template for each in references if (template := template_by(each)) is not None)
        return
    template = template_of(view)
    if template is not None:
        yield template
    configuration = (
        view.one("launchConfiguration", EC2_LAUNCH_CONFIGURATION) if view.type == AUTOSCALING_GROUP else None
    )
    if configuration is not None and not configuration.resource.external:
        yield configuration


def _of_ami(image: str, lookups: tuple[Lookup, ...]) -> Iterator[Mark]:
    """The marks of an AMI by the look-up that found it; a parameter that AWS keeps may stand for its id."""
    yield "parameter", image.removeprefix("resolve:ssm:")
    for lookup in lookups:
        if lookup.token == _AMI and image in (lookup.answer.get("id"), lookup.answer.get("imageId")):
            yield from _of_search(lookup.arguments)
        elif lookup.token == _PARAMETER and image == lookup.answer.get("value"):
            yield "parameter", str(lookup.arguments.get("name", ""))


def _of_search(arguments: Any) -> Iterator[Mark]:
    yield "ami_name", str(arguments.get("nameRegex") or "").lstrip("^")
    for each in arguments.get("filters") or ():
        said_by = {"name": "ami_name", "platform": "platform", "platform-details": "platform"}.get(each.get("name"))
        for value in each.get("values") or () if said_by is not None else ():
            yield said_by or "", str(value)
