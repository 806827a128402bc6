"""Service accounts of Kubernetes that act as one of Google's."""

from __future__ import annotations

import re

from penstock.core.spelling import MISSPELT, near_matches, suggestion
from penstock.graph.verdict import NOT_APPLICABLE, NotKnown, TypeMismatch, Verdict, allow, fail
from penstock.graph.view import Site, View
from penstock.kubernetes.model.pods.templates import texts
from penstock.kubernetes.rules.types import GOOGLE_ACCOUNT, SERVICE_ACCOUNT
from penstock.rules.levels import MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_ANNOTATION = "iam.gke.io/gcp-service-account"
_EMAIL = re.compile(r"(?P<id>[a-z0-9-]+)@(?P<domain>[a-z0-9.-]*gserviceaccount\.com)")
"""How much two ids have in common of which one may be the other mistyped."""


@RULES.rule(
    on=SERVICE_ACCOUNT,
    severity=MEDIUM,
    rationale="The object is accepted, and the pods get no credentials of Google Cloud.",
    fix=(
        "Set the annotation to ACCOUNT@PROJECT.iam.gserviceaccount.com, taken from email of the service account "
        "resource."
    ),
    joins=True,
    sources=("GKE documentation, Workload Identity Federation: link Kubernetes service accounts to IAM",),
)
def k8s_workload_identity_account(account: View) -> Verdict:
    """The annotation iam.gke.io/gcp-service-account is the address of a Google service account, spelled right."""
    metadata = account.block("metadata")
    email = texts(metadata, "annotations").get(_ANNOTATION)
    if metadata is None or not email:
        return NOT_APPLICABLE
    path = metadata.at(f"annotations.{_ANNOTATION}")
    found = _EMAIL.fullmatch(email)
    if found is None:
        hint = "Write ACCOUNT@PROJECT.iam.gserviceaccount.com."
        return fail(f"{email!r} is not an address of a service account", hint=hint, path=path)
    made = account.site.once(_ids)
    near = [] if found["id"] in made else near_matches(found["id"], made, likeness=MISSPELT)
    hint = suggestion([f"{each}@{found['domain']}" for each in near])
    return allow(not near, f"the program has no service account {found['id']}", hint=hint, path=path)


def _ids(site: Site) -> list[str]:
    """The ids of the program's accounts of Google's, as far as they are known."""
    found = []
    for account in site.of_type(GOOGLE_ACCOUNT):
        try:
            found.append(account.text("accountId") or "")
        except (NotKnown, TypeMismatch):
            continue
    return found
