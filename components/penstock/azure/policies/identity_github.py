"""Federation of GitHub Actions with Azure: workflows of pull requests."""

from __future__ import annotations

import re

from penstock.azure.types import MANAGEDIDENTITY_FEDERATED_IDENTITY_CREDENTIAL
from penstock.policies.github_federation import ISSUER, OF_PULL_REQUESTS, RATIONALE
from penstock.rules.checks import Matches, Unlike, Where
from penstock.rules.levels import MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.IDENTITY)


RULES.row(
    "az-github-no-pull-request",
    "A federated credential for GitHub Actions is not for workflows of pull requests.",
    on=MANAGEDIDENTITY_FEDERATED_IDENTITY_CREDENTIAL,
    check=Where(Matches("issuer", rf"(?i)https://{re.escape(ISSUER)}.*"), Unlike("subject", OF_PULL_REQUESTS.pattern)),
    severity=MEDIUM,
    rationale=RATIONALE,
    fix="Set subject to repo:OWNER/REPOSITORY:environment:NAME, with reviewers in the environment, or to a branch.",
)
