"""Provider rules of Azure, by subject."""

from __future__ import annotations

from penstock.rules.azure import (
    accelerators,
    budgets,
    clusters,
    databases,
    identities,
    lustre,
    names,
    networks,
    node_pools,
    outlets,
    quotas,
    security_groups,
    stores,
)

SUBJECTS = (
    networks,
    outlets,
    security_groups,
    clusters,
    node_pools,
    accelerators,
    lustre,
    stores,
    databases,
    identities,
    names,
    budgets,
    quotas,
)
