"""Resilience on Google Cloud."""

from __future__ import annotations

import re

from penstock.gcp.model.gke import GkePool
from penstock.gcp.policies.bindings import grant_types
from penstock.gcp.policies.gke_nodes import STANDARD
from penstock.gcp.types import (
    ALLOYDB_CLUSTER,
    BACKUPDISASTERRECOVERY_BACKUP_VAULT,
    BIGQUERY_DATASET,
    BIGTABLE_INSTANCE,
    CONTAINER_CLUSTER,
    CONTAINER_NODE_POOL,
    FILESTORE_INSTANCE,
    FIRESTORE_DATABASE,
    KMS_CRYPTO_KEY,
    LOGGING_FOLDER_SINK,
    LOGGING_ORGANIZATION_SINK,
    SPANNER_DATABASE,
    SPANNER_INSTANCE,
    SQL_DATABASE_INSTANCE,
    STORAGE_BUCKET,
)
from penstock.graph.values import Secret, Unknown
from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, NotKnown, Verdict, allow, each, fail
from penstock.graph.view import Block, View
from penstock.model.pools import MachinePool, machine_pools
from penstock.policies.protection import keeps_resources
from penstock.rules.checks import (
    Absent,
    All,
    AtLeast,
    ByType,
    Check,
    Custom,
    Each,
    Either,
    Given,
    Is,
    IsNot,
    Joined,
    NoneOf,
    OneOf,
    Where,
)
from penstock.rules.levels import HIGH, LOW, MEDIUM, Category
from penstock.rules.remedies import set_to
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.RESILIENCE)

_SINKS = (
    "gcp:logging/projectSink:ProjectSink",
    LOGGING_FOLDER_SINK,
    LOGGING_ORGANIZATION_SINK,
    "gcp:logging/billingAccountSink:BillingAccountSink",
)
_TO_BUCKET = "storage.googleapis.com/"
_GRANTS = grant_types("storage", "BucketIAM")
_LOG_WRITER = re.compile(
    r"serviceAccount:(?:cloud-logs@system\.gserviceaccount\.com|.+@gcp-sa-logging\.iam\.gserviceaccount\.com)"
)
"""Accounts as which sinks write (Cloud Logging, "Set destination permissions")."""
_WEEK_S = 604800

RULES.row(
    "gcp-gcs-versioning",
    "A bucket keeps what was overwritten or deleted, as versions or for a week at least.",
    on=STORAGE_BUCKET,
    check=Either(Is("versioning.enabled", value=True), AtLeast("softDeletePolicy.retentionDurationSeconds", _WEEK_S)),
    severity=LOW,
    rationale=(
        "A job that writes to the wrong prefix overwrites weights that took months, and nothing brings them back."
    ),
    fix="Set softDeletePolicy.retentionDurationSeconds to 604800 or more, or versioning.enabled to true; what "
    "is kept is paid for.",
    peers="CKV_GCP_78 GCP-0078 KICS:e7e961ac",
)
RULES.row(
    "gcp-gcs-soft-delete",
    "A bucket can give back what was deleted in the last days, itself included.",
    on=STORAGE_BUCKET,
    check=AtLeast("softDeletePolicy.retentionDurationSeconds", _WEEK_S),
    severity=LOW,
    rationale=(
        "Versions can be deleted like objects; with soft delete turned off, whoever deletes them all deletes for good."
    ),
    fix="Remove softDeletePolicy, or set its retentionDurationSeconds to 604800 or more.",
)
RULES.row(
    "gcp-gcs-no-force-destroy",
    "A bucket in production is not deleted as long as it holds objects.",
    on=STORAGE_BUCKET,
    check=IsNot("forceDestroy", value=True),
    severity=HIGH,
    rationale="With forceDestroy a destroy in the wrong stack deletes every object first.",
    fix="Remove forceDestroy, or set it to false, and deploy once so that the state has it.",
    in_production=True,
    remedy=set_to("forceDestroy", value=False),
)


def _admits_log_writers(bucket: View) -> bool:
    """Return whether a grant lets sinks write to a bucket, such as those of an organization that are made elsewhere.

    Raises:
        NotKnown: the bucket or the member of a grant is not known, nor the resource that the member comes from.
    """
    hidden = False
    for grant in (grant for type_ in _GRANTS for grant in bucket.referrers(type_, "bucket")):
        for key, path in (("member", "member"), ("members", "members[]")):
            for place in grant.locations(path):
                is_hidden = isinstance(place.value, Unknown | Secret)
                if grant.sources(key, *_SINKS) if is_hidden else _LOG_WRITER.fullmatch(str(place.value)):
                    return True
                hidden |= is_hidden and not grant.resource.property_dependencies.get(key)
    if hidden:
        raise NotKnown
    return False


