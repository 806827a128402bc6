"""Roles: who may do what with which resource."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pulumi
from pulumi_azure_native import authorization

from penstock.azure.components.handles import GroupHandle
from penstock.azure.facts import roles

KINDS: Final = {"user": "User", "group": "Group", "app": "ServicePrincipal"}
"""The kinds of principals in descriptions, such as group:GUID, as Azure names them."""


def grant(
    name: str,
    role: str,
    *,
    scope: pulumi.Input[str],
    to: pulumi.Input[str],
    group: GroupHandle,
    kind: pulumi.Input[str] = "ServicePrincipal",
    after: Sequence[pulumi.Resource] = (),
    opts: pulumi.ResourceOptions,
) -> pulumi.Resource:
    """Give a principal a built-in role in a scope; it takes hold up to ten minutes later.

    Args:
        name: The assignment's.
        role: As people call it: Key Vault Crypto User.
        scope: The id of a resource, and of all that is in it.
        to: The object id (GUID) of the principal.
        group: Of the subscription whose roles they are.
        kind: User, Group or ServicePrincipal: then Azure takes a principal that its directory does not show
            everywhere yet.
        after: What exists before it.
        opts: Pulumi's options.
    """
    assignment: pulumi.Resource = authorization.RoleAssignment(
        name,
        scope=scope,
        role_definition_id=pulumi.Output.concat(
            "/subscriptions/",
            group.subscription,
            "/providers/Microsoft.Authorization/roleDefinitions/",
            roles.find_role(role).id,
        ),
        principal_id=to,
        principal_type=kind,
        opts=pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(depends_on=list(after))),
    )
    return assignment
