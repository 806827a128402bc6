"""The images that machines start from, as far as a program says whose they are: some come with a licence to pay."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from penstock.catalog.licences import licence_of
from penstock.model.pools.azure import CLUSTER, AksPool, VirtualMachinePool
from penstock.model.pools.ec2 import Ec2Pool
from penstock.model.pools.fleets import SPOT_FLEET, FleetPool
from penstock.model.pools.gce import InstancePool
from penstock.model.pools.gcp_disks import DISK
from penstock.model.pools.gke import GkePool
from penstock.model.pools.launch_templates import AUTOSCALING_GROUP, NODE_GROUP, template_by, template_of
from penstock.model.pools.pool import MachinePool
from penstock.resources.graph import Lookup
from penstock.resources.verdict import NotKnown, TypeMismatch
from penstock.resources.view import Block

Mark = tuple[str, str]
"""What says whose an image is, as licensed_images.csv calls it, and the value."""

_LAUNCH_CONFIGURATION: Final = "aws:ec2/launchConfiguration:LaunchConfiguration"
_AMI, _PARAMETER = "aws:ec2/getAmi:getAmi", "aws:ssm/getParameter:getParameter"
_OWN_LICENCE: Final = ("windows_server", "windows_client", "rhel_byos", "sles_byos")
"""Values of `licenseType` by which Azure bills no licence, as the company brings its own (Azure Hybrid Benefit)."""


def licence_of_pool(pool: MachinePool) -> str | None:
    """Return the licence that the image of a pool's machines comes with; None where it has none, or none is known."""
    try:
        if _brings_its_own(pool):
            return None
        return next((found for mark in _marks(pool) if (found := licence_of(pool.cloud, *mark)) is not None), None)
    except (NotKnown, TypeMismatch):
        return None


def _marks(pool: MachinePool) -> Iterator[Mark]:
    if pool.service:
        return
    if isinstance(pool, Ec2Pool):
        yield from _of_ec2(pool)
    elif isinstance(pool, AksPool):
        yield "os_type", pool.block.text("osType") or ""
    elif isinstance(pool, VirtualMachinePool):
        yield from _of_azure(_profile(pool))
    elif isinstance(pool, GkePool):
        config = pool.config
        yield "image_type", (config.text("imageType") if config is not None else None) or ""
    elif isinstance(pool, InstancePool):
        yield from _of_google(pool.config)


def _profile(pool: MachinePool) -> Block:
    return pool.block.block("virtualMachineProfile") or pool.block


def _brings_its_own(pool: MachinePool) -> bool:
    """Whether a machine of Azure says that its licence is the company's own."""
    if isinstance(pool, VirtualMachinePool):
        return (_profile(pool).text("licenseType") or "").casefold() in _OWN_LICENCE
    if isinstance(pool, AksPool):
        cluster = pool.view if pool.view.type == CLUSTER else pool.view.one("resourceName", CLUSTER)
        profile = cluster.block("windowsProfile") if cluster is not None and not cluster.resource.external else None
        return profile is not None and (profile.text("licenseType") or "").casefold() in _OWN_LICENCE
    return False


def _of_azure(profile: Block) -> Iterator[Mark]:
    storage, system = profile.block("storageProfile"), profile.block("osProfile")
    image = storage.block("imageReference") if storage is not None else None
    disk = storage.block("osDisk") if storage is not None else None
    yield "publisher", (image.text("publisher") if image is not None else None) or ""
    yield "os_type", (disk.text("osType") if disk is not None else None) or ""
    if system is not None and "windowsConfiguration" in system:
        yield "os_type", "windows"


def _of_google(config: Block) -> Iterator[Mark]:
    """The marks of the image that a machine boots from; of a disk of its own, those of that disk's image."""
    boot = config.block("bootDisk")
    created = boot.block("initializeParams") if boot is not None else None
    if created is not None:
        yield from _of_image(created.text("image"))
    if boot is not None and "source" in boot:
        disk = boot.one("source", DISK)
        if disk is not None and not disk.resource.external:
            yield from _of_image(disk.text("image"))
    for each in config.blocks("disks"):
        if each.flag("boot") is not False and "sourceImage" in each:
            yield from _of_image(each.text("sourceImage"))


def _of_image(path: str | None) -> Iterator[Mark]:
    """Read `projects/windows-cloud/global/images/family/windows-2022`, `windows-cloud/windows-2022` or a name."""
    parts = (path or "").split("/")
    if "projects" in parts[:-1]:
        yield "project", parts[parts.index("projects") + 1]
    elif len(parts) > 1:
        yield "project", parts[0]
    else:
        yield "image_name", parts[0]


def _of_ec2(pool: Ec2Pool) -> Iterator[Mark]:
    view = pool.view
    if view.type == NODE_GROUP:
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
        yield from view.blocks("launchSpecifications") if view.type == SPOT_FLEET else ()
        references = [each.block("launchTemplateSpecification") for each in view.blocks("launchTemplateConfigs")]
        yield from (template for each in references if (template := template_by(each)) is not None)
        return
    template = template_of(view)
    if template is not None:
        yield template
    configuration = view.one("launchConfiguration", _LAUNCH_CONFIGURATION) if view.type == AUTOSCALING_GROUP else None
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
