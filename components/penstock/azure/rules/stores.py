"""Rules on storage accounts and key vaults."""

from __future__ import annotations

from ipaddress import IPv4Network
from typing import Final

from penstock.azure.facts.storage_accounts import blob_features, find_kind
from penstock.azure.types import (
    KEYVAULT_VAULT,
    STORAGE_ACCOUNT,
    STORAGE_BLOB_CONTAINER,
    STORAGE_BLOB_SERVICE_PROPERTIES,
    STORAGE_FILE_SHARE,
    STORAGE_MANAGEMENT_POLICY,
)
from penstock.core.cidr import RFC_1918, any_range, first_overlap
from penstock.core.errors import UnknownFact
from penstock.graph.verdict import NOT_APPLICABLE, NotKnown, Verdict, allow, each, fail, together
from penstock.graph.view import Block, View
from penstock.rules.checks import All, Is, Where
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)


_MOUNTED: Final = {
    "kubernetes:storage.k8s.io/v1:StorageClass": "parameters",
    "kubernetes:core/v1:PersistentVolume": "spec.csi.volumeAttributes",
}
_BY_ACCESS = "daysAfterLastAccessTimeGreaterThan"
_TRACKING = "lastAccessTimeTrackingPolicy.enable"
_STEPS = ("delete", "tierToArchive", "tierToCold", "tierToCool", "tierToHot")
"""The private ranges of RFC 1918."""
_LONGEST_OF_STORAGE = 30
"""The narrowest range that a firewall of storage takes; single addresses have no prefix."""

RULES.row(
    "az-storage-hierarchical",
    "An account with NFS 3.0 or SFTP has a hierarchical namespace.",
    on=STORAGE_ACCOUNT,
    check=All(
        Where(Is("enableNfsV3", True), Is("isHnsEnabled", True)),
        Where(Is("isSftpEnabled", True), Is("isHnsEnabled", True)),
    ),
    severity=HIGH,
    rationale="Azure rejects the account: both protocols serve files of directories.",
    fix="Set isHnsEnabled to true, which replaces an account that exists.",
    sources=(
        "Azure Storage documentation, mount Blob Storage by NFS 3.0",
        "Azure Storage documentation, SFTP support for Blob Storage",
    ),
)


@RULES.rule(
    on=KEYVAULT_VAULT,
    severity=HIGH,
    rationale="The API takes no false: purge protection is never switched off.",
    fix="Set properties.enablePurgeProtection to true.",
    sources=("Pulumi Azure Native, keyvault.Vault: purge protection",),
)
def az_vault_purge_protection(vault: View) -> Verdict:
    """Purge protection of a key vault is on, or left out."""
    properties = vault.block("properties")
    protected = properties.flag("enablePurgeProtection") if properties is not None else None
    if properties is None or protected is None:
        return NOT_APPLICABLE
    path = properties.at("enablePurgeProtection")
    return allow(protected, "purge protection cannot be switched off", hint="Use true.", path=path)


@RULES.rule(
    on=STORAGE_BLOB_SERVICE_PROPERTIES,
    severity=HIGH,
    rationale="Azure has no such feature with a hierarchical namespace or NFS 3.0, and rejects or ignores it.",
    fix="Set the property to false, or use an account without isHnsEnabled and enableNfsV3.",
    joins=True,
    sources=("Azure Storage documentation, Blob Storage feature support in storage accounts",),
)
def az_blob_features(blobs: View) -> Verdict:
    """Features of blobs are those that their account has, with or without a hierarchical namespace and NFS 3.0."""
    wanted = [feature for feature in blob_features().values() if _is_on(blobs, feature.property)]
    account = blobs.one("accountName", STORAGE_ACCOUNT) if wanted else None
    if account is None:
        return NOT_APPLICABLE
    nfs, hierarchical = account.flag("enableNfsV3"), account.flag("isHnsEnabled")
    kept = {feature.feature for feature in wanted if (feature.nfs if nfs else not hierarchical or feature.hierarchical)}
    form = "NFS 3.0" if nfs else "a hierarchical namespace"
    return each(
        wanted,
        lambda feature: allow(
            feature.feature in kept,
            f"an account with {form} does not have {feature.feature.replace('_', ' ')}",
            hint="Use false.",
            path=feature.property,
        ),
    )


@RULES.rule(
    on=STORAGE_FILE_SHARE,
    severity=HIGH,
    rationale="Azure creates shares for NFS in accounts of the kind FileStorage only.",
    fix="Set kind of the storage account to FileStorage, with a premium SKU.",
    joins=True,
    sources=("Azure Files documentation, NFS file shares",),
)
def az_share_nfs(share: View) -> Verdict:
    """A share for NFS is in a storage account of the kind FileStorage."""
    if (share.text("enabledProtocols") or "SMB").casefold() != "nfs":
        return NOT_APPLICABLE
    account = share.one("accountName", STORAGE_ACCOUNT)
    kind = account.text("kind") if account is not None else None
    if kind is None:
        return NOT_APPLICABLE
    try:
        found = find_kind(kind)
    except UnknownFact:
        raise NotKnown from None
    message = f"accounts of the kind {kind} have no shares for NFS"
    return allow(found.nfs_files, message, hint="Use FileStorage.", path="enabledProtocols")