@RULES.rule(
    on=STORAGE_BUCKET,
    joins=True,
    severity=MEDIUM,
    rationale="Whoever breaks in deletes the records of it next; a locked retention outlives even the project's owner.",
    fix="Set retentionPolicy.retentionPeriod, and isLocked to true; it can be lengthened later, and never shortened.",
    peers="CKV2_GCP_4",
    cis=("GCP 4.0: 2.3†",),
)
def gcp_gcs_retention_lock(it: View, _: Settings) -> Verdict:
    """A bucket that takes audit records locks them against everybody."""

    def here(sink: View) -> bool:
        try:
            destination = sink.text("destination") or ""
        except NotKnown:
            sources = sink.sources("destination", STORAGE_BUCKET)
            if not sources:
                raise
            return it.urn in {source.urn for source in sources}
        if not destination.startswith(_TO_BUCKET):
            return False
        found = it.site.named(STORAGE_BUCKET, destination.removeprefix(_TO_BUCKET))
        if found is None and it.has_hidden_name:
            raise NotKnown
        return found is not None and found.urn == it.urn

    taken = each(it.site.of_type(*_SINKS), lambda sink: allow(not here(sink), "records go there"))
    if not taken.failures and not _admits_log_writers(it):
        return UNKNOWN if taken == UNKNOWN else NOT_APPLICABLE
    policy = it.block("retentionPolicy")
    locked = policy is not None and policy.flag("isLocked")
    return allow(locked, "records of a log sink may be deleted", path="retentionPolicy.isLocked")


RULES.row(
    "gcp-gke-deletion-protection",
    "A cluster in production cannot be deleted by mistake.",
    on=CONTAINER_CLUSTER,
    check=Is("deletionProtection", value=True),
    severity=MEDIUM,
    rationale="A cluster that is deleted ends every run at once, with all that was declared in it.",
    fix="Remove deletionProtection, or set it to true; to delete the cluster, set it to false and deploy first.",
    in_production=True,
    remedy=set_to("deletionProtection", value=True),
)
RULES.row(
    "gcp-gke-release-channel",
    "A cluster is on a release channel that has been tried by others first.",
    on=CONTAINER_CLUSTER,
    check=OneOf("releaseChannel.channel", ("REGULAR", "STABLE", "EXTENDED")),
    severity=MEDIUM,
    rationale="Without a channel maintenance exclusions end after a month, and RAPID has no service level.",
    fix="Set releaseChannel.channel to REGULAR or STABLE.",
    peers="CKV_GCP_70 KICS:c1701dcf",
    cis=("GKE 1.6: 5.5.4",),
)
RULES.row(
    "gcp-gke-no-alpha",
    "A cluster in production has no alpha features.",
    on=CONTAINER_CLUSTER,
    check=IsNot("enableKubernetesAlpha", value=True),
    severity=MEDIUM,
    rationale="GKE deletes such a cluster after 30 days, and gives it no upgrade until then.",
    fix="Remove enableKubernetesAlpha, which replaces the cluster.",
    peers="CKV2_GCP_19 KICS:8ca7e731",
    cis=("GKE 1.6: 5.10.2",),
    in_production=True,
)
RULES.row(
    "gcp-gke-separate-pools",
    "Node pools are resources of their own.",
    on=CONTAINER_CLUSTER,
    check=Absent("nodePools"),
    severity=LOW,
    rationale="Adding, changing or removing a pool that a cluster lists itself replaces the cluster.",
    fix="Set removeDefaultNodePool to true, and create a `NodePool` for each pool.",
    peers="CKV_GCP_123",
)
RULES.row(
    "gcp-gke-maint-window",
    "A cluster says when it may be upgraded.",
    on=CONTAINER_CLUSTER,
    # On Autopilot a pod that must not be evicted says so itself, and GKE waits a week for it (extended run time pods).
    check=Where(STANDARD, Given("maintenancePolicy")),
    severity=LOW,
    rationale="GKE upgrades when it likes, and each upgrade drains the nodes of whatever run is in its third week.",
    fix="Set maintenancePolicy with a recurringWindow at a quiet time, and maintenanceExclusions for long runs.",
)


def _of_pools(check: Check) -> Check:
    """A check of each node pool, in a cluster or beside it."""

    def managed(it: View, settings: Settings) -> Verdict:
        if it.flag("enableAutopilot"):
            return NOT_APPLICABLE
        return Each("nodePools[]", check).judge(it, settings)

    return ByType({CONTAINER_NODE_POOL: check, CONTAINER_CLUSTER: Custom(managed)})


