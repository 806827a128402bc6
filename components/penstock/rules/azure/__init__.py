"""Provider rules of Azure, by subject."""

from __future__ import annotations

from penstock.rules.azure import (
    accelerators,
    budgets,
    cluster_identities,
    cluster_networks,
    clusters,
    databases,
    identities,
    lustre,
    names,
    networks,
    node_pools,
    node_settings,
    outlets,
    pool_networks,
    quotas,
    reservations,
    security_groups,
    stores,
    versions,
)

SUBJECTS = (
    networks,
    outlets,
    security_groups,
    clusters,
    cluster_networks,
    cluster_identities,
    versions,
    node_pools,
    node_settings,
    pool_networks,
    reservations,
    accelerators,
    lustre,
    stores,
    databases,
    identities,
    names,
    budgets,
    quotas,
)
