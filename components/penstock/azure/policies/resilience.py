"""Resilience on Azure."""

from __future__ import annotations

from penstock.azure.model.pools import AksPool, aks_pools
from penstock.azure.types import (
    CONTAINERREGISTRY_REGISTRY,
    CONTAINERSERVICE_AGENT_POOL,
    CONTAINERSERVICE_MANAGED_CLUSTER,
    DBFORPOSTGRESQL_SERVER,
    STORAGE_ACCOUNT,
    STORAGE_BLOB_SERVICE_PROPERTIES,
)
from penstock.graph.verdict import NOT_APPLICABLE, NotKnown, Verdict, allow, each
from penstock.graph.view import View
from penstock.rules.checks import All, Either, Is, IsNot, Joined, NoneOf, NotBelow, OneOf, Where
from penstock.rules.levels import LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.RESILIENCE)


_RDMA = "standard_nd"
_TAINT = "criticaladdonsonly"

RULES.row(
    "az-storage-blob-soft-delete",
    "A storage account keeps blobs and containers for a while after they were deleted, and versions of blobs.",
    on=STORAGE_ACCOUNT,
    check=Where(
        All(NoneOf("kind", ("FileStorage",)), IsNot("enableNfsV3", value=True)),
        Either(
            Where(
                Is("isHnsEnabled", value=True),
                Joined(
                    ((STORAGE_BLOB_SERVICE_PROPERTIES, "accountName"),),
                    "soft delete is not set for it",
                    All(
                        Is("deleteRetentionPolicy.enabled", value=True),
                        Is("containerDeleteRetentionPolicy.enabled", value=True),
                    ),
                ),
            ),
            Joined(
                ((STORAGE_BLOB_SERVICE_PROPERTIES, "accountName"),),
                "soft delete and versions are not set for it",
                All(
                    Is("deleteRetentionPolicy.enabled", value=True),
                    Is("containerDeleteRetentionPolicy.enabled", value=True),
                    Is("isVersioningEnabled", value=True),
                ),
            ),
        ),
    ),
    severity=MEDIUM,
    rationale=(
        "A job that writes to the wrong prefix overwrites weights that took months, and nothing brings them back."
    ),
    fix="Add BlobServiceProperties with deleteRetentionPolicy.enabled, containerDeleteRetentionPolicy.enabled and "
    "isVersioningEnabled true; accounts with a hierarchical namespace take no versions.",
    peers="CKV2_AZURE_38 AZU-0056 KICS:056d28cc KICS:12ecec8a",
    cis=("Azure 2.1: 3.11†",),
)
RULES.row(
    "az-aks-upgrade-channel",
    "A cluster takes patches of Kubernetes, and images of its nodes, by itself.",
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    check=Where(
        IsNot("sku.name", "Automatic"),
        All(
            OneOf("autoUpgradeProfile.upgradeChannel", ("patch", "stable", "rapid")),
            OneOf("autoUpgradeProfile.nodeOSUpgradeChannel", ("NodeImage", "SecurityPatch")),
        ),
    ),
    severity=MEDIUM,
    rationale=(
        "A cluster that nobody upgrades runs out of support within a year, with all holes that became known meanwhile."
    ),
    fix="Set autoUpgradeProfile.upgradeChannel to patch, nodeOSUpgradeChannel to NodeImage, and a maintenance "
    "configuration that shields long runs.",
    peers="CKV_AZURE_171",
)
RULES.row(
    "az-aks-paid-sku",
    "The control plane of a cluster in production has a service level.",
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    check=Where(IsNot("sku.name", "Automatic"), OneOf("sku.tier", ("Standard", "Premium"))),
    severity=LOW,
    rationale=(
        "On the Free tier nobody owes you an API server, and one that is overloaded by a thousand pods just stops."
    ),
    fix="Set sku.tier to Standard; it costs about as much as a small machine.",
    peers="CKV_AZURE_170",
    in_production=True,
)


