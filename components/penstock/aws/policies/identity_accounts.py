"""Accounts on AWS: users and their passwords, permission sets, and trust between accounts."""

from __future__ import annotations

from typing import Final

from penstock.aws.model.iam_statements import Condition, Statement
from penstock.aws.policies.documents import OfDocuments, check_of_statements
from penstock.aws.policies.own_accounts import ACCOUNT, own_accounts
from penstock.aws.types import (
    IAM_POLICY_ATTACHMENT,
    IAM_ROLE,
    IAM_USER,
    IAM_USER_POLICY,
    IAM_USER_POLICY_ATTACHMENT,
    IAM_USER_POLICY_ATTACHMENTS_EXCLUSIVE,
)
from penstock.graph.verdict import NotKnown, Verdict, allow, fail
from penstock.graph.view import View
from penstock.rules.checks import Absent, All, AtLeast, ByType, Custom, Has, Is, IsNot, OneOf, Unlike
from penstock.rules.levels import HIGH, LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.IDENTITY)

_LOGIN: Final = "aws:iam/userLoginProfile:UserLoginProfile"
_INLINE_OF_USER: Final = "aws:iam/userPoliciesExclusive:UserPoliciesExclusive"
_PASSWORDS: Final = "aws:iam/accountPasswordPolicy:AccountPasswordPolicy"
_ASSUME: Final = "sts:AssumeRole"
_MFA: Final = "aws:multifactorauthpresent"
_PROOFS: Final = ("sts:externalid", _MFA, "aws:multifactorauthage")


def _has_no_password(user: View, _: Settings) -> Verdict:
    if user.type == _LOGIN:
        return fail("the user logs in with a password")
    logins = user.referrers(_LOGIN, "user")
    return allow(not logins, "the user logs in with a password")


RULES.row(
    "aws-iam-no-console-login",
    "No IAM user logs in with a password of their own.",
    on=(IAM_USER, _LOGIN),
    check=ByType(dict.fromkeys((IAM_USER, _LOGIN), Custom(_has_no_password, others=True))),
    severity=MEDIUM,
    rationale="The password works from anywhere, outlives the person's employment, and no second factor is certain.",
    fix="Remove the UserLoginProfile, and let people log in through IAM Identity Center.",
    peers="CKV2_AWS_22 KICS:9ec311bf KICS:b592ffd4",
)
RULES.row(
    "aws-iam-user-policies",
    "Users get rights through groups.",
    on=(
        IAM_USER_POLICY,
        IAM_USER_POLICY_ATTACHMENT,
        IAM_POLICY_ATTACHMENT,
        IAM_USER_POLICY_ATTACHMENTS_EXCLUSIVE,
        _INLINE_OF_USER,
    ),
    check=ByType(
        {
            IAM_USER_POLICY: Custom(lambda _: fail("a user has a policy inline"), takes_settings=False),
            IAM_USER_POLICY_ATTACHMENT: Custom(lambda _: fail("a policy is attached to a user"), takes_settings=False),
            IAM_POLICY_ATTACHMENT: Absent("users"),
            IAM_USER_POLICY_ATTACHMENTS_EXCLUSIVE: Absent("policyArns"),
            _INLINE_OF_USER: Absent("policyNames"),
        }
    ),
    severity=LOW,
    rationale="Rights of single users are forgotten when people change teams, and reviews do not see them.",
    fix="Attach the policy to a group, or to a role that people assume.",
    peers="CKV_AWS_40 KICS:b4378389 AWS-0143",
    cis=("AWS 5.0: 1.14†",),
)
RULES.row(
    "aws-iam-password-policy",
    "Passwords have 14 characters and are not used again.",
    on=_PASSWORDS,
    check=All(
        AtLeast("minimumPasswordLength", 14),
        AtLeast("passwordReusePrevention", 24),
        IsNot("allowUsersToChangePassword", value=False),
    ),
    severity=MEDIUM,
    rationale="Short and known passwords are guessed from lists, and a user who cannot change one keeps a leaked one.",
    fix="Set minimumPasswordLength to 14, passwordReusePrevention to 24, and allowUsersToChangePassword to true.",
    peers="CKV_AWS_10 CKV_AWS_13 AWS-0056 AWS-0063 KICS:1bc1c685 KICS:89806cdc KICS:9ef7d25d",
    cis=("AWS 5.0: 1.7†", "AWS 5.0: 1.8†"),
)
RULES.row(
    "aws-iam-password-characters",
    "Passwords mix letters, digits and symbols.",
    on=_PASSWORDS,
    check=All(
        Is("requireLowercaseCharacters", value=True),
        Is("requireUppercaseCharacters", value=True),
        Is("requireNumbers", value=True),
        Is("requireSymbols", value=True),
    ),
    severity=LOW,
    rationale="Auditors ask for it, and lists of common words open accounts without it.",
    fix="Set requireLowercaseCharacters, requireUppercaseCharacters, requireNumbers and requireSymbols to true.",
    peers="CKV_AWS_11 CKV_AWS_12 CKV_AWS_14 CKV_AWS_15 AWS-0058 AWS-0059 AWS-0060 AWS-0061",
)
RULES.row(
    "aws-sso-no-admin",
    "No permission set of Identity Center has AWS' own policies of administrators.",
    on="aws:ssoadmin/managedPolicyAttachment:ManagedPolicyAttachment",
    check=Unlike("managedPolicyArn", r"arn:aws[\w-]*:iam::aws:policy/(?:AdministratorAccess|IAMFullAccess)"),
    severity=HIGH,
    rationale="Everyone whom a group in the directory assigns owns each account that the permission set reaches.",
    fix="Attach a policy with the actions that the people need, and keep a separate set with a short session for "
    "emergencies.",
    peers="CKV_AWS_274 CKV2_AWS_56",
    cis=("AWS 5.0: 1.15†",),
)
RULES.row(
    "aws-org-scp",
    "An organization has service control policies turned on.",
    on="aws:organizations/organization:Organization",
    check=All(Has("enabledPolicyTypes", ("SERVICE_CONTROL_POLICY",)), IsNot("featureSet", "CONSOLIDATED_BILLING")),
    severity=MEDIUM,
    rationale="Nothing bounds what an administrator of a member account does: he turns its logs off.",
    fix="Add SERVICE_CONTROL_POLICY to enabledPolicyTypes, and set featureSet to ALL.",
    peers="KICS:5ba6229c",
)
RULES.row(
    "aws-cognito-mfa",
    "A user pool offers a second factor.",
    on="aws:cognito/userPool:UserPool",
    check=OneOf("mfaConfiguration", ("ON", "OPTIONAL")),
    severity=MEDIUM,
    rationale="A password that leaked elsewhere opens the account, and with it the prompts and files of that person.",
    fix="Set mfaConfiguration to ON, with softwareTokenMfaConfiguration; users enroll at their next login.",
    peers="KICS:ec28bf61",
)