@RULES.rule(
    on=STORAGE_FILE_SHARE,
    severity=MEDIUM,
    rationale="An account that asks for secure transfer refuses mounts by plain NFS: pods wait with access denied.",
    fix=(
        "Set enableHttpsTrafficOnly of the storage account to false, with a private endpoint alone; or mount it with "
        "encryptInTransit, such as a parameter of the storage class."
    ),
    joins=True,
    sources=("Azure Files documentation, NFS file shares: encryption in transit",),
)
def az_share_nfs_in_clear(share: View) -> Verdict:
    """A share for NFS is in an account without secure transfer, unless volumes of the program are mounted encrypted."""
    if (share.text("enabledProtocols") or "SMB").casefold() != "nfs":
        return NOT_APPLICABLE
    account = share.one("accountName", STORAGE_ACCOUNT)
    if account is None:
        return NOT_APPLICABLE
    encrypted = any(
        block.text("encryptInTransit") == "true"
        for type_, path in _MOUNTED.items()
        for volume in share.site.of_type(type_)
        for block in volume.blocks_at(path)
    )
    secure = account.flag("enableHttpsTrafficOnly") is not False  # unless it is off
    message = f"{account.name!r} asks for secure transfer, which plain NFS is not"
    return allow(encrypted or not secure, message, hint="Set enableHttpsTrafficOnly to false.", path="enabledProtocols")


@RULES.rule(
    on=STORAGE_ACCOUNT,
    severity=HIGH,
    rationale="Azure sells each kind of account with SKUs of its own, and rejects others.",
    fix="Set sku.name to one that the kind has: FileStorage and BlockBlobStorage are premium.",
    sources=("Azure Storage documentation, storage account overview",),
)
def az_storage_sku(account: View) -> Verdict:
    """A storage account has a SKU of its kind, and folders only where its kind has them."""
    kind, sku = account.text("kind"), account.block("sku")
    name = sku.text("name") if sku is not None else None
    if kind is None or name is None:
        return NOT_APPLICABLE
    try:
        found = find_kind(kind)
    except UnknownFact:
        raise NotKnown from None
    fitting = [other for other in sorted(found.skus) if other.startswith(name.partition("_")[0])] or sorted(found.skus)
    premium = kind == "StorageV2" and name == "Premium_LRS"
    sold = allow(
        name in found.skus or premium, f"{kind} is not sold as {name}", hint=f"Use {fitting[0]}.", path="sku.name"
    )
    folders = allow(
        found.hierarchical or not account.flag("isHnsEnabled"),
        f"accounts of the kind {kind} have no hierarchical namespace",
        hint="Leave isHnsEnabled out.",
        path="isHnsEnabled",
    )
    return together((sold, folders))


@RULES.rule(
    on=STORAGE_BLOB_CONTAINER,
    severity=HIGH,
    rationale="Azure rejects a public container in an account that allows none.",
    fix="Set publicAccess to None, or allowBlobPublicAccess of the account to true.",
    joins=True,
    sources=("Azure Storage documentation, anonymous read access",),
)
def az_container_public(container: View) -> Verdict:
    """A container is public only where its account allows it."""
    access = container.text("publicAccess") or "None"
    account = container.one("accountName", STORAGE_ACCOUNT) if access != "None" else None
    if account is None:
        return NOT_APPLICABLE
    allowed = account.flag("allowBlobPublicAccess") is True
    return allow(allowed, f"{account.name} allows no public access", hint="Use None.", path="publicAccess")


@RULES.rule(
    on=(STORAGE_ACCOUNT, KEYVAULT_VAULT),
    severity=HIGH,
    rationale="Firewalls of storage and vaults know public addresses; Azure rejects private ranges.",
    fix="Leave the range out, and let its subnet in by a virtual network rule or a private endpoint.",
    sources=(
        "Azure Storage documentation, network security",
        "Key Vault documentation, network security",
    ),
)
def az_public_rules(view: View) -> Verdict:
    """Ranges that a storage account or a key vault lets in are public."""
    path = "networkRuleSet.ipRules[]" if view.type == STORAGE_ACCOUNT else "properties.networkAcls.ipRules[]"
    key = "iPAddressOrRange" if view.type == STORAGE_ACCOUNT else "value"

    def check(rule: Block) -> Verdict:
        text = rule.text(key)
        cidr = any_range(text)
        if not isinstance(cidr, IPv4Network):
            return NOT_APPLICABLE
        private = first_overlap(cidr, RFC_1918) is not None
        hint, place = "Use a public range.", rule.at(key)
        if private:
            return fail(f"{text} is a private range", hint=hint, path=place)
        single = view.type == STORAGE_ACCOUNT and "/" in (text or "") and cidr.prefixlen > _LONGEST_OF_STORAGE
        return allow(not single, f"{text} is too narrow a range", hint=f"Use {cidr[0]}.", path=place)

    return each(view.blocks_at(path), check)


