"""What keeps a team out of the files of another: its pods mount claims, and its claims name no volume of others."""

from __future__ import annotations

from typing import Final

import pulumi

from penstock.addons.queueing.controller import TEAM
from penstock.addons.queueing.refused import AdmissionRule, JudgedKind, refuse

_NAME: Final = "penstock-pod-volumes"
_OF_THE_POD: Final = (
    "configMap",
    "downwardAPI",
    "emptyDir",
    "ephemeral",
    "persistentVolumeClaim",
    "projected",
    "secret",
)
"""What Pod Security's level restricted admits, but for volumes that a pod describes to a driver (Kubernetes
documentation, Pod Security Standards); a claim is bound to the one volume that the platform made for it."""

_CLAIMS: Final = "penstock-claims"

_DRIVERS: Final = ("gcsfuse.csi.storage.gke.io", "secrets-store.csi.k8s.io")
"""Drivers that go by the rights of the pod's own service account."""


def refuse_servers(name: str, opts: pulumi.ResourceOptions) -> None:
    """Refuse pods of teams that name a server, a disk or a driver themselves: baseline admits NFS of any address.

    Directories of the node are for Pod Security to refuse.
    """
    of_the_pod = " || ".join(f"has(each.{kind})" for kind in (*_OF_THE_POD, "hostPath"))
    refuse(
        name,
        _NAME,
        [JudgedKind("", "pods")],
        [
            AdmissionRule(
                f"!has(object.spec.volumes) || object.spec.volumes.all(each, {of_the_pod} || "
                f"(has(each.csi) && each.csi.driver in {list(_DRIVERS)}))",
                "Pods of teams mount claims, not servers: name a claim of the namespace.",
            )
        ],
        opts,
    )


def refuse_volumes_of_others(name: str, prefix: str, opts: pulumi.ResourceOptions) -> None:
    """Refuse claims of teams that name a volume, unless it begins with `prefix`, the team and two hyphens.

    A volume of ours is bound to its claim, and waits for it alone; those that people made may be bound to none.
    Afterwards, the controller of volumes names the one that a storage class made.
    """
    volume = "object.spec.volumeName"
    own = f"'{prefix}-' + namespaceObject.metadata.labels['{TEAM}'] + '--'"
    refuse(
        name,
        _CLAIMS,
        [JudgedKind("", "persistentvolumeclaims")],
        [
            AdmissionRule(
                f"request.operation != 'CREATE' || !has({volume}) || {volume} == '' || {volume}.startsWith({own})",
                "Claims of teams name no volume of others: leave volumeName out, and name a storage class.",
            )
        ],
        opts,
    )
