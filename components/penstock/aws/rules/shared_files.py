"""EFS: throughput, and mount targets in zones."""

from __future__ import annotations

from collections import Counter

from penstock.aws.model.ec2 import zone_of
from penstock.aws.model.launch_templates import inside
from penstock.aws.types import EC2_SUBNET, EFS_FILE_SYSTEM, EFS_MOUNT_TARGET
from penstock.graph.verdict import NOT_APPLICABLE, PASS, Failure, Outcome, Verdict, allow
from penstock.graph.view import View
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)


@RULES.rule(
    on=EFS_FILE_SYSTEM,
    severity=HIGH,
    rationale=(
        "CreateFileSystem rejects a provisioned throughput in any other mode, and the mode provisioned without one."
    ),
    fix='Set throughputMode to "provisioned" together with provisionedThroughputInMibps, or leave both out.',
    sources=("EFS API model in botocore 1.44, CreateFileSystem",),
)
def aws_efs_provisioned_throughput(filesystem: View) -> Verdict:
    """An EFS file system sets a provisioned throughput if and only if its throughput mode is provisioned."""
    given, mode = "provisionedThroughputInMibps" in filesystem, filesystem.text("throughputMode")
    if mode is None and not given:
        return NOT_APPLICABLE
    hint = 'Set throughputMode to "provisioned" and provisionedThroughputInMibps to a number, or leave both out.'
    message = (
        f"throughputMode is {mode or 'bursting'}, and provisionedThroughputInMibps is {'' if given else 'not '}set"
    )
    return allow(given == (mode == "provisioned"), message, hint=hint, path="provisionedThroughputInMibps")


@RULES.rule(
    on=EFS_FILE_SYSTEM,
    severity=HIGH,
    rationale="CreateFileSystem rejects Max I/O with elastic throughput or in One Zone storage.",
    fix='Set performanceMode to "generalPurpose".',
    sources=("EFS API model in botocore 1.44", "AWS re:Post knowledge center, efs-choosing-correct-throughput-mode"),
)
def aws_efs_max_io_mode(filesystem: View) -> Verdict:
    """An EFS file system in maxIO mode has neither elastic throughput nor a single availability zone."""
    if filesystem.text("performanceMode") != "maxIO":
        return NOT_APPLICABLE
    good = filesystem.text("throughputMode") != "elastic" and "availabilityZoneName" not in filesystem
    hint = 'Set performanceMode to "generalPurpose".'
    return allow(
        good,
        "the performance mode maxIO supports neither elastic throughput nor One Zone storage",
        hint=hint,
        path="performanceMode",
    )


@RULES.rule(
    on=EFS_FILE_SYSTEM,
    severity=HIGH,
    rationale=(
        "CreateMountTarget rejects a second one in a zone with MountTargetConflict, and one outside the zone of the "
        "file system."
    ),
    fix="Set subnetId of each mount target to a subnet in a different zone of the file system.",
    joins=True,
    sources=("EFS API model in botocore 1.44, CreateMountTarget: MountTargetConflict",),
)
def aws_efs_mount_target_per_zone(filesystem: View) -> Verdict:
    """An EFS file system has at most one mount target in each zone; a One Zone file system has it in its own."""
    targets = filesystem.referrers(EFS_MOUNT_TARGET, "fileSystemId")
    only = filesystem.text("availabilityZoneName")
    seen: Counter[str] = Counter()
    failures = []
    for target in targets:
        subnet = target.one("subnetId", EC2_SUBNET)
        if subnet is None:
            continue
        zone = zone_of(inside(subnet))
        seen[zone] += 1
        if seen[zone] > 1 or only not in (None, zone):
            message = f"{zone} already has a mount target" if seen[zone] > 1 else f"the file system is in {only} only"
            failures.append(Failure(message, "Create one for each zone of the file system.", "subnetId", target.urn))
    if failures:
        return Verdict(Outcome.FAIL, tuple(failures))
    return PASS if seen else NOT_APPLICABLE
