"""S3: names, and settings of a bucket that go together."""

from __future__ import annotations

from penstock.aws.facts import bucket_names as buckets
from penstock.aws.model.iam_documents import document_at
from penstock.aws.model.launch_templates import inside
from penstock.aws.types import (
    KMS_KEY,
    S3_BUCKET,
    S3_BUCKET_ACL,
    S3_BUCKET_LIFECYCLE_CONFIGURATION,
    S3_BUCKET_NOTIFICATION,
    S3_BUCKET_OBJECT_LOCK_CONFIGURATION,
    S3_BUCKET_OWNERSHIP_CONTROLS,
    S3_BUCKET_POLICY,
    S3_BUCKET_PUBLIC_ACCESS_BLOCK,
    S3_BUCKET_REPLICATION_CONFIG,
    S3_BUCKET_SERVER_SIDE_ENCRYPTION_CONFIGURATION,
    S3_BUCKET_VERSIONING,
)
from penstock.catalog import limits
from penstock.graph.verdict import NOT_APPLICABLE, PASS, Verdict, allow, each, fail, together
from penstock.graph.view import Block, View
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_SETTINGS = (
    S3_BUCKET_POLICY,
    S3_BUCKET_ACL,
    S3_BUCKET_PUBLIC_ACCESS_BLOCK,
    S3_BUCKET_OWNERSHIP_CONTROLS,
    S3_BUCKET_VERSIONING,
    S3_BUCKET_SERVER_SIDE_ENCRYPTION_CONFIGURATION,
    S3_BUCKET_LIFECYCLE_CONFIGURATION,
    S3_BUCKET_REPLICATION_CONFIG,
    S3_BUCKET_OBJECT_LOCK_CONFIGURATION,
    S3_BUCKET_NOTIFICATION,
)
"""What a bucket has one of; a second one overwrites the first."""

_PUBLIC_ACLS = ("public-read", "public-read-write", "authenticated-read")
_ACTS = (
    "abortIncompleteMultipartUpload",
    "expiration",
    "noncurrentVersionExpiration",
    "noncurrentVersionTransitions",
    "transitions",
)
"""What may happen to objects (S3 API, LifecycleRule)."""

_INFREQUENT = ("STANDARD_IA", "ONEZONE_IA")


@RULES.rule(
    on=S3_BUCKET,
    severity=HIGH,
    rationale="CreateBucket rejects an invalid name.",
    fix="Set bucket to lower-case letters, digits and hyphens, or leave bucket out.",
    sources=("S3 user guide, bucketnamingrules",),
)
def aws_s3_bucket_name(bucket: View) -> Verdict:
    """The name of a bucket follows the S3 naming rules."""
    name = bucket.text("bucket")
    if not name:
        return NOT_APPLICABLE
    wrong = buckets.problem(name)
    hint = "Use lower-case letters, digits and '-', such as acme-training-data."
    return allow(wrong is None, f"{name!r}: {wrong}", hint=hint, path="bucket")


@RULES.rule(
    on=_SETTINGS,
    severity=HIGH,
    rationale=(
        "Each PUT of a setting replaces the previous one, so the resource that is applied last silently overwrites the "
        "other."
    ),
    fix="Merge the settings into one resource.",
    joins=True,
    sources=("S3 API: each PUT of a bucket's setting replaces the one before",),
)
def aws_s3_one_setting_per_kind(setting: View) -> Verdict:
    """A bucket has at most one resource for each kind of setting, such as one policy and one lifecycle."""
    bucket = setting.one("bucket", S3_BUCKET)
    if bucket is None:
        return NOT_APPLICABLE
    rivals = bucket.referrers(setting.type, "bucket")
    return allow(
        rivals[0].urn == setting.urn,
        f"{rivals[0].name} configures the same setting of {bucket.name}, and one overwrites the other",
        hint="Merge both into one resource.",
        path="bucket",
    )


