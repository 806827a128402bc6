"""The network policy engine of a cluster: its own, or one that the program installs by a chart or by manifests."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Block, Site, View
from penstock.kubernetes.facts.policy_engines import ClusterEngine, InstalledEngine, all_engines, cluster_engines
from penstock.model.endpoints.clusters import clusters_behind, own_policy_engine
from penstock.model.endpoints.enforcement import PolicyEngine, no_engine

_CHARTS: Final = ("kubernetes:helm.sh/v3:Release", "kubernetes:helm.sh/v4:Chart", "kubernetes:helm.sh/v3:Chart")
_MANIFESTS: Final = (
    "kubernetes:yaml/v2:ConfigFile",
    "kubernetes:yaml/v2:ConfigGroup",
    "kubernetes:yaml:ConfigFile",
    "kubernetes:yaml:ConfigGroup",
)
_DAEMON_SET: Final = "kubernetes:apps/v1:DaemonSet"


class _Installation(NamedTuple):
    """An object that installs an engine; `engine` is empty if an unknown value decides."""

    view: View
    engine: str


def policy_engine(cluster: View) -> PolicyEngine:
    """Return what enforces the network policies of a cluster: its own engine, or one that the program installs.

    Raises:
        NotKnown: a value that decides is not known yet.
    """
    try:
        row = cluster_engines().get(cluster.type)
        own = own_policy_engine(cluster) if row is None else _of_row(row, cluster)
    except NotKnown:
        own = None
    engine = own if own is not None and own.name else _installed_engine(cluster) or own
    if engine is None:
        raise NotKnown
    return engine


def policy_clusters(provider: View) -> list[View]:
    """Return the clusters of the program whose engine enforces the policies of a provider; as `clusters_behind`.

    Raises:
        NotKnown: as for `clusters_behind`.
    """
    graph = provider.site.graph.resources
    sources = (graph[urn] for urn in provider.resource.property_dependencies.get("kubeconfig", ()) if urn in graph)
    others = [View(each, provider.site) for each in sources if each.type in cluster_engines() and not each.external]
    return others or clusters_behind(provider)


def _of_row(row: ClusterEngine, cluster: View) -> PolicyEngine:
    path, _, value = (row.undetermined_by or "").partition("=")
    if path and _value(cluster, path) == value:
        raise NotKnown
    if row.engine is None or row.setting is None:
        return no_engine("its network plugin enforces none", row.fix, cluster, "")
    found = _value(cluster, row.setting)
    if found in row.values:
        return PolicyEngine(row.engine)
    reason = f"{row.setting} is " + ("not set" if found is None else found)
    return no_engine(reason, row.fix, cluster, row.setting)


def _value(cluster: View, path: str) -> str | None:
    """The value at a path, in small letters; None where it is not given."""
    *above, key = path.split(".")
    block: Block | None = cluster
    for part in above:
        block = None if block is None else block.block(part)
    found: Any = None if block is None else block.value(key)
    return None if found is None else str(found).casefold()


def _installed_engine(cluster: View) -> PolicyEngine | None:
    """Return the engine that the program installs in a cluster; None if it installs none.

    Raises:
        NotKnown: it installs one in a cluster that is not known, or with values that are not.
    """
    undetermined = False
    for installation in cluster.site.once(_installations):
        targets = _targets(installation.view)
        if installation.engine and targets is not None and cluster.urn in targets:
            return PolicyEngine(installation.engine)
        undetermined |= targets is None or cluster.urn in targets
    if undetermined:
        raise NotKnown
    return None


def _targets(view: View) -> set[str] | None:
    """The clusters that an object goes to; None if that is not known."""
    provider = view.site.graph.resources.get(view.resource.provider_urn)
    if provider is None:
        return None
    try:
        return {cluster.urn for cluster in policy_clusters(View(provider, view.site))} or None
    except NotKnown:
        return None


def _installations(site: Site) -> list[_Installation]:
    found = [_of_chart(view) for view in site.of_type(*_CHARTS)]
    found += [_of_daemon_set(view) for view in site.of_type(_DAEMON_SET)]
    found += [_of_manifest(view) for view in site.of_type(*_MANIFESTS)]
    return [installation for installation in found if installation is not None]


def _of_chart(release: View) -> _Installation | None:
    address = release.given("chart")
    chart = address.rstrip("/").rpartition("/")[2] if isinstance(address, str) else ""
    engine = next((each for each in all_engines() if chart in each.charts), None)
    if engine is None:
        return None
    try:
        return _Installation(release, engine.engine) if _is_enabled(engine, release) else None
    except (NotKnown, TypeMismatch):
        return _Installation(release, "")


def _is_enabled(engine: InstalledEngine, release: View) -> bool:
    """Return whether the values of a chart leave enforcement on.

    Raises:
        NotKnown: the value is not known yet, or files may have it.
    """
    if engine.setting is None:
        return True
    values = release.block("values")
    value = values.value(engine.setting) if values is not None else None
    if value is None and release.value("valueYamlFiles"):
        raise NotKnown
    return engine.is_enabled_by(None if value is None else str(value).casefold())


def _of_daemon_set(view: View) -> _Installation | None:
    metadata = view.given("metadata")
    name = metadata.get("name") if isinstance(metadata, dict) else None
    engine = next((each for each in all_engines() if name in each.daemon_sets), None)
    return None if engine is None else _Installation(view, engine.engine)


def _of_manifest(view: View) -> _Installation | None:
    """Manifests whose address names an engine: their content may be out of sight."""
    files = view.given("files") or view.given("file")
    texts = [each for each in (files if isinstance(files, list | tuple) else [files]) if isinstance(each, str)]
    for engine in all_engines():
        if any(name in text for text in texts for name in (*engine.charts, *engine.daemon_sets)):
            return _Installation(view, engine.engine)
    return None
