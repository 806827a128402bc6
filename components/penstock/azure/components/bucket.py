"""Storage accounts with a container: data sets, checkpoints and models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pulumi
from pulumi_azure_native import storage

from penstock.azure.components.endpoints import private_endpoint
from penstock.azure.components.handles import BucketHandle, GroupHandle, IdentityHandle, KeyHandle, NetworkHandle
from penstock.azure.components.roles import grant
from penstock.azure.components.storage_account import storage_account
from penstock.description.offer import kept_days
from penstock.description.storage import BucketSpec

READER, WRITER = "Storage Blob Data Reader", "Storage Blob Data Contributor"
_IMPORTER_ROLES = {"account": "Storage Account Contributor", "blobs": "Storage Blob Data Contributor"}
"""The roles by which Managed Lustre reads a container and logs in another (its documentation, prerequisites)."""

_CONTAINER, _LOGGING = "data", "logging"

_SIGNED = {"expiration_action": "Log", "sas_expiration_period": "1.00:00:00"}
"""Where an account takes keys, what they sign is good for a day."""

_DECIDED_BY: Final = {
    "RoleAssignment": ".readers .writers",
    "containerDeleteRetentionPolicy deleteRetentionPolicy ManagementPolicy": ".retention_days .versioning",
    "isVersioningEnabled": ".versioning",
}


class Bucket(pulumi.ComponentResource):
    """A private, encrypted container of blobs in an account of its own, with folders as in a file system.

    Azure keeps no versions in an account with such folders. Soft delete takes their place: what is deleted can be
    restored for `retention_days`, unless `versioning` is off. The account's name gets a random suffix, because names
    of accounts are shared by all customers of Azure. It is reached at private endpoints alone, and keys of the account
    open it to nobody, unless Managed Lustre imports from it, which takes no other way.
    """

    handle: BucketHandle
    name: pulumi.Output[str]
    url: pulumi.Output[str]

    def __init__(
        self,
        name: str,
        spec: BucketSpec,
        *,
        group: GroupHandle,
        network: NetworkHandle,
        key: KeyHandle,
        importer: str | None = None,
        identities: Mapping[str, IdentityHandle] | None = None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Build the account.

        Args:
            name: The start of every name in it.
            spec: What to build.
            group: Where to build it.
            network: Where it has its endpoints.
            key: Encrypts it (`Keys.data`).
            importer: Object id of whom Managed Lustre imports from it as; None where no file system does.
            identities: Those of the service accounts in `spec.readers` and `spec.writers`.
            opts: Pulumi's options.

        Raises:
            KeyError: a reader or writer has no identity.
        """
        super().__init__("penstock:azure:Bucket", name, spec.inputs(_DECIDED_BY), opts)
        child = pulumi.ResourceOptions(parent=self)
        account = storage_account(
            name,
            spec,
            kind="StorageV2",
            group=group,
            key=key,
            opts=child,
            is_hns_enabled=True,  # only at creation: adding it later replaces the account
            access_tier="Hot",
            allow_shared_key_access=importer is not None,
            sas_policy=_SIGNED if importer is not None else None,
        )
        days = kept_days(spec, "azure")
        retention = {"enabled": spec.versioning, **({"days": days} if spec.versioning else {})}
        storage.BlobServiceProperties(
            name,
            account_name=account.name,
            resource_group_name=group.name,
            blob_services_name="default",
            delete_retention_policy=retention,
            container_delete_retention_policy=retention,
            opts=child,
        )
        container = self._container(name, _CONTAINER, spec, account, group)
        logging = self._container(f"{name}-logging", _LOGGING, spec, account, group) if importer is not None else None
        for resource in ("blob", "dfs"):
            private_endpoint(
                f"{name}-{resource}",
                resource,
                of=account.id,
                at=network,
                group=group,
                tags=spec.tags,
                opts=child,
            )
        for role, accounts in ((READER, spec.readers), (WRITER, spec.writers)):
            for who in dict.fromkeys(accounts):
                grant(
                    f"{name}-{'read' if role == READER else 'write'}/{who}",
                    role,
                    scope=container.id,
                    to=(identities or {})[who].principal,
                    group=group,
                    opts=child,
                )

        self.name = account.name
        self.url = pulumi.Output.concat("abfss://", container.name, "@", account.name, ".dfs.core.windows.net/")
        self.handle = BucketHandle(
            account=account.id,
            container=container.id,
            logging=logging.id if logging is not None else None,
            grants=self._let_import(name, importer, account, group),
        )
        self.register_outputs({"name": self.name, "url": self.url})

    def _let_import(
        self, name: str, importer: str | None, account: storage.StorageAccount, group: GroupHandle
    ) -> tuple[pulumi.Resource, ...]:
        """The roles of whoever imports: once for a bucket, whose file systems have them in common."""
        if importer is None:
            return ()
        return tuple(
            grant(
                f"{name}-import-{what}",
                role,
                scope=account.id,
                to=importer,
                group=group,
                opts=pulumi.ResourceOptions(parent=self),
            )
            for what, role in _IMPORTER_ROLES.items()
        )

    def _container(
        self, name: str, container: str, spec: BucketSpec, account: storage.StorageAccount, group: GroupHandle
    ) -> storage.BlobContainer:
        return storage.BlobContainer(
            name,
            account_name=account.name,
            resource_group_name=group.name,
            container_name=container,
            public_access="None",
            opts=pulumi.ResourceOptions(parent=self, protect=spec.protect),
        )