@RULES.rule(
    on=S3_BUCKET_SERVER_SIDE_ENCRYPTION_CONFIGURATION,
    each_of="rules",
    severity=HIGH,
    rationale="S3 rejects a key with any other algorithm, and cannot encrypt with an asymmetric key.",
    fix="Set sseAlgorithm to aws:kms, and kmsMasterKeyId to a key with customerMasterKeySpec SYMMETRIC_DEFAULT.",
    joins=True,
    sources=("S3 API model in botocore 1.44, ServerSideEncryptionByDefault",),
)
def aws_s3_kms_algorithm(rule_: Block) -> Verdict:
    """A bucket with a KMS key uses the algorithm aws:kms or aws:kms:dsse, and the key is symmetric."""
    default = rule_.block("applyServerSideEncryptionByDefault")
    if default is None or "kmsMasterKeyId" not in default:
        return NOT_APPLICABLE
    algorithm = default.text("sseAlgorithm") or ""
    if not algorithm.startswith("aws:kms"):
        hint = 'Set sseAlgorithm to "aws:kms", or leave kmsMasterKeyId out.'
        return fail(f"sseAlgorithm {algorithm} takes no KMS key", hint=hint, path=default.at("sseAlgorithm"))
    keys = default.found("kmsMasterKeyId", KMS_KEY)
    spec = keys[0].text("customerMasterKeySpec") if keys else None
    good = spec in (None, "SYMMETRIC_DEFAULT")
    hint = "Name a key with customerMasterKeySpec SYMMETRIC_DEFAULT."
    return allow(
        good, f"S3 does not encrypt with a KMS key of spec {spec}", hint=hint, path=default.at("kmsMasterKeyId")
    )


@RULES.rule(
    on=S3_BUCKET_ACL,
    severity=HIGH,
    rationale="S3 rejects the ACL with AccessControlListNotSupported.",
    fix="Leave the BucketAcl out, or create BucketOwnershipControls with objectOwnership BucketOwnerPreferred.",
    joins=True,
    sources=("S3 user guide, object ownership: AccessControlListNotSupported",),
)
def aws_s3_acl_ownership(acl: View) -> Verdict:
    """A bucket with an ACL has an object ownership that allows ACLs, which a new bucket does not have."""
    bucket = acl.one("bucket", S3_BUCKET)
    if bucket is None:
        return NOT_APPLICABLE
    ownership = inside(bucket).referrers(S3_BUCKET_OWNERSHIP_CONTROLS, "bucket")
    held = ownership[0].block("rule") if ownership else None
    rule_ = held.text("objectOwnership") if held is not None else None
    return allow(
        rule_ not in (None, "BucketOwnerEnforced"),
        f"{bucket.name} does not accept ACLs ({rule_ or 'BucketOwnerEnforced, as every new bucket'})",
        hint="Leave the ACL out, or create BucketOwnershipControls with objectOwnership BucketOwnerPreferred.",
        path="bucket",
    )


@RULES.rule(
    on=S3_BUCKET_ACL,
    severity=HIGH,
    rationale="S3 rejects a public ACL while blockPublicAcls is on.",
    fix="Set acl to private, or create a BucketPublicAccessBlock with blockPublicAcls false.",
    joins=True,
    sources=("S3 user guide, blocking public access",),
)
def aws_s3_public_acl_unblocked(acl: View) -> Verdict:
    """A bucket with a public access control list does not block public ACLs, as every new bucket does."""
    given, bucket = acl.text("acl"), acl.one("bucket", S3_BUCKET)
    if given not in _PUBLIC_ACLS or bucket is None:
        return NOT_APPLICABLE
    return _unblocked(inside(bucket), "blockPublicAcls", f"the ACL {given}", "acl")


