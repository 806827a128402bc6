"""Cloud KMS: lifetime, location and users of keys."""

from __future__ import annotations

import re
from collections.abc import Iterator

from penstock.catalog import limits
from penstock.core.errors import UnknownFact
from penstock.gcp.facts import key_users, multi_regions, service_agents
from penstock.gcp.facts.key_users import KeyUser
from penstock.gcp.model import places
from penstock.gcp.types import (
    KMS_CRYPTO_KEY,
    KMS_CRYPTO_KEY_IAM_MEMBER,
    KMS_KEY_RING,
    KMS_KEY_RING_IAM_MEMBER,
    PROJECTS_IAM_BINDING,
    PROJECTS_IAM_MEMBER,
    SECRETMANAGER_SECRET,
    STORAGE_BUCKET,
)
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, TypeMismatch, Verdict, allow, each, fail
from penstock.graph.view import Block, View
from penstock.model.order import comes_after
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_USERS = tuple(dict.fromkeys(user.type for user in key_users.all_key_users()))
_SECONDS = re.compile(r"([0-9]{1,12})(?:\.[0-9]{1,9})?s")
_LOCATION = re.compile(r"projects/[^/]+/locations/([^/]+)/keyRings/.*")
_ENCRYPT = "ENCRYPT_DECRYPT"
_ROLE = "roles/cloudkms.cryptoKeyEncrypterDecrypter"
_MEMBERS = {
    KMS_CRYPTO_KEY_IAM_MEMBER: "cryptoKeyId",
    "gcp:kms/cryptoKeyIAMBinding:CryptoKeyIAMBinding": "cryptoKeyId",
    KMS_KEY_RING_IAM_MEMBER: "keyRingId",
    "gcp:kms/keyRingIAMBinding:KeyRingIAMBinding": "keyRingId",
}
_POLICIES = {
    "gcp:kms/cryptoKeyIAMPolicy:CryptoKeyIAMPolicy": "cryptoKeyId",
    "gcp:kms/keyRingIAMPolicy:KeyRingIAMPolicy": "keyRingId",
}
_HOUR_S = 3600


@RULES.rule(
    on=KMS_CRYPTO_KEY,
    severity=HIGH,
    rationale="Cloud KMS rejects shorter periods, other formats, and rotation of keys for other purposes.",
    fix="Set rotationPeriod to a value such as 7776000s, or leave it out where purpose is not ENCRYPT_DECRYPT.",
    sources=("Cloud KMS API v1, discovery document, CryptoKey.rotationPeriod",),
)
def gcp_kms_rotation_period(key: View) -> Verdict:
    """The rotation period of a key is at least a day, in seconds, and only for a key that encrypts and decrypts."""
    period, purpose = key.text("rotationPeriod"), key.text("purpose") or _ENCRYPT
    if not period:
        return NOT_APPLICABLE
    if purpose != _ENCRYPT:
        message = f"a key for {purpose} has no automatic rotation"
        return fail(message, hint="Leave rotationPeriod out.", path="rotationPeriod")
    return _lasts(period, "rotationPeriod", "key_rotation_hours", "7776000s, which is 90 days")


@RULES.rule(
    on=KMS_CRYPTO_KEY,
    severity=HIGH,
    rationale="Cloud KMS rejects other durations.",
    fix="Set destroyScheduledDuration to a value such as 2592000s.",
    sources=("Cloud KMS documentation, create a key: custom duration (catalogue, gcp_limits)",),
)
def gcp_kms_destroy_duration(key: View) -> Verdict:
    """A key version is scheduled for destruction for 24 hours to 120 days, written in seconds."""
    wait = key.text("destroyScheduledDuration")
    if not wait or key.flag("importOnly"):
        return NOT_APPLICABLE
    return _lasts(wait, "destroyScheduledDuration", "key_destruction_hours", "2592000s, which is 30 days")


def _used(holder: View) -> Iterator[tuple[KeyUser, View]]:
    """The keys of the program that a resource is encrypted with."""
    for user in key_users.of_type(holder.type):
        for key in holder.found(user.path, KMS_CRYPTO_KEY):
            if not key.resource.external:
                yield user, key


