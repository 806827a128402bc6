"""Container registries: the images that the platform runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pulumi
from pulumi_azure_native import containerregistry

from penstock.addons.registry.block import RegistrySpec
from penstock.azure.components.endpoints import private_endpoint
from penstock.azure.components.handles import GroupHandle, IdentityHandle, KeyHandle, NetworkHandle
from penstock.azure.components.identities import acting_as
from penstock.azure.components.roles import grant
from penstock.azure.types import CONTAINERREGISTRY_REGISTRY
from penstock.catalog import name_forms, regions
from penstock.description.shortened_names import letters_with_room

UNTAGGED_DAYS = 14
"""How long an image without a tag is kept: what a failed or replaced build left behind."""


_DECIDED_BY: Final = {
    "Registry": ".repositories",
}


class Registry(pulumi.ComponentResource):
    """One private registry for all repositories, which Azure creates as somebody pushes to them.

    It is reached at its private endpoint, by identities alone: it has no administrator with a password. `urls` maps
    the names of the description to what `docker push` wants.
    """

    urls: Mapping[str, pulumi.Output[str]]

    def __init__(
        self,
        name: str,
        spec: RegistrySpec,
        *,
        group: GroupHandle,
        network: NetworkHandle,
        key: KeyHandle,
        puller: IdentityHandle | None = None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Build the registry; `puller` is what nodes act as (`ClusterHandle.kubelet`)."""
        super().__init__("penstock:azure:Registry", name, spec.inputs(_DECIDED_BY), opts)
        child = pulumi.ResourceOptions(parent=self)
        registry = containerregistry.Registry(
            letters_with_room(name, name_forms.name_forms("azure")[CONTAINERREGISTRY_REGISTRY].longest),
            resource_group_name=group.name,
            location=group.region,
            sku={"name": "Premium"},  # no other one has private endpoints and keys of customers
            admin_user_enabled=False,
            anonymous_pull_enabled=False,
            public_network_access="Disabled",
            network_rule_bypass_options="AzureServices",
            zone_redundancy="Enabled" if regions.find_region(group.region, "azure").zones else "Disabled",
            policies={
                "export_policy": {"status": "disabled"},
                "retention_policy": {"status": "enabled", "days": UNTAGGED_DAYS},
            },
            identity=acting_as(key.identity),
            encryption={
                "status": "enabled",
                "key_vault_properties": {"identity": key.identity.client, "key_identifier": key.id},
            },
            tags=spec.tags,
            opts=pulumi.ResourceOptions(parent=self, protect=spec.protect, depends_on=list(key.grants)),
        )
        private_endpoint(name, "registry", of=registry.id, at=network, group=group, tags=spec.tags, opts=child)

        if puller is not None:
            grant(f"{name}-pull", "AcrPull", scope=registry.id, to=puller.principal, group=group, opts=child)

        self.urls = {
            repository: pulumi.Output.concat(registry.login_server, "/", repository) for repository in spec.repositories
        }
        self.register_outputs({"urls": self.urls})