@RULES.rule(
    on=S3_BUCKET_POLICY,
    severity=HIGH,
    rationale="PutBucketPolicy fails with AccessDenied while blockPublicPolicy is on.",
    fix="Restrict the policy, or create a BucketPublicAccessBlock with blockPublicPolicy false.",
    joins=True,
    sources=("S3 user guide, blocking public access: AccessDenied on PutBucketPolicy",),
)
def aws_s3_public_policy_unblocked(policy: View) -> Verdict:
    """A bucket with a public bucket policy does not block public policies, as every new bucket does."""
    document, bucket = document_at(policy, "policy"), policy.one("bucket", S3_BUCKET)
    if document is None or bucket is None:
        return NOT_APPLICABLE
    public = [each for each in document.allowing if each.is_for_everybody and not each.conditions]
    if not public:
        return NOT_APPLICABLE
    return _unblocked(inside(bucket), "blockPublicPolicy", "a public policy", "policy")


@RULES.rule(
    on=S3_BUCKET_POLICY,
    severity=HIGH,
    rationale="PutBucketPolicy fails with MalformedPolicy for an invalid resource.",
    fix="Set Resource in policy to the ARN of the bucket and to that ARN followed by /*.",
    joins=True,
    sources=("S3 API: MalformedPolicy, policy has invalid resource",),
)
def aws_s3_policy_own_bucket(policy: View) -> Verdict:
    """Every resource in a bucket policy is that bucket or an object in it."""
    document, bucket = document_at(policy, "policy"), policy.one("bucket", S3_BUCKET)
    if document is None or bucket is None:
        return NOT_APPLICABLE
    name = bucket.text("bucket") or bucket.outputs.text("bucket") or bucket.id
    named = [
        resource.split(":::", 1)[1].split("/")[0]
        for statement in document.statements
        for resource in statement.resources
        if resource.startswith("arn:") and ":s3:::" in resource
    ]
    if not named:
        return NOT_APPLICABLE
    strange = next((each for each in named if "*" not in each and "?" not in each and each != name), None)
    hint = f"Name arn:aws:s3:::{name} and arn:aws:s3:::{name}/*."
    return allow(strange is None, f"the policy of {name} names the resource {strange}", hint=hint, path="policy")


@RULES.rule(
    on=S3_BUCKET_REPLICATION_CONFIG,
    severity=HIGH,
    rationale="PutBucketReplication fails with InvalidRequest on a bucket without versioning.",
    fix="Create a BucketVersioning with status Enabled, and let the replication depend on it.",
    joins=True,
    sources=("S3 API: InvalidRequest, versioning must be Enabled to replicate",),
)
def aws_s3_replication_versioning(replication: View) -> Verdict:
    """A bucket with replication has versioning enabled."""
    bucket = replication.one("bucket", S3_BUCKET)
    if bucket is None:
        return NOT_APPLICABLE
    return allow(
        _has_versions(inside(bucket)),
        f"{bucket.name} has no versioning, without which S3 does not replicate a bucket",
        path="bucket",
    )


@RULES.rule(
    on=S3_BUCKET_VERSIONING,
    severity=HIGH,
    rationale="S3 refuses to suspend versioning on a bucket with object lock.",
    fix="Set versioningConfiguration.status to Enabled.",
    joins=True,
    sources=("S3 user guide, object lock considerations",),
)
def aws_s3_object_lock_versioning(versioning: View) -> Verdict:
    """A bucket with object lock has versioning enabled."""
    bucket = versioning.one("bucket", S3_BUCKET)
    if bucket is None or not inside(bucket).flag("objectLockEnabled"):
        return NOT_APPLICABLE
    held = versioning.block("versioningConfiguration")
    status = held.text("status") if held is not None else None
    hint = "Set status to Enabled."
    message = f"{bucket.name} has object lock, and its versioning is {status}"
    return allow(status == "Enabled", message, hint=hint, path="versioningConfiguration.status")


