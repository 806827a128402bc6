"""Encryption at rest of builds, functions, images of machines and their copies on AWS."""

from __future__ import annotations

from typing import Final

from penstock.aws.policies.keys import OwnKey
from penstock.rules.checks import Absent, All, ByType, Each, Given, Is, IsNot, Where
from penstock.rules.levels import HIGH, LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.AT_REST)

_BUILD: Final = "aws:codebuild/project:Project"
_IMAGE: Final = "aws:ec2/ami:Ami"
_IMAGE_COPY: Final = "aws:ec2/amiCopy:AmiCopy"
_SNAPSHOT_COPY: Final = "aws:ebs/snapshotCopy:SnapshotCopy"
_LIFECYCLE: Final = "aws:dlm/lifecyclePolicy:LifecyclePolicy"
_EVENT_COPIES: Final = "policyDetails.action.crossRegionCopies[].encryptionConfiguration"
_SCHEDULED_COPIES: Final = "policyDetails.schedules[].crossRegionCopyRules[]"
_KEEPS_ARTIFACTS: Final = IsNot("type", "NO_ARTIFACTS")
_ENCRYPTED: Final = IsNot("encryptionDisabled", value=True)

RULES.row(
    "aws-codebuild-encrypted",
    "A build encrypts its artifacts and logs.",
    on=_BUILD,
    check=All(
        Each("artifacts", Where(_KEEPS_ARTIFACTS, _ENCRYPTED)),
        Each("secondaryArtifacts[]", Where(_KEEPS_ARTIFACTS, _ENCRYPTED)),
        Each("logsConfig.s3Logs", _ENCRYPTED),
    ),
    severity=HIGH,
    rationale="Whoever may read the bucket reads the software and what the build printed: no key is needed.",
    fix="Remove encryptionDisabled, or set it to false.",
    peers="AWS-0018 CKV_AWS_78 CKV_AWS_311",
)
RULES.row(
    "aws-delivery-cmk",
    "Builds, pipelines and packages are encrypted with a key of the customer's own.",
    on=(
        _BUILD,
        "aws:codepipeline/pipeline:Pipeline",
        "aws:codeartifact/domain:Domain",
        "aws:imagebuilder/component:Component",
        "aws:imagebuilder/containerRecipe:ContainerRecipe",
    ),
    check=ByType(
        {
            _BUILD: OwnKey("encryptionKey"),
            "aws:codepipeline/pipeline:Pipeline": OwnKey("artifactStores[].encryptionKey.id"),
            "aws:codeartifact/domain:Domain": OwnKey("encryptionKey"),
            "aws:imagebuilder/component:Component": OwnKey("kmsKeyId"),
            "aws:imagebuilder/containerRecipe:ContainerRecipe": OwnKey("kmsKeyId"),
        }
    ),
    severity=LOW,
    rationale="With AWS's key no policy says who may decrypt the software, and other accounts cannot be given it.",
    fix="Set encryptionKey (artifactStores[].encryptionKey.id of a pipeline, kmsKeyId in Image Builder) to a KMS key; "
    "a CodeArtifact domain is replaced with its packages.",
    peers="CKV_AWS_147 KICS:3deec14b CKV_AWS_219 CKV_AWS_221 CKV_AWS_180",
)
RULES.row(
    "aws-image-copies-encrypted",
    "Images of machines, and copies of images and snapshots, are encrypted.",
    on=(_IMAGE, _IMAGE_COPY, _SNAPSHOT_COPY, _LIFECYCLE),
    check=ByType(
        {
            _IMAGE: Each("ebsBlockDevices[]", Where(Absent("snapshotId"), Is("encrypted", value=True))),
            _IMAGE_COPY: Is("encrypted", value=True),
            _SNAPSHOT_COPY: Is("encrypted", value=True),
            _LIFECYCLE: All(
                Each(_EVENT_COPIES, Is("encrypted", value=True)), Each(_SCHEDULED_COPIES, Is("encrypted", value=True))
            ),
        }
    ),
    severity=MEDIUM,
    rationale="A copy in clear can be shared with any account, and has all that was on the disk: weights, keys, rows.",
    fix="Set encrypted to true; an existing image or copy is replaced.",
    peers="CKV_AWS_204 KICS:8bbb242f CKV_AWS_235 CKV_AWS_253 CKV_AWS_255",
)
RULES.row(
    "aws-image-copies-cmk",
    "Images of machines, and copies of images and snapshots, are encrypted with a key of the customer's own.",
    on=(
        _IMAGE_COPY,
        _SNAPSHOT_COPY,
        _LIFECYCLE,
        "aws:imagebuilder/imageRecipe:ImageRecipe",
        "aws:imagebuilder/distributionConfiguration:DistributionConfiguration",
    ),
    check=ByType(
        {
            _IMAGE_COPY: OwnKey("kmsKeyId"),
            _SNAPSHOT_COPY: OwnKey("kmsKeyId"),
            _LIFECYCLE: All(Each(_EVENT_COPIES, OwnKey("cmkArn")), Each(_SCHEDULED_COPIES, OwnKey("cmkArn"))),
            "aws:imagebuilder/imageRecipe:ImageRecipe": Each("blockDeviceMappings[].ebs", OwnKey("kmsKeyId")),
            "aws:imagebuilder/distributionConfiguration:DistributionConfiguration": Each(
                "distributions[].amiDistributionConfiguration", OwnKey("kmsKeyId")
            ),
        }
    ),
    severity=LOW,
    rationale="A copy under AWS's key cannot be shared with a recovery account, and its owner cannot withdraw it.",
    fix="Set kmsKeyId (cmkArn of a lifecycle policy) to a KMS key of the region that the copy is in; an existing copy "
    "is replaced.",
    peers="CKV_AWS_236 CKV_AWS_183 CKV_AWS_254 CKV_AWS_256 CKV_AWS_199 CKV_AWS_200",
)
RULES.row(
    "aws-firewall-cmk",
    "A network firewall and its rules are encrypted with a key of the customer's own.",
    on=(
        "aws:networkfirewall/firewall:Firewall",
        "aws:networkfirewall/firewallPolicy:FirewallPolicy",
        "aws:networkfirewall/ruleGroup:RuleGroup",
    ),
    check=OwnKey("encryptionConfiguration.keyId"),
    severity=LOW,
    rationale="The rules list what the network trusts, and with AWS's key no policy limits who decrypts them.",
    fix="Set encryptionConfiguration.type to CUSTOMER_KMS and keyId to a KMS key.",
    peers="CKV_AWS_345 CKV_AWS_346",
)
RULES.row(
    "aws-lambda-env-cmk",
    "The variables of a function are encrypted with a key of the customer's own.",
    on="aws:lambda/function:Function",
    check=Where(Given("environment.variables"), OwnKey("kmsKeyArn")),
    severity=LOW,
    rationale="Everyone with lambda:GetFunction reads the variables, and no key policy stops them.",
    fix="Set kmsKeyArn to a KMS key, and let the role of the function use it.",
    peers="CKV_AWS_173",
)
RULES.row(
    "aws-ssm-parameter-cmk",
    "A secret parameter is encrypted with a key of the customer's own.",
    on="aws:ssm/parameter:Parameter",
    check=Where(Is("type", "SecureString"), OwnKey("keyId")),
    severity=MEDIUM,
    rationale="With AWS's key everyone who may read the parameter decrypts it: no second permission is needed.",
    fix="Set keyId to a KMS key of your own.",
    peers="CKV_AWS_337",
)
