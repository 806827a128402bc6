"""Secret Manager: named places for secrets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pulumi
from pulumi_gcp import secretmanager

from penstock.addons.secrets.block import SecretStoreSpec
from penstock.gcp.components import workload_identity
from penstock.gcp.components.handles import ClusterHandle, KeyHandle, ProjectHandle

RECOVERY_DAYS = 30
"""How long a version that somebody destroyed can be brought back."""

_DECIDED_BY: Final = {
    "Secret": ".names",
    "SecretIamMember": ".readers",
}


class SecretStore(pulumi.ComponentResource):
    """A secret for each name, empty until a person puts a value in: no value ever passes through Pulumi's state.

    The values stay in one region, encrypted, and only the pods of `spec.readers` read them. `ids` maps the names of the
    description to projects/P/secrets/S; the region is part of S, because a project has each name once.
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
        cluster: ClusterHandle | None = None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Build the secrets; `cluster` is the one whose service accounts are `spec.readers`.

        Raises:
            ValueError: there are some, and no cluster.
        """
        super().__init__("penstock:gcp:SecretStore", name, spec.inputs(_DECIDED_BY), opts)

        self.ids = {secret: self._secret(f"{name}-{secret}", spec, project, region, key) for secret in spec.names}
        for account in dict.fromkeys(spec.readers):
            for secret, id_ in self.ids.items():
                secretmanager.SecretIamMember(
                    f"{name}-{secret}/{account}",
                    project=project.id,
                    secret_id=id_,
                    role="roles/secretmanager.secretAccessor",
                    member=workload_identity.member(account, project=project, cluster=cluster),
                    opts=pulumi.ResourceOptions(parent=self),
                )
        self.register_outputs({"ids": self.ids})

    def _secret(
        self, name: str, spec: SecretStoreSpec, project: ProjectHandle, region: str, key: KeyHandle
    ) -> pulumi.Output[str]:
        secret = secretmanager.Secret(
            name,
            secret_id=f"{name}-{region}",
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
