"""The resource group that everything of a platform is in."""

from __future__ import annotations

import pulumi
from pulumi_azure_native import authorization, resources

from penstock.azure.components.handles import GroupHandle
from penstock.description.block import HoldingSpec


class ResourceGroup(pulumi.ComponentResource):
    """A resource group, which is deleted with all that is in it, whoever put it there."""

    handle: GroupHandle

    def __init__(
        self, name: str, spec: HoldingSpec, *, region: str, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        super().__init__("penstock:azure:ResourceGroup", name, spec.inputs(), opts)
        group = resources.ResourceGroup(
            name,
            location=region,
            tags=spec.tags,
            opts=pulumi.ResourceOptions(parent=self, protect=spec.protect),
        )
        signed_in = authorization.get_client_config_output(opts=pulumi.InvokeOutputOptions(parent=self))
        self.handle = GroupHandle(
            name=group.name,
            region=region,
            subscription=signed_in.subscription_id,
            tenant=signed_in.tenant_id,
        )
        self.register_outputs({"name": group.name})
