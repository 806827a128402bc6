"""Resources of AWS that a switch, and not a policy document, makes public: images, snapshots, objects, functions."""

from __future__ import annotations

from typing import Final

from penstock.aws.model.iam_statements import EVERYBODY
from penstock.aws.types import (
    BEDROCK_AGENTCORE_GATEWAY,
    CLOUDWATCH_EVENT_PERMISSION,
    EC2_AMI_LAUNCH_PERMISSION,
    EC2_VPC_ENDPOINT_SERVICE,
    LAMBDA_FUNCTION_URL,
    LAMBDA_LAYER_VERSION_PERMISSION,
    LAMBDA_PERMISSION,
    S3_BUCKET,
    S3_BUCKET_ACL,
    S3_BUCKET_OWNERSHIP_CONTROLS,
    SSM_DOCUMENT,
)
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow
from penstock.graph.view import View
from penstock.rules.checks import Absent, All, ByType, Custom, Either, Given, Is, IsNot, Matches, NoneOf, Unlike, Where
from penstock.rules.levels import CRITICAL, HIGH, LOW, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.IDENTITY)

_LIMITS: Final = ("principalOrgId", "sourceAccount", "sourceArn")
_SNAPSHOTS: Final = ("aws:rds/snapshot:Snapshot", "aws:rds/clusterSnapshot:ClusterSnapshot")
_ALL: Final = "all"
_IMAGES_BLOCK: Final = "aws:ec2/imageBlockPublicAccess:ImageBlockPublicAccess"
_OBJECTS: Final = ("aws:s3/bucketObject:BucketObject", "aws:s3/bucketObjectv2:BucketObjectv2")
_NOT_PUBLIC: Final = NoneOf("acl", ("public-read", "public-read-write", "authenticated-read"))
_ANYBODY: Final = r".*/groups/global/(AllUsers|AuthenticatedUsers)"
"""The groups of everybody, with an AWS account or without (S3 user guide, "Amazon S3 predefined groups")."""

RULES.row(
    "aws-share-not-public",
    "No image, snapshot, script, layer or endpoint service is shared with every account.",
    on=(
        EC2_AMI_LAUNCH_PERMISSION,
        *_SNAPSHOTS,
        SSM_DOCUMENT,
        LAMBDA_LAYER_VERSION_PERMISSION,
        CLOUDWATCH_EVENT_PERMISSION,
        EC2_VPC_ENDPOINT_SERVICE,
    ),
    check=ByType(
        {
            EC2_AMI_LAUNCH_PERMISSION: IsNot("group", _ALL),
            **dict.fromkeys(_SNAPSHOTS, IsNot("sharedAccounts[]", _ALL)),
            SSM_DOCUMENT: IsNot("permissions.account_ids", _ALL),
            LAMBDA_LAYER_VERSION_PERMISSION: Where(Absent("organizationId"), IsNot("principal", EVERYBODY)),
            CLOUDWATCH_EVENT_PERMISSION: Where(Absent("condition"), IsNot("principal", EVERYBODY)),
            EC2_VPC_ENDPOINT_SERVICE: Where(
                Is("acceptanceRequired", value=False), IsNot("allowedPrincipals[]", EVERYBODY)
            ),
        }
    ),
    severity=CRITICAL,
    rationale="Anyone on AWS starts a copy and reads what was left in it: weights, keys, rows. Researchers list such "
    "snapshots every day, and so do others.",
    fix="Name the accounts that need it, or the organization where that can be named.",
    peers="CKV_AWS_302 CKV_AWS_303",
)
RULES.row(
    "aws-share-block-public",
    "What keeps images and snapshots of a region from the public is not turned off.",
    on=("aws:ebs/snapshotBlockPublicAccess:SnapshotBlockPublicAccess", _IMAGES_BLOCK),
    check=IsNot("state", "unblocked"),
    severity=HIGH,
    rationale="One mistake in a script or on the console, and a disk with all that is on it is anybody's to copy.",
    fix="Set state to block-new-sharing, or for snapshots to block-all-sharing.",
)
RULES.row(
    "aws-s3-acl-private",
    "No ACL lets everybody read or write objects.",
    on=(S3_BUCKET, S3_BUCKET_ACL, *_OBJECTS),
    check=ByType(
        {
            S3_BUCKET: All(_NOT_PUBLIC, Unlike("grants[].uri", _ANYBODY)),
            S3_BUCKET_ACL: All(_NOT_PUBLIC, Unlike("accessControlPolicy.grants[].grantee.uri", _ANYBODY)),
            **dict.fromkeys(_OBJECTS, _NOT_PUBLIC),
        }
    ),
    severity=CRITICAL,
    rationale="Anyone on the internet reads the objects, or writes some; searches for such buckets run day and night.",
    fix="Remove acl and grants, and let a bucket policy name who may read; a public site goes behind CloudFront.",
    peers="CKV_AWS_20 CKV_AWS_57 AWS-0092 KICS:38c5ee0d KICS:57b9893d KICS:bf878b1a KICS:bd0088a5 "
    "CKV2_AWS_43 CKV_AWS_375 AWS-0161",
)
RULES.row(
    "aws-s3-acl-no-delegation",
    "No ACL lets others change the ACL of a bucket.",
    on=(S3_BUCKET, S3_BUCKET_ACL),
    check=ByType(
        {
            S3_BUCKET: IsNot("grants[].permissions[]", "WRITE_ACP"),
            S3_BUCKET_ACL: IsNot("accessControlPolicy.grants[].permission", "WRITE_ACP"),
        }
    ),
    severity=HIGH,
    rationale="Whoever may write the ACL opens the bucket to everybody, without a right that anyone reviews.",
    fix="Remove the grant of WRITE_ACP, and let a bucket policy name who may do what.",
    peers="KICS:64a222aa",
)
RULES.row(
    "aws-s3-acls-disabled",
    "A bucket is ruled by policies, and its ACLs are off.",
    on=S3_BUCKET_OWNERSHIP_CONTROLS,
    check=Is("rule.objectOwnership", "BucketOwnerEnforced"),
    severity=LOW,
    rationale="An object that another account uploads belongs to that account, and its ACL opens it to others.",
    fix="Set rule.objectOwnership to BucketOwnerEnforced; a bucket that takes logs by an ACL needs a policy for them "
    "first.",
    peers="CKV2_AWS_65",
)


