"""The account that the machines of a cluster act as."""

from __future__ import annotations

from dataclasses import dataclass

import pulumi
from pulumi_gcp import projects, serviceaccount

from penstock.catalog import limits
from penstock.description.shortened_names import with_room
from penstock.gcp.components.handles import ProjectHandle

_ROLES = (
    "container.defaultNodeServiceAccount",  # the least that GKE asks for: logs, metrics and autoscaling
    "artifactregistry.reader",
    "serviceusage.serviceUsageConsumer",  # image streaming asks for it of accounts that are not the default one
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeAccount:
    """A service account and what gives it its rights: nodes wait for `rights`, or start without logs and images."""

    email: pulumi.Output[str]
    rights: tuple[pulumi.Resource, ...]


def node_account(name: str, *, project: ProjectHandle, opts: pulumi.ResourceOptions) -> NodeAccount:
    """An account for nodes alone: pods never act as it, they have identities of their own (Workload Identity).

    The default account of Compute Engine, which GKE would take, may edit the whole project in many organisations.
    """
    ready = pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(depends_on=project.on("iam")))
    account = serviceaccount.Account(
        with_room(name, limits.find_limit("service_account_id_characters", "gcp").most),
        display_name=name,
        project=project.id,
        opts=ready,
    )
    rights = tuple(
        projects.IAMMember(
            f"{name}-{role.rpartition('.')[2]}",
            project=project.id,
            role=f"roles/{role}",
            member=account.member,
            opts=opts,
        )
        for role in _ROLES
    )
    return NodeAccount(email=account.email, rights=rights)
