"""The customer-managed keys that everything else is encrypted with."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pulumi
from pulumi_azure_native import compute, keyvault, managedidentity

from penstock.azure.endpoints import private_endpoint
from penstock.azure.handles import GroupHandle, IdentityHandle, KeyHandle, NetworkHandle
from penstock.azure.roles import grant
from penstock.azure.vault import vault
from penstock.spec.block import HoldingSpec

_ROTATION = "P90D"
_BITS = 2048
"""All services take them; Managed Lustre takes no others."""


class Keys(pulumi.ComponentResource):
    """A Key Vault with two keys, so that the right to read one kind of data is not a right to read another.

    `data` is for disks, file systems, accounts, databases and images, which follow its rotations every 90 days;
    `cluster` is for what Kubernetes stores, and AKS wants to be given each of its versions: a person rotates it. Each
    has an identity of its own, which services act as, and whose role comes before they encrypt (`KeyHandle.grants`);
    a cluster acts as that of its key in all that it does.

    Nobody deletes the vault for good before 90 days are over: a stack that is destroyed leaves it, deleted, under a
    name that no other one gets.
    """

    data: KeyHandle
    cluster: KeyHandle

    def __init__(
        self,
        name: str,
        spec: HoldingSpec,
        *,
        group: GroupHandle,
        network: NetworkHandle,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        super().__init__("penstock:azure:Keys", name, spec.inputs(), opts)
        self._group, self._spec = group, spec
        self._vault = vault(name, spec, group=group, opts=pulumi.ResourceOptions(parent=self))
        private_endpoint(
            name,
            "vault",
            of=self._vault.id,
            at=network,
            group=group,
            tags=spec.tags,
            opts=pulumi.ResourceOptions(parent=self),
        )

        data = self._key(
            f"{name}-data",
            role="Key Vault Crypto Service Encryption User",
            rotation_policy={
                "lifetime_actions": [{"action": {"type": "rotate"}, "trigger": {"time_after_create": _ROTATION}}]
            },
        )
        self.data = self._for_disks(f"{name}-data", data)
        self.cluster = self._key(f"{name}-cluster", role="Key Vault Crypto User")
        self.register_outputs({"data": self.data.id, "cluster": self.cluster.id})

    def _key(self, name: str, *, role: str, **properties: Any) -> KeyHandle:
        child = pulumi.ResourceOptions(parent=self)
        key = keyvault.Key(
            name,
            key_name=name,
            resource_group_name=self._group.name,
            vault_name=self._vault.name,
            properties={"kty": "RSA", "key_size": _BITS, "attributes": {"enabled": True}, **properties},
            tags=self._spec.tags,
            opts=pulumi.ResourceOptions(parent=self, protect=self._spec.protect),
        )
        user = managedidentity.UserAssignedIdentity(
            name,
            resource_group_name=self._group.name,
            location=self._group.region,
            tags=self._spec.tags,
            opts=child,
        )
        identity = IdentityHandle(id=user.id, principal=user.principal_id, client=user.client_id)
        granted = grant(name, role, scope=self._vault.id, to=user.principal_id, group=self._group, opts=child)
        return KeyHandle(
            id=key.key_uri,
            version_id=key.key_uri_with_version,
            name=key.name,
            vault=self._vault.id,
            vault_uri=self._vault.properties.vault_uri,
            identity=identity,
            grants=(granted,),
        )

    def _for_disks(self, name: str, key: KeyHandle) -> KeyHandle:
        disks = compute.DiskEncryptionSet(
            name,
            resource_group_name=self._group.name,
            location=self._group.region,
            encryption_type="EncryptionAtRestWithCustomerKey",
            active_key={"key_url": key.version_id, "source_vault": {"id": key.vault}},
            rotation_to_latest_key_version_enabled=True,
            identity={"type": "UserAssigned", "user_assigned_identities": [key.identity.id]},
            tags=self._spec.tags,
            opts=pulumi.ResourceOptions(
                parent=self,
                depends_on=list(key.grants),
                ignore_changes=["activeKey.keyUrl"],  # it follows rotations by itself
            ),
        )
        return replace(key, disks=disks.id)
