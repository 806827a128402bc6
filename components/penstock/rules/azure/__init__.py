"""Provider rules of Azure, by subject."""

from __future__ import annotations

from penstock.rules.azure import accelerators, clusters, lustre, names, node_pools, quotas

SUBJECTS = (clusters, node_pools, accelerators, lustre, names, quotas)
