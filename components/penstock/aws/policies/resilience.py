"""Resilience on AWS."""

from __future__ import annotations

from penstock.aws.model.ec2 import Ec2Pool
from penstock.aws.model.iam_statements import covers
from penstock.aws.model.launch_templates import efa_interfaces, inside, reservation_target, template_of
from penstock.aws.policies.engines import unless_custom
from penstock.aws.policies.relations import admits_service, takes_logs
from penstock.aws.types import (
    ALB_LOAD_BALANCER,
    CLOUDTRAIL_TRAIL,
    DOCDB_CLUSTER,
    DSQL_CLUSTER,
    DYNAMODB_TABLE,
    EC2_PLACEMENT_GROUP,
    EC2_SUBNET,
    EFS_FILE_SYSTEM,
    EKS_CLUSTER,
    EKS_NODE_GROUP,
    FSX_DATA_REPOSITORY_ASSOCIATION,
    FSX_LUSTRE_FILE_SYSTEM,
    FSX_ONTAP_FILE_SYSTEM,
    FSX_OPEN_ZFS_FILE_SYSTEM,
    LB_LOAD_BALANCER,
    NEPTUNE_CLUSTER,
    RDS_CLUSTER,
    RDS_CLUSTER_INSTANCE,
    RDS_INSTANCE,
    S3_BUCKET,
    S3_BUCKET_OBJECT_LOCK_CONFIGURATION,
    S3_BUCKET_VERSIONING,
    S3_VECTORS_VECTOR_BUCKET,
    S3TABLES_TABLE_BUCKET,
)
from penstock.catalog import kubernetes_versions
from penstock.core.versions import find_minor, minor
from penstock.graph.property_path import HIDDEN
from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, NotKnown, Verdict, allow, each, fail
from penstock.graph.view import View
from penstock.rules.checks import (
    Absent,
    All,
    AtLeast,
    ByType,
    Check,
    Custom,
    Either,
    Given,
    Is,
    IsNot,
    Joined,
    Matches,
    NotBelow,
    OneOf,
    Where,
)
from penstock.rules.levels import HIGH, LOW, MEDIUM, Category
from penstock.rules.remedies import set_to
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.RESILIENCE)

_DIRECTORY_BUCKET = "aws:s3/directoryBucket:DirectoryBucket"
_DELIVERY = "aws:cfg/deliveryChannel:DeliveryChannel"
_BACKUP_POLICY = "aws:efs/backupPolicy:BackupPolicy"
_BACKUP_SELECTION = "aws:backup/selection:Selection"
_FILE_SYSTEMS = (
    FSX_ONTAP_FILE_SYSTEM,
    FSX_OPEN_ZFS_FILE_SYSTEM,
    "aws:fsx/windowsFileSystem:WindowsFileSystem",
)
_MACHINE_OF_VOLUMES = "aws:fsx/ontapStorageVirtualMachine:OntapStorageVirtualMachine"
_VOLUME = "aws:fsx/ontapVolume:OntapVolume"
_SAMPLES = {
    EFS_FILE_SYSTEM: "arn:aws:elasticfilesystem:eu-west-1:000000000000:file-system/fs-0c",
    RDS_INSTANCE: "arn:aws:rds:eu-west-1:000000000000:db:a",
    RDS_CLUSTER: "arn:aws:rds:eu-west-1:000000000000:cluster:a",
    **dict.fromkeys(_FILE_SYSTEMS, "arn:aws:fsx:eu-west-1:000000000000:file-system/fs-0c"),
    _VOLUME: "arn:aws:fsx:eu-west-1:000000000000:volume/fs-0c/fsvol-0c",
}
"""An ARN of each type that backup plans select."""
_LOAD_BALANCERS = (LB_LOAD_BALANCER, ALB_LOAD_BALANCER)