_STAYS = All(IsNot("nodeConfig.flexStart", value=True), IsNot("queuedProvisioning.enabled", value=True))
"""A pool whose machines Google does not take back by itself; it refuses to repair those that it does."""

RULES.row(
    "gcp-gke-auto-repair",
    "A node pool repairs its nodes, and keeps them at the version of the control plane.",
    on=(CONTAINER_NODE_POOL, CONTAINER_CLUSTER),
    check=_of_pools(
        All(Where(_STAYS, IsNot("management.autoRepair", value=False)), IsNot("management.autoUpgrade", value=False)),
    ),
    severity=MEDIUM,
    rationale="A node that hangs stays in the pool, paid and useless, and one that is not upgraded keeps known holes.",
    fix="Set management.autoRepair and management.autoUpgrade to true, and shield long runs by maintenanceExclusions.",
    peers="CKV_GCP_9 CKV_GCP_10 GCP-0058 GCP-0063 KICS:acfdbec6 KICS:b139213e",
    cis=("GKE 1.6: 5.5.2", "GKE 1.6: 5.5.3"),
)


def _is_sold_by_the_piece(pool: GkePool) -> bool:
    """Return whether a spare machine can be had for an hour: one with GPUs, on demand, without a fabric."""
    machine = pool.machine
    spot = pool.config is not None and pool.config.flag("spot")
    alone = machine is not None and machine.accelerator_kind == "gpu" and machine.fabric is None
    return alone and not spot and pool.affinity is None


def _upgrades_in_place(block: Block) -> Verdict:
    settings = block.block("upgradeSettings")
    strategy = (settings.text("strategy") if settings is not None else None) or "SURGE"
    if strategy == "SHORT_LIVED":
        return PASS
    path = block.at("upgradeSettings")
    if strategy != "SURGE":
        return fail(f"{path}.strategy is {strategy}, which needs every machine twice", path=f"{path}.strategy")
    surge = settings.integer("maxSurge") if settings is not None else None
    message = f"{path}.maxSurge is not 0, so each upgrade needs a spare machine"
    return allow(surge == 0, message, path=f"{path}.maxSurge")


@RULES.rule(
    on=(CONTAINER_NODE_POOL, CONTAINER_CLUSTER),
    each_of=machine_pools,
    severity=LOW,
    rationale=(
        "Nobody has a spare machine of a reservation, or with a fabric: an upgrade that wants one first never starts, "
        "or takes a job's machine."
    ),
    fix="Set upgradeSettings.maxSurge to 0, and maxUnavailable to as many machines as may stop at once.",
)
def gcp_gke_nodepool_upgrade(pool: MachinePool) -> Verdict:
    """A node pool with accelerators is upgraded without spare machines, but for single GPU machines on demand."""
    config = pool.config if isinstance(pool, GkePool) else None
    if not pool.accelerators() or (pool.block is pool.view and pool.view.type == CONTAINER_CLUSTER):
        return NOT_APPLICABLE
    if config is not None and config.flag("flexStart"):
        return NOT_APPLICABLE  # Google takes these back, and makes new ones of the new version
    if isinstance(pool, GkePool) and _is_sold_by_the_piece(pool):
        return NOT_APPLICABLE
    return _upgrades_in_place(pool.block)


RULES.row(
    "gcp-filestore-deletion-protection",
    "A shared file system in production cannot be deleted by mistake.",
    on=FILESTORE_INSTANCE,
    check=Where(
        # The basic tiers do not take the setting.
        OneOf("tier", ("HIGH_SCALE_SSD", "ZONAL", "REGIONAL", "ENTERPRISE")),
        Is("deletionProtectionEnabled", value=True),
    ),
    severity=MEDIUM,
    rationale="Home directories live there, and an instance that is deleted takes every file with it at once.",
    fix="Set deletionProtectionEnabled to true.",
    in_production=True,
)

_BACKUPS = "settings.backupConfiguration"

_POINT_IN_TIME = f"{_BACKUPS}.pointInTimeRecoveryEnabled"
_BINARY_LOG = Is(f"{_BACKUPS}.binaryLogEnabled", value=True)
_RESTORABLE = All(
    Is(f"{_BACKUPS}.enabled", value=True),
    # Enterprise Plus can restore to a point in time unless that is turned off.
    Where(IsNot("settings.edition", "ENTERPRISE_PLUS"), Either(Is(_POINT_IN_TIME, value=True), _BINARY_LOG)),
    Where(Is("settings.edition", "ENTERPRISE_PLUS"), Either(IsNot(_POINT_IN_TIME, value=False), _BINARY_LOG)),
)

