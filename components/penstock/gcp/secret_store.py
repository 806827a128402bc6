"""Secret Manager: named places for secrets."""

from __future__ import annotations

from collections.abc import Mapping

import pulumi
from pulumi_gcp import secretmanager

from penstock.gcp.handles import KeyHandle, ProjectHandle
from penstock.spec.addons import SecretStoreSpec

RECOVERY_DAYS = 30
"""How long a version that somebody destroyed can be brought back."""


class SecretStore(pulumi.ComponentResource):
    """A secret for each name, empty until a person puts a value in: no value ever passes through Pulumi's state.

    The values stay in one region, encrypted. `ids` maps the names of the description to projects/P/secrets/S. Nobody
    reads them by this: grant roles/secretmanager.secretAccessor on a secret to the workload that needs it, which
    Workload Identity names principal://…/subject/ns/NAMESPACE/sa/ACCOUNT.
    """

    ids: Mapping[str, pulumi.Output[str]]

    def __init__(
        self,
        name: str,
        spec: SecretStoreSpec,
        *,
        project: ProjectHandle,
        region: str,
        key: KeyHandle,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        super().__init__("penstock:gcp:SecretStore", name, spec.inputs(), opts)

        self.ids = {secret: self._secret(f"{name}-{secret}", spec, project, region, key) for secret in spec.names}
        self.register_outputs({"ids": self.ids})

    def _secret(
        self, name: str, spec: SecretStoreSpec, project: ProjectHandle, region: str, key: KeyHandle
    ) -> pulumi.Output[str]:
        secret = secretmanager.Secret(
            name,
            secret_id=name,
            project=project.id,
            replication={
                "user_managed": {
                    "replicas": [{"location": region, "customer_managed_encryption": {"kms_key_name": key.id}}]
                }
            },
            version_destroy_ttl=f"{RECOVERY_DAYS * 24 * 3600}s",
            deletion_protection=spec.protect,
            labels=spec.tags,
            opts=pulumi.ResourceOptions(
                parent=self,
                protect=spec.protect,
                delete_before_replace=True,  # its id is its name
                depends_on=[*project.on("secretmanager"), *key.for_("secretmanager")],
            ),
        )
        return secret.id