def _is_selected(it: View, _: Settings) -> Verdict:
    """Return whether a backup plan selects a resource by one of its tags, or with all others."""
    tags = it.value("tags") or {}
    unclear = False
    for selection in it.site.of_type(_BACKUP_SELECTION):
        by_tag = [(tag.text("key"), tag.text("value")) for tag in selection.blocks("selectionTags")]
        patterns = [place.value for place in selection.locations("resources[]") if isinstance(place.value, str)]
        hidden = any(isinstance(tags.get(key), HIDDEN) for key, _ in by_tag)
        tagged = hidden or any(tags.get(key) == value for key, value in by_tag)
        named = any(covers(pattern, _SAMPLES[it.type]) for pattern in patterns)
        if (tagged and not patterns) or (named and (tagged or not by_tag)):
            if "conditions" not in selection and not hidden:
                return PASS
            unclear = True
    return UNKNOWN if unclear else NOT_APPLICABLE


_SELECTED = Either(
    Joined(((_BACKUP_SELECTION, "resources"),), "no backup plan selects it"),
    Custom(_is_selected, others=True),
)


def _may_lock_records(it: View, _: Settings) -> Verdict:
    """Trails write to it, and nothing else that a locked bucket refuses: AWS Config and access logs of S3."""
    if not it.referrers(CLOUDTRAIL_TRAIL, "s3BucketName") and not admits_service(it, "cloudtrail.amazonaws.com"):
        return NOT_APPLICABLE
    refused = it.referrers(_DELIVERY, "s3BucketName") or admits_service(it, "config.amazonaws.com") or takes_logs(it)
    return allow(not refused, "what else is written there needs a bucket without a lock")


def _volumes_are_selected(it: View, settings: Settings) -> Verdict:
    """AWS Backup takes ONTAP volume by volume; it takes other file systems as a whole."""
    machines = it.referrers(_MACHINE_OF_VOLUMES, "fileSystemId") if it.type == FSX_ONTAP_FILE_SYSTEM else ()
    return each(
        (volume for machine in machines for volume in machine.referrers(_VOLUME, "storageVirtualMachineId")),
        lambda volume: _SELECTED.judge(volume, settings),
    )


def _of_source(check: Check) -> Check:
    """A check of a database or a cluster of them that is not a replica of another."""
    return ByType(
        {
            RDS_INSTANCE: Where(Absent("replicateSourceDb"), check),
            RDS_CLUSTER: Where(Absent("replicationSourceIdentifier"), check),
            DOCDB_CLUSTER: check,
            NEPTUNE_CLUSTER: Where(Absent("replicationSourceIdentifier"), check),
        }
    )


