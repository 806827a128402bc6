"""Buckets: names, places, classes, and settings that exclude each other."""

from __future__ import annotations

from penstock.catalog import limits
from penstock.core.errors import UnknownFact
from penstock.core.wording import listed
from penstock.gcp.facts import bucket_names as gcp_bucket_names
from penstock.gcp.facts import multi_regions
from penstock.gcp.model import places
from penstock.gcp.rules import nodes
from penstock.gcp.types import CONTAINER_CLUSTER, STORAGE_BUCKET
from penstock.graph.verdict import NOT_APPLICABLE, PASS, Verdict, allow, each, fail
from penstock.graph.view import Block, View
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_CLASSES = (
    "STANDARD",
    "NEARLINE",
    "COLDLINE",
    "ARCHIVE",
    "RAPID",
    "MULTI_REGIONAL",
    "REGIONAL",
    "DURABLE_REDUCED_AVAILABILITY",
)
_PREVENTIONS = ("inherited", "enforced")
_ACTIONS = ("Delete", "SetStorageClass", "AbortIncompleteMultipartUpload")
_DAY_S = 86400
_PAIR = 2


@RULES.rule(
    on=STORAGE_BUCKET,
    severity=HIGH,
    rationale="Cloud Storage rejects names of another form, and names with goog or google in them.",
    fix="Set name to 3 to 63 of a-z, 0-9 and -, such as acme-train-data, without the word google.",
    sources=("Cloud Storage documentation, bucket naming (catalogue, gcp_bucket_names)",),
)
def gcp_gcs_bucket_name(bucket: View) -> Verdict:
    """The name of a bucket is one that Cloud Storage accepts."""
    name = bucket.text("name")
    if name is None:
        return NOT_APPLICABLE
    problem = gcp_bucket_names.problem(name)
    hint = "Use 3 to 63 of a-z, 0-9 and -, such as acme-train-data, without the word google."
    return allow(problem is None, f"{name!r}: {problem}", hint=hint, path="name")


@RULES.rule(
    on=STORAGE_BUCKET,
    severity=HIGH,
    rationale="Cloud Storage rejects other storage classes.",
    fix="Set storageClass to STANDARD, NEARLINE, COLDLINE or ARCHIVE.",
    sources=(
        "Cloud Storage API v1, discovery document, Bucket.storageClass",
        "Cloud Storage documentation, Rapid Bucket",
    ),
)
def gcp_gcs_storage_class(bucket: View) -> Verdict:
    """The storage class of a bucket, and each class that a lifecycle rule sets, is one that Cloud Storage has."""
    written: list[tuple[Block, str]] = [(bucket, "storageClass")]
    for entry in bucket.blocks("lifecycleRules"):
        action = entry.block("action")
        if action is not None and action.text("type") == "SetStorageClass":
            written.append((action, "storageClass"))

    def check(item: tuple[Block, str]) -> Verdict:
        block, key = item
        name = block.text(key)
        if name is None:
            message, hint = "the class to which objects change is missing", "Name one such as NEARLINE."
            return NOT_APPLICABLE if block is bucket else fail(message, hint=hint, path=block.at(key))
        message = f"{name!r} is not a storage class"
        return allow(name in _CLASSES, message, hint=f"Use one of {listed(_CLASSES[:4])}.", path=block.at(key))

    return each(written, check)


@RULES.rule(
    on=STORAGE_BUCKET,
    severity=HIGH,
    rationale="Cloud Storage refuses a hierarchical namespace without uniform access or with versioning.",
    fix=(
        "Set uniformBucketLevelAccess to true and leave versioning out; soft delete restores what is deleted by "
        "mistake."
    ),
    sources=(
        "Cloud Storage documentation, hierarchical namespace: limitations",
        "Cloud Storage release notes of 2025-11-11",
    ),
)
def gcp_gcs_hns_settings(bucket: View) -> Verdict:
    """A bucket with a hierarchical namespace has uniform access and no object versioning."""
    if not nodes.enabled(bucket, "hierarchicalNamespace"):
        return NOT_APPLICABLE
    if not bucket.flag("uniformBucketLevelAccess"):
        message = "a hierarchical namespace needs uniform bucket-level access"
        return fail(message, hint="Set uniformBucketLevelAccess to true.", path="uniformBucketLevelAccess")
    message = "a hierarchical namespace excludes object versioning"
    hint = "Leave it out; soft delete brings back what is deleted by mistake."
    return allow(not nodes.enabled(bucket, "versioning"), message, hint=hint, path="versioning")


