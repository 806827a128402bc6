"""Workload identities: which Kubernetes service accounts may act as which of Google's."""

from __future__ import annotations

import re
from collections.abc import Iterator

from penstock.core.spelling import MISSPELT, near_matches, suggestion
from penstock.gcp.model.apis import waits_for_any
from penstock.gcp.types import CONTAINER_CLUSTER, SERVICEACCOUNT_IAM_MEMBER
from penstock.graph.verdict import NOT_APPLICABLE, NotKnown, TypeMismatch, Verdict, allow, each
from penstock.graph.view import Site, View
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_MEMBER = re.compile(r"serviceAccount:(?P<pool>[^\[\]]+\.svc\.id\.goog)\[(?P<namespace>[^/\]]+)/(?P<name>[^\]]+)\]")
_GRANT = re.compile(r"gcp:[^:]+:\w*IAMMember", re.IGNORECASE)
_ANY_GRANT = re.compile(r"gcp:[^:]+:\w*I(?:AM|am)(?:Member|Binding)")
_POOL_OF = re.compile(
    r"(?:serviceAccount:|principal(?:Set)?://iam\.googleapis\.com/projects/\d+/locations/global/workloadIdentityPools/)"
    r"(?P<pool>[a-z0-9-]+\.svc\.id\.goog)(?:\[|/)"
)
_KUBERNETES_ACCOUNT = "kubernetes:core/v1:ServiceAccount"
_ROLE = "roles/iam.workloadIdentityUser"


@RULES.rule(
    on="gcp:*",
    severity=MEDIUM,
    rationale="IAM refuses members of a pool that no cluster of the project has ever had.",
    fix="Set member to serviceAccount:PROJECT.svc.id.goog[NAMESPACE/ACCOUNT] with the cluster's workloadPool.",
    joins=True,
    sources=("GKE documentation, Workload Identity Federation: link Kubernetes service accounts to IAM",),
)
def gcp_iam_workload_pool(grant: View) -> Verdict:
    """A grant to a Kubernetes service account names the workload identity pool of a cluster of the program."""
    found = _member(grant)
    pools = list(dict.fromkeys(_pools(grant.site))) if found is not None else []
    if found is None or not pools:
        return NOT_APPLICABLE
    message = f"no cluster of the program has the identities of {found['pool']}"
    return allow(found["pool"] in pools, message, hint=f"Write {pools[0]}[NAMESPACE/ACCOUNT].", path="member")


@RULES.rule(
    on="gcp:*",
    severity=HIGH,
    rationale=(
        "The first cluster of a project that names the pool creates it. IAM refuses members of a pool that does not "
        "exist (Identity Pool does not exist). No value of the cluster is in a member that is written out."
    ),
    fix="Add the cluster to depends_on of the grant.",
    joins=True,
    sources=("GKE documentation, Workload Identity Federation: link Kubernetes service accounts to IAM",),
)
def gcp_iam_workload_pool_wait(grant: View) -> Verdict:
    """A grant to a workload identity waits for a cluster of the program that has the pool of the identity."""
    if not _ANY_GRANT.fullmatch(grant.type):
        return NOT_APPLICABLE
    members = grant.texts("members") if "members" in grant else [grant.text("member") or ""]

    def check(member: str) -> Verdict:
        named = _POOL_OF.match(member)
        creators = grant.site.once(_clusters_by_pool).get(named["pool"], []) if named is not None else []
        if not creators:
            return NOT_APPLICABLE
        message = f"{creators[0].name} brings the pool of {member}, and the grant does not wait for it"
        path = "members" if "members" in grant else "member"
        hint = f"Add {creators[0].name} to depends_on."
        return allow(waits_for_any(grant, creators), message, hint=hint, path=path)

    return each(members, check)


@RULES.rule(
    on="gcp:*",
    severity=MEDIUM,
    rationale="IAM accepts a misspelled account, and the pods are then denied what was to be granted.",
    fix="Use the namespace and the name of the Kubernetes ServiceAccount in member.",
    joins=True,
    sources=("GKE documentation, Workload Identity Federation: link Kubernetes service accounts to IAM",),
)
def gcp_iam_workload_account(grant: View) -> Verdict:
    """A grant to a Kubernetes service account spells the account as the program creates it."""
    found = _member(grant)
    if found is None:
        return NOT_APPLICABLE
    made = list(_accounts(grant.site))
    called = f"{found['namespace']}/{found['name']}"
    near = [] if called in made else near_matches(called, made, likeness=MISSPELT)
    message = f"the program has no Kubernetes service account {called}"
    return allow(not near, message, hint=suggestion(near), path="member")


@RULES.rule(
    on=SERVICEACCOUNT_IAM_MEMBER,
    severity=MEDIUM,
    rationale="Without roles/iam.workloadIdentityUser pods cannot act as the service account.",
    fix="Grant the member roles/iam.workloadIdentityUser on the service account.",
    joins=True,
    sources=("GKE documentation, Workload Identity Federation: link Kubernetes service accounts to IAM",),
)
def gcp_iam_workload_user_role(grant: View) -> Verdict:
    """A Kubernetes service account with a role on a Google service account may act as that account."""
    found = _member(grant)
    if found is None:
        return NOT_APPLICABLE
    role, member = grant.text("role"), grant.text("member")
    others = [other for other in grant.site.of_type(SERVICEACCOUNT_IAM_MEMBER) if other.urn != grant.urn]
    held = [other.text("role") for other in others if other.text("member") == member]
    message = f"{found['namespace']}/{found['name']} has {role}, and may not act as the account"
    return allow(_ROLE in (role, *held), message, hint=f"Grant it {_ROLE}.", path="role")


def _member(grant: View) -> re.Match[str] | None:
    """The Kubernetes service account that a grant is to; None for any other member."""
    return _MEMBER.fullmatch(grant.text("member") or "") if _GRANT.fullmatch(grant.type) else None


def _pools(site: Site) -> Iterator[str]:
    """The pools of identities of the program's clusters."""
    for cluster in site.of_type(CONTAINER_CLUSTER):
        config = cluster.block("workloadIdentityConfig")
        pool = config.text("workloadPool") if config is not None else None
        if pool is not None:
            yield pool


def _clusters_by_pool(site: Site) -> dict[str, list[View]]:
    """The program's clusters by their pools, as far as those are known."""
    found: dict[str, list[View]] = {}
    for cluster in site.of_type(CONTAINER_CLUSTER):
        try:
            config = cluster.block("workloadIdentityConfig")
            pool = config.text("workloadPool") if config is not None else None
        except (NotKnown, TypeMismatch):
            continue
        if pool is not None:
            found.setdefault(pool, []).append(cluster)
    return found


def _accounts(site: Site) -> Iterator[str]:
    """The program's Kubernetes service accounts, each with its namespace."""
    for account in site.of_type(_KUBERNETES_ACCOUNT):
        metadata = account.block("metadata")
        try:
            if metadata is not None and "name" in metadata:
                yield f"{metadata.text('namespace') or 'default'}/{metadata.text('name')}"
        except (NotKnown, TypeMismatch):
            continue
