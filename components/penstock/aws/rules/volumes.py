"""EBS volumes, of launch templates, of instances and by themselves: types, sizes and speeds."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.aws.facts import ebs
from penstock.aws.facts.ebs import VolumeType
from penstock.aws.model.ec2 import instance_types_of
from penstock.aws.model.launch_templates import template_of
from penstock.aws.types import EBS_VOLUME, EC2_INSTANCE, EC2_LAUNCH_TEMPLATE, EKS_NODE_GROUP
from penstock.catalog import limits
from penstock.graph.verdict import NOT_APPLICABLE, PASS, Verdict, allow, fail, together
from penstock.graph.view import Block, View
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_ON = (EC2_LAUNCH_TEMPLATE, EC2_INSTANCE, EBS_VOLUME)
_KEYS = {
    EC2_LAUNCH_TEMPLATE: ("volumeType", "volumeSize"),
    EC2_INSTANCE: ("volumeType", "volumeSize"),
    EBS_VOLUME: ("type", "size"),
}
_DEFAULT_TYPE = "gp2"
"""EC2 API, CreateVolume. An image may say otherwise for machines that start from it."""


def _volumes(holder: View) -> Iterator[Block]:
    if holder.type == EBS_VOLUME:
        yield holder
    elif holder.type == EC2_LAUNCH_TEMPLATE:
        for mapping in holder.blocks("blockDeviceMappings"):
            volume = mapping.block("ebs")
            if volume is not None:
                yield volume
    else:
        root = holder.block("rootBlockDevice")
        yield from ([root] if root is not None else [])
        yield from holder.blocks("ebsBlockDevices")


@RULES.rule(
    on=_ON,
    each_of=_volumes,
    severity=HIGH,
    rationale="CreateVolume rejects a size outside the range of the volume type.",
    fix="Set the volume size (volumeSize or size) within the range of its type.",
    sources=("EC2 API model in botocore 1.44, CreateVolume", "EBS user guide, volume types"),
)
def aws_ebs_size_range(volume: Block) -> Verdict:
    """The size of an EBS volume is within the range of its volume type."""
    key = _KEYS[volume.owner.type][1]
    facts, size = _facts(volume, volume.owner), volume.integer(key)
    if facts is None or size is None:
        return NOT_APPLICABLE
    message = f"{size} GiB is not a size of {facts.name}"
    hint = f"Use {min(max(size, facts.min_gib), facts.max_gib)} GiB; the range is {facts.min_gib} to {facts.max_gib}."
    return allow(facts.min_gib <= size <= facts.max_gib, message, hint=hint, path=volume.at(key))


@RULES.rule(
    on=_ON,
    each_of=_volumes,
    severity=HIGH,
    rationale="EC2 rejects IOPS or throughput on other volume types and outside the limits.",
    fix="Set iops and throughput within the range of the volume type, leave them out, or use gp3.",
    sources=("EC2 API model in botocore 1.44, CreateVolume", "EBS user guide, volume types"),
)
def aws_ebs_iops_range(volume: Block) -> Verdict:
    """IOPS and throughput of an EBS volume are set only for volume types that take them, and within their limits."""
    facts = _facts(volume, volume.owner)
    if facts is None:
        return NOT_APPLICABLE
    return together(
        [
            _within(volume, "iops", "IOPS", facts.name, (facts.min_iops, facts.max_iops)),
            _within(volume, "throughput", "MiB/s", facts.name, (facts.min_mibps, facts.max_mibps)),
        ]
    )


@RULES.rule(
    on=_ON,
    each_of=_volumes,
    severity=HIGH,
    rationale=(
        "EC2 rejects a volume whose IOPS are too many for its size, or whose throughput is too high for its IOPS."
    ),
    fix="Lower iops or throughput, or raise the size or iops of the volume.",
    sources=("EBS user guide, volume types: ratios of IOPS to size and of throughput to IOPS",),
)
def aws_ebs_iops_ratio(volume: Block) -> Verdict:
    """The IOPS of an EBS volume fit its size, and its throughput fits its IOPS, by the ratios of the volume type."""
    facts, iops, size = (
        _facts(volume, volume.owner),
        volume.integer("iops"),
        volume.integer(_KEYS[volume.owner.type][1]),
    )
    if facts is None:
        return NOT_APPLICABLE
    verdicts = []
    on_sale = iops is not None and (facts.min_iops or 0) < iops <= (facts.max_iops or 0)
    if facts.iops_per_gib is not None and iops is not None and size is not None and on_sale:
        message = (
            f"{iops} IOPS are too many for {size} GiB of {facts.name}, which allows {facts.iops_per_gib} for each GiB"
        )
        hint = f"Use {size * facts.iops_per_gib} IOPS, or {-(-iops // facts.iops_per_gib)} GiB."
        verdicts.append(allow(iops <= size * facts.iops_per_gib, message, hint=hint, path=volume.at("iops")))
    speed = volume.integer("throughput")
    if facts.mibps_per_iops is not None and speed is not None:
        has = iops or facts.min_iops or 0
        message = f"{speed} MiB/s are too many for {has} IOPS of {facts.name}"
        hint = f"Use {round(speed / facts.mibps_per_iops)} IOPS."
        verdicts.append(allow(speed <= has * facts.mibps_per_iops, message, hint=hint, path=volume.at("throughput")))
    return together(verdicts)


@RULES.rule(
    on=EKS_NODE_GROUP,
    severity=MEDIUM,
    rationale="The nodes start, but images for training and serving soon fill the root volume, and pods fail to start.",
    fix="Set volumeSize or diskSize to 300 GiB, or have nodeadm put images on the local disks (localStorage RAID0).",
    joins=True,
    sources=("awslabs/awsome-distributed-ai, EKS examples",),
)
def aws_eks_gpu_root_volume(group: View) -> Verdict:
    """Accelerated nodes have a root volume of at least 50 GiB for images, unless local disks hold the images."""
    default = limits.find_limit("root_gib_by_default", "aws").most
    accelerated = [named for named in instance_types_of(group) if named.facts and named.facts.accelerator_kind]
    if not accelerated:
        return NOT_APPLICABLE
    template = template_of(group)
    if template is None:
        size = group.integer("diskSize") or default
        return _roomy(size, accelerated[0].name, "diskSize", group)
    if "userData" in template or "imageId" in template:
        return NOT_APPLICABLE  # both may have the local disks set up
    disks = template.blocks("blockDeviceMappings")
    volume = disks[0].block("ebs") if disks else None
    size = (volume.integer("volumeSize") if volume is not None else None) or default
    path = volume.at("volumeSize") if volume is not None else "blockDeviceMappings"
    return _roomy(size, accelerated[0].name, path, template)


def _roomy(size: int, machine_type: str, path: str, holder: View) -> Verdict:
    least = limits.find_limit("root_gib_least", "aws").most
    if size >= least:
        return PASS
    message = f"container images soon fill {size} GiB on {machine_type}"
    hint = "Use 300 GiB, or have nodeadm put images on the local disks (localStorage RAID0)."
    return fail(message, hint=hint, path=path, urn=holder.urn)


def _facts(volume: Block, holder: View) -> VolumeType | None:
    name = volume.text(_KEYS[holder.type][0])
    if name is None and holder.type == EBS_VOLUME:
        name = _DEFAULT_TYPE
    return ebs.find_volume_type(name) if name in ebs.volume_type_names() else None


def _within(volume: Block, key: str, unit: str, name: str, limits: tuple[int | None, int | None]) -> Verdict:
    value, (least, most) = volume.integer(key), limits
    if not value:
        return NOT_APPLICABLE
    if least is None or most is None:
        return fail(f"{name} does not accept {key}", hint=f"Leave {key} out, or use gp3.", path=volume.at(key))
    message = f"{value} {unit} are outside the range of {name}"
    hint = f"Use {min(max(value, least), most)}; the range is {least} to {most}."
    return allow(least <= value <= most, message, hint=hint, path=volume.at(key))