@RULES.rule(
    on=STORAGE_BUCKET,
    severity=MEDIUM,
    rationale="The documentation lists object retention lock among the limitations of a hierarchical namespace.",
    fix="Leave enableObjectRetention out, and use a retentionPolicy for the whole bucket.",
    sources=("Cloud Storage documentation, hierarchical namespace: limitations (object retention lock)",),
)
def gcp_gcs_hns_object_retention(bucket: View) -> Verdict:
    """A bucket with a hierarchical namespace does not retain single objects."""
    if not nodes.enabled(bucket, "hierarchicalNamespace"):
        return NOT_APPLICABLE
    hint = "Leave enableObjectRetention out; a retention policy for the whole bucket does the same."
    message = "a hierarchical namespace excludes object retention"
    return allow(not bucket.flag("enableObjectRetention"), message, hint=hint, path="enableObjectRetention")


@RULES.rule(
    on=STORAGE_BUCKET,
    severity=HIGH,
    rationale="Cloud Storage rejects other retention durations.",
    fix="Set softDeletePolicy.retentionDurationSeconds to 0, or to 604800 to 7776000.",
    sources=("Cloud Storage documentation, soft delete (catalogue, gcp_limits)",),
)
def gcp_gcs_soft_delete_days(bucket: View) -> Verdict:
    """Soft delete keeps deleted objects for 7 to 90 days, or is off."""
    policy = bucket.block("softDeletePolicy")
    kept = policy.integer("retentionDurationSeconds") if policy is not None else None
    if policy is None or kept is None:
        return NOT_APPLICABLE
    least, most = (
        limits.find_limit(name, "gcp").most * _DAY_S for name in ("soft_delete_days_least", "soft_delete_days")
    )
    hint = f"Use 0, or {min(max(kept, least), most)}."
    path = policy.at("retentionDurationSeconds")
    return allow(
        not kept or least <= kept <= most, f"soft delete cannot keep objects for {kept} seconds", hint=hint, path=path
    )


@RULES.rule(
    on=STORAGE_BUCKET,
    severity=HIGH,
    rationale="Cloud Storage rejects other retention periods.",
    fix="Set retentionPolicy.retentionPeriod to 1 to 3155760000 seconds.",
    sources=("Cloud Storage documentation, bucket lock (catalogue, gcp_limits)",),
)
def gcp_gcs_retention_period(bucket: View) -> Verdict:
    """A bucket retains its objects for at least a second and at most 100 years."""
    policy = bucket.block("retentionPolicy")
    kept = policy.integer("retentionPeriod") if policy is not None else None
    if policy is None or kept is None:
        return NOT_APPLICABLE
    most = limits.find_limit("retention_seconds", "gcp").most
    hint = f"Use {min(max(kept, 1), most)}."
    path = policy.at("retentionPeriod")
    return allow(0 < kept <= most, f"objects cannot be retained for {kept} seconds", hint=hint, path=path)


@RULES.rule(
    on=STORAGE_BUCKET,
    severity=HIGH,
    rationale="Cloud Storage knows no other value.",
    fix="Set publicAccessPrevention to enforced or inherited.",
    sources=("Pulumi Google Cloud 10.2, storage.Bucket, public_access_prevention",),
)
def gcp_gcs_pap_value(bucket: View) -> Verdict:
    """Public access prevention of a bucket is enforced or inherited."""
    word = bucket.text("publicAccessPrevention")
    if word is None:
        return NOT_APPLICABLE
    hint = "Use enforced, or inherited."
    return allow(
        word in _PREVENTIONS,
        f"{word!r} is not a value of publicAccessPrevention",
        hint=hint,
        path="publicAccessPrevention",
    )


