"""Managed identities that a resource acts as."""

from __future__ import annotations

from typing import Any

import pulumi

from penstock.azure.components.handles import IdentityHandle


def acting_as(identity: IdentityHandle) -> dict[str, Any]:
    """One identity by its id, as older versions of Azure's API want it: a map, where newer ones take a list."""
    return {
        "type": "UserAssigned",
        "user_assigned_identities": pulumi.Output.from_input(identity.id).apply(lambda id_: {id_: {}}),
    }