RULES.row(
    "gcp-sql-backup",
    "A database has backups, can be restored to a point in time, and cannot be deleted by mistake.",
    on=SQL_DATABASE_INSTANCE,
    check=Where(
        Absent("masterInstanceName"),
        All(
            # A clone without settings has those of its source.
            Where(Either(Given("settings"), Absent("clone")), _RESTORABLE),
            Is("deletionProtection", value=True),
        ),
    ),
    severity=MEDIUM,
    rationale=(
        "A bad migration or a faulty writer spoils rows one by one, and the only copy from before it is a backup."
    ),
    fix="Set settings.backupConfiguration.enabled and pointInTimeRecoveryEnabled (binaryLogEnabled for MySQL) to true, "
    "and leave deletionProtection on.",
    peers="CKV2_GCP_20 CKV_GCP_14 GCP-0024 KICS:cf3c7631",
    cis=("GCP 4.0: 6.7",),
)
_FIRESTORE_SCHEDULE = "gcp:firestore/backupSchedule:BackupSchedule"
_UNNAMED = "(default)"


def _default_database_has_schedule(it: View, _: Settings) -> Verdict:
    """Return whether a schedule that names no database is there, which is one of the database without a name."""
    schedules = [each for each in it.site.of_type(_FIRESTORE_SCHEDULE) if "database" not in each]
    return allow(schedules and it.text("name") == _UNNAMED, "no backup schedule names it")


def _instance_has_schedules(it: View, settings: Settings) -> Verdict:
    instance = it.one("instance", SPANNER_INSTANCE)
    return UNKNOWN if instance is None else Is("defaultBackupScheduleType", "AUTOMATIC").judge(instance, settings)


_RESTORED = {
    ALLOYDB_CLUSTER: Where(IsNot("clusterType", "SECONDARY"), IsNot("continuousBackupConfig.enabled", value=False)),
    "gcp:bigtable/table:Table": All(Given("automatedBackupPolicy"), NoneOf("automatedBackupPolicy.frequency", (0,))),
    FIRESTORE_DATABASE: Either(
        Is("pointInTimeRecoveryEnablement", "POINT_IN_TIME_RECOVERY_ENABLED"),
        Joined(((_FIRESTORE_SCHEDULE, "database"),), "no backup schedule names it"),
        Custom(_default_database_has_schedule, others=True),
    ),
    SPANNER_DATABASE: Either(
        Joined((("gcp:spanner/backupSchedule:BackupSchedule", "database"),), "no backup schedule names it"),
        Custom(_instance_has_schedules, others=True),
    ),
}

RULES.row(
    "gcp-database-backup",
    "A database of AlloyDB, Bigtable, Firestore or Spanner can be restored.",
    on=tuple(_RESTORED),
    check=ByType(_RESTORED),
    severity=MEDIUM,
    rationale=(
        "Replicas take over every mistake at once: what an agent or a faulty writer spoils is spoilt in all of them."
    ),
    fix="Set pointInTimeRecoveryEnablement of Firestore to POINT_IN_TIME_RECOVERY_ENABLED, automatedBackupPolicy of a "
    "table of Bigtable, defaultBackupScheduleType of the Spanner Instance to AUTOMATIC, or add a BackupSchedule; "
    "leave continuousBackupConfig of AlloyDB on.",
)
_FORCED = {
    BIGQUERY_DATASET: IsNot("deleteContentsOnDestroy", value=True),
    BIGTABLE_INSTANCE: IsNot("forceDestroy", value=True),
    BACKUPDISASTERRECOVERY_BACKUP_VAULT: IsNot("forceDelete", value=True),
    SPANNER_INSTANCE: IsNot("forceDestroy", value=True),
}

RULES.row(
    "gcp-database-no-force-destroy",
    "A data set, a database or a vault in production is not deleted as long as it has tables or backups.",
    on=tuple(_FORCED),
    check=ByType(_FORCED),
    severity=HIGH,
    rationale="A destroy in the wrong stack deletes every table, or every backup, first.",
    fix="Remove deleteContentsOnDestroy (forceDestroy of Bigtable and Spanner, forceDelete of a vault), or set it to "
    "false, and deploy once so that the state has it.",
    in_production=True,
)
RULES.row(
    "gcp-kms-prevent-destroy",
    "A key in production is protected from deletion.",
    on=KMS_CRYPTO_KEY,
    check=keeps_resources(KMS_CRYPTO_KEY),
    severity=MEDIUM,
    rationale=(
        "A key whose versions are destroyed takes with it all that it encrypts: buckets, disks and their backups."
    ),
    fix="Set the resource option protect to true, or deletionPolicy to PREVENT.",
    peers="CKV_GCP_82",
    in_production=True,
)
