"""Rights of other AWS accounts in buckets of S3."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from penstock.aws.model.iam_statements import Statement
from penstock.aws.policies.documents import BUCKET_POLICIES, OfDocuments, check_of_statements
from penstock.aws.policies.own_accounts import ACCOUNT, own_accounts
from penstock.aws.types import S3_BUCKET, S3_BUCKET_POLICY
from penstock.graph.verdict import NOT_APPLICABLE, NotKnown, Verdict, allow, each
from penstock.graph.view import View
from penstock.rules.checks import Custom
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.IDENTITY)

_BUCKETS: Final = dict.fromkeys((S3_BUCKET_POLICY, S3_BUCKET), ("policy",))
_SETTINGS: Final = (
    "s3:PutBucketPolicy",
    "s3:DeleteBucketPolicy",
    "s3:PutBucketAcl",
    "s3:PutObjectAcl",
    "s3:PutEncryptionConfiguration",
)
"""The actions of the control S3.6 of Security Hub."""
_WRITES: Final = ("s3:DeleteObject", "s3:DeleteObjectVersion", "s3:PutObject")
_PRINCIPAL: Final = re.compile(r"(?:arn:aws[\w-]*:(?:iam|sts)::)?(\d{12})(?::.+)?")
_LOGS: Final = re.compile(r"arn:[^:]*:s3:::.+/AWSLogs/.*")
"""Where accounts of AWS write logs of load balancers (Elastic Load Balancing user guide)."""
_REPLACING: Final = "s3:PutBucketPolicy"


def _others(statement: Statement, own: frozenset[str], form: re.Pattern[str]) -> list[str]:
    """The accounts among the principals that the program does not work in.

    Raises:
        NotKnown: there are accounts, and each may be the program's own.
    """
    accounts = [match[1] for who in statement.named("AWS") if (match := form.fullmatch(who))]
    if accounts and not own:
        raise NotKnown
    return [account for account in accounts if account not in own]


def _complains_of_settings(own: frozenset[str], statement: Statement) -> str | None:
    action = next((action for action in _SETTINGS if statement.is_about(action)), None)
    others = _others(statement, own, _PRINCIPAL) if action else []
    return f"account {others[0]} has {action}" if others else None


def _complains_of_writes(own: frozenset[str], statement: Statement) -> str | None:
    action = next((action for action in _WRITES if statement.is_about(action)), None)
    if action is None or statement.conditions or all(_LOGS.fullmatch(resource) for resource in statement.resources):
        return None
    others = _others(statement, own, ACCOUNT)
    return f"everyone whom account {others[0]} allows has {action}" if others else None


def _of_other_accounts(complaint: Callable[[frozenset[str], Statement], str | None]) -> Custom:
    def judge(it: View, settings: Settings) -> Verdict:
        own = own_accounts(it)
        check = OfDocuments(_BUCKETS, check_of_statements(lambda statement: complaint(own, statement)))
        return check.judge(it, settings)

    return Custom(judge, others=True)


RULES.row(
    "aws-s3-policy-foreign-admin",
    "The policy of a bucket lets no other account change the policy, ACLs or encryption.",
    on=tuple(_BUCKETS),
    check=_of_other_accounts(_complains_of_settings),
    severity=HIGH,
    rationale="The other account opens the bucket to everybody, or locks its owner out.",
    fix="Remove these actions from statements for other accounts, and name the ones that they need, such as "
    "s3:GetObject.",
)
RULES.row(
    "aws-s3-policy-foreign-writes",
    "The policy of a bucket names the roles of other accounts that write or delete objects.",
    on=tuple(_BUCKETS),
    check=_of_other_accounts(_complains_of_writes),
    severity=MEDIUM,
    rationale="Any role of the other account, as its administrators like, replaces or deletes data and models.",
    fix="Name roles in Principal in place of the whole account, or add a condition such as aws:PrincipalArn.",
)


def _leaves_a_way_in(statements: tuple[Statement, ...], path: str) -> Verdict:
    def one(statement: Statement) -> Verdict:
        if statement.allows:
            return NOT_APPLICABLE
        locked = statement.is_about(_REPLACING) and statement.is_for_everybody and not statement.conditions
        return allow(not locked or statement.gives("NotPrincipal"), "the policy denies everybody its change", path=path)

    return each(statements, one)


RULES.row(
    "aws-s3-policy-no-lockout",
    "The policy of a bucket leaves someone who can change it.",
    on=tuple(BUCKET_POLICIES),
    check=OfDocuments(BUCKET_POLICIES, _leaves_a_way_in),
    severity=MEDIUM,
    rationale="Only the root user of the account can delete such a policy, and no deployment changes it any more.",
    fix="Add a condition to the statement, or name the principals and actions that it denies.",
    peers="CKV_AWS_93",
)
