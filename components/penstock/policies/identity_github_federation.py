"""Federation of GitHub Actions with AWS, Google Cloud and Azure: pull requests, and repositories of one owner."""

from __future__ import annotations

import re
from typing import Final

from penstock.aws.policies.documents import OfDocuments, check_of_statements
from penstock.gcp.policies.bindings import Grant, OfGrants, grant_types
from penstock.graph.verdict import PASS, UNKNOWN, Verdict, allow, fail
from penstock.graph.view import View
from penstock.model.iam.statements import Statement
from penstock.rules.checks import ByType, Custom, Matches, Unlike, Where
from penstock.rules.levels import MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.IDENTITY)

_ROLE: Final = "aws:iam/role:Role"
_CREDENTIAL: Final = "azure-native:managedidentity:FederatedIdentityCredential"
_PROVIDER: Final = "gcp:iam/workloadIdentityPoolProvider:WorkloadIdentityPoolProvider"
_GRANTS: Final = (
    *grant_types("projects", "IAM"),
    *grant_types("serviceaccount", "IAM"),
    *grant_types("storage", "BucketIAM"),
    *grant_types("artifactregistry", "RepositoryIam"),
    *grant_types("secretmanager", "SecretIam"),
)
_WEB_IDENTITY: Final = "sts:AssumeRoleWithWebIdentity"
_ISSUER: Final = "token.actions.githubusercontent.com"
_OF_PULL_REQUESTS: Final = re.compile(r"(?s).*:pull_[\w*?]+")
"""Subjects of workflows that a pull request starts, where no environment stands in their place."""
_ADMITTED: Final = re.compile(
    r"(?:==\s*|\bin\s*\[[^\]]*|\.(?:startsWith|endsWith|contains|matches)\(\s*)(['\"])[^'\"]*\bpull_request(?:_target)?\b"
)
"""A condition in CEL that admits the event."""
_NEGATION: Final = re.compile(r"!(?!=)")
_PRINCIPAL_OF_PULL_REQUESTS: Final = re.compile(
    r"principal(?:Set)?://.+(?::pull_request|/attribute\.event_name/pull_request(?:_target)?)"
)
_OF_OWNER: Final = re.compile(r"principalSet://.+/attribute\.repository_owner(?:_id)?/.+")
_NAMES_REPOSITORY: Final = re.compile(
    r"\b(?:assertion|attribute)\.(?:repository|repository_id|sub)\b|\bgoogle\.subject\b"
)
_WHY: Final = "A pull request runs code that nobody has approved yet, with the rights of the identity."


def _complains_of_pull_requests(statement: Statement) -> str | None:
    if not statement.is_about(_WEB_IDENTITY):
        return None
    subjects = [
        value
        for condition in statement.conditions
        if condition.key.startswith(_ISSUER) and condition.key.endswith(":sub") and condition.binds
        for value in condition.values
        if _OF_PULL_REQUESTS.fullmatch(value)
    ]
    return f"workflows of pull requests may assume the role: {subjects[0]}" if subjects else None


def _admits_no_pull_request(provider: View, _: Settings) -> Verdict:
    """The condition does not admit the event; one with a negation may say anything about it."""
    path = "attributeCondition"
    text = provider.text(path) or ""
    if not _ADMITTED.search(text):
        return PASS
    return UNKNOWN if _NEGATION.search(text) else fail(f"{path} admits workflows of pull requests", path=path)


def _complains_of_member(grant: Grant) -> str | None:
    if not _PRINCIPAL_OF_PULL_REQUESTS.fullmatch(grant.named_member):
        return None
    return f"the binding grants {grant.named_role} to workflows of pull requests"


RULES.row(
    "aws-iam-gha-no-pull-request",
    "A role that GitHub Actions assume is not for workflows of pull requests.",
    on=_ROLE,
    check=OfDocuments({_ROLE: ("assumeRolePolicy",)}, check_of_statements(_complains_of_pull_requests)),
    severity=MEDIUM,
    rationale=_WHY,
    fix="Ask for token.actions.githubusercontent.com:sub like repo:OWNER/NAME:environment:NAME or a branch; plans of "
    "pull requests get a role of their own that only reads, which is waived.",
)
RULES.row(
    "gcp-wif-no-pull-request",
    "A pool and roles are not for workflows of pull requests.",
    on=(_PROVIDER, *_GRANTS),
    check=ByType(
        {
            _PROVIDER: Where(
                Matches("oidc.issuerUri", rf"https://{re.escape(_ISSUER)}.*"),
                Custom(("attributeCondition",), _admits_no_pull_request),
            ),
            **dict.fromkeys(_GRANTS, OfGrants(_complains_of_member)),
        }
    ),
    severity=MEDIUM,
    rationale=_WHY,
    fix="Compare assertion.ref or assertion.environment in attributeCondition, and grant to subjects of branches and "
    "environments.",
)
RULES.row(
    "az-github-no-pull-request",
    "A federated credential for GitHub Actions is not for workflows of pull requests.",
    on=_CREDENTIAL,
    check=Where(
        Matches("issuer", rf"(?i)https://{re.escape(_ISSUER)}.*"), Unlike("subject", _OF_PULL_REQUESTS.pattern)
    ),
    severity=MEDIUM,
    rationale=_WHY,
    fix="Set subject to repo:OWNER/REPOSITORY:environment:NAME, with reviewers in the environment, or to a branch.",
)


def _no_provider_names_repositories(it: View, _: Settings) -> Verdict:
    conditions = (provider.text("attributeCondition") or "" for provider in it.site.of_type(_PROVIDER))
    named = [condition for condition in conditions if _NAMES_REPOSITORY.search(condition)]
    return allow(not named, "a provider limits the pool to repositories")


def _complains_of_owner(grant: Grant) -> str | None:
    if not _OF_OWNER.fullmatch(grant.named_member):
        return None
    return f"the binding grants {grant.named_role} to every repository of an owner"


RULES.row(
    "gcp-wif-repository",
    "A role goes to certain repositories of GitHub, and not to all of an owner.",
    on=_GRANTS,
    check=Where(Custom((), _no_provider_names_repositories, others=True), OfGrants(_complains_of_owner)),
    severity=MEDIUM,
    rationale="A workflow in any repository of the organization, such as a forgotten test, has the role.",
    fix="Grant to principalSet://.../attribute.repository/OWNER/NAME, with the attribute in attributeMapping of the "
    "WorkloadIdentityPoolProvider.",
)
