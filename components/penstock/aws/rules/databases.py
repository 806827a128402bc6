"""RDS: subnets, storage, passwords and the last snapshot of a database."""

from __future__ import annotations

from penstock.aws.model.ec2 import zone_of
from penstock.aws.model.launch_templates import inside
from penstock.aws.types import EC2_SUBNET, RDS_INSTANCE, RDS_SUBNET_GROUP
from penstock.catalog import limits
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow
from penstock.graph.view import View
from penstock.rules.checks import Absent, All, Given, IsNot, Where
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_WITH_IOPS = ("io1", "io2", "gp3")
_FROM_ELSEWHERE = ("replicateSourceDb", "snapshotIdentifier", "restoreToPointInTime")

_STRIPED = ("postgres", "mysql", "mariadb")


@RULES.rule(
    on=RDS_SUBNET_GROUP,
    severity=HIGH,
    rationale="CreateDBSubnetGroup fails with DBSubnetGroupDoesNotCoverEnoughAZs.",
    fix="Add a subnet in another availability zone to subnetIds.",
    joins=True,
    sources=("RDS API: DBSubnetGroupDoesNotCoverEnoughAZs",),
)
def aws_rds_subnets_two_zones(group: View) -> Verdict:
    """The subnets of a DB subnet group are in at least two availability zones."""
    subnets = group.many("subnetIds", EC2_SUBNET)
    if not subnets:
        return NOT_APPLICABLE
    zones = {zone_of(inside(subnet)) for subnet in subnets}
    hint = "Add a subnet in another zone."
    return allow(len(zones) > 1, f"all subnets are in {', '.join(zones)}", hint=hint, path="subnetIds")


@RULES.rule(
    on=RDS_INSTANCE,
    severity=MEDIUM,
    rationale=(
        "RDS rejects missing IOPS for io1 and io2, and IOPS for storage that does not take them; the source was not "
        "read again."
    ),
    fix=(
        "Set iops for io1 and io2, leave iops out for other storage types, or set allocatedStorage to 400 or more for "
        "gp3."
    ),
    sources=("RDS user guide, CHAP_Storage; not read again",),
)
def aws_rds_storage_iops(database: View) -> Verdict:
    """A database sets IOPS for io1 and io2, may set them for gp3 from 400 GiB on, and never for other storage."""
    least = limits.find_limit("database_gp3_choice_gib_least", "aws").most
    iops, kind = database.integer("iops"), database.text("storageType")
    if iops is None and any(key in database for key in _FROM_ELSEWHERE):
        return NOT_APPLICABLE  # the origin decides
    if kind in ("io1", "io2"):
        hint = "Set iops, such as 3000, or storageType to gp3."
        return allow(iops is not None, f"iops is not set, which {kind} storage needs", hint=hint, path="iops")
    if iops is None:
        return NOT_APPLICABLE
    size, engine = database.integer("allocatedStorage"), database.text("engine")
    if kind is not None and kind not in _WITH_IOPS:
        return allow(False, f"{kind} storage does not accept iops", hint="Leave iops out.", path="iops")
    small = kind == "gp3" and engine in _STRIPED and size is not None and size < least
    hint = f"Leave iops out, or set allocatedStorage to {least}."
    return allow(
        not small, f"gp3 storage of {size} GiB has a fixed baseline, and does not accept iops", hint=hint, path="iops"
    )


RULES.row(
    "aws-rds-final-snapshot",
    "A database names its final snapshot, or skips it.",
    on=RDS_INSTANCE,
    check=Where(All(IsNot("skipFinalSnapshot", True), Absent("replicateSourceDb")), Given("finalSnapshotIdentifier")),
    severity=MEDIUM,
    rationale=(
        "The database is created, but deleting it fails, since a final snapshot is taken by default and has no name."
    ),
    fix="Set finalSnapshotIdentifier, or set skipFinalSnapshot to true for data that may be lost.",
    sources=("Pulumi AWS 7.51, rds.Instance finalSnapshotIdentifier",),
)


@RULES.rule(
    on=RDS_INSTANCE,
    severity=HIGH,
    rationale=(
        "CreateDBInstance rejects a database without a user name or password, and a password beside a managed one."
    ),
    fix="Set username, and set manageMasterUserPassword to true without password.",
    sources=("RDS API model in botocore 1.44, CreateDBInstance",),
)
def aws_rds_master_password(database: View) -> Verdict:
    """A new database has a master user name, and either a password or one that RDS manages."""
    if any(key in database for key in _FROM_ELSEWHERE):
        return NOT_APPLICABLE
    managed = database.flag("manageMasterUserPassword") is True
    given = "password" in database or "passwordWo" in database
    hint = "Set username, and manageMasterUserPassword to true without a password."
    message = (
        "password is set, although manageMasterUserPassword is true"
        if managed
        else "the database has no username or no password"
    )
    return allow(managed != given and "username" in database, message, hint=hint, path="password")