@RULES.rule(
    on=(CONTAINERSERVICE_AGENT_POOL, CONTAINERSERVICE_MANAGED_CLUSTER),
    each_of=aks_pools,
    severity=LOW,
    rationale="What the cluster needs to run goes down with one zone; and nodes in two zones share no InfiniBand.",
    fix="Name two or three availabilityZones for a system pool in a region that has them, one for a pool of ND "
    "machines; the pool is replaced.",
)
def az_aks_zones(pool: AksPool) -> Verdict:
    """System pools are in several zones, and pools of machines with InfiniBand in one."""
    path, count = pool.block.at("availabilityZones"), pool.block.count("availabilityZones")
    if (pool.block.text("vmSize") or "").casefold().startswith(_RDMA):
        return allow(count <= 1, f"{path} names {count} zones for machines with InfiniBand", path=path)
    if not pool.is_system:
        return NOT_APPLICABLE
    return allow(count > 1, f"{path} names {'one zone' if count else 'no zones'} for a system pool", path=path)


@RULES.rule(
    on=(CONTAINERSERVICE_AGENT_POOL, CONTAINERSERVICE_MANAGED_CLUSTER),
    joins=True,
    severity=LOW,
    rationale=(
        "A data loader that eats the memory of a system node takes CoreDNS with it, and so every run in the cluster."
    ),
    fix='Add "CriticalAddonsOnly=true:NoSchedule" to nodeTaints of the system pool.',
    peers="CKV_AZURE_232",
)
def az_aks_system_taint(it: View, _: Settings) -> Verdict:
    """A system pool beside user pools takes only what the cluster itself runs."""

    def one(pool: AksPool) -> Verdict:
        if not pool.is_system:
            return NOT_APPLICABLE
        path = pool.block.at("nodeTaints")
        taints = [taint.casefold() for taint in pool.block.texts("nodeTaints")]
        return allow(any(taint.startswith(_TAINT) for taint in taints), f"{path} lets any pod in", path=path)

    system = [pool for pool in aks_pools(it) if pool.is_system]
    return each(system, one) if system and _has_user_pools(it) else NOT_APPLICABLE


def _has_user_pools(it: View) -> bool:
    """Return whether the cluster of a pool has others, where pods of its users may run."""
    cluster = (
        it if it.type == CONTAINERSERVICE_MANAGED_CLUSTER else it.one("resourceName", CONTAINERSERVICE_MANAGED_CLUSTER)
    )
    if cluster is None:
        raise NotKnown
    beside = cluster.referrers(CONTAINERSERVICE_AGENT_POOL, "resourceName")
    return any(not pool.is_system for view in (cluster, *beside) for pool in aks_pools(view))


RULES.row(
    "az-acr-retention",
    "A registry drops manifests that no tag names any more.",
    on=CONTAINERREGISTRY_REGISTRY,
    check=Where(Is("sku.name", "Premium"), Is("policies.retentionPolicy.status", "enabled")),
    severity=LOW,
    rationale=(
        "Images of tens of gigabytes stay after each build until the registry is full, and then no push succeeds."
    ),
    fix="Set policies.retentionPolicy.status to enabled and its days to how long a run may still need an old image.",
    peers="CKV_AZURE_167",
)
RULES.row(
    "az-pg-backup",
    "A database has backups of some days.",
    on=DBFORPOSTGRESQL_SERVER,
    check=Where(NoneOf("createMode", ("Replica",)), NotBelow("backup.backupRetentionDays", "backup_retention_days")),
    severity=MEDIUM,
    rationale=(
        "A bad migration on Friday is noticed on Monday, and the last backup from before it must still be there then."
    ),
    fix="Set backup.backupRetentionDays to 7 or more, or to what the parameter backup_retention_days says.",
)
RULES.row(
    "az-pg-ha",
    "A database in production has a standby.",
    on=DBFORPOSTGRESQL_SERVER,
    check=Where(
        All(NoneOf("createMode", ("Replica",)), IsNot("sku.tier", "Burstable")),  # neither may have a standby
        OneOf("highAvailability.mode", ("ZoneRedundant", "SameZone")),
    ),
    severity=LOW,
    rationale="When its host fails, the database is away until Azure has made another, and all runs stop tracking.",
    fix="Set highAvailability.mode to ZoneRedundant, or to SameZone in a region without zones; it doubles the price of "
    "the server.",
    in_production=True,
)
