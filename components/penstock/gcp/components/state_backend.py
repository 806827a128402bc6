"""A self-managed backend of Pulumi in Cloud Storage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pulumi
from pulumi_gcp import iam, kms, storage

from penstock.description.shortened_names import with_room
from penstock.description.state import StateBackendSpec, init_command, login_command
from penstock.gcp.components.bucket import WRITER
from penstock.gcp.components.handles import BucketHandle, KeyHandle, ProjectHandle
from penstock.gcp.components.keys import USER, customer_key, key_ring
from penstock.gcp.components.private_bucket import private_bucket

_LONGEST_POOL: Final = 32
"""Letters, digits and hyphens of a pool's id (IAM API, workloadIdentityPools.create, 2026-11)."""

_RESTORABLE_DAYS: Final = 7
"""Days that a version which its lifecycle or a person deleted can be restored: the default of Cloud Storage."""

_DECIDED_BY: Final = {
    "lifecycleRules": ".retention_days",
    "attributeCondition oidc": ".pipelines .issuer",
    "WorkloadIdentityPool WorkloadIdentityPoolProvider": ".pipelines",
}


class StateBackend(pulumi.ComponentResource):
    """A bucket for the state of Pulumi stacks, and the key that encrypts the bucket and the secrets in the state.

    Destroying the key's versions loses every secret of every stack, so `protect` is on by default. `members` and the
    `pipelines` of the spec read and write the state, and encrypt and decrypt secrets. Pipelines come with the tokens
    of their CI service, by the workload identity pool `provider`: there is no service account, and no key of one.
    """

    backend_url: pulumi.Output[str]
    secrets_provider: pulumi.Output[str]
    login: pulumi.Output[str]
    init: pulumi.Output[str]
    provider: pulumi.Output[str] | None
    bucket: BucketHandle
    key: KeyHandle

    def __init__(
        self,
        name: str,
        spec: StateBackendSpec,
        *,
        region: str,
        project: ProjectHandle,
        members: Sequence[str] = (),
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Build the backend; `members` are IAM members that deploy, such as group:platform@example.com."""
        super().__init__("penstock:gcp:StateBackend", name, spec.inputs(_DECIDED_BY), opts)
        child = pulumi.ResourceOptions(parent=self)

        ring = key_ring(name, project=project, region=region, opts=child)
        self.key = customer_key(name, spec, ring=ring, project=project, users=("storage",), opts=child)
        bucket = private_bucket(
            name,
            spec,
            region=region,
            project=project,
            key=self.key,
            restorable_days=_RESTORABLE_DAYS,
            version_days=spec.retention_days,
            opts=child,
        )
        self.bucket = BucketHandle(name=bucket.name)
        self.provider = None
        for member in members:
            self._allow(name, member, member, bucket)
        if spec.pipelines:
            pool = self._pool(f"{name}-pipelines", spec, project)
            for subject in spec.pipelines:
                principal = pulumi.Output.concat("principal://iam.googleapis.com/", pool.name, "/subject/", subject)
                self._allow(name, subject, principal, bucket)

        self.backend_url = pulumi.Output.concat("gs://", bucket.name)
        self.secrets_provider = pulumi.Output.concat("gcpkms://", self.key.id)
        self.login = self.backend_url.apply(login_command)
        self.init = self.secrets_provider.apply(init_command)
        self.register_outputs(
            {
                "backend_url": self.backend_url,
                "secrets_provider": self.secrets_provider,
                "login": self.login,
                "init": self.init,
                "provider": self.provider,
            }
        )

    def _allow(self, name: str, who: str, member: pulumi.Input[str], bucket: storage.Bucket) -> None:
        """Let a member use the state and the key of its secrets."""
        child = pulumi.ResourceOptions(parent=self)
        storage.BucketIAMMember(
            f"{name}-state/{who}", bucket=bucket.name, role=f"roles/storage.{WRITER}", member=member, opts=child
        )
        kms.CryptoKeyIAMMember(f"{name}-secrets/{who}", crypto_key_id=self.key.id, role=USER, member=member, opts=child)

    def _pool(self, name: str, spec: StateBackendSpec, project: ProjectHandle) -> iam.WorkloadIdentityPool:
        """The pool of the pipelines, which takes tokens of their issuer with one of their subjects only."""
        child = pulumi.ResourceOptions(parent=self, depends_on=project.on("iam"))
        pool = iam.WorkloadIdentityPool(
            name, project=project.id, workload_identity_pool_id=with_room(name, _LONGEST_POOL), opts=child
        )
        provider = iam.WorkloadIdentityPoolProvider(
            name,
            project=project.id,
            workload_identity_pool_id=pool.workload_identity_pool_id,
            workload_identity_pool_provider_id="oidc",
            oidc={"issuer_uri": spec.issuer},
            attribute_mapping={"google.subject": "assertion.sub"},
            attribute_condition=f"assertion.sub in {list(spec.pipelines)!r}",
            opts=child,
        )
        self.provider = provider.name
        return pool
