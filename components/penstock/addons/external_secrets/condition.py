"""The descriptions that need External Secrets."""

from __future__ import annotations

from penstock.addons.secrets.block import SecretStoreSpec
from penstock.description.nodes import PoolNodes
from penstock.description.platform import Spec


def holds(spec: Spec, _pools: tuple[PoolNodes, ...]) -> bool:
    """Secrets that come into namespaces."""
    store = spec.addons.get(SecretStoreSpec)
    return store is not None and bool(store.delivered_to)
