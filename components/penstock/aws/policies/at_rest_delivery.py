"""Encryption at rest of builds, functions, images of machines and their copies on AWS."""

from __future__ import annotations

from typing import Final

from penstock.aws.policies.keys import OwnKey
from penstock.aws.types import (
    CODEARTIFACT_DOMAIN,
    CODEBUILD_PROJECT,
    CODEPIPELINE_PIPELINE,
    EBS_SNAPSHOT_COPY,
    EC2_AMI_COPY,
    IMAGEBUILDER_COMPONENT,
    IMAGEBUILDER_CONTAINER_RECIPE,
    IMAGEBUILDER_DISTRIBUTION_CONFIGURATION,
    IMAGEBUILDER_IMAGE_RECIPE,
    LAMBDA_FUNCTION,
    NETWORKFIREWALL_FIREWALL,
    SSM_PARAMETER,
)
from penstock.rules.checks import Absent, All, ByType, Each, Given, Is, IsNot, Where
from penstock.rules.levels import HIGH, LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.AT_REST)

_IMAGE: Final = "aws:ec2/ami:Ami"
_LIFECYCLE: Final = "aws:dlm/lifecyclePolicy:LifecyclePolicy"
_EVENT_COPIES: Final = "policyDetails.action.crossRegionCopies[].encryptionConfiguration"
_SCHEDULED_COPIES: Final = "policyDetails.schedules[].crossRegionCopyRules[]"
_KEEPS_ARTIFACTS: Final = IsNot("type", "NO_ARTIFACTS")
_ENCRYPTED: Final = IsNot("encryptionDisabled", value=True)

RULES.row(
    "aws-codebuild-encrypted",
    "A build encrypts its artifacts and logs.",
    on=CODEBUILD_PROJECT,
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
        CODEBUILD_PROJECT,
        CODEPIPELINE_PIPELINE,
        CODEARTIFACT_DOMAIN,
        IMAGEBUILDER_COMPONENT,
        IMAGEBUILDER_CONTAINER_RECIPE,
    ),
    check=ByType(
        {
            CODEBUILD_PROJECT: OwnKey("encryptionKey"),
            CODEPIPELINE_PIPELINE: OwnKey("artifactStores[].encryptionKey.id"),
            CODEARTIFACT_DOMAIN: OwnKey("encryptionKey"),
            IMAGEBUILDER_COMPONENT: OwnKey("kmsKeyId"),
            IMAGEBUILDER_CONTAINER_RECIPE: OwnKey("kmsKeyId"),
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
    on=(_IMAGE, EC2_AMI_COPY, EBS_SNAPSHOT_COPY, _LIFECYCLE),
    check=ByType(
        {
            _IMAGE: Each("ebsBlockDevices[]", Where(Absent("snapshotId"), Is("encrypted", value=True))),
            EC2_AMI_COPY: Is("encrypted", value=True),
            EBS_SNAPSHOT_COPY: Is("encrypted", value=True),
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
        EC2_AMI_COPY,
        EBS_SNAPSHOT_COPY,
        _LIFECYCLE,
        IMAGEBUILDER_IMAGE_RECIPE,
        IMAGEBUILDER_DISTRIBUTION_CONFIGURATION,
    ),
    check=ByType(
        {
            EC2_AMI_COPY: OwnKey("kmsKeyId"),
            EBS_SNAPSHOT_COPY: OwnKey("kmsKeyId"),
            _LIFECYCLE: All(Each(_EVENT_COPIES, OwnKey("cmkArn")), Each(_SCHEDULED_COPIES, OwnKey("cmkArn"))),
            IMAGEBUILDER_IMAGE_RECIPE: Each("blockDeviceMappings[].ebs", OwnKey("kmsKeyId")),
            IMAGEBUILDER_DISTRIBUTION_CONFIGURATION: Each(
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
        NETWORKFIREWALL_FIREWALL,
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
    on=LAMBDA_FUNCTION,
    check=Where(Given("environment.variables"), OwnKey("kmsKeyArn")),
    severity=LOW,
    rationale="Everyone with lambda:GetFunction reads the variables, and no key policy stops them.",
    fix="Set kmsKeyArn to a KMS key, and let the role of the function use it.",
    peers="CKV_AWS_173",
)
RULES.row(
    "aws-ssm-parameter-cmk",
    "A secret parameter is encrypted with a key of the customer's own.",
    on=SSM_PARAMETER,
    check=Where(Is("type", "SecureString"), OwnKey("keyId")),
    severity=MEDIUM,
    rationale="With AWS's key everyone who may read the parameter decrypts it: no second permission is needed.",
    fix="Set keyId to a KMS key of your own.",
    peers="CKV_AWS_337",
)
