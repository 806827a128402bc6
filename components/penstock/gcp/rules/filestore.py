"""Filestore: tiers, sizes, shares and locations of instances."""

from __future__ import annotations

import re

from penstock.catalog import limits
from penstock.core.errors import UnknownFact
from penstock.core.wording import listed
from penstock.gcp.facts import filestore
from penstock.gcp.facts.filestore import FilestoreTier
from penstock.gcp.model import places
from penstock.gcp.types import FILESTORE_INSTANCE
from penstock.graph.verdict import NOT_APPLICABLE, NotKnown, Verdict, allow, fail
from penstock.graph.view import View
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_FORMER = {"STANDARD": "BASIC_HDD", "PREMIUM": "BASIC_SSD"}
_SHARE = re.compile(r"[a-z][a-z0-9_]*")


@RULES.rule(
    on=FILESTORE_INSTANCE,
    severity=HIGH,
    rationale="The API rejects other tiers.",
    fix="Set tier to one that Filestore has, such as ZONAL or REGIONAL.",
    sources=("Filestore documentation, create an instance: tiers (catalogue, gcp_filestore)",),
)
def gcp_filestore_tier(instance: View) -> Verdict:
    """The tier of a Filestore instance is one that Filestore has."""
    name = instance.text("tier")
    if name is None:
        return NOT_APPLICABLE
    hint = f"Use one of {listed(filestore.tier_names())}."
    return allow(_tier(instance), f"{name!r} is not a tier of Filestore", hint=hint, path="tier")


@RULES.rule(
    on=FILESTORE_INSTANCE,
    severity=HIGH,
    rationale="Filestore rejects capacities outside the bounds of the tier or between its steps.",
    fix="Set fileShares.capacityGb to a step of the tier, between its minimum and its maximum.",
    sources=("Filestore documentation, create an instance: tiers (catalogue, gcp_filestore)",),
)
def gcp_filestore_capacity(instance: View) -> Verdict:
    """The capacity of a Filestore instance is one that its tier is sold in."""
    tier, share = _tier(instance), instance.block("fileShares")
    capacity = share.integer("capacityGb") if share is not None else None
    if tier is None or share is None or capacity is None:
        return NOT_APPLICABLE
    if not tier.allow(capacity) and "step_gib" in tier.unverified and tier.minimum_gib <= capacity <= tier.maximum_gib:
        raise NotKnown
    return allow(
        tier.allow(capacity),
        f"{capacity} GiB are not sold in tier {tier.name}, which has {tier.minimum_gib} to {tier.maximum_gib}",
        hint=f"Use {tier.nearest(capacity)}.",
        path=share.at("capacityGb"),
    )


@RULES.rule(
    on=FILESTORE_INSTANCE,
    severity=HIGH,
    rationale="Filestore creates no instance of the tier in a location of the other kind.",
    fix="Set location to a region for REGIONAL and ENTERPRISE, and to a zone for other tiers.",
    sources=("Filestore documentation, create an instance: tiers (catalogue, gcp_filestore)",),
)
def gcp_filestore_location(instance: View) -> Verdict:
    """A Filestore instance of a regional tier is in a region, and any other one in a zone."""
    tier = _tier(instance)
    path = "location" if "location" in instance else "zone"
    location = instance.text(path)
    if tier is None or not location or not (places.is_zone(location) or places.is_region(location)):
        return NOT_APPLICABLE
    kind = "region" if tier.regional else "zone"
    hint = f"Name a {kind}, such as {'us-central1' if tier.regional else 'us-central1-b'}."
    message = f"an instance of tier {tier.name} is in a {kind}, and {location} is not a {kind}"
    return allow(places.is_region(location) == tier.regional, message, hint=hint, path=path)


