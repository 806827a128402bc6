"""Provider rules of Azure, by subject."""

from __future__ import annotations

from penstock.rules.azure import (
    accelerators,
    clusters,
    identities,
    lustre,
    names,
    networks,
    node_pools,
    quotas,
    security_groups,
    stores,
)

SUBJECTS = (networks, security_groups, clusters, node_pools, accelerators, lustre, stores, identities, names, quotas)