@RULES.rule(
    on=_USERS,
    each_of=_used,
    severity=HIGH,
    rationale="Google's services accept only symmetric encryption keys.",
    fix="Use a key with purpose ENCRYPT_DECRYPT.",
    joins=True,
    sources=("Cloud KMS documentation, customer-managed keys: symmetric encryption keys only",),
)
def gcp_kms_key_purpose(use: tuple[KeyUser, View]) -> Verdict:
    """A customer-managed key that encrypts a resource is for encryption and decryption."""
    user, key = use
    purpose = key.text("purpose") or _ENCRYPT
    hint = f"Use a key with purpose {_ENCRYPT}."
    return allow(purpose == _ENCRYPT, f"{key.name} is a key for {purpose}", hint=hint, path=user.path)


@RULES.rule(
    on=_USERS,
    severity=HIGH,
    rationale="Google's services refuse a key of another location.",
    fix="Use a key of a key ring in the location of the resource.",
    joins=True,
    sources=("Cloud KMS documentation, customer-managed keys: keys of the same location",),
)
def gcp_kms_key_location(holder: View) -> Verdict:
    """A key is in the location of the resource that it encrypts: the same region, or the same multi-region."""

    def check(named: tuple[Block, str]) -> Verdict:
        block, leaf = named
        place, wanted = _location_of_key(block, leaf), _wanted(holder, block)
        path = block.at(leaf)
        message = f"the key is in {place}, and the encrypted resource needs a key in {wanted}"
        return allow(place == wanted, message, hint=f"Use a key of a key ring in {wanted}.", path=path)

    return each(_naming(holder, *(user for user in key_users.of_type(holder.type) if not user.anywhere)), check)


@RULES.rule(
    on=_USERS,
    severity=HIGH,
    rationale="Without the grant the service cannot use the key, and the resource is not created.",
    fix=(
        "Grant the service agent roles/cloudkms.cryptoKeyEncrypterDecrypter on the key, and name the grant in "
        "dependsOn of the resource."
    ),
    joins=True,
    sources=("Google Cloud documentation, customer-managed keys (catalogue, gcp_key_users)",),
)
def gcp_kms_service_agent(holder: View) -> Verdict:
    """The agent of a service may use a key before a resource that the key encrypts is created."""

    def check(use: tuple[KeyUser, View]) -> Verdict:
        user, key = use
        domain = service_agents.email(user.service, "").partition("@")[2]
        who = f"service-PROJECT_NUMBER@{domain}"
        found = [grant for grant in _grants(key) if any(domain in member for member in _members(grant))]
        good = [grant for grant in found if _allows(grant.text("role"))]
        if not good:
            what = (
                f"has {found[0].text('role')} on {key.name}, which is not enough"
                if found
                else f"may not use {key.name}"
            )
            return fail(f"{who} {what}", hint=f"Grant it {_ROLE} on {key.name}.", path=user.path)
        return allow(
            any(comes_after(holder, grant) for grant in good),
            f"the resource may be created before {good[0].name}, which lets {who} use the key",
            hint=f"Let it depend on {good[0].name} (dependsOn).",
            path=user.path,
        )

    return each(_used(holder), check)


@RULES.rule(
    on=KMS_KEY_RING,
    severity=HIGH,
    rationale="Cloud KMS has no key rings in zones.",
    fix="Set location to the region of the resources that the keys encrypt.",
    sources=("Cloud KMS documentation, locations: regions and multi-regions",),
)
def gcp_kms_ring_location(ring: View) -> Verdict:
    """A key ring is in a region that exists, in a multi-region or global, and not in a zone."""
    location = ring.text("location")
    if location is None:
        return NOT_APPLICABLE
    region = places.region_of(location)
    if places.is_zone(location):
        return fail(f"{location} is a zone", hint=f"Use {region}.", path="location")
    if region is None:
        return PASS  # global, or a multi-region
    message = f"{location} is not a region of Google Cloud"
    return allow(places.exists(location), message, hint="Use the region of what the keys encrypt.", path="location")