@RULES.rule(
    on=STORAGE_BUCKET,
    severity=HIGH,
    rationale="Cloud Storage rejects other locations.",
    fix="Set location to a region such as us-central1, or to a multi-region; name a zone in customPlacementConfig.",
    sources=("Cloud Storage documentation, bucket locations (catalogue, gcp_multi_regions)",),
)
def gcp_gcs_location(bucket: View) -> Verdict:
    """A bucket is in a region that exists or in a multi-region such as US, and not in a zone."""
    location = bucket.text("location")
    if location is None:
        return NOT_APPLICABLE
    name = location.lower()
    region = places.region_of(name)
    if places.is_zone(name):
        hint = f"Use {region}; a bucket in a zone names it in customPlacementConfig."
        return fail(f"{location} is a zone", hint=hint, path="location")
    known = places.exists(name) if region is not None else _multi(name) is not None
    hint = f"Use a region such as us-central1, or one of {listed(multi_regions.multi_region_names('storage'))}."
    return allow(known, f"{location!r} is not a bucket location", hint=hint, path="location")


@RULES.rule(
    on=STORAGE_BUCKET,
    severity=HIGH,
    rationale="Cloud Storage replicates nothing in a single region, and refuses turbo replication in a multi-region.",
    fix="Leave rpo out in a single region, and set rpo to DEFAULT in a multi-region.",
    sources=("Pulumi Google Cloud 10.2, storage.Bucket, rpo",),
)
def gcp_gcs_rpo(bucket: View) -> Verdict:
    """An rpo is set only for a bucket in several regions, and turbo replication only between two regions."""
    rpo, location = bucket.text("rpo"), bucket.text("location")
    if rpo is None or location is None:
        return NOT_APPLICABLE
    if places.is_region(location.lower()):
        message = f"{location} is a single region without replication"
        return fail(message, hint="Leave rpo out.", path="rpo")
    several = _multi(location)
    hurried = rpo == "ASYNC_TURBO" and "customPlacementConfig" not in bucket
    message = f"turbo replication is for two regions only, and the bucket is in {location}"
    return allow(not hurried or several != "multi", message, hint="Set rpo to DEFAULT.", path="rpo")


@RULES.rule(
    on=STORAGE_BUCKET,
    severity=HIGH,
    rationale="The API takes precisely two regions within the same multi-region.",
    fix="Set customPlacementConfig.dataLocations to two regions, and location to US, EU or ASIA.",
    sources=("Cloud Storage API v2, Bucket.CustomPlacementConfig: precisely two regions within the same multi-region",),
)
def gcp_gcs_dual_region(bucket: View) -> Verdict:
    """A bucket that names the regions of its objects names two of them, and a location that spans both."""
    placement, location = bucket.block("customPlacementConfig"), bucket.text("location")
    if placement is None or location is None or bucket.text("storageClass") == "RAPID":
        return NOT_APPLICABLE
    path, named = placement.at("dataLocations"), [name.lower() for name in placement.texts("dataLocations")]
    if len(set(named)) != _PAIR or not all(places.is_region(name) for name in named):
        message = f"dataLocations is {listed(named) or 'no region'}, and a dual-region bucket has two regions"
        return fail(message, hint="Name two regions, such as US-CENTRAL1 and US-EAST1.", path=path)
    message = f"location is the single region {location}, and dataLocations is {listed(named)}"
    hint = "Set location to what spans both, such as US, EU or ASIA."
    return allow(not places.is_region(location.lower()), message, hint=hint, path="location")


