"""The accounts that machines run as: named by their address, and allowed what every node does."""

from __future__ import annotations

import re
from collections.abc import Iterator

from penstock.gcp.model.gke import GkePool, gke_pools, program_gke_pools
from penstock.gcp.rules.nodes import SINGLE
from penstock.gcp.types import (
    CONTAINER_CLUSTER,
    CONTAINER_NODE_POOL,
    PROJECTS_IAM_BINDING,
    PROJECTS_IAM_MEMBER,
    SERVICEACCOUNT_ACCOUNT,
)
from penstock.graph.verdict import NOT_APPLICABLE, NotKnown, Verdict, allow
from penstock.graph.view import Block, View
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_EMAIL = re.compile(r"[^@\s/:]+@[^@\s/:]+")
_BASIC = ("roles/owner", "roles/editor")
_WRITES = ("logging.", "container.default", "container.nodeService", "container.admin")
"""How roles begin that let a node write its logs (GKE documentation, harden your cluster)."""


def _named(holder: View) -> Iterator[tuple[Block, str]]:
    if holder.type in SINGLE:
        account = holder.block("serviceAccount")
        if account is not None:
            yield account, "email"
        return
    for pool in gke_pools(holder):
        config = pool.config
        if config is not None:
            yield config, "serviceAccount"


@RULES.rule(
    on=(CONTAINER_CLUSTER, CONTAINER_NODE_POOL, *SINGLE),
    each_of=_named,
    severity=HIGH,
    rationale="The API does not take the account's id or path there.",
    fix="Use the service account's output email.",
    sources=(
        "Kubernetes Engine API v1, discovery document, NodeConfig.serviceAccount",
        "Compute Engine API v1, discovery document, ServiceAccount.email",
    ),
)
def gcp_sa_email_reference(named: tuple[Block, str]) -> Verdict:
    """Machines name their service account by its e-mail address."""
    block, key = named
    account = block.text(key)
    if not account or account == "default":
        return NOT_APPLICABLE
    message = f"{account!r} is not an address of a service account"
    return allow(_EMAIL.fullmatch(account), message, path=block.at(key))


@RULES.rule(
    on=SERVICEACCOUNT_ACCOUNT,
    severity=MEDIUM,
    rationale="The nodes start, but GKE reports them as degraded, and their logs and metrics are missing.",
    fix="Grant the account roles/container.defaultNodeServiceAccount on the project.",
    joins=True,
    sources=("GKE documentation, harden your cluster: roles/container.defaultNodeServiceAccount for nodes",),
)
def gcp_sa_node_roles(account: View) -> Verdict:
    """A service account of GKE nodes may write logs and metrics."""
    if not any(_runs_as(pool, account) for pool in program_gke_pools(account.site)):
        return NOT_APPLICABLE
    granted = [role for role in _roles(account) if role is not None]
    if not granted:
        raise NotKnown  # whoever looks after the project may grant it what it needs
    good = any(role in _BASIC or not role.startswith("roles/") or role[6:].startswith(_WRITES) for role in granted)
    message = "nodes run as this account, and none of its roles lets it write logs and metrics"
    hint = "Grant it roles/container.defaultNodeServiceAccount on the project."
    return allow(good, message, hint=hint, path="accountId")


def _runs_as(pool: GkePool, account: View) -> bool:
    config = pool.config
    return config is not None and any(
        found.urn == account.urn for found in config.found("serviceAccount", SERVICEACCOUNT_ACCOUNT)
    )


def _roles(account: View) -> Iterator[str | None]:
    """The roles that the project grants an account, by its address or by the resource that the member refers to."""
    for grant in account.site.of_type(PROJECTS_IAM_MEMBER, PROJECTS_IAM_BINDING):
        key = "member" if grant.type == PROJECTS_IAM_MEMBER else "members"
        sources = [source.urn for source in grant.sources(key, SERVICEACCOUNT_ACCOUNT)]
        if account.urn in sources or (not sources and _names(grant, key, account)):
            yield grant.text("role")


def _names(grant: View, key: str, account: View) -> bool:
    """Return whether a grant that refers to no account of the program names this one by its address."""
    members = [grant.text(key) or ""] if key == "member" else grant.texts(key)
    return any(member.startswith(f"serviceAccount:{account.text('accountId')}@") for member in members)
