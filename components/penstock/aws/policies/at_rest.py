"""Encryption at rest of disks, file systems and buckets on AWS."""

from __future__ import annotations

from penstock.aws.policies import relations
from penstock.aws.policies.keys import OwnKey
from penstock.aws.types import (
    EBS_VOLUME,
    EC2_INSTANCE,
    EC2_LAUNCH_CONFIGURATION,
    EC2_LAUNCH_TEMPLATE,
    EC2_SPOT_INSTANCE_REQUEST,
    EFS_FILE_SYSTEM,
    FSX_FILE_CACHE,
    FSX_LUSTRE_FILE_SYSTEM,
    FSX_ONTAP_FILE_SYSTEM,
    FSX_OPEN_ZFS_FILE_SYSTEM,
    S3_BUCKET,
    S3_BUCKET_SERVER_SIDE_ENCRYPTION_CONFIGURATION,
)
from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, Verdict, allow, each, fail
from penstock.graph.view import View
from penstock.rules.checks import All, ByType, Custom, Each, Either, Given, Is, Joined, OneOf, Where
from penstock.rules.levels import HIGH, LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.AT_REST)

_INSTANCES = (
    EC2_INSTANCE,
    EC2_SPOT_INSTANCE_REQUEST,
    EC2_LAUNCH_CONFIGURATION,
)
_DEFAULT = "aws:ebs/encryptionByDefault:EncryptionByDefault"
_DEFAULT_KEY = "aws:ebs/defaultKmsKey:DefaultKmsKey"
_INLINE = "serverSideEncryptionConfiguration.rule"
_HAS_INLINE = Given("serverSideEncryptionConfiguration")
_CIS_DISKS = ("AWS 5.0: 5.1.1",)
_OF_AWS = "resolve:ssm:/aws/service/"
"""The parameters of AWS's newest images; EKS uses one of them, too, where a template names none."""

_PERSISTENT = OneOf("deploymentType", ("PERSISTENT_1", "PERSISTENT_2"))


def _region_encrypts(it: View, _: Settings) -> Verdict:
    """Return whether the program has EBS encrypt every new disk of the account in the same region."""
    return PASS if any(switch.flag("enabled") is not False for switch in _here(it, _DEFAULT)) else NOT_APPLICABLE


def _region_has_key(it: View, settings: Settings) -> Verdict:
    """Return whether the program sets the default key of EBS in the same region."""
    return each(_here(it, _DEFAULT_KEY), lambda default: OwnKey("keyArn").judge(default, settings))


def _here(it: View, type_: str) -> list[View]:
    """The resources of a type in the same account and region."""
    here = (it.resource.provider_urn, it.resource.inputs.get("region"))
    others = it.site.of_type(type_)
    return [other for other in others if (other.resource.provider_urn, other.resource.inputs.get("region")) == here]


_BY_DEFAULT = Custom(_region_encrypts, others=True)
_OWN_KEY = All(
    Where(Given("kmsKeyId"), OwnKey("kmsKeyId")),
    Either(Given("kmsKeyId"), Custom(_region_has_key, others=True)),
)


def _keeps_data(it: View, _: Settings) -> Verdict:
    """Return whether a bucket takes no logs of S3 or load balancers, which need a bucket without a customer's key."""
    return allow(not relations.takes_logs(it), "the bucket takes logs")


RULES.row(
    "aws-s3-sse-cmk",
    "A bucket of data encrypts with a key of the customer's own.",
    on=S3_BUCKET,
    check=Where(
        Custom(_keeps_data, others=True),
        Either(
            Where(_HAS_INLINE, OwnKey(f"{_INLINE}.applyServerSideEncryptionByDefault.kmsMasterKeyId")),
            Joined(
                ((S3_BUCKET_SERVER_SIDE_ENCRYPTION_CONFIGURATION, "bucket"),),
                "no KMS key encrypts the bucket",
                OwnKey("rules[].applyServerSideEncryptionByDefault.kmsMasterKeyId"),
            ),
        ),
    ),
    severity=MEDIUM,
    rationale="Whoever may read the bucket reads its objects: no second permission, on a key, is needed.",
    fix="Set sseAlgorithm to aws:kms and kmsMasterKeyId to the ARN of a KMS key; each caller then needs kms:Decrypt.",
    peers="CKV_AWS_145 AWS-0132",
)
RULES.row(
    "aws-s3-bucket-key",
    "A bucket that encrypts with KMS has a bucket key.",
    on=(S3_BUCKET_SERVER_SIDE_ENCRYPTION_CONFIGURATION, S3_BUCKET),
    check=ByType(
        {
            S3_BUCKET_SERVER_SIDE_ENCRYPTION_CONFIGURATION: Each(
                "rules[]",
                Where(
                    Is("applyServerSideEncryptionByDefault.sseAlgorithm", "aws:kms"),
                    Is("bucketKeyEnabled", value=True),
                ),
            ),
            S3_BUCKET: Where(
                Is(f"{_INLINE}.applyServerSideEncryptionByDefault.sseAlgorithm", "aws:kms"),
                Is(f"{_INLINE}.bucketKeyEnabled", value=True),
            ),
        }
    ),
    severity=LOW,
    rationale=(
        "Each object that a training job reads is a paid call to KMS, and a large job meets its limit of requests."
    ),
    fix="Set bucketKeyEnabled to true; it counts for objects written from then on.",
)

