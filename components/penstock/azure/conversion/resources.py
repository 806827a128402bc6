"""How the Azure resources of a stack export become a description."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from penstock.azure.types import (
    CONTAINERREGISTRY_REGISTRY,
    CONTAINERSERVICE_MANAGED_CLUSTER,
    DBFORPOSTGRESQL_SERVER,
    NETWORK_VIRTUAL_NETWORK,
    STORAGE_BLOB_CONTAINER,
    STORAGE_FILE_SHARE,
    STORAGECACHE_AML_FILESYSTEM,
)
from penstock.conversion.resources import ExportDraft, Reader
from penstock.core.quantities import GIB_PER_TIB
from penstock.graph.verdict import NotKnown
from penstock.graph.view import View

_VERSION: Final = re.compile(r"1\.\d{2}\b")
_SUBSCRIPTION: Final = re.compile(r"/subscriptions/([^/]+)")
_TIER: Final = re.compile(r"-(\d+)$")


def _place(view: View, export: ExportDraft) -> None:
    location = view.text("location") or view.outputs.text("location")
    export.put(view, ("cloud", "region"), location.lower().replace(" ", "") if location else None)
    subscription = _SUBSCRIPTION.match(view.id)
    export.put(view, ("cloud", "account"), subscription[1] if subscription else None)


def _network(view: View, export: ExportDraft) -> None:
    if "cidr" in export.draft.platform["network"]:
        return
    space = view.block("addressSpace")
    ranges = space.texts("addressPrefixes") if space is not None else []
    export.put(view, ("network", "cidr"), ranges[0] if ranges else None)
    _place(view, export)
    hint = f"To keep it, replace cidr by network.existing: {{id: {view.id}}} and its subnets."
    export.keep(view, "The description creates a new network.", hint)


def _cluster(view: View, export: ExportDraft) -> None:
    version = _VERSION.match(view.text("kubernetesVersion") or "")
    export.put(view, ("cluster", "version"), version[0] if version else None)
    _place(view, export)
    access = view.block("apiServerAccessProfile")
    ranges = [each for each in access.texts("authorizedIPRanges") if not each.endswith("/0")] if access else []
    if ranges:
        export.put(view, ("cluster", "access"), "restricted")
        export.put(view, ("network", "allowed_cidrs"), ranges)
    profile = view.block("aadProfile")
    groups = profile.texts("adminGroupObjectIDs") if profile is not None else []
    export.put(view, ("cluster", "admins"), [f"group:{each}" for each in groups])
    name = view.outputs.text("name") or view.name
    export.draft.called(name, ())
    hint = f"To keep it, set cluster.existing: {{name: {name}}} and network.existing."
    export.keep(view, "The description creates a new cluster.", hint)


def _bucket(view: View, export: ExportDraft) -> None:
    export.add_storage(view, kind="bucket")


def _lustre(view: View, export: ExportDraft) -> None:
    sku, capacity = view.block("sku"), view.number("storageCapacityTiB")
    tier = _TIER.search((sku.text("name") if sku is not None else None) or "")
    if capacity is None or tier is None:
        raise NotKnown
    export.add_storage(view, kind="lustre", capacity_tib=capacity, throughput_mbps_per_tib=int(tier[1]))


def _shared_files(view: View, export: ExportDraft) -> None:
    gib = view.number("shareQuota")
    export.add_storage(view, kind="nfs", **({"capacity_tib": round(gib / GIB_PER_TIB, 3)} if gib else {}))


def _database(view: View, export: ExportDraft) -> None:
    storage = view.block("storage")
    gib = storage.number("storageSizeGB") if storage is not None else None
    export.add_storage(view, kind="postgres", **({"capacity_tib": round(gib / GIB_PER_TIB, 3)} if gib else {}))


def _registry(view: View, export: ExportDraft) -> None:
    export.read.add(view.urn)
    export.note(view.resource, "The registry's repositories are not in the state.", "Set addons.registry.repositories.")


READERS: Final[Mapping[str, Reader]] = {
    NETWORK_VIRTUAL_NETWORK: _network,
    CONTAINERSERVICE_MANAGED_CLUSTER: _cluster,
    STORAGE_BLOB_CONTAINER: _bucket,
    STORAGECACHE_AML_FILESYSTEM: _lustre,
    STORAGE_FILE_SHARE: _shared_files,
    DBFORPOSTGRESQL_SERVER: _database,
    CONTAINERREGISTRY_REGISTRY: _registry,
}
