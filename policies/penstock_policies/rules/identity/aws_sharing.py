"""What AWS shares with every account by a switch, and not by a policy document: images, snapshots, functions."""

from __future__ import annotations

from typing import Final

from penstock.resources.verdict import NOT_APPLICABLE, Verdict, allow
from penstock.resources.view import View
from penstock_policies.checks import Absent, ByType, Custom, Is, IsNot, Where
from penstock_policies.documents import EVERYBODY
from penstock_policies.rule import HIGH, Concern, Rules
from penstock_policies.settings import Settings

RULES = Rules(Concern.IDENTITY)

_PERMISSION: Final = "aws:lambda/permission:Permission"
_FUNCTION_URL: Final = "aws:lambda/functionUrl:FunctionUrl"
_LIMITS: Final = ("principalOrgId", "sourceAccount", "sourceArn")
_SNAPSHOTS: Final = ("aws:rds/snapshot:Snapshot", "aws:rds/clusterSnapshot:ClusterSnapshot")
_ALL: Final = "all"

RULES.row(
    "aws-share-not-public",
    "No image, snapshot, script or layer is shared with every account.",
    on=(
        "aws:ec2/amiLaunchPermission:AmiLaunchPermission",
        *_SNAPSHOTS,
        "aws:ssm/document:Document",
        "aws:lambda/layerVersionPermission:LayerVersionPermission",
        "aws:cloudwatch/eventPermission:EventPermission",
    ),
    check=ByType(
        {
            "aws:ec2/amiLaunchPermission:AmiLaunchPermission": IsNot("group", _ALL),
            **dict.fromkeys(_SNAPSHOTS, IsNot("sharedAccounts[]", _ALL)),
            "aws:ssm/document:Document": IsNot("permissions.account_ids", _ALL),
            "aws:lambda/layerVersionPermission:LayerVersionPermission": Where(
                Absent("organizationId"), IsNot("principal", EVERYBODY)
            ),
            "aws:cloudwatch/eventPermission:EventPermission": Where(Absent("condition"), IsNot("principal", EVERYBODY)),
        }
    ),
    weight=HIGH,
    why="Anyone on AWS starts a copy and reads what was left in it: weights, keys, rows. Researchers list such "
    "snapshots every day, and so do others.",
    fix="Name the accounts that need it, or the organization where that can be named.",
)


def _permission_names_somebody(it: View, _: Settings) -> Verdict:
    """Whether a permission names a caller: an account, a service, an organisation or what it is called from."""
    if it.text("principal") != EVERYBODY:
        return NOT_APPLICABLE
    limited = any(it.value(key) is not None for key in _LIMITS)
    return allow(limited, "everyone who has an AWS account may call the function", path="principal")


RULES.row(
    "aws-lambda-not-public",
    "A function is not for everybody to call.",
    on=(_PERMISSION, _FUNCTION_URL),
    check=ByType(
        {
            _PERMISSION: Custom(("principal", *_LIMITS), _permission_names_somebody),
            _FUNCTION_URL: Is("authorizationType", "AWS_IAM"),
        }
    ),
    weight=HIGH,
    why="Strangers run the code with its role, as often as they like: any slip in it is theirs, the bill is not.",
    fix="Set authorizationType to AWS_IAM, and principal to an account or a service with sourceArn; what shall be "
    "public goes behind API Gateway or CloudFront, with limits.",
    peers="CKV_AWS_258 CKV_AWS_301",
)