RULES.row(
    "aws-s3-versioning",
    "A bucket keeps the versions of its objects.",
    on=S3_BUCKET,
    check=Either(
        Where(Given("versioning"), Is("versioning.enabled", value=True)),
        Joined(
            ((S3_BUCKET_VERSIONING, "bucket"),),
            "no versioning is set for it",
            Is("versioningConfiguration.status", "Enabled"),
        ),
    ),
    severity=MEDIUM,
    rationale=(
        "A job that writes to the wrong prefix overwrites weights that took months, and nothing brings them back."
    ),
    fix="Add a BucketVersioning with versioningConfiguration.status Enabled, and let a lifecycle rule expire old ones.",
    peers="CKV_AWS_21 AWS-0090 KICS:568a4d22",
)
RULES.row(
    "aws-s3-object-lock",
    "A bucket that takes records of CloudTrail locks them against everybody.",
    on=S3_BUCKET,
    check=Where(
        Custom(_may_lock_records, others=True),
        Either(
            Where(
                Given("objectLockConfiguration"),
                OneOf("objectLockConfiguration.rule.defaultRetention.mode", ("GOVERNANCE", "COMPLIANCE")),
            ),
            Joined(
                ((S3_BUCKET_OBJECT_LOCK_CONFIGURATION, "bucket"),),
                "no object lock is set for it",
                OneOf("rule.defaultRetention.mode", ("GOVERNANCE", "COMPLIANCE")),
            ),
        ),
    ),
    severity=MEDIUM,
    rationale=(
        "Whoever breaks in deletes the records of it next; a locked object outlives even the account's administrator."
    ),
    fix="Add a BucketObjectLockConfiguration with rule.defaultRetention; set objectLockEnabled on a new bucket only, "
    "because it replaces an existing one. A lock cannot be undone before the retention ends. Give AWS Config and "
    "access logs of S3 buckets of their own.",
    peers="CKV_AWS_143",
)
RULES.row(
    "aws-s3-no-force-destroy",
    "A bucket in production is not deleted as long as it holds objects, and no database against its protection.",
    on=(
        S3_BUCKET,
        _DIRECTORY_BUCKET,
        S3_VECTORS_VECTOR_BUCKET,
        S3TABLES_TABLE_BUCKET,
        DSQL_CLUSTER,
    ),
    check=IsNot("forceDestroy", value=True),
    severity=HIGH,
    rationale="With forceDestroy a destroy in the wrong stack deletes every object first, versions and locks included.",
    fix="Remove forceDestroy, or set it to false, and deploy once so that the state has it.",
    in_production=True,
    remedy=set_to("forceDestroy", value=False),
)
RULES.row(
    "aws-rds-deletion-protection",
    "A database cannot be deleted by mistake, and leaves a last snapshot.",
    on=(RDS_INSTANCE, RDS_CLUSTER, DOCDB_CLUSTER, NEPTUNE_CLUSTER),
    check=_of_source(All(Is("deletionProtection", value=True), Is("skipFinalSnapshot", value=False))),
    severity=MEDIUM,
    rationale=(
        "RDS deletes the automated backups with the instance, so without a last snapshot everything in it is gone."
    ),
    fix="Set deletionProtection to true, skipFinalSnapshot to false and finalSnapshotIdentifier to a name.",
    peers="CKV_AWS_293 AWS-0177 CKV_AWS_139 AWS-0343 CKV2_AWS_58",
)
RULES.row(
    "aws-rds-backup",
    "A database has backups of some days.",
    on=(RDS_INSTANCE, RDS_CLUSTER),
    check=_of_source(Either(NotBelow("backupRetentionPeriod", "backup_retention_days"), _SELECTED)),
    severity=MEDIUM,
    rationale=(
        "A bad migration on Friday is noticed on Monday, and the last backup from before it must still be there then."
    ),
    fix="Set backupRetentionPeriod to 7 or more, or to what the parameter backup_retention_days says, or let a plan of "
    "AWS Backup select it.",
    peers="CKV_AWS_133 AWS-0077 KICS:1dc73fb4 KICS:e542bd46",
)
RULES.row(
    "aws-rds-multi-az",
    "A database in production has a standby in another zone.",
    on=RDS_INSTANCE,
    # The Express edition of SQL Server has no standby (RDS user guide, Multi-AZ deployments for SQL Server).
    check=Where(All(Absent("replicateSourceDb"), IsNot("engine", "sqlserver-ex")), Is("multiAz", value=True)),
    severity=LOW,
    rationale=(
        "When its zone fails, or its host, the database is away until somebody restores it, and no run is tracked."
    ),
    fix="Set multiAz to true; it doubles the price of the instance.",
    peers="CKV_AWS_157",
    in_production=True,
)
RULES.row(
    "aws-rds-minor-upgrade",
    "A database takes minor versions by itself.",
    on=(RDS_INSTANCE, RDS_CLUSTER_INSTANCE),
    check=unless_custom(IsNot("autoMinorVersionUpgrade", value=False)),
    severity=LOW,
    rationale=(
        "Corrections of data loss and of security holes arrive as minor versions, and nobody installs them by hand."
    ),
    fix="Set autoMinorVersionUpgrade to true, and maintenanceWindow to a quiet hour.",
    peers="CKV_AWS_226 KICS:3b6d777b",
    cis=("AWS 5.0: 2.2.2",),
    remedy=set_to("autoMinorVersionUpgrade", value=True),
)
RULES.row(
    "aws-ddb-pitr",
    "A table can be restored to any second of the last weeks.",
    on=DYNAMODB_TABLE,
    check=Is("pointInTimeRecovery.enabled", value=True),
    severity=MEDIUM,
    rationale=(
        "A faulty writer spoils items one by one; without recovery to a point in time there is nothing from before it."
    ),
    fix="Set pointInTimeRecovery.enabled to true; it is paid by the gigabyte.",
    peers="CKV_AWS_28 AWS-0024",
    remedy=set_to("pointInTimeRecovery.enabled", value=True),
)
RULES.row(
    "aws-ddb-deletion-protection",
    "A table, or a database of Aurora DSQL, in production cannot be deleted by mistake.",
    on=(DYNAMODB_TABLE, DSQL_CLUSTER),
    check=Is("deletionProtectionEnabled", value=True),
    severity=MEDIUM,
    rationale="A table that is deleted takes its items with it at once, and every service that reads them fails.",
    fix="Set deletionProtectionEnabled to true.",
    in_production=True,
    remedy=set_to("deletionProtectionEnabled", value=True),
)
RULES.row(
    "aws-efs-backup",
    "A shared file system is backed up every day.",
    on=EFS_FILE_SYSTEM,
    check=Either(
        Joined(
            ((_BACKUP_POLICY, "fileSystemId"),), "no backup policy is set for it", Is("backupPolicy.status", "ENABLED")
        ),
        _SELECTED,
    ),
    severity=LOW,
    rationale="Home directories live there: one rm in the wrong place deletes everybody's work, and EFS has no trash.",
    fix="Add a BackupPolicy with backupPolicy.status ENABLED; backups are paid by the gigabyte.",
    peers="CKV2_AWS_18",
)
RULES.row(
    "aws-fsx-lustre-backup",
    "A persistent file system that no bucket backs has backups.",
    on=FSX_LUSTRE_FILE_SYSTEM,
    check=Where(
        Matches("deploymentType", "PERSISTENT_.*"),
        Either(
            AtLeast("automaticBackupRetentionDays", 1),
            Given("importPath"),
            Joined(((FSX_DATA_REPOSITORY_ASSOCIATION, "fileSystemId"),), "no data repository is linked to it"),
        ),
    ),
    severity=MEDIUM,
    rationale=(
        "What jobs write there exists nowhere else, and a failed file server or a wrong rm takes it away for good."
    ),
    fix="Set automaticBackupRetentionDays to 1 or more, or link a bucket by a DataRepositoryAssociation that exports.",
)
RULES.row(
    "aws-fsx-backup",
    "A file system of ONTAP, OpenZFS or Windows is backed up every day.",
    on=_FILE_SYSTEMS,
    check=Either(
        AtLeast("automaticBackupRetentionDays", 1),
        _SELECTED,
        Custom(_volumes_are_selected, others=True),
    ),
    severity=MEDIUM,
    rationale="Snapshots lie on the file system itself: whoever deletes it, or a fault of it, takes them away as well.",
    fix="Set automaticBackupRetentionDays to 1 or more, or select the file system in a plan of AWS Backup; backups are "
    "paid by the gigabyte.",
)
RULES.row(
    "aws-lb-deletion-protection",
    "A load balancer in production cannot be deleted by mistake.",
    on=_LOAD_BALANCERS,
    check=Is("enableDeletionProtection", value=True),
    severity=LOW,
    rationale="A recreated load balancer has another address, so all clients and allow lists must change.",
    fix="Set enableDeletionProtection to true.",
    peers="CKV_AWS_150 KICS:afecd1f1",
    in_production=True,
    remedy=set_to("enableDeletionProtection", value=True),
)
RULES.row(
    "aws-eks-deletion-protection",
    "A cluster in production cannot be deleted by mistake.",
    on=EKS_CLUSTER,
    check=Is("deletionProtection", value=True),
    severity=MEDIUM,
    rationale="A cluster that is deleted ends every run at once, with all that was declared in it.",
    fix="Set deletionProtection to true; to delete the cluster, set it to false and deploy first.",
    in_production=True,
    remedy=set_to("deletionProtection", value=True),
)


