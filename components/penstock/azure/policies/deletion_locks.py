"""Locks of Azure, which keep resources from being deleted."""

from __future__ import annotations

from typing import Final

from penstock.azure.types import RESOURCES_RESOURCE_GROUP
from penstock.graph.verdict import PASS, UNKNOWN, Outcome, Verdict
from penstock.graph.view import View
from penstock.policies.protection import by_option
from penstock.rules.checks import OneOf
from penstock.rules.settings import Settings

_LOCKS: Final = {
    "azure-native:authorization:ManagementLockByScope": "scope",
    "azure-native:authorization:ManagementLockAtResourceLevel": "resourceName",
    "azure-native:authorization:ManagementLockAtResourceGroupLevel": "resourceGroupName",
}
"""Types of locks, each with the property that names what it locks."""
_LOCKED: Final = OneOf("level", ("CanNotDelete", "ReadOnly"))


def by_lock(it: View, settings: Settings) -> Verdict:
    """A lock on the resource or its group, of either level, makes Azure refuse the deletion."""
    said = by_option(it, settings)
    if said == PASS or not it.site.of_type(*_LOCKS):
        return said
    locked = (
        [it, *it.found("resourceGroupName", RESOURCES_RESOURCE_GROUP)] if it.type != RESOURCES_RESOURCE_GROUP else [it]
    )
    locks = [lock for each in locked for type_, path in _LOCKS.items() for lock in each.referrers(type_, path)]
    levels = {_LOCKED.asked(lock, settings).outcome for lock in locks}
    if Outcome.PASS in levels:
        return PASS
    return UNKNOWN if Outcome.UNKNOWN in levels else said
