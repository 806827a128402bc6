"""KMS: keys that somebody may still change, and that fit what they encrypt."""

from __future__ import annotations

from penstock.aws.model.iam_documents import document_at
from penstock.aws.model.launch_templates import inside
from penstock.aws.types import (
    CLOUDWATCH_LOG_GROUP,
    EBS_VOLUME,
    EC2_LAUNCH_TEMPLATE,
    EFS_FILE_SYSTEM,
    EKS_CLUSTER,
    FSX_LUSTRE_FILE_SYSTEM,
    KMS_ALIAS,
    KMS_KEY,
    KMS_KEY_POLICY,
    RDS_INSTANCE,
)
from penstock.graph.property_path import PropertyPath
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow, each
from penstock.graph.view import View
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_SYMMETRIC = "SYMMETRIC_DEFAULT"
_WAITS = (7, 30)
"""Days before a key is deleted (KMS API, ScheduleKeyDeletion)."""

_USES = {
    EKS_CLUSTER: "encryptionConfig.provider.keyArn",
    RDS_INSTANCE: "kmsKeyId",
    EC2_LAUNCH_TEMPLATE: "blockDeviceMappings[].ebs.kmsKeyId",
    CLOUDWATCH_LOG_GROUP: "kmsKeyId",
    FSX_LUSTRE_FILE_SYSTEM: "kmsKeyId",
    EFS_FILE_SYSTEM: "kmsKeyId",
    EBS_VOLUME: "kmsKeyId",
}
"""Where each type names the key that encrypts it."""


@RULES.rule(
    on=(KMS_KEY, KMS_KEY_POLICY),
    severity=HIGH,
    rationale="KMS refuses a policy that nobody could change, since the key would become unmanageable.",
    fix="Allow the account's root kms:* on the resource * in policy.",
    sources=("KMS API, PutKeyPolicy: the policy lockout safety check",),
)
def aws_kms_policy_lockout(holder: View) -> Verdict:
    """A key policy allows a principal to change it later, unless the lockout safety check is bypassed."""
    document = document_at(holder, "policy")
    if document is None or holder.flag("bypassPolicyLockoutSafetyCheck"):
        return NOT_APPLICABLE
    return allow(
        any(
            statement.is_about("kms:PutKeyPolicy") and (statement.is_for_everybody or statement.named("AWS"))
            for statement in document.allowing
        ),
        "the key policy allows nobody to change it, so the key would be unmanageable",
        path="policy",
    )


@RULES.rule(
    on=KMS_KEY,
    severity=HIGH,
    rationale="KMS rejects rotation of any other key with UnsupportedOperation.",
    fix="Set enableKeyRotation to false, or leave customerMasterKeySpec, customKeyStoreId and xksKeyId out.",
    sources=("KMS developer guide, rotate-keys: UnsupportedOperation",),
)
def aws_kms_rotation_symmetric(key: View) -> Verdict:
    """A key with automatic rotation is symmetric, and KMS generates its key material."""
    if not key.flag("enableKeyRotation"):
        return NOT_APPLICABLE
    spec, foreign = key.text("customerMasterKeySpec") or _SYMMETRIC, "customKeyStoreId" in key or "xksKeyId" in key
    return allow(
        spec == _SYMMETRIC and not foreign,
        f"a key {'in a custom key store' if foreign else f'of spec {spec}'} does not rotate",
        hint="Set enableKeyRotation to false.",
        path="enableKeyRotation",
    )


@RULES.rule(
    on=tuple(_USES),
    severity=HIGH,
    rationale="AWS services use symmetric encryption keys only, and reject any other key.",
    fix="Use a key with customerMasterKeySpec SYMMETRIC_DEFAULT and keyUsage ENCRYPT_DECRYPT.",
    joins=True,
    sources=("KMS developer guide, services that use keys: symmetric encryption keys only",),
)
def aws_kms_symmetric_for_services(holder: View) -> Verdict:
    """A key that an AWS service encrypts data with is a symmetric encryption key."""
    path = _USES[holder.type]

    def check(key: View) -> Verdict:
        spec = inside(key).text("customerMasterKeySpec") or _SYMMETRIC
        use = key.text("keyUsage") or "ENCRYPT_DECRYPT"
        return allow(
            (spec, use) == (_SYMMETRIC, "ENCRYPT_DECRYPT"),
            f"{key.name} has the spec {spec} and the usage {use}, not a symmetric one for encryption",
            hint=f"Use a key with customerMasterKeySpec {_SYMMETRIC} and keyUsage ENCRYPT_DECRYPT.",
            path=PropertyPath.parse(path).top,
        )

    return each(holder.found(path, KMS_KEY), check)


@RULES.rule(
    on=KMS_ALIAS,
    severity=HIGH,
    rationale="CreateAlias rejects any other name.",
    fix="Set name to alias/ followed by a name of your own.",
    sources=("KMS API model in botocore 1.44, CreateAlias",),
)
def aws_kms_alias_name(alias: View) -> Verdict:
    """The name of a key alias starts with alias/, and not with alias/aws/, which AWS reserves."""
    name = alias.text("name")
    if name is None:
        return NOT_APPLICABLE
    good = name.startswith("alias/") and not name.startswith("alias/aws/")
    own = name.removeprefix("alias/").removeprefix("aws/")
    return allow(
        good, f"{name!r} is not a valid alias of a customer managed key", hint=f"Write alias/{own}.", path="name"
    )


@RULES.rule(
    on=KMS_KEY,
    severity=HIGH,
    rationale="The provider and ScheduleKeyDeletion reject a window outside this range.",
    fix="Set deletionWindowInDays to 7 to 30.",
    sources=("KMS API, ScheduleKeyDeletion: 7 to 30 days", "Pulumi AWS 7.51, Key"),
)
def aws_kms_deletion_window_range(key: View) -> Verdict:
    """The deletion window of a key is 7 to 30 days."""
    days = key.integer("deletionWindowInDays")
    if not days:
        return NOT_APPLICABLE
    least, most = _WAITS
    hint = f"Use {min(max(days, least), most)}."
    return allow(
        least <= days <= most,
        f"deletionWindowInDays {days} is not within {least} to {most}",
        hint=hint,
        path="deletionWindowInDays",
    )


@RULES.rule(
    on=CLOUDWATCH_LOG_GROUP,
    severity=HIGH,
    rationale="CloudWatch Logs rejects the key with InvalidParameterException.",
    fix=(
        "Allow the principal {Service: logs.REGION.amazonaws.com} to encrypt, decrypt and describe in the key's policy."
    ),
    joins=True,
    sources=("CloudWatch Logs user guide, encrypt-log-data-kms: InvalidParameterException",),
)
def aws_logs_key_policy(group: View) -> Verdict:
    """The key policy of a log group's key allows CloudWatch Logs to use it, which the default policy does not."""
    found = group.found("kmsKeyId", KMS_KEY)
    if not found:
        return NOT_APPLICABLE
    key = inside(found[0])
    separate = key.referrers(KMS_KEY_POLICY, "keyId")
    document = document_at(separate[0] if separate else key, "policy")
    granted = document.allowing if document is not None else []
    named = [service for statement in granted for service in statement.named("Service")]
    return allow(
        any(service.startswith("logs.") for service in named) or any(each_.is_for_everybody for each_ in granted),
        f"the key policy of {key.name} does not allow CloudWatch Logs",
        hint=(
            "Allow the principal {Service: logs.REGION.amazonaws.com} to encrypt, decrypt and describe in "
            "the key policy."
        ),
        path="kmsKeyId",
    )
