"""How the Google Cloud resources of a stack export become a description."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from ipaddress import IPv4Network
from typing import Final

from penstock.conversion.resources import ExportDraft, Reader
from penstock.core.quantities import GIB_PER_TIB, lustre_tib
from penstock.gcp.types import (
    ARTIFACTREGISTRY_REPOSITORY,
    COMPUTE_SUBNETWORK,
    CONTAINER_CLUSTER,
    FILESTORE_INSTANCE,
    LUSTRE_INSTANCE,
    SQL_DATABASE_INSTANCE,
    STORAGE_BUCKET,
)
from penstock.graph.verdict import NotKnown
from penstock.graph.view import View

_VERSION: Final = re.compile(r"1\.\d{2}\b")
_LARGEST_NETWORK: Final = 8
_ZONE_ENDING: Final = re.compile(r"-[a-z]$")


def _network(view: View, export: ExportDraft) -> None:
    clusters = view.site.of_type(CONTAINER_CLUSTER)
    used = {each.urn for cluster in clusters for each in cluster.found("subnetwork", COMPUTE_SUBNETWORK)}
    if "cidr" in export.draft.platform["network"] or (used and view.urn not in used):
        return
    secondary = [each.text("ipCidrRange") for each in view.blocks("secondaryIpRanges")]
    ranges = [each for each in (view.text("ipCidrRange"), *secondary) if each]
    export.put(view, ("network", "cidr"), _covering(ranges))
    export.put(view, ("cloud", "region"), view.text("region"))
    _project(view, export)
    path = view.outputs.text("id") or view.id
    hint = f"To keep it, replace cidr by network.existing with subnets: {{{view.text('region')}: {path}}}."
    export.keep(view, "The description creates a new network.", hint)


def _covering(ranges: Sequence[str]) -> str | None:
    """Return the smallest range around those of nodes, pods and services; the first where they are far apart."""
    networks = [IPv4Network(each) for each in ranges]
    if not networks:
        return None
    around = networks[0]
    while not all(each.subnet_of(around) for each in networks):
        around = around.supernet()
    return str(around if around.prefixlen >= _LARGEST_NETWORK else networks[0])


def _cluster(view: View, export: ExportDraft) -> None:
    version = _VERSION.match(view.text("minMasterVersion") or view.outputs.text("masterVersion") or "")
    export.put(view, ("cluster", "version"), version[0] if version else None)
    location = view.text("location")
    export.put(view, ("cloud", "region"), _ZONE_ENDING.sub("", location) if location else None)
    _project(view, export)
    authorized = view.block("masterAuthorizedNetworksConfig")
    blocks = authorized.blocks("cidrBlocks") if authorized is not None else []
    ranges = [each for each in (block.text("cidrBlock") for block in blocks) if each and not each.endswith("/0")]
    export.put(view, ("network", "allowed_cidrs"), ranges)
    name = view.outputs.text("name") or view.name
    export.draft.called(name, ())
    hint = f"To keep it, set cluster.existing: {{name: {name}}} and network.existing."
    export.keep(view, "The description creates a new cluster.", hint)


def _project(view: View, export: ExportDraft) -> None:
    export.put(view, ("cloud", "account"), view.outputs.text("project") or view.text("project"))


def _bucket(view: View, export: ExportDraft) -> None:
    export.add_storage(view, kind="bucket")


def _lustre(view: View, export: ExportDraft) -> None:
    capacity, tier = view.number("capacityGib"), view.integer("perUnitStorageThroughput")
    if capacity is None or tier is None:
        raise NotKnown
    export.add_storage(view, kind="lustre", capacity_tib=lustre_tib(capacity), throughput_mbps_per_tib=tier)


def _shared_files(view: View, export: ExportDraft) -> None:
    share = view.block("fileShares")
    gib = share.number("capacityGb") if share is not None else None
    tier = {} if (view.text("tier") or "").startswith(("REGIONAL", "ENTERPRISE")) else {"tier": "zonal"}
    capacity = {"capacity_tib": round(gib / GIB_PER_TIB, 3)} if gib else {}
    export.add_storage(view, kind="nfs", **capacity, **tier)


def _database(view: View, export: ExportDraft) -> None:
    if not (view.text("databaseVersion") or "").startswith("POSTGRES"):
        return
    settings = view.block("settings")
    gib = settings.number("diskSize") if settings is not None else None
    export.add_storage(view, kind="postgres", **({"capacity_tib": round(gib / GIB_PER_TIB, 3)} if gib else {}))


def _repository(view: View, export: ExportDraft) -> None:
    names = [*export.draft.platform["addons"].get("registry", {}).get("repositories", ()), view.name]
    export.put(view, ("addons", "registry"), {"repositories": names})


READERS: Final[Mapping[str, Reader]] = {
    COMPUTE_SUBNETWORK: _network,
    CONTAINER_CLUSTER: _cluster,
    STORAGE_BUCKET: _bucket,
    LUSTRE_INSTANCE: _lustre,
    FILESTORE_INSTANCE: _shared_files,
    SQL_DATABASE_INSTANCE: _database,
    ARTIFACTREGISTRY_REPOSITORY: _repository,
}
