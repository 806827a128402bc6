"""Rules on keys in vaults, and on disks that are encrypted with them."""

from __future__ import annotations

import re
from typing import Final

from penstock.azure.types import COMPUTE_DISK_ENCRYPTION_SET, KEYVAULT_KEY, KEYVAULT_VAULT
from penstock.catalog import limits
from penstock.core.wording import listed
from penstock.graph.verdict import NOT_APPLICABLE, PASS, Verdict, allow, each, fail
from penstock.graph.view import Block, View
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)


_PERIOD = re.compile(r"(?i)P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T.*)?")
_DAYS: Final = (365, 30, 7, 1)
"""Days of a year, a month, a week and a day, no longer than any of them is."""


@RULES.rule(
    on=COMPUTE_DISK_ENCRYPTION_SET,
    severity=HIGH,
    rationale="Azure encrypts disks with RSA keys alone.",
    fix="Set properties.kty of the key to RSA, with a keySize of 2048 or more.",
    joins=True,
    sources=("Azure managed disks documentation, customer-managed keys",),
)
def az_disks_key(disks: View) -> Verdict:
    """A disk encryption set has an RSA key."""
    keys = disks.sources("activeKey", KEYVAULT_KEY)
    properties = keys[0].block("properties") if len(keys) == 1 else None
    kind = properties.text("kty") if properties is not None else None
    if kind is None:
        return NOT_APPLICABLE
    message = f"{keys[0].name} is a key of the type {kind}"
    return allow(kind.upper().startswith("RSA"), message, hint="Use RSA.", path="activeKey.keyUrl")


@RULES.rule(
    on=COMPUTE_DISK_ENCRYPTION_SET,
    severity=HIGH,
    rationale="Azure wraps the keys of disks with it, which a vault refuses for a key that may not.",
    fix="Add wrapKey and unwrapKey to properties.keyOps of the key, or leave it out.",
    joins=True,
    sources=("Azure Key Vault documentation, keys: key operations",),
)
def az_disks_key_wraps(disks: View) -> Verdict:
    """The key of a disk encryption set may wrap and unwrap other keys."""
    keys = disks.sources("activeKey", KEYVAULT_KEY)
    properties = keys[0].block("properties") if len(keys) == 1 else None
    allowed = properties.texts("keyOps") if properties is not None else []
    if not allowed:
        return NOT_APPLICABLE
    if {"wrapkey", "unwrapkey"} <= {name.casefold() for name in allowed}:
        return PASS
    message = f"the disks of {disks.name!r} are encrypted with a key that may only {listed(allowed)}"
    return fail(message, hint="Add wrapKey and unwrapKey.", path="properties.keyOps", urn=keys[0].urn)


@RULES.rule(
    on=COMPUTE_DISK_ENCRYPTION_SET,
    severity=HIGH,
    rationale="Azure rejects a key in a vault where it could be purged, and with it all disks.",
    fix="Set properties.enablePurgeProtection of the vault to true.",
    joins=True,
    sources=("Azure managed disks documentation, customer-managed keys",),
)
def az_disks_purge(disks: View) -> Verdict:
    """The key of a disk encryption set is in a vault with purge protection."""
    keys = disks.sources("activeKey", KEYVAULT_KEY)
    vault = keys[0].one("vaultName", KEYVAULT_VAULT) if len(keys) == 1 else None
    properties = vault.block("properties") if vault is not None else None
    if vault is None or properties is None:
        return NOT_APPLICABLE
    message = f"{vault.name} has no purge protection"
    return allow(properties.flag("enablePurgeProtection"), message, hint="Protect it.", path="activeKey.keyUrl")


@RULES.rule(
    on=COMPUTE_DISK_ENCRYPTION_SET,
    severity=HIGH,
    rationale="The set reads its key as an identity, and Azure rejects one that has none.",
    fix="Set identity.type to SystemAssigned, or to UserAssigned with an identity that may use the key.",
    sources=("Azure managed disks documentation, customer-managed keys",),
)
def az_disks_identity(disks: View) -> Verdict:
    """A disk encryption set with a key has an identity."""
    if "activeKey" not in disks:
        return NOT_APPLICABLE
    identity = disks.block("identity")
    kind = (identity.text("type") if identity is not None else None) or "None"
    return allow(kind != "None", "the set has no identity", hint="Use SystemAssigned.", path="identity")


