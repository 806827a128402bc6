"""Provider rules of Azure, by subject."""

from __future__ import annotations

from penstock.rules.azure import accelerators, clusters, lustre, names, networks, node_pools, quotas

SUBJECTS = (networks, clusters, node_pools, accelerators, lustre, names, quotas)