@RULES.rule(
    on=STORAGE_FILE_SHARE,
    severity=HIGH,
    rationale="Only NFS has a root user to squash, and Azure rejects the property on SMB.",
    fix="Leave rootSquash out, or set enabledProtocols to NFS.",
    sources=("Azure Files documentation, NFS file shares",),
)
def az_share_squash(share: View) -> Verdict:
    """Only a share for NFS squashes root."""
    if "rootSquash" not in share:
        return NOT_APPLICABLE
    protocol = share.text("enabledProtocols") or "SMB"
    return allow(protocol != "SMB", "a share for SMB squashes nobody", hint="Leave it out.", path="rootSquash")


def _is_on(blobs: View, path: str) -> bool:
    holder, _, key = path.rpartition(".")
    block = blobs.block(holder) if holder else blobs
    return block is not None and bool(block.flag(key))


@RULES.rule(
    on=STORAGE_BLOB_SERVICE_PROPERTIES,
    severity=HIGH,
    rationale="Azure restores from versions, the change feed and deleted blobs, and rejects the policy without them.",
    fix=(
        "Set isVersioningEnabled, changeFeed.enabled and deleteRetentionPolicy.enabled to true, and restorePolicy.days "
        "to less than deleteRetentionPolicy.days."
    ),
    sources=("Azure Storage documentation, point-in-time restore for block blobs",),
)
def az_blob_restore(blobs: View) -> Verdict:
    """Blobs that can be restored to a point in time have versions, a change feed, and are kept longer when deleted."""
    restore = blobs.block("restorePolicy")
    if restore is None or not restore.flag("enabled"):
        return NOT_APPLICABLE
    kept, feed = blobs.block("deleteRetentionPolicy"), blobs.block("changeFeed")
    needed = {
        "isVersioningEnabled": blobs.flag("isVersioningEnabled"),
        "changeFeed.enabled": feed is not None and feed.flag("enabled"),
        "deleteRetentionPolicy.enabled": kept is not None and kept.flag("enabled"),
    }
    missing = [name for name, on in needed.items() if not on]
    if missing:
        return fail(f"a restore needs {' and '.join(missing)}", hint="Use true.", path=missing[0])
    days, most = restore.integer("days"), kept.integer("days") if kept is not None else None
    if days is None or most is None:
        return NOT_APPLICABLE
    message = f"blobs can be restored for {days} days, and are kept for {most}"
    return allow(0 < days < most, message, hint=f"Use {max(most - 1, 1)} at most.", path="restorePolicy.days")


@RULES.rule(
    on=STORAGE_MANAGEMENT_POLICY,
    severity=HIGH,
    rationale="Azure archives no blobs of an account that is kept in several zones, and rejects or skips the rule.",
    fix="Leave tierToArchive out, or set sku.name of the account to one without zones, such as Standard_GRS.",
    joins=True,
    sources=("Azure Storage documentation, access tiers: archive",),
)
def az_storage_archive_zones(policy: View) -> Verdict:
    """Blobs are archived in accounts that are not kept in several zones."""
    actions = policy.blocks_at("policy.rules[].definition.actions.baseBlob")
    archived = [action.at("tierToArchive") for action in actions if "tierToArchive" in action]
    account = policy.one("accountName", STORAGE_ACCOUNT) if archived else None
    sku = account.block("sku") if account is not None else None
    name = (sku.text("name") or "") if sku is not None else ""
    if account is None or not name:
        return NOT_APPLICABLE
    zones = name.casefold().endswith(("_zrs", "_gzrs", "_ragzrs"))
    return each(archived, lambda path: allow(not zones, f"{account.name} is {name}", hint="Leave it out.", path=path))


@RULES.rule(
    on=STORAGE_MANAGEMENT_POLICY,
    severity=HIGH,
    rationale="Azure rejects a lifecycle by the time of the last access where the account does not note that time.",
    fix=(
        "Set lastAccessTimeTrackingPolicy.enable of the account's BlobServiceProperties to true, and add it to "
        "depends_on of the policy."
    ),
    joins=True,
    sources=("Azure Storage documentation, lifecycle management: last access time tracking",),
)
def az_storage_access_tracking(policy: View) -> Verdict:
    """Where a lifecycle goes by the last access to blobs, their account notes when that was."""
    blobs = policy.blocks_at("policy.rules[].definition.actions.baseBlob")
    steps = [step for blob in blobs for key in _STEPS if (step := blob.block(key)) is not None]
    paths = [step.at(_BY_ACCESS) for step in steps if _BY_ACCESS in step]
    account = policy.one("accountName", STORAGE_ACCOUNT) if paths else None
    if account is None:
        return NOT_APPLICABLE
    tracked = any(
        _is_on(each_, _TRACKING) for each_ in account.referrers(STORAGE_BLOB_SERVICE_PROPERTIES, "accountName")
    )
    message = f"{account.name} does not note when its blobs are read"
    hint = "Use a BlobServiceProperties whose lastAccessTimeTrackingPolicy is enabled."
    return each(paths, lambda path: allow(tracked, message, hint=hint, path=path))
