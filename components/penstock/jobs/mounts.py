"""The storage that the pods of a job mount."""

from __future__ import annotations

from dataclasses import replace

from penstock.jobs import mpi
from penstock.jobs.checkpoints import CHECKPOINTS
from penstock.jobs.request import JobRequest, Template
from penstock.jobs.teams import waits
from penstock.kubernetes.job_pods import Mount
from penstock.spec.mounts import mounts_of
from penstock.spec.platform import Spec
from penstock.spec.storage import BucketSpec, StorageSpec, of_team

_CLAIMS = "default"
"""The namespace that the claims of `storage` are in."""


def job_mounts(spec: Spec, request: JobRequest, template: Template) -> tuple[Mount, ...]:
    """The claims of a job's namespace, and where its pods see them."""
    mounts = _mounts(_claimed(spec, request.namespace), request.namespace)
    if template is not Template.MPI:
        return mounts
    return tuple(replace(mount, path=mpi.beside_home(mount.path)) for mount in mounts)


def _claimed(spec: Spec, namespace: str) -> tuple[StorageSpec, ...]:
    """The storage that has claims in a namespace: that of jobs without a team, or a team's."""
    mounted = mounts_of(spec.cloud.provider)
    with_claims = tuple(item for item in spec.storage if item.kind in mounted)
    if namespace == _CLAIMS:
        return with_claims
    return of_team(with_claims, namespace) if waits(spec, namespace) else ()


def _mounts(storage: tuple[StorageSpec, ...], namespace: str) -> tuple[Mount, ...]:
    """The claims on storage, where checkpoints go first; buckets without writers in the namespace are read only."""
    items = sorted(storage, key=lambda item: item.name != CHECKPOINTS)
    found = [
        Mount(
            claim=item.name,
            path=f"/{item.name}",
            read_only=isinstance(item, BucketSpec) and _only_reads(item, namespace),
        )
        for item in items
    ]
    return tuple(sorted(found, key=lambda mount: mount.read_only))


def _only_reads(bucket: BucketSpec, namespace: str) -> bool:
    writers = {account.partition("/")[0] for account in bucket.writers}
    return bool(bucket.readers) and namespace not in writers
