"""Provider rules of Azure, by subject."""

from __future__ import annotations

from penstock.rules.azure import accelerators, lustre, node_pools, quotas

SUBJECTS = (node_pools, accelerators, lustre, quotas)