RULES.row(
    "aws-ebs-encrypted",
    "A volume is encrypted.",
    on=EBS_VOLUME,
    check=Either(Is("encrypted", value=True), _BY_DEFAULT),
    severity=HIGH,
    rationale="A snapshot of it can be shared, or copied to another account, in clear.",
    fix="Set encrypted to true; an existing volume is replaced, so copy its snapshot first.",
    peers="CKV_AWS_3 AWS-0026 KICS:cc997676 KICS:e6b4b943 CKV2_AWS_2",
    cis=_CIS_DISKS,
)
RULES.row(
    "aws-ebs-cmk",
    "A volume is encrypted with a key of the customer's own.",
    on=EBS_VOLUME,
    check=_OWN_KEY,
    severity=MEDIUM,
    rationale=(
        "AWS's key serves every volume of the account alike, and a snapshot under it cannot go to a recovery account."
    ),
    fix="Set kmsKeyId to the ARN of a KMS key, which replaces an existing volume, or add a DefaultKmsKey.",
    peers="CKV_AWS_189 AWS-0027",
)


def _image_brings_disks_of_its_own(it: View, _: Settings) -> Verdict:
    """A template that describes no disk takes those of the image: AWS's are in clear, as all that are public are."""
    if it.count("blockDeviceMappings"):
        return NOT_APPLICABLE
    image = it.text("imageId") or _OF_AWS
    return fail("no disk is described, so it is as in the image") if image.startswith(_OF_AWS) else UNKNOWN


RULES.row(
    "aws-lt-ebs-encrypted",
    "A launch template encrypts its disks.",
    on=EC2_LAUNCH_TEMPLATE,
    check=Either(
        All(
            Each("blockDeviceMappings[].ebs", Is("encrypted", value=True)),
            Custom(_image_brings_disks_of_its_own),
        ),
        _BY_DEFAULT,
    ),
    severity=HIGH,
    rationale="Nodes keep images, caches and mounted secrets on these disks, and each snapshot of one is in clear.",
    fix='Set encrypted to "true" in an ebs block for each of blockDeviceMappings, the disk of the image among them; '
    "nodes get it when they are replaced.",
    cis=_CIS_DISKS,
)
RULES.row(
    "aws-lt-ebs-cmk",
    "A launch template encrypts every disk that it describes with a key of the customer's own.",
    on=EC2_LAUNCH_TEMPLATE,
    check=Each("blockDeviceMappings[].ebs", _OWN_KEY),
    severity=MEDIUM,
    rationale=(
        "With AWS's key nobody can cut the disks of a stolen cluster off without stopping all others of the account."
    ),
    fix=(
        "Set kmsKeyId in each ebs block to the ARN of a KMS key, and let the role of the Auto Scaling service use it: "
        "without that no node starts."
    ),
)
RULES.row(
    "aws-ec2-root-encrypted",
    "An instance has encrypted disks.",
    on=_INSTANCES,
    check=ByType(
        {
            type_: Either(
                All(
                    Where(
                        Custom(lambda it, _: allow(_shapes_its_root(it), "a template does it")),
                        Is("rootBlockDevice.encrypted", value=True),
                    ),
                    Each("ebsBlockDevices[]", Is("encrypted", value=True)),
                ),
                _BY_DEFAULT,
            )
            for type_ in _INSTANCES
        }
    ),
    severity=HIGH,
    rationale="Its disk takes over what the image has, and most images are in clear; so is each snapshot then.",
    fix="Set encrypted to true in rootBlockDevice and in each of ebsBlockDevices; the instance is replaced.",
    peers="CKV_AWS_8 AWS-0131 KICS:1f624961 AWS-0008",
    cis=_CIS_DISKS,
)