@RULES.rule(
    on=EKS_CLUSTER,
    severity=MEDIUM,
    rationale="EKS upgrades a cluster whose version has run out on a day of its own choosing, in the middle of a run.",
    fix="Set version to a newer minor version, one step at a time; nodes follow after the control plane.",
    peers="CKV_AWS_339",
)
def aws_eks_version(it: View, _: Settings) -> Verdict:
    """A cluster runs a version of Kubernetes that EKS supports."""
    version = it.text("version")
    supported = kubernetes_versions.supported_versions("aws", it.site.today)
    oldest, newest = supported[0], supported[-1]
    found = find_minor(version)
    if found is None or found > minor(newest):
        return UNKNOWN
    return allow(
        found >= minor(oldest),
        f"EKS no longer supports Kubernetes {version}, only {oldest} and later",
        path="version",
    )


RULES.row(
    "aws-eks-standard-support",
    "A cluster does not slide into the extended support of an old version.",
    on=EKS_CLUSTER,
    check=Is("upgradePolicy.supportType", "STANDARD"),
    severity=LOW,
    rationale="A control plane in extended support costs six times as much, and nobody decided to pay that.",
    fix="Set upgradePolicy.supportType to STANDARD; EKS then upgrades the cluster when standard support ends.",
)


@RULES.rule(
    on=EKS_NODE_GROUP,
    joins=True,
    severity=MEDIUM,
    rationale=(
        "A GPU that has fallen off the bus holds up a whole run until somebody looks; EKS would replace the node."
    ),
    fix="Set nodeRepairConfig.enabled to true.",
    remedy=set_to("nodeRepairConfig.enabled", value=True),
)
def aws_eks_ng_repair(it: View, _: Settings) -> Verdict:
    """A node group with accelerators replaces nodes that are broken."""
    if not Ec2Pool(it, it).accelerators():
        return NOT_APPLICABLE
    repair = it.block("nodeRepairConfig")
    enabled = repair is not None and repair.flag("enabled")
    return allow(enabled, "broken nodes are not replaced", path="nodeRepairConfig.enabled")


