"""What objects of a program need of a cluster: kinds that it serves, storage classes, and rights to create them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from penstock.core.wording import listed
from penstock.description.platform import Spec
from penstock.graph.view import Site
from penstock.kubernetes.facts import chart_crds
from penstock.kubernetes.facts.charts import RELEASE
from penstock.kubernetes.preflight.cluster import AskedCluster
from penstock.kubernetes.rules import inventory
from penstock.kubernetes.rules.charts import pinned
from penstock.preconditions import Precondition
from penstock.preconditions.need import NamedNeed, NamesNeed, named
from penstock.preflight.inquiry import Reply, met, not_asked, not_met
from penstock.preflight.rest import Refused

VERSION: Final = "kubernetes-version"
KINDS: Final = "kubernetes-kinds"
RIGHTS: Final = "kubernetes-rights"
CLASSES: Final = "kubernetes-storage-class"
DEFAULT: Final = "kubernetes-default-class"

_CLASS: Final = "kubernetes:storage.k8s.io/v1:StorageClass"
_CLAIM: Final = "kubernetes:core/v1:PersistentVolumeClaim"
_MARK: Final = "storageclass.kubernetes.io/is-default-class"
_STORAGE: Final = "/apis/storage.k8s.io/v1/storageclasses"
_SHOWN: Final = 12


def objects_needed(site: Site, described: Spec | None) -> Iterator[Precondition]:
    """Yield the version, kinds, rights and storage classes that the objects of a program need."""
    if described is not None and described.cluster.version is not None:
        yield Precondition(
            f"Kubernetes {described.cluster.version} on the cluster",
            "Rules judge the objects by this version: another one may not serve them.",
            "Upgrade the cluster, or set cluster.version to that of the cluster where the components run on it.",
            "",
            named(VERSION, {"version": described.cluster.version}),
            VERSION,
        )
    custom = _custom_kinds(site)
    if custom:
        yield Precondition(
            f"{len(custom)} custom kinds that no chart of the program brings: {listed(custom)}",
            "The server refuses objects of kinds that it does not know.",
            "Install the CRDs of each before.",
            "",
            NamesNeed(custom),
            KINDS,
        )
    created = sorted({each.api_version + " " + each.name for each in _kinds(site)})
    if created:
        yield Precondition(
            f"Rights to create {len(created)} kinds of objects in the cluster",
            "The server answers Forbidden at the first one that nobody granted, in the middle of the update.",
            "Bind a ClusterRole that may create them to whoever runs Pulumi, such as cluster-admin.",
            "",
            NamesNeed(tuple(created), "charts" if site.of_type(RELEASE) else ""),
            RIGHTS,
        )
    for name, urn in _classes(site).items():
        yield Precondition(
            f"Storage class {name}",
            "Claims name it, and wait for ever while there is none.",
            f"kubectl get storageclass {name}",
            urn,
            named(CLASSES, {"name": name}),
            CLASSES,
        )
    yield Precondition(
        "At most one default storage class",
        "Claims that name no class take the newest of several, which is hardly the one that was meant.",
        f"kubectl annotate storageclass NAME {_MARK}=false --overwrite",
        "",
        named(DEFAULT, {}),
        DEFAULT,
    )


def answer_version(cluster: AskedCluster, need: NamedNeed) -> Reply:
    """Return whether the server is of the described minor version."""
    wanted = need.word("version")
    found = f"The server is {cluster.version}."
    return met(found) if cluster.version.startswith(f"v{wanted}.") else not_met(found)


def answer_kinds(cluster: AskedCluster, need: NamesNeed) -> Reply:
    """Return which kinds the server does not serve."""
    missing = [each for each in need.names if not _serves(cluster, each)]
    return not_met(f"Not served: {listed(missing)}.") if missing else met("All are served.")


def answer_rights(cluster: AskedCluster, need: NamesNeed) -> Reply:
    """Return which kinds the caller may not create, by reviews of its own access."""
    if cluster.may("*", "*", "*"):
        return met("The caller may do everything.")
    missing, unserved = [], []
    for each in need.names:
        api_version, name = each.split()
        resource = _resource(cluster, api_version, name)
        if resource is None:
            unserved.append(each)
        elif not cluster.may("create", api_version.rpartition("/")[0], resource):
            missing.append(name)
    if missing:
        return not_met(f"The caller may not create {listed(missing, _SHOWN)}.")
    if need.scope:
        return not_asked("The caller may create the objects; charts create others, and it may not do everything.")
    beside = f" Not served yet: {listed(unserved)}." if unserved else ""
    return met(f"The caller may create them.{beside}")


def answer_class(cluster: AskedCluster, need: NamedNeed) -> Reply:
    """Return whether a storage class is there, and who provisions its volumes."""
    found = cluster.get(f"{_STORAGE}/{need.word('name')}")
    return met(f"Its provisioner is {found.get('provisioner')}.")


def answer_default(cluster: AskedCluster, site: Site) -> Reply:
    """Return whether the cluster, with what the program adds, has at most one default storage class."""
    there = {str(each["metadata"]["name"]) for each in cluster.items(_STORAGE) if _is_default(each["metadata"])}
    own = set()
    for view in site.of_type(_CLASS):
        metadata = view.given("metadata") or {}
        if _is_default(metadata):
            own.add(str(metadata.get("name") or view.name))
    names = sorted(there | own)
    if len(names) > 1:
        with_own = f", of which the program creates {listed(sorted(own))}" if own - there else ""
        return not_met(f"There would be {len(names)}: {listed(names)}{with_own}.")
    return met(f"{names[0]}." if names else "There is none, so that every claim must name a class.")


def _kinds(site: Site) -> list[inventory.Kind]:
    views = (view for view in site.of_type(*{each.type for each in site.graph if each.type.startswith("kubernetes:")}))
    return [kind for kind in map(inventory.kind, views) if kind is not None]


def _custom_kinds(site: Site) -> tuple[str, ...]:
    """The custom kinds of objects whose groups no chart of the program defines, as `group/version Kind`."""
    charts = (pinned(view) for view in site.of_type(RELEASE))
    brought = {group for chart in charts if chart is not None for group in chart_crds.groups(chart.name)}
    return tuple(
        sorted(
            {f"{each.api_version} {each.name}" for each in _kinds(site) if each.is_custom and each.group not in brought}
        )
    )


def _classes(site: Site) -> dict[str, str]:
    """The storage classes that claims of a program name and that it does not create, with a claim of each."""
    created = {str((view.given("metadata") or {}).get("name") or view.name) for view in site.of_type(_CLASS)}
    found: dict[str, str] = {}
    for claim in site.of_type(_CLAIM):
        spec: Any = claim.given("spec") or {}
        name = spec.get("storageClassName")
        if isinstance(name, str) and name and not spec.get("volumeName") and name not in created:
            found.setdefault(name, claim.urn)
    return found


def _serves(cluster: AskedCluster, kind: str) -> bool:
    api_version, name = kind.split()
    return _resource(cluster, api_version, name) is not None


def _resource(cluster: AskedCluster, api_version: str, name: str) -> str | None:
    """The resource of a kind, such as `clusterqueues`; None where the server does not serve it."""
    try:
        found = cluster.served(api_version).get(name)
    except Refused:
        return None
    return None if found is None else str(found["name"])


def _is_default(metadata: Any) -> bool:
    return (metadata.get("annotations") or {}).get(_MARK) == "true"