def _complains_of_other_accounts(own: frozenset[str], statement: Statement) -> str | None:
    if not statement.is_about(_ASSUME) or statement.limits_who:
        return None
    accounts = [match[1] for who in statement.named("AWS") if (match := ACCOUNT.fullmatch(who))]
    others = [account for account in accounts if account not in own]
    if not others or any(_is_proof(condition) for condition in statement.conditions):
        return None
    if not own:
        raise NotKnown  # it may be the account of the role itself
    return f"anyone whom account {others[0]} allows may assume the role, for whatever customer of it"


def _is_proof(condition: Condition) -> bool:
    asks = condition.key != _MFA or set(condition.values) == {"true"}
    return condition.key in _PROOFS and condition.binds and asks


def _outsiders_prove_themselves(role: View, settings: Settings) -> Verdict:
    own = own_accounts(role)
    check = OfDocuments(
        {IAM_ROLE: ("assumeRolePolicy",)},
        check_of_statements(lambda statement: _complains_of_other_accounts(own, statement)),
    )
    return check.judge(role, settings)


RULES.row(
    "aws-iam-external-id",
    "A role that another account assumes asks for an external id or a second factor.",
    on=IAM_ROLE,
    check=Custom(_outsiders_prove_themselves, others=True),
    severity=MEDIUM,
    rationale="A provider who serves many customers is tricked into using the role of one for another.",
    fix="Ask for sts:ExternalId by StringEquals where the account is a vendor's, for aws:MultiFactorAuthPresent where "
    "people assume the role, and for aws:PrincipalOrgID where the account is of your own organization.",
    peers="KICS:09c35abf",
)


def _complains_of_whole_accounts(statement: Statement) -> str | None:
    if not statement.is_about(_ASSUME) or statement.limits_who or any(map(_is_proof, statement.conditions)):
        return None
    account = next((match[1] for who in statement.named("AWS") if (match := ACCOUNT.fullmatch(who))), None)
    return None if account is None else f"every principal that account {account} allows to may assume the role"


RULES.row(
    "aws-iam-trust-named",
    "The trust of a role names principals, not a whole account.",
    on=IAM_ROLE,
    check=OfDocuments({IAM_ROLE: ("assumeRolePolicy",)}, check_of_statements(_complains_of_whole_accounts)),
    severity=LOW,
    rationale="Every user and role of the account with a wide policy, such as a CI job, may then become this role.",
    fix="Name roles in Principal.AWS of assumeRolePolicy, or limit the account by aws:PrincipalArn or a second factor.",
    peers="CKV_AWS_61",
)


def _complains_of_one_factor(statement: Statement) -> str | None:
    if not statement.is_about(_ASSUME) or any(map(_is_proof, statement.conditions)):
        return None
    return "the user assumes roles without a second factor"


RULES.row(
    "aws-iam-user-mfa",
    "A user assumes roles with a second factor only.",
    on=IAM_USER_POLICY,
    check=OfDocuments({IAM_USER_POLICY: ("policy",)}, check_of_statements(_complains_of_one_factor)),
    severity=LOW,
    rationale="A leaked access key or a guessed password then has the rights of every role that the user may assume.",
    fix="Add the condition Bool aws:MultiFactorAuthPresent true to the statement with sts:AssumeRole; better, let "
    "people log in through IAM Identity Center.",
    peers="KICS:3ddfa124 KICS:b5681959",
)