@RULES.rule(
    on=S3_BUCKET_LIFECYCLE_CONFIGURATION,
    each_of="rules",
    severity=HIGH,
    rationale="S3 rejects a lifecycle configuration with an earlier transition or expiration.",
    fix="Set transitions[].days to 30 or more, and expiration.days to more than that.",
    sources=("S3 user guide, lifecycle transition considerations",),
)
def aws_s3_lifecycle_order(rule_: Block) -> Verdict:
    """Lifecycle rules move objects to infrequent access after 30 days or more, and expire them after that."""
    moves = [move for move in rule_.blocks("transitions") if "days" in move]
    gone = rule_.block("expiration")
    end = gone.integer("days") if gone is not None else None
    return each(moves, lambda move: _moves_in_time(move, end))


@RULES.rule(
    on=S3_BUCKET_LIFECYCLE_CONFIGURATION,
    severity=HIGH,
    rationale="S3 rejects the lifecycle configuration with MalformedXML.",
    fix="Set a unique id and an expiration or a transition, with one of days, date and expiredObjectDeleteMarker.",
    sources=("S3 API model in botocore 1.44, LifecycleRule; MalformedXML",),
)
def aws_s3_lifecycle_rule_actions(lifecycle: View) -> Verdict:
    """Each lifecycle rule has a unique id, an action, and one of days, date and marker in its expiration."""
    seen: set[str] = set()

    def check(rule_: Block) -> Verdict:
        id_ = rule_.text("id")
        twice = id_ in seen
        if id_ is not None:
            seen.add(id_)
        acts = [key for key in _ACTS if key in rule_]
        gone = rule_.block("expiration")
        ends = [key for key in ("days", "date") if gone is not None and key in gone]
        marked = gone is not None and gone.flag("expiredObjectDeleteMarker") is True
        return together(
            (
                allow(
                    not twice,
                    f"two lifecycle rules have the id {id_}",
                    hint="Set a unique id on each.",
                    path=rule_.at("id"),
                ),
                allow(
                    acts,
                    "the lifecycle rule has no action",
                    hint="Add an expiration or a transition.",
                    path=rule_.at("status"),
                ),
                allow(
                    len(ends) + marked <= 1,
                    "expiration sets more than one of days, date and expiredObjectDeleteMarker",
                    hint="Set days, or date, or expiredObjectDeleteMarker.",
                    path=rule_.at("expiration"),
                ),
            )
        )

    return each(lifecycle.blocks("rules"), check)


def _unblocked(bucket: View, flag: str, what: str, path: str) -> Verdict:
    blocks = bucket.referrers(S3_BUCKET_PUBLIC_ACCESS_BLOCK, "bucket")
    open_ = bool(blocks) and not blocks[0].flag(flag)  # what a block does not give is false
    return allow(
        open_,
        f"{bucket.name} refuses {what}, since {flag} is true, as for every new bucket",
        hint=f"Leave access private, or create a BucketPublicAccessBlock with {flag} false.",
        path=path,
    )


def _has_versions(bucket: View) -> bool:
    held = [each.block("versioningConfiguration") for each in bucket.referrers(S3_BUCKET_VERSIONING, "bucket")]
    inline = bucket.block("versioning")
    return (
        any(each is not None and each.text("status") == "Enabled" for each in held)
        or (inline is not None and inline.flag("enabled") is True)
        or bucket.flag("objectLockEnabled") is True
    )


def _moves_in_time(move: Block, end: int | None) -> Verdict:
    least = limits.find_limit("days_before_infrequent_access_least", "aws").most
    days, kind = move.integer("days"), move.text("storageClass")
    if days is None:
        return NOT_APPLICABLE
    if kind in _INFREQUENT and days < least:
        hint = f"Use {least} days or more."
        return fail(f"S3 does not move objects to {kind} after {days} days", hint=hint, path=move.at("days"))
    hint = f"Expire objects after {days + 1} days at the earliest."
    message = f"objects expire after {end} days, before they move to {kind} after {days}"
    return PASS if end is None else allow(end > days, message, hint=hint, path=move.at("days"))
