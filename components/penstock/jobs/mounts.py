"""The storage that the pods of a job mount."""

from __future__ import annotations

from dataclasses import replace

from penstock.description.mounts import mounts_of
from penstock.description.platform import Spec
from penstock.description.storage import BucketSpec, StorageSpec, of_team
from penstock.jobs import mpi
from penstock.jobs.checkpoints import CHECKPOINTS
from penstock.jobs.request import JobRequest, Template
from penstock.jobs.teams import waits
from penstock.kubernetes.components.job_pods import Mount

_CLAIMS = "default"
"""The namespace that the claims of `storage` are in."""


def job_mounts(spec: Spec, request: JobRequest, template: Template) -> tuple[Mount, ...]:
    """The claims of a job's namespace, and where its pods see them."""
    namespace = request.namespace
    mounts = _mounts(_claimed(spec, namespace), f"{namespace}/{account_of(spec, namespace)}")
    if template is not Template.MPI:
        return mounts
    return tuple(replace(mount, path=mpi.beside_home(mount.path)) for mount in mounts)


def account_of(spec: Spec, namespace: str) -> str | None:
    """The service account of a job in the namespace: the one that most buckets let in, or the first of several."""
    named = [
        user
        for item in spec.storage
        if isinstance(item, BucketSpec)
        for user in dict.fromkeys((*item.writers, *item.readers))
        if user.partition("/")[0] == namespace
    ]
    return max(dict.fromkeys(named), key=named.count).partition("/")[2] if named else None


def _claimed(spec: Spec, namespace: str) -> tuple[StorageSpec, ...]:
    """The storage that has claims in a namespace: that of jobs without a team, or a team's."""
    mounted = mounts_of(spec.cloud.provider)
    with_claims = tuple(item for item in spec.storage if item.kind in mounted)
    if namespace == _CLAIMS:
        return with_claims
    return of_team(with_claims, namespace) if waits(spec, namespace) else ()


def _mounts(storage: tuple[StorageSpec, ...], account: str) -> tuple[Mount, ...]:
    """The claims on storage, where checkpoints go first; a bucket that lets others in, and not the account, is none."""
    allowed = (item for item in storage if not isinstance(item, BucketSpec) or _lets_in(item, account))
    items = sorted(allowed, key=lambda item: item.name != CHECKPOINTS)
    found = [
        Mount(
            claim=item.name,
            path=f"/{item.name}",
            read_only=isinstance(item, BucketSpec) and _only_reads(item, account),
        )
        for item in items
    ]
    return tuple(sorted(found, key=lambda mount: mount.read_only))


def _lets_in(bucket: BucketSpec, account: str) -> bool:
    users = (*bucket.readers, *bucket.writers)
    return not users or account in users


def _only_reads(bucket: BucketSpec, account: str) -> bool:
    return bool(bucket.readers) and account not in bucket.writers
