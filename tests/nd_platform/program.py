"""What every part of the platform is made with: its misconfigurations, roles and resource group."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pulumi
import pulumi_azure_native as azure

Misconfiguration = Mapping[str, Mapping[str, Any]]
"""Arguments that differ from the right ones, by the name of the resource; mappings merge, and None leaves one out."""

SUBSCRIPTION = "0282681f-7a9e-424b-80b2-96babd57a8a1"
TENANT = "72f988bf-86f1-41af-91ab-2d7cd011db47"
GROUP = "training"
REGION = "eastus"
CONFIG = {"azure-native:location": REGION, "azure-native:subscriptionId": SUBSCRIPTION}
HPC_CACHE = "831d4223-7a3c-4121-a445-1e423591e57b"
"""The object id of the service principal HPC Cache Resource Provider in the tenant."""

ROLES = {
    "network": "4d97b98b-1d4f-4787-a291-c67834d212e7",
    "contributor": "b24988ac-6180-42a0-ab88-20f7382dd24c",
    "encryption": "e147488a-f6f5-4113-8e2d-b22465e65bf6",
    "blobs": "ba92f5b4-2d11-453d-a403-e96b0029c9fe",
    "accounts": "17d1049b-9a84-46fb-8f53-869881c3d3ab",
    "pull": "7f951dda-4ed3-4680-a7ca-43fe172d538d",
}
"""Built-in roles: <https://learn.microsoft.com/en-us/azure/role-based-access-control/built-in-roles>."""


def role(name: str) -> str:
    """The id of a built-in role."""
    return f"/subscriptions/{SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/{ROLES[name]}"


def merged(right: Any, change: Any) -> Any:
    """The right arguments with a change among them."""
    if isinstance(right, Mapping) and isinstance(change, Mapping):
        return {**right, **{key: merged(right.get(key), value) for key, value in change.items()}}
    return change


class Program:
    """The resources so far by name, and what is wrong about those to come."""

    def __init__(self, misconfiguration: Misconfiguration) -> None:
        self.misconfiguration = misconfiguration
        self.made: dict[str, Any] = {}

    def make(
        self, cls: Any, title: str, /, opts: pulumi.ResourceOptions | None = None, *, grouped: bool = True, **right: Any
    ) -> Any:
        """Makes a resource, with its misconfigurations."""
        if grouped:
            right["resource_group_name"] = self.made["group"].name
        arguments = self.resolved(merged(right, self.misconfiguration.get(title, {})))
        self.made[title] = cls(title, opts=opts, **arguments)
        return self.made[title]

    def resolved(self, value: Any) -> Any:
        """A value without what is left out, and with what stands for other resources."""
        if callable(value):
            return value(self.made)
        if isinstance(value, Mapping):
            return {key: self.resolved(item) for key, item in value.items() if item is not None}
        return [self.resolved(item) for item in value] if isinstance(value, list) else value

    def grant(self, title: str, name: str, principal: Any, scope: Any) -> Any:
        """Assigns a role."""
        return self.make(
            azure.authorization.RoleAssignment,
            title,
            grouped=False,
            principal_id=principal,
            principal_type="ServicePrincipal",
            role_definition_id=role(name),
            scope=scope,
        )
