"""Rules on storage accounts and key vaults."""

from __future__ import annotations

from typing import Final

from penstock.catalog.azure.storage_accounts import blob_features, find_kind
from penstock.errors import UnknownFact
from penstock.resources.verdict import NOT_APPLICABLE, NotKnown, Verdict, allow, each
from penstock.resources.view import View
from penstock.rules.checks import All, Is, Where
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

ACCOUNT: Final = "azure-native:storage:StorageAccount"
BLOBS: Final = "azure-native:storage:BlobServiceProperties"
SHARE: Final = "azure-native:storage:FileShare"

RULES.row(
    "az-storage-hierarchical",
    "An account with NFS 3.0 or SFTP has a hierarchical namespace.",
    on=ACCOUNT,
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
    "az-vault-purge-protection",
    on="azure-native:keyvault:Vault",
    severity=HIGH,
    rationale="The API takes no false: purge protection is never switched off.",
    fix="Set properties.enablePurgeProtection to true.",
    reads=("properties.enablePurgeProtection",),
    sources=("Pulumi Azure Native, keyvault.Vault: purge protection",),
)
def purge_protection_is_on_or_left_out(vault: View) -> Verdict:
    """Purge protection of a key vault is on, or left out."""
    properties = vault.block("properties")
    protected = properties.flag("enablePurgeProtection") if properties is not None else None
    if properties is None or protected is None:
        return NOT_APPLICABLE
    path = properties.at("enablePurgeProtection")
    return allow(protected, "purge protection cannot be switched off", hint="Use true.", path=path)


@RULES.rule(
    "az-blob-features",
    on=BLOBS,
    severity=MEDIUM,
    rationale="Azure has no such feature with a hierarchical namespace or NFS 3.0, and rejects or ignores it.",
    fix="Set the property to false, or use an account without isHnsEnabled and enableNfsV3.",
    reads=tuple(feature.property for feature in blob_features().values()),
    joins=True,
    sources=("Azure Storage documentation, Blob Storage feature support in storage accounts",),
)
def blobs_have_the_features_of_their_account(blobs: View) -> Verdict:
    """Features of blobs are those that their account has, with or without a hierarchical namespace and NFS 3.0."""
    wanted = [feature for feature in blob_features().values() if _is_on(blobs, feature.property)]
    account = blobs.one("accountName", ACCOUNT) if wanted else None
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
    "az-share-nfs",
    on=SHARE,
    severity=HIGH,
    rationale="Azure creates shares for NFS in accounts of the kind FileStorage only.",
    fix="Set kind of the storage account to FileStorage, with a premium SKU.",
    reads=("accountName", "enabledProtocols"),
    joins=True,
    sources=("Azure Files documentation, NFS file shares",),
)
def a_share_for_nfs_is_in_an_account_for_files(share: View) -> Verdict:
    """A share for NFS is in a storage account of the kind FileStorage."""
    if (share.text("enabledProtocols") or "SMB").casefold() != "nfs":
        return NOT_APPLICABLE
    account = share.one("accountName", ACCOUNT)
    kind = account.text("kind") if account is not None else None
    if kind is None:
        return NOT_APPLICABLE
    try:
        found = find_kind(kind)
    except UnknownFact:
        raise NotKnown from None
    message = f"accounts of the kind {kind} have no shares for NFS"
    return allow(found.nfs_files, message, hint="Use FileStorage.", path="enabledProtocols")


def _is_on(blobs: View, path: str) -> bool:
    holder, _, key = path.rpartition(".")
    block = blobs.block(holder) if holder else blobs
    return block is not None and bool(block.flag(key))