def _permission_names_somebody(it: View, _: Settings) -> Verdict:
    """Return whether a permission names a caller: an account, a service, an organisation or what it is called from."""
    if it.text("principal") != EVERYBODY:
        return NOT_APPLICABLE
    limited = any(it.value(key) is not None for key in _LIMITS)
    return allow(limited, "everyone who has an AWS account may call the function", path="principal")


RULES.row(
    "aws-lambda-permission-source",
    "A permission for a service names the resource or the account that it may call for.",
    on=LAMBDA_PERMISSION,
    check=Where(
        Matches("principal", r".+\.amazonaws\.com(?:\.cn)?"),
        Either(Given("sourceArn"), Given("sourceAccount"), Given("principalOrgId")),
    ),
    severity=HIGH,
    rationale="The service calls the function for any of its customers: a stranger's topic or bucket starts the code.",
    fix="Set sourceArn to the rule, topic, bucket or API that calls the function; add sourceAccount for buckets.",
    peers="AWS-0067 CKV_AWS_364",
)
RULES.row(
    "aws-lambda-permission-action",
    "A permission allows one action of a function.",
    on=LAMBDA_PERMISSION,
    check=NoneOf("action", ("lambda:*", "*")),
    severity=HIGH,
    rationale="Whoever may call the function may as well replace its code, and runs what he likes with its role.",
    fix="Set action to lambda:InvokeFunction, or to lambda:InvokeFunctionUrl for a function URL.",
    peers="KICS:ad9dabc7",
)
RULES.row(
    "aws-lambda-not-public",
    "A function, or a gateway to the tools of agents, is not for everybody to call.",
    on=(LAMBDA_PERMISSION, LAMBDA_FUNCTION_URL, BEDROCK_AGENTCORE_GATEWAY),
    check=ByType(
        {
            LAMBDA_PERMISSION: Custom(_permission_names_somebody),
            LAMBDA_FUNCTION_URL: Is("authorizationType", "AWS_IAM"),
            BEDROCK_AGENTCORE_GATEWAY: IsNot("authorizerType", "NONE"),
        }
    ),
    severity=HIGH,
    rationale=(
        "Strangers run the code with its role, as often as they like: they exploit any bug in it, and the bill is "
        "yours."
    ),
    fix="Set authorizationType (authorizerType of a gateway) to AWS_IAM, and principal to an account or a "
    "service with sourceArn; what shall be public goes behind API Gateway or CloudFront, with limits.",
    peers="CKV_AWS_258 CKV_AWS_301 KICS:e08ed7eb",
)
