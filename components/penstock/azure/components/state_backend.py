"""A self-managed backend of Pulumi in Azure Blob Storage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pulumi
from pulumi_azure_native import managedidentity, storage

from penstock.azure.components.bucket import WRITER
from penstock.azure.components.diagnostics import send_logs
from penstock.azure.components.endpoints import private_endpoint
from penstock.azure.components.handles import BucketHandle, GroupHandle, KeyHandle, NetworkHandle
from penstock.azure.components.keys import USER, customer_key, key_vault
from penstock.azure.components.roles import KINDS, grant
from penstock.azure.components.storage_account import storage_account
from penstock.azure.components.workload_identity import trust
from penstock.description.shortened_names import letters_of
from penstock.description.state import StateBackendSpec, init_command, login_command

_CONTAINER: Final = "state"

_LONGEST_CREDENTIAL: Final = 120
"""Characters of a federated credential's name (Entra ID documentation, considerations, 2026-11)."""

_ACCESS: Final = ("StorageRead", "StorageWrite", "StorageDelete")

_DECIDED_BY: Final = {
    "policy deleteRetentionPolicy containerDeleteRetentionPolicy ManagementPolicy": ".retention_days",
    "UserAssignedIdentity FederatedIdentityCredential": ".pipelines .issuer",
}


