"""Federation of GitHub Actions with AWS: workflows of pull requests."""

from __future__ import annotations

from typing import Final

from penstock.aws.model.iam_statements import Statement
from penstock.aws.policies.documents import OfDocuments, check_of_statements
from penstock.aws.types import IAM_ROLE
from penstock.policies.github_federation import ISSUER, OF_PULL_REQUESTS, RATIONALE
from penstock.rules.levels import MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.IDENTITY)

_WEB_IDENTITY: Final = "sts:AssumeRoleWithWebIdentity"


def _complains_of_pull_requests(statement: Statement) -> str | None:
    if not statement.is_about(_WEB_IDENTITY):
        return None
    subjects = [
        value
        for condition in statement.conditions
        if condition.key.startswith(ISSUER) and condition.key.endswith(":sub") and condition.binds
        for value in condition.values
        if OF_PULL_REQUESTS.fullmatch(value)
    ]
    return f"workflows of pull requests may assume the role: {subjects[0]}" if subjects else None


RULES.row(
    "aws-iam-gha-no-pull-request",
    "A role that GitHub Actions assume is not for workflows of pull requests.",
    on=IAM_ROLE,
    check=OfDocuments({IAM_ROLE: ("assumeRolePolicy",)}, check_of_statements(_complains_of_pull_requests)),
    severity=MEDIUM,
    rationale=RATIONALE,
    fix="Ask for token.actions.githubusercontent.com:sub like repo:OWNER/NAME:environment:NAME or a branch; plans of "
    "pull requests get a role of their own that only reads, which is waived.",
)