@RULES.rule(
    on=STORAGE_BUCKET,
    severity=HIGH,
    rationale="Cloud Storage refuses the class RAPID in other locations and without a hierarchical namespace.",
    fix="Set customPlacementConfig.dataLocations to one zone of the region, and hierarchicalNamespace.enabled to true.",
    sources=("Cloud Storage documentation, Rapid Bucket: zonal buckets",),
)
def gcp_gcs_rapid_zone(bucket: View) -> Verdict:
    """A bucket of class RAPID is in one zone of its region, with a hierarchical namespace and uniform access."""
    if bucket.text("storageClass") != "RAPID":
        return NOT_APPLICABLE
    placement = bucket.block("customPlacementConfig")
    zones = [zone.lower() for zone in placement.texts("dataLocations")] if placement is not None else []
    region = places.place(bucket)
    if len(zones) != 1 or places.region_of(zones[0]) != region or not places.is_zone(zones[0]):
        hint = f"Set customPlacementConfig.dataLocations to one zone of {region}, that of the nodes."
        return fail("a bucket of class RAPID is in one zone", hint=hint, path="customPlacementConfig")
    hint = "Set hierarchicalNamespace.enabled to true."
    message = "a bucket of class RAPID has a hierarchical namespace"
    return allow(nodes.enabled(bucket, "hierarchicalNamespace"), message, hint=hint, path="hierarchicalNamespace")


@RULES.rule(
    on=STORAGE_BUCKET,
    each_of="lifecycleRules",
    severity=HIGH,
    rationale="The API rejects other actions.",
    fix="Set action.type to Delete, SetStorageClass or AbortIncompleteMultipartUpload.",
    sources=("Cloud Storage API v1, discovery document, Bucket.lifecycle: action.type",),
)
def gcp_gcs_lifecycle_action(entry: Block) -> Verdict:
    """The action of a lifecycle rule is Delete, SetStorageClass or AbortIncompleteMultipartUpload."""
    action = entry.block("action")
    name = action.text("type") if action is not None else None
    if action is None or name is None:
        return NOT_APPLICABLE
    hint = f"Use one of {listed(_ACTIONS)}."
    return allow(name in _ACTIONS, f"{name!r} is not a lifecycle action", hint=hint, path=action.at("type"))


@RULES.rule(
    on=STORAGE_BUCKET,
    severity=HIGH,
    rationale=(
        "Autoclass starts with STANDARD, and Cloud Storage rejects another class of the bucket or another terminal "
        "class."
    ),
    fix="Set terminalStorageClass to NEARLINE or ARCHIVE, and leave storageClass out.",
    sources=("Cloud Storage API v1, discovery document, Bucket.autoclass", "Cloud Storage documentation, Autoclass"),
)
def gcp_gcs_autoclass(bucket: View) -> Verdict:
    """A bucket with Autoclass ends in NEARLINE or ARCHIVE, and leaves the storage class of objects to Autoclass."""
    autoclass = bucket.block("autoclass")
    if autoclass is None or not autoclass.flag("enabled"):
        return NOT_APPLICABLE
    end, own = autoclass.text("terminalStorageClass"), bucket.text("storageClass")
    if end not in (None, "NEARLINE", "ARCHIVE"):
        path = autoclass.at("terminalStorageClass")
        return fail(f"Autoclass does not end in {end}", hint="Use NEARLINE or ARCHIVE.", path=path)
    message = f"Autoclass starts with STANDARD, and the bucket's class is {own}"
    return allow(own in (None, "STANDARD"), message, hint="Leave storageClass out.", path="storageClass")


@RULES.rule(
    on=STORAGE_BUCKET,
    severity=MEDIUM,
    rationale="From another region reads are slower, and the traffic between the regions is paid for.",
    fix="Set location to the region of the cluster, unless the readers of the bucket are elsewhere.",
    joins=True,
    sources=("Cloud Storage documentation, best practices: colocate data",),
)
def gcp_gcs_cluster_region(bucket: View) -> Verdict:
    """A bucket is in the region of a cluster of the program."""
    clusters = bucket.site.of_type(CONTAINER_CLUSTER)
    location = bucket.text("location")
    if not clusters or location is None or not places.is_region(location.lower()):
        return NOT_APPLICABLE
    regions = sorted({places.region(cluster) for cluster in clusters})
    if location.lower() in regions:
        return PASS
    message = f"the bucket is in {location}, and nodes that may read it are in {listed(regions)}"
    return fail(message, hint=f"Make it in {regions[0]}, unless its readers are elsewhere.", path="location")


def _multi(location: str) -> str | None:
    """The kind of a location: one of several regions (multi) or of two (dual); None for one that is not known."""
    try:
        return multi_regions.find_multi_region("storage", location).kind
    except UnknownFact:
        return None