@RULES.rule(
    on=_USERS,
    severity=HIGH,
    rationale="The API finds a key only under projects/P/locations/L/keyRings/R/cryptoKeys/K.",
    fix="Use the key's output id.",
    joins=True,
    sources=("Cloud KMS API v1, discovery document, CryptoKey.name: projects/P/locations/L/keyRings/R/cryptoKeys/K",),
)
def gcp_kms_key_path(holder: View) -> Verdict:
    """A key is named by its full path, and not by its name alone."""

    def check(named: tuple[Block, str]) -> Verdict:
        block, leaf = named
        written = block.text(leaf)
        if not written:
            return NOT_APPLICABLE
        key = holder.site.named(KMS_CRYPTO_KEY, written)
        good = "/" in written or (key is not None and key.resource.id == written)
        return allow(good, f"{written!r} is not a path of a key", path=block.at(leaf))

    return each(_naming(holder, *key_users.of_type(holder.type)), check)


def _lasts(text: str, path: str, limit: str, example: str) -> Verdict:
    found = _SECONDS.fullmatch(text)
    if found is None:
        return fail(f"{text!r} is not a number of seconds", hint=f"Write one such as {example}.", path=path)
    least, most = (limits.find_limit(name, "gcp").most for name in (f"{limit}_least", limit))
    seconds = int(found[1])
    hint = f"Use {min(max(seconds, least * _HOUR_S), most * _HOUR_S)}s, or {example}."
    message = f"{text} is not within {least} and {most} hours"
    return allow(least * _HOUR_S <= seconds <= most * _HOUR_S, message, hint=hint, path=path)


def _naming(holder: View, *users: KeyUser) -> Iterator[tuple[Block, str]]:
    """Every object of a resource that names a key, and the property that does."""
    for user in users:
        above, _, leaf = user.path.rpartition(".")
        yield from ((block, leaf) for block in holder.blocks_at(above) if leaf in block)


def _location_of_key(block: Block, leaf: str) -> str:
    """The location of the key that a property names.

    Raises:
        NotKnown: the location is not known yet.
    """
    try:
        key = block.one(leaf, KMS_CRYPTO_KEY)
    except NotKnown:
        key = None
    ring = key.one("keyRing", KMS_KEY_RING) if key is not None else None
    if ring is not None:
        return places.place(ring)
    written = (key.text("keyRing") if key is not None else block.text(leaf)) or ""
    found = _LOCATION.fullmatch(f"{written}/")
    if found is None:
        raise NotKnown
    return found[1].lower()


def _wanted(holder: View, block: Block) -> str:
    """Where a key has to be for what it encrypts."""
    if holder.type == SECRETMANAGER_SECRET:
        return _of_secret(holder, block)
    place = places.place(holder)
    if holder.type == STORAGE_BUCKET and "customPlacementConfig" in holder and not places.is_region(place):
        raise NotKnown
    region = places.region_of(place)
    if region is not None:
        return region
    try:
        return multi_regions.find_multi_region(
            "storage" if holder.type == STORAGE_BUCKET else "artifactregistry", place
        ).key_location
    except UnknownFact:
        raise NotKnown from None


def _of_secret(secret: View, block: Block) -> str:
    """Copies that Google places need a key of the location global, others one of their own location."""
    prefix = block.at("").removesuffix("customerManagedEncryption.")
    if "replicas[" not in prefix:
        return "global"
    replication = secret.block("replication")
    managed = replication.block("userManaged") if replication is not None else None
    replicas = managed.blocks("replicas") if managed is not None else []
    place = next((replica.text("location") for replica in replicas if replica.at("") == prefix), None)
    if not place:
        raise TypeMismatch
    return place


def _grants(key: View) -> Iterator[View]:
    """The grants of a program on a key, on its key ring or on the whole project.

    Raises:
        NotKnown: a policy grants them, of which nobody can read who may do what.
    """
    ring = key.one("keyRing", KMS_KEY_RING) if "keyRing" in key else None
    for types, policies in ((_MEMBERS, False), (_POLICIES, True)):
        for type_, path in types.items():
            target = key if path == "cryptoKeyId" else ring
            for grant in target.referrers(type_, path) if target is not None else ():
                if policies:
                    raise NotKnown
                yield grant
    for grant in key.site.of_type(PROJECTS_IAM_MEMBER, PROJECTS_IAM_BINDING):
        if "cloudkms" in (grant.text("role") or ""):
            yield grant


def _members(grant: View) -> list[str]:
    return grant.texts("members") if "members" in grant else [grant.text("member") or ""]


def _allows(role: str | None) -> bool:
    """Return whether a role lets its members encrypt and decrypt; a custom role is assumed to."""
    return role is not None and (role == _ROLE or not role.startswith("roles/"))
