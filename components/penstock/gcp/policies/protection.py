"""Protection of a resource from being deleted with its stack."""

from __future__ import annotations

from penstock.catalog import holdings
from penstock.graph.verdict import PASS, UNKNOWN, Outcome, Verdict, allow
from penstock.graph.view import View
from penstock.rules.checks import ByType, Check, Custom, Either, Is, OneOf
from penstock.rules.settings import Settings

_SPARED = Either(
    OneOf("deletionPolicy", ("PREVENT", "ABANDON")),
    OneOf("deletionProtection", (True, "PROTECTED", "ACTIVE")),
    Is("deletionProtectionEnabled", value=True),
    Is("enableDropProtection", value=True),
    Is("deleteProtectionState", "DELETE_PROTECTION_ENABLED"),
    OneOf("mode", ("REMOTE_REPOSITORY", "VIRTUAL_REPOSITORY")),
)
"""The provider, or the API of its cloud, then refuses the deletion, or leaves the resource where it is.

Remote and virtual repositories hold copies of what is elsewhere.
"""

_OWN = {
    **dict.fromkeys(
        (
            "aws:cognito/userPool:UserPool",
            "aws:docdb/cluster:Cluster",
            "aws:eks/cluster:Cluster",
            "aws:neptune/cluster:Cluster",
            "aws:rds/cluster:Cluster",
            "aws:rds/globalCluster:GlobalCluster",
            "aws:rds/instance:Instance",
        ),
        ("deletionProtection",),
    ),
    "aws:dynamodb/table:Table": ("deletionProtectionEnabled",),
    **dict.fromkeys(
        (
            "gcp:alloydb/cluster:Cluster",
            "gcp:bigquery/table:Table",
            "gcp:bigtable/instance:Instance",
            "gcp:bigtable/table:Table",
            "gcp:container/cluster:Cluster",
            "gcp:secretmanager/secret:Secret",
            "gcp:sql/databaseInstance:DatabaseInstance",
        ),
        ("deletionPolicy", "deletionProtection"),
    ),
    "gcp:artifactregistry/repository:Repository": ("deletionPolicy", "mode"),
    "gcp:filestore/instance:Instance": ("deletionPolicy", "deletionProtectionEnabled"),
    "gcp:firestore/database:Database": ("deletionPolicy", "deleteProtectionState"),
    "gcp:spanner/database:Database": ("deletionPolicy", "deletionProtection", "enableDropProtection"),
}
"""The properties that protect a resource of a type; others of Google Cloud have `deletionPolicy`."""
_LOCKS = {
    "azure-native:authorization:ManagementLockByScope": "scope",
    "azure-native:authorization:ManagementLockAtResourceLevel": "resourceName",
    "azure-native:authorization:ManagementLockAtResourceGroupLevel": "resourceGroupName",
}
"""Locks of Azure, each with the property that names what it locks."""
_GROUP = "azure-native:resources:ResourceGroup"
_LOCKED = OneOf("level", ("CanNotDelete", "ReadOnly"))


def keeps_resources(*types: str) -> Check:
    """A check that Pulumi, or the provider where it can, keeps resources of these types."""
    return ByType({type_: _keeps(type_) for type_ in types})


def _keeps(type_: str) -> Check:
    if type_.startswith("azure-native:"):
        return Custom((), _by_lock, others=True)
    own = _OWN.get(type_, ("deletionPolicy",) if type_.startswith("gcp:") else ())
    return Custom(own, _by_policy if own else _by_option)


def _by_option(it: View, _: Settings) -> Verdict:
    options = it.resource.options
    holding = holdings.holding_of(it.type)
    lost = holding.lost if holding is not None else "all that it holds"
    return allow(options.protect or options.retain_on_delete, f"nothing protects it from deletion, which loses {lost}")


def _by_policy(it: View, settings: Settings) -> Verdict:
    said = _by_option(it, settings)
    spared = _SPARED.judge(it, settings)
    return said if said == PASS or spared.failures else spared


def _by_lock(it: View, settings: Settings) -> Verdict:
    """A lock on the resource or its group, of either level, makes Azure refuse the deletion."""
    said = _by_option(it, settings)
    if said == PASS or not it.site.of_type(*_LOCKS):
        return said
    locked = [it, *it.found("resourceGroupName", _GROUP)] if it.type != _GROUP else [it]
    locks = [lock for each in locked for type_, path in _LOCKS.items() for lock in each.referrers(type_, path)]
    levels = {_LOCKED.asked(lock, settings).outcome for lock in locks}
    if Outcome.PASS in levels:
        return PASS
    return UNKNOWN if Outcome.UNKNOWN in levels else said