class StateBackend(pulumi.ComponentResource):
    """A container for the state of Pulumi stacks, and the key that encrypts it and the secrets in the state.

    The account and the key are reached at private endpoints only, so pipelines and people run Pulumi inside the
    network. `members` and the `pipelines` of the spec read and write the state, and encrypt and decrypt secrets.
    Pipelines act as the identity `client`, by the tokens of their CI service.

    Pulumi decrypts with the version of the key that `secrets_provider` names, which stays enabled when the key is
    rotated. Without a version it would use the newest, and fail. The key never leaves an HSM. Nobody deletes the vault
    for good before 90 days are over, and `protect` is on by default.
    """

    backend_url: pulumi.Output[str]
    secrets_provider: pulumi.Output[str]
    login: pulumi.Output[str]
    init: pulumi.Output[str]
    client: pulumi.Output[str] | None
    bucket: BucketHandle
    key: KeyHandle

    def __init__(
        self,
        name: str,
        spec: StateBackendSpec,
        *,
        group: GroupHandle,
        network: NetworkHandle,
        members: Sequence[str] = (),
        logs: pulumi.Input[str] | None = None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Build the backend.

        Args:
            name: The start of every name in it.
            spec: What to build.
            group: Where to build it.
            network: Where account and vault have their endpoints.
            members: Who deploys, by object id: group:GUID, user:GUID or app:GUID.
            logs: The id of a Log Analytics workspace that records who uses the state and its key.
            opts: Pulumi's options.

        Raises:
            KeyError: a member is of no such kind.
        """
        super().__init__("penstock:azure:StateBackend", name, spec.inputs(_DECIDED_BY), opts)
        child = pulumi.ResourceOptions(parent=self)
        self._group = group

        vault = key_vault(name, spec, group=group, network=network, hardware=True, opts=child)
        self.key = customer_key(name, spec, group=group, holder=vault, rotates=True, hardware=True, opts=child)
        account = storage_account(
            name, spec, kind="StorageV2", group=group, key=self.key, opts=child, allow_shared_key_access=False
        )
        container = self._container(name, spec, account)
        private_endpoint(f"{name}-blob", "blob", of=account.id, at=network, group=group, tags=spec.tags, opts=child)
        if logs is not None:
            blobs = pulumi.Output.concat(account.id, "/blobServices/default")
            send_logs(f"{name}-key", ("AuditEvent",), of=vault.id, to=logs, opts=child)
            send_logs(f"{name}-state", _ACCESS, of=blobs, to=logs, opts=child)
        self.bucket = BucketHandle(account=account.id, container=container.id)
        for member in members:
            kind, _, principal = member.partition(":")
            self._allow(f"{name}-{member}", principal, KINDS[kind])
        self.client = None
        if spec.pipelines:
            pipelines = self._pipelines(f"{name}-pipelines", spec)
            self.client = pipelines.client_id
            self._allow(f"{name}-pipelines", pipelines.principal_id, KINDS["app"])

        self.backend_url = pulumi.Output.concat("azblob://", _CONTAINER, "?storage_account=", account.name)
        self.secrets_provider = pulumi.Output.from_input(self.key.version_id).apply(
            lambda uri: uri.replace("https://", "azurekeyvault://", 1)
        )
        self.login = self.backend_url.apply(login_command)
        self.init = self.secrets_provider.apply(init_command)
        self.register_outputs(
            {
                "backend_url": self.backend_url,
                "secrets_provider": self.secrets_provider,
                "login": self.login,
                "init": self.init,
                "client": self.client,
            }
        )

    def _container(self, name: str, spec: StateBackendSpec, account: storage.StorageAccount) -> storage.BlobContainer:
        """The container, whose overwritten and deleted blobs stay as versions."""
        place = {"account_name": account.name, "resource_group_name": self._group.name}
        child = pulumi.ResourceOptions(parent=self)
        kept = {"enabled": True, "days": spec.retention_days}
        service = storage.BlobServiceProperties(
            name,
            **place,
            blob_services_name="default",
            is_versioning_enabled=True,
            delete_retention_policy=kept,
            container_delete_retention_policy=kept,
            opts=child,
        )
        # The age of a version counts from when it was written, not from when it was overwritten. What the rule deletes
        # is soft-deleted, so that each version can be restored for retention_days after it was overwritten.
        storage.ManagementPolicy(
            name,
            **place,
            management_policy_name="default",
            policy={
                "rules": [
                    {
                        "name": "old-versions",
                        "enabled": True,
                        "type": "Lifecycle",
                        "definition": {
                            "filters": {"blob_types": ["blockBlob"]},
                            "actions": {
                                "version": {"delete": {"days_after_creation_greater_than": spec.retention_days}}
                            },
                        },
                    }
                ]
            },
            opts=pulumi.ResourceOptions.merge(child, pulumi.ResourceOptions(depends_on=[service])),
        )
        return storage.BlobContainer(
            name,
            **place,
            container_name=_CONTAINER,
            public_access="None",
            opts=pulumi.ResourceOptions.merge(child, pulumi.ResourceOptions(protect=spec.protect)),
        )

    def _pipelines(self, name: str, spec: StateBackendSpec) -> managedidentity.UserAssignedIdentity:
        """The identity of the pipelines."""
        child = pulumi.ResourceOptions(parent=self)
        identity = managedidentity.UserAssignedIdentity(
            name,
            resource_group_name=self._group.name,
            location=self._group.region,
            tags=spec.tags,
            opts=child,
        )
        before: list[pulumi.Resource] = []
        for subject in spec.pipelines:
            trusted = trust(
                f"{name}/{subject}",
                subject,
                identity=identity,
                credential=letters_of(subject, _LONGEST_CREDENTIAL),
                issuer=spec.issuer,
                group=self._group,
                # Azure refuses credentials of one identity that are written at the same time.
                opts=pulumi.ResourceOptions.merge(child, pulumi.ResourceOptions(depends_on=before)),
            )
            before = [trusted]
        return identity

    def _allow(self, name: str, principal: pulumi.Input[str], kind: str) -> None:
        """Let a principal use the state and the key of its secrets, and no other key of the vault."""
        key = pulumi.Output.concat(self.key.vault, "/keys/", self.key.name)
        for what, role, scope in (("state", WRITER, self.bucket.container), ("secrets", USER, key)):
            grant(
                f"{name}-{what}",
                role,
                scope=scope,
                to=principal,
                group=self._group,
                kind=kind,
                opts=pulumi.ResourceOptions(parent=self),
            )
