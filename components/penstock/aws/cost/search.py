"""The cost of search domains: data nodes with their volumes, dedicated masters and warm nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from penstock.aws.cost.storage import service
from penstock.aws.types import ELASTICSEARCH_DOMAIN, OPENSEARCH_DOMAIN
from penstock.cost.bill import HOURS_A_MONTH, Line, Unpriced, line
from penstock.cost.stored import used_items
from penstock.graph.view import Block, View

_Items = Iterator[Line | Unpriced]

_SEARCH_NODE: Final = "m4.large.search"
_MASTERS: Final = 3
_INCLUDED_IOPS: Final = 3000
_SMALL_GIB, _SMALL_MBPS, _MBPS = 170, 125, 250
"""The throughput that comes with gp3, by size (OpenSearch developer guide, gp3 volumes)."""


def _search(view: View) -> _Items:
    """Data nodes with a volume each, dedicated masters and warm nodes."""
    cluster = view.block("clusterConfig")
    kind, count = _search_node(cluster, "instanceType", _SEARCH_NODE), _number(cluster, "instanceCount", 1)
    yield _search_line(view, kind, count, "")
    if cluster is not None and cluster.flag("dedicatedMasterEnabled"):
        masters = _number(cluster, "dedicatedMasterCount", _MASTERS)
        yield _search_line(
            view, _search_node(cluster, "dedicatedMasterType", _SEARCH_NODE), masters, "dedicated masters"
        )
    if cluster is not None and cluster.flag("warmEnabled"):
        yield _search_line(view, _search_node(cluster, "warmType", ""), _number(cluster, "warmCount", 0), "warm nodes")
        yield from _warm_storage(view)
    disk = view.block("ebsOptions")
    if disk is not None and disk.flag("ebsEnabled"):
        yield from _search_disks(view, disk, count)


def _search_line(view: View, kind: str, count: int, words: str) -> Line | Unpriced:
    what = ", ".join(part for part in (f"{count} × {kind}".strip(), words) if part)
    return line(view.resource, what, count * HOURS_A_MONTH, service(view, "opensearch", kind))


def _search_node(cluster: Block | None, key: str, default: str) -> str:
    kind = (cluster.text(key) if cluster is not None else None) or default
    return kind.replace(".elasticsearch", ".search")


def _number(block: Block | None, key: str, default: int) -> int:
    found = block.integer(key) if block is not None else None
    return default if found is None else found


def _warm_storage(view: View) -> _Items:
    yield from used_items(view, ("storage", "gb"), "warm storage", service(view, "opensearch-storage", "warm"))


def _search_disks(view: View, disk: Block, nodes: int) -> _Items:
    kind, gib = disk.text("volumeType") or "gp2", disk.number("volumeSize")
    held = gib * nodes if gib is not None else None
    what = f"{nodes} × {gib:g} GiB volume, {kind}" if gib is not None else f"volumes, {kind}"
    yield line(view.resource, what, held, service(view, "opensearch-storage", kind))
    iops, mbps = disk.number("iops") or 0, disk.number("throughput") or 0
    free_mbps = _SMALL_MBPS if (gib or 0) <= _SMALL_GIB else _MBPS
    beyond = {"io1 iops": (iops, "IOPS, io1")} if kind == "io1" else {}
    if kind == "gp3":
        beyond = {
            "gp3 iops": (iops - _INCLUDED_IOPS, "IOPS, gp3"),
            "gp3 throughput": (mbps - free_mbps, "MB/s, gp3"),
        }
    for item, (each, words) in beyond.items():
        if each > 0:
            units = each * nodes
            yield line(view.resource, f"{units:g} {words}", units, service(view, "opensearch-storage", item))


PRICED: Final[Mapping[str, Callable[[View], _Items]]] = {
    ELASTICSEARCH_DOMAIN: _search,
    OPENSEARCH_DOMAIN: _search,
}
"""The functions that price them, by type token."""
