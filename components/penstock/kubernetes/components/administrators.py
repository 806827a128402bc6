"""Who may do everything in a cluster."""

from __future__ import annotations

from collections.abc import Sequence

import pulumi
from pulumi_kubernetes.meta import v1 as meta
from pulumi_kubernetes.rbac import v1 as rbac

_KINDS = {"user": "User", "serviceAccount": "User", "group": "Group"}
"""Members as IAM writes them, to what GKE makes of them; a group counts where Google Groups for RBAC is on."""


class Administrators(pulumi.ComponentResource):
    """Gives IAM members, such as group:ml@example.com, the role cluster-admin in the cluster of the provider.

    IAM alone lets everyone who may administer any cluster of the project into this one; this names them for one.
    """

    def __init__(self, name: str, *, members: Sequence[str], opts: pulumi.ResourceOptions | None = None) -> None:
        """Bind the role to `members`: each user:, group: or serviceAccount: with an e-mail address."""
        super().__init__("penstock:kubernetes:Administrators", name, None, opts)
        rbac.ClusterRoleBinding(
            name,
            metadata=meta.ObjectMetaArgs(name="penstock-administrators"),
            role_ref=rbac.RoleRefArgs(api_group="rbac.authorization.k8s.io", kind="ClusterRole", name="cluster-admin"),
            subjects=[_subject(member) for member in members],
            opts=pulumi.ResourceOptions(parent=self),
        )
        self.register_outputs({})


def _subject(member: str) -> rbac.SubjectArgs:
    kind, _, address = member.partition(":")
    return rbac.SubjectArgs(api_group="rbac.authorization.k8s.io", kind=_KINDS[kind], name=address)