@RULES.rule(
    on=FILESTORE_INSTANCE,
    severity=HIGH,
    rationale="Filestore rejects a protocol that the tier does not have.",
    fix="Set protocol to NFS_V3, or choose another tier.",
    sources=(
        "Filestore documentation, create an instance: tiers (catalogue, gcp_filestore)",
        "Pulumi Google Cloud 10.2, filestore.Instance, protocol",
    ),
)
def gcp_filestore_protocol(instance: View) -> Verdict:
    """A Filestore instance has a protocol of its tier: NFS 4.1 only beyond the basic tiers."""
    tier, protocol = _tier(instance), instance.text("protocol")
    if tier is None or protocol is None:
        return NOT_APPLICABLE
    hint = f"Use {' or '.join(tier.protocols)}, or another tier."
    return allow(protocol in tier.protocols, f"tier {tier.name} has no {protocol}", hint=hint, path="protocol")


@RULES.rule(
    on=FILESTORE_INSTANCE,
    severity=HIGH,
    rationale="Filestore refuses the setting in a basic tier.",
    fix="Leave deletionProtectionEnabled out, or set tier to ZONAL or REGIONAL.",
    sources=("cluster-toolkit 1.95, modules/file-system/filestore (catalogue, gcp_filestore)",),
)
def gcp_filestore_protection_tier(instance: View) -> Verdict:
    """Deletion protection is enabled only for Filestore instances beyond the basic tiers."""
    tier = _tier(instance)
    if tier is None or not instance.flag("deletionProtectionEnabled"):
        return NOT_APPLICABLE
    hint = "Leave it out, or use tier ZONAL or REGIONAL."
    message = f"instances of tier {tier.name} have no deletion protection"
    return allow(tier.protection, message, hint=hint, path="deletionProtectionEnabled")


@RULES.rule(
    on=FILESTORE_INSTANCE,
    severity=MEDIUM,
    rationale="The documentation lists no customer-managed keys for the basic tiers.",
    fix="Set tier to ZONAL, REGIONAL or ENTERPRISE, or leave kmsKeyName out.",
    sources=("Filestore documentation, create an instance: tiers (catalogue, gcp_filestore)",),
)
def gcp_filestore_cmek_tier(instance: View) -> Verdict:
    """Filestore instances beyond the basic tiers only are encrypted with a customer-managed key."""
    tier = _tier(instance)
    if tier is None or "kmsKeyName" not in instance:
        return NOT_APPLICABLE
    hint = "Use tier ZONAL, REGIONAL or ENTERPRISE, or leave the key out."
    message = f"instances of tier {tier.name} take no customer-managed key"
    return allow(tier.cmek, message, hint=hint, path="kmsKeyName")


@RULES.rule(
    on=FILESTORE_INSTANCE,
    severity=HIGH,
    rationale="The API rejects other names.",
    fix="Set fileShares.name to a-z, 0-9 and _, a letter first, within the length of the tier.",
    sources=("Filestore API v1, discovery document, FileShareConfig.name",),
)
def gcp_filestore_share_name(instance: View) -> Verdict:
    """A Filestore share name has lower-case letters, digits and underscores: at most 63, 16 in basic tiers."""
    share, tier = instance.block("fileShares"), _tier(instance)
    name = share.text("name") if share is not None else None
    if share is None or name is None or tier is None:
        return NOT_APPLICABLE
    basic = "basic_" if tier.name.startswith("BASIC") else ""
    longest = limits.find_limit(f"{basic}share_name_characters", "gcp").most
    good = _SHARE.fullmatch(name) and len(name) <= longest
    hint = f"Use 1 to {longest} of a-z, 0-9 and _, a letter first."
    return allow(good, f"{name!r} is not a valid share name in tier {tier.name}", hint=hint, path=share.at("name"))


@RULES.rule(
    on=FILESTORE_INSTANCE,
    severity=HIGH,
    rationale="Filestore takes neither none nor several networks.",
    fix="Keep one entry in networks.",
    sources=("Pulumi Google Cloud 10.2, filestore.Instance, networks",),
)
def gcp_filestore_network_count(instance: View) -> Verdict:
    """A Filestore instance is in exactly one network."""
    count = instance.count("networks")
    if not count:
        return fail("networks is empty", hint="Name one under networks.", path="networks")
    return allow(count == 1, f"{count} networks are set; an instance takes one", hint="Keep one.", path="networks")


def _tier(instance: View) -> FilestoreTier | None:
    name = instance.text("tier") or ""
    try:
        return filestore.find_tier(_FORMER.get(name, name))
    except UnknownFact:
        return None
