"""The customer-managed keys that everything else is encrypted with."""

from __future__ import annotations

from dataclasses import replace

import pulumi
from pulumi_azure_native import compute, keyvault, managedidentity

from penstock.azure.components.endpoints import private_endpoint
from penstock.azure.components.handles import GroupHandle, IdentityHandle, KeyHandle, NetworkHandle
from penstock.azure.components.roles import grant
from penstock.azure.components.vault import vault
from penstock.description.block import HoldingSpec

USER = "Key Vault Crypto User"
"""The role of whoever encrypts and decrypts with a key itself."""

_ENCRYPTION_USER = "Key Vault Crypto Service Encryption User"
_ROTATION = "P90D"
_BITS = 2048
"""All services take them; Managed Lustre takes no others."""


class Keys(pulumi.ComponentResource):
    """A Key Vault with two keys, so that the right to read one kind of data is not a right to read another.

    `data` is for disks, accounts, databases and images, which follow its rotations every 90 days; `cluster` is for what
    Kubernetes stores, and AKS must be given each of its versions: a person rotates it. Nodes with an ephemeral OS disk
    start with a version of `data` and keep it until they are imaged again, so old versions stay enabled.
    Each key has an identity of its own, which services act as, and whose role comes before they encrypt
    (`KeyHandle.grants`); a cluster acts as that of its key in all that it does.

    `lustre` is in a second vault, because Managed Lustre requires public access of the vault, with the exception for
    trusted services. Its firewall denies everybody else. A file system keeps the version that it was created with.

    Nobody deletes a vault for good before 90 days are over: a stack that is destroyed leaves it, deleted, under a
    name that no other one gets.
    """

    data: KeyHandle
    cluster: KeyHandle
    lustre: KeyHandle

    def __init__(
        self,
        name: str,
        spec: HoldingSpec,
        *,
        group: GroupHandle,
        network: NetworkHandle,
        lustre: bool = False,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Build the keys; `lustre` adds the key of that name and its vault."""
        super().__init__("penstock:azure:Keys", name, spec.inputs(), opts)
        child = pulumi.ResourceOptions(parent=self)
        closed = key_vault(name, spec, group=group, network=network, opts=child)
        data = customer_key(f"{name}-data", spec, group=group, holder=closed, rotates=True, opts=child)
        self.data = self._for_disks(f"{name}-data", data, spec, group)
        self.cluster = customer_key(f"{name}-cluster", spec, group=group, holder=closed, role=USER, opts=child)
        if lustre:
            admitting = key_vault(
                f"{name}-lustre", spec, group=group, network=network, behind_firewall=True, opts=child
            )
            self.lustre = customer_key(f"{name}-lustre", spec, group=group, holder=admitting, opts=child)
        self.register_outputs({"data": self.data.id, "cluster": self.cluster.id})

    def _for_disks(self, name: str, key: KeyHandle, spec: HoldingSpec, group: GroupHandle) -> KeyHandle:
        disks = compute.DiskEncryptionSet(
            name,
            resource_group_name=group.name,
            location=group.region,
            encryption_type="EncryptionAtRestWithCustomerKey",
            active_key={"key_url": key.version_id, "source_vault": {"id": key.vault}},
            rotation_to_latest_key_version_enabled=True,
            identity={"type": "UserAssigned", "user_assigned_identities": [key.identity.id]},
            tags=spec.tags,
            opts=pulumi.ResourceOptions(
                parent=self,
                depends_on=list(key.grants),
                ignore_changes=["activeKey.keyUrl"],  # it follows rotations by itself
            ),
        )
        return replace(key, disks=disks.id)


def key_vault(
    name: str,
    spec: HoldingSpec,
    *,
    group: GroupHandle,
    network: NetworkHandle,
    behind_firewall: bool = False,
    hardware: bool = False,
    opts: pulumi.ResourceOptions,
) -> keyvault.Vault:
    """A vault with a private endpoint, for the people who rotate its keys."""
    found = vault(name, spec, group=group, behind_firewall=behind_firewall, hardware=hardware, opts=opts)
    private_endpoint(name, "vault", of=found.id, at=network, group=group, tags=spec.tags, opts=opts)
    return found


def customer_key(
    name: str,
    spec: HoldingSpec,
    *,
    group: GroupHandle,
    holder: keyvault.Vault,
    role: str = _ENCRYPTION_USER,
    rotates: bool = False,
    hardware: bool = False,
    opts: pulumi.ResourceOptions,
) -> KeyHandle:
    """A key in a vault, with the identity that services use it as and the role of that identity.

    A key that `rotates` gets a version every 90 days; old versions stay enabled. One in `hardware` needs a vault that
    takes it.
    """
    policy = {"lifetime_actions": [{"action": {"type": "rotate"}, "trigger": {"time_after_create": _ROTATION}}]}
    key = keyvault.Key(
        name,
        key_name=name,
        resource_group_name=group.name,
        vault_name=holder.name,
        properties={
            "kty": "RSA-HSM" if hardware else "RSA",
            "key_size": _BITS,
            "attributes": {"enabled": True},
            **({"rotation_policy": policy} if rotates else {}),
        },
        tags=spec.tags,
        opts=pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(protect=spec.protect)),
    )
    user = managedidentity.UserAssignedIdentity(
        name, resource_group_name=group.name, location=group.region, tags=spec.tags, opts=opts
    )
    identity = IdentityHandle(id=user.id, principal=user.principal_id, client=user.client_id)
    granted = grant(name, role, scope=holder.id, to=user.principal_id, group=group, opts=opts)
    return KeyHandle(
        id=key.key_uri,
        version_id=key.key_uri_with_version,
        name=key.name,
        vault=holder.id,
        vault_uri=holder.properties.vault_uri,
        identity=identity,
        grants=(granted,),
    )
