"""Federation of GitHub Actions with Google Cloud: workflows of pull requests, and repositories of one owner."""

from __future__ import annotations

import re
from typing import Final

from penstock.gcp.policies.bindings import Grant, OfGrants, grant_types
from penstock.gcp.types import IAM_WORKLOAD_IDENTITY_POOL_PROVIDER
from penstock.graph.verdict import PASS, UNKNOWN, Verdict, allow, fail
from penstock.graph.view import View
from penstock.policies.github_federation import ISSUER, RATIONALE
from penstock.rules.checks import ByType, Custom, Matches, Where
from penstock.rules.levels import MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.IDENTITY)

_GRANTS: Final = (
    *grant_types("projects", "IAM"),
    *grant_types("serviceaccount", "IAM"),
    *grant_types("storage", "BucketIAM"),
    *grant_types("artifactregistry", "RepositoryIam"),
    *grant_types("secretmanager", "SecretIam"),
)
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
    "gcp-wif-no-pull-request",
    "A pool and roles are not for workflows of pull requests.",
    on=(IAM_WORKLOAD_IDENTITY_POOL_PROVIDER, *_GRANTS),
    check=ByType(
        {
            IAM_WORKLOAD_IDENTITY_POOL_PROVIDER: Where(
                Matches("oidc.issuerUri", rf"https://{re.escape(ISSUER)}.*"),
                Custom(_admits_no_pull_request),
            ),
            **dict.fromkeys(_GRANTS, OfGrants(_complains_of_member)),
        }
    ),
    severity=MEDIUM,
    rationale=RATIONALE,
    fix="Compare assertion.ref or assertion.environment in attributeCondition, and grant to subjects of branches and "
    "environments.",
)


def _no_provider_names_repositories(it: View, _: Settings) -> Verdict:
    conditions = (
        provider.text("attributeCondition") or "" for provider in it.site.of_type(IAM_WORKLOAD_IDENTITY_POOL_PROVIDER)
    )
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
    check=Where(Custom(_no_provider_names_repositories, others=True), OfGrants(_complains_of_owner)),
    severity=MEDIUM,
    rationale="A workflow in any repository of the organization, such as a forgotten test, has the role.",
    fix="Grant to principalSet://.../attribute.repository/OWNER/NAME, with the attribute in attributeMapping of the "
    "WorkloadIdentityPoolProvider.",
)