@RULES.rule(
    on=KEYVAULT_KEY,
    severity=HIGH,
    rationale="Vaults of the tier standard have no hardware for keys.",
    fix="Set properties.sku.name of the vault to premium, or properties.kty to RSA or EC.",
    joins=True,
    sources=("Key Vault documentation, about keys",),
)
def az_key_in_hardware(key: View) -> Verdict:
    """A key in hardware is in a vault of the tier premium."""
    properties = key.block("properties")
    kind = properties.text("kty") if properties is not None else None
    if kind is None or not kind.endswith("-HSM"):
        return NOT_APPLICABLE
    vault = key.one("vaultName", KEYVAULT_VAULT)
    holder = vault.block("properties") if vault is not None else None
    sku = holder.block("sku") if holder is not None else None
    if vault is None or sku is None:
        return NOT_APPLICABLE
    premium = (sku.text("name") or "").casefold() == "premium"
    hint = f"Use {kind.removesuffix('-HSM')}."
    return allow(premium, f"{vault.name} has no hardware for {kind}", hint=hint, path="properties.kty")


@RULES.rule(
    on=KEYVAULT_KEY,
    severity=HIGH,
    rationale="Key Vault rejects versions that expire earlier.",
    fix="Set properties.rotationPolicy.attributes.expiryTime to P28D or more.",
    sources=("Key Vault documentation, key autorotation",),
)
def az_key_expiry(key: View) -> Verdict:
    """Versions of a key that expire live for 28 days at least."""
    days = _expiry_days(key)
    if days is None:
        return NOT_APPLICABLE
    least = limits.find_limit("key_days_least", "azure").most
    path = "properties.rotationPolicy.attributes.expiryTime"
    return allow(days >= least, f"versions expire after {days} days", hint=f"Use P{least}D or more.", path=path)


@RULES.rule(
    on=KEYVAULT_KEY,
    severity=HIGH,
    rationale="Key Vault rejects a rotation within seven days of a version's creation or expiry, or after the latter.",
    fix="Set the trigger to P7D or more, and to seven days less than expiryTime at most.",
    sources=("Key Vault documentation, key autorotation",),
)
def az_key_rotation(key: View) -> Verdict:
    """A key rotates at the earliest seven days after a version is created, at the latest seven before it expires."""
    life = _expiry_days(key)
    least = limits.find_limit("key_rotation_days_least", "azure").most

    def check(action: Block) -> Verdict:
        named, trigger = action.block("action"), action.block("trigger")
        if trigger is None or named is None or (named.text("type") or "").casefold() != "rotate":
            return NOT_APPLICABLE
        name = next((name for name in ("timeAfterCreate", "timeBeforeExpiry") if name in trigger), None)
        days = _days(trigger.text(name)) if name is not None else None
        if name is None or days is None:
            return NOT_APPLICABLE
        most = None if life is None else life - least
        right = days >= least and (most is None or days <= most)
        room = f"P{least}D" if most is None else f"P{least}D to P{most}D"
        message = f"the key rotates by {name} of {days} days" + (f", and expires after {life}" if life else "")
        return allow(right, message, hint=f"Use {room}.", path=trigger.at(name))

    return each(key.blocks_at("properties.rotationPolicy.lifetimeActions[]"), check)


def _expiry_days(key: View) -> int | None:
    found = key.blocks_at("properties.rotationPolicy.attributes")
    return _days(found[0].text("expiryTime")) if found else None


def _days(period: str | None) -> int | None:
    """The days of an ISO 8601 period, such as P90D or P2Y; None for what is none."""
    found = _PERIOD.fullmatch(period) if period is not None else None
    if found is None:
        return None
    return sum(int(count or 0) * days for count, days in zip(found.groups(), _DAYS, strict=True))
