"""Pods as IAM names them."""

from __future__ import annotations

import pulumi

from penstock.gcp.components.handles import ClusterHandle, ProjectHandle


def member(account: str, *, project: ProjectHandle, cluster: ClusterHandle | None) -> pulumi.Output[str]:
    """The pods of a Kubernetes service account, NAMESPACE/NAME, as an IAM member.

    All clusters of a project share its names: NAMESPACE/NAME of another one is let in, too. IAM refuses the member
    until the project's first cluster is there, so the member comes with the cluster.

    Raises:
        ValueError: there is no cluster.
    """
    if cluster is None:
        raise ValueError(f"{account} is a service account of no cluster: name the cluster")
    namespace, _, name = account.partition("/")
    pool = f"{project.id}.svc.id.goog"
    return pulumi.Output.all(project.number, cluster.name).apply(
        lambda known: (
            f"principal://iam.googleapis.com/projects/{known[0]}/locations/global/workloadIdentityPools/{pool}"
            f"/subject/ns/{namespace}/sa/{name}"
        )
    )
