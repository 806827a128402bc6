"""What members of a team may do in its namespace."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

_READ: Final = ("get", "list", "watch")
_USE: Final = (*_READ, "create", "update", "patch", "delete", "deletecollection")


class Right(NamedTuple):
    """Verbs on kinds of one API group."""

    group: str
    kinds: tuple[str, ...]
    verbs: tuple[str, ...]


_ALWAYS: Final = (
    Right("batch", ("jobs",), _USE),
    Right("", ("configmaps", "persistentvolumeclaims"), _USE),
    # Pods of a job find each other by a service, and reach the team's buckets by a service account.
    Right("", ("services",), _USE),
    Right("", ("serviceaccounts",), (*_READ, "create", "patch")),
    Right("", ("pods",), (*_READ, "delete")),
    Right("", ("pods/log",), ("get",)),
    Right("", ("events", "resourcequotas", "limitranges"), _READ),
    Right("kueue.x-k8s.io", ("localqueues", "workloads"), _READ),
)

_OF_FRAMEWORKS: Final = {
    "trainer.kubeflow.org/trainjob": Right("trainer.kubeflow.org", ("trainjobs", "trainingruntimes"), _USE),
    "jobset.x-k8s.io/jobset": Right("jobset.x-k8s.io", ("jobsets",), _USE),
    "ray.io/rayjob": Right("ray.io", ("rayjobs",), _USE),
}


_OF_CLAIMS: Final = (
    Right("resource.k8s.io", ("resourceclaimtemplates",), _USE),
    Right("resource.nvidia.com", ("computedomains",), _USE),
)


def rights(frameworks: Sequence[str], *, claims: bool) -> tuple[Right, ...]:
    """Run jobs of the kinds that wait in queues, and look at what becomes of them.

    With `claims`, jobs also say which devices their pods claim.

    Never quotas, flavors, nodes and the runtimes of the cluster, which all teams share; nor secrets, which nobody needs
    to read to run a job with them.
    """
    kinds = (_OF_FRAMEWORKS[kind] for kind in frameworks if kind in _OF_FRAMEWORKS)
    return (*_ALWAYS, *kinds, *(_OF_CLAIMS if claims else ()))