def _shapes_its_root(it: View) -> bool:
    """Return whether an instance, and not a launch template, says what its first disk is like."""
    return "rootBlockDevice" in it or "launchTemplate" not in it


RULES.row(
    "aws-ec2-ebs-default",
    "Encryption of new disks by default is not turned off.",
    on=_DEFAULT,
    check=Is("enabled", value=True),
    severity=MEDIUM,
    rationale="Every disk in the region that somebody makes by hand, or a driver for a pod, is in clear again.",
    fix="Set enabled to true, or leave it out; existing disks stay as they are.",
    peers="CKV_AWS_106 KICS:3d3f6270",
    cis=_CIS_DISKS,
)

RULES.row(
    "aws-efs-encrypted",
    "A shared file system is encrypted.",
    on=EFS_FILE_SYSTEM,
    check=Is("encrypted", value=True),
    severity=HIGH,
    rationale="Home directories and notebooks lie in clear on disks that others share, and in every backup of them.",
    fix="Set encrypted to true; an existing file system is replaced, so copy its files over first.",
    peers="CKV_AWS_42 AWS-0037 KICS:48207659",
    cis=("AWS 5.0: 2.3.1†",),
)
RULES.row(
    "aws-efs-cmk",
    "A shared file system is encrypted with a key of the customer's own.",
    on=(EFS_FILE_SYSTEM, "aws:s3/filesFileSystem:FilesFileSystem"),
    check=OwnKey("kmsKeyId"),
    severity=MEDIUM,
    rationale="With AWS's key the files of a project cannot be put out of reach by disabling its key.",
    fix="Set kmsKeyId to the ARN of a KMS key; an existing file system is replaced.",
    peers="CKV_AWS_184 KICS:25d251f3",
)
RULES.row(
    "aws-fsx-lustre-cmk",
    "A persistent Lustre file system is encrypted with a key of the customer's own.",
    on=FSX_LUSTRE_FILE_SYSTEM,
    check=Where(_PERSISTENT, OwnKey("kmsKeyId")),
    severity=MEDIUM,
    rationale="Training data and checkpoints stay readable as long as AWS keeps its key: nobody can withdraw it.",
    fix="Set kmsKeyId to the ARN of a KMS key; an existing file system is replaced.",
    peers="CKV_AWS_190",
)
RULES.row(
    "aws-fsx-lustre-persistent",
    "A Lustre file system that nobody calls ephemeral is persistent.",
    on=FSX_LUSTRE_FILE_SYSTEM,
    check=Either(_PERSISTENT, OneOf("tags.tier", ("ephemeral", "scratch"))),
    severity=MEDIUM,
    rationale=(
        "A scratch file system takes no key of one's own, and loses files for good when one of its servers fails."
    ),
    fix="Set deploymentType to PERSISTENT_2, which costs more and replaces it, or tag it tier: ephemeral.",
)
RULES.row(
    "aws-fsx-openzfs-cmk",
    "An OpenZFS file system is encrypted with a key of the customer's own.",
    on=FSX_OPEN_ZFS_FILE_SYSTEM,
    check=OwnKey("kmsKeyId"),
    severity=MEDIUM,
    rationale="Its backups cannot be restored in a recovery account, because AWS's key leaves the account for nobody.",
    fix="Set kmsKeyId to the ARN of a KMS key; an existing file system is replaced.",
    peers="CKV_AWS_203",
)
RULES.row(
    "aws-fsx-ontap-cmk",
    "An ONTAP file system is encrypted with a key of the customer's own.",
    on=FSX_ONTAP_FILE_SYSTEM,
    check=OwnKey("kmsKeyId"),
    severity=MEDIUM,
    rationale="With AWS's key nobody can put the volumes of one tenant out of reach without harm to the others.",
    fix="Set kmsKeyId to the ARN of a KMS key; an existing file system is replaced.",
    peers="CKV_AWS_178",
)
RULES.row(
    "aws-fsx-cache-cmk",
    "A file cache is encrypted with a key of the customer's own.",
    on=FSX_FILE_CACHE,
    check=OwnKey("kmsKeyId"),
    severity=MEDIUM,
    rationale="It holds copies of data from elsewhere, which stay readable when the key of the original is withdrawn.",
    fix="Set kmsKeyId to the ARN of a KMS key; an existing cache is replaced.",
)