@RULES.rule(
    on=EKS_NODE_GROUP,
    joins=True,
    severity=LOW,
    rationale="Services whose nodes are all in one zone are down as long as that zone is.",
    fix="Name two or more subnets, each of another zone, in subnetIds; the group is replaced.",
)
def aws_eks_ng_multi_subnet(it: View, _: Settings) -> Verdict:
    """A node group without accelerators has subnets in two zones, on its own or together with other groups."""
    if it.text("capacityType") == "CAPACITY_BLOCK" or _is_bound_to_one_zone(it) or Ec2Pool(it, it).accelerators():
        return NOT_APPLICABLE
    if it.count("subnetIds") > 1:
        return PASS
    cluster = it.one("clusterName", EKS_CLUSTER)
    if cluster is None:
        raise NotKnown
    for other in cluster.referrers(EKS_NODE_GROUP, "clusterName"):
        if not Ec2Pool(other, other).accelerators() and _subnets(other) != _subnets(it):
            return PASS
    return fail("all nodes without accelerators are in one subnet", path="subnetIds")


def _is_bound_to_one_zone(group: View) -> bool:
    """Return whether EFA, a cluster placement group or a capacity reservation keeps the nodes in one zone."""
    template = template_of(group)
    if template is None:
        return False
    return bool(efa_interfaces(template)) or reservation_target(template) is not None or _is_clustered(template)


def _is_clustered(template: View) -> bool:
    placement = template.block("placement")
    key = next((key for key in ("groupName", "groupId") if placement is not None and key in placement), None)
    group = placement.one(key, EC2_PLACEMENT_GROUP) if placement is not None and key is not None else None
    return group is not None and inside(group).text("strategy") == "cluster"


def _subnets(group: View) -> set[str]:
    try:
        return set(group.texts("subnetIds"))
    except NotKnown:
        found = {subnet.urn for subnet in group.sources("subnetIds", EC2_SUBNET)}
        if len(found) != group.count("subnetIds"):
            raise
        return found
