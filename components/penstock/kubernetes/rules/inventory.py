"""The objects of a program as an API server finds them: by kind, namespace and name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Site, View
from penstock.kubernetes.facts import apis as kubernetes_apis
from penstock.kubernetes.facts.charts import RELEASE
from penstock.kubernetes.rules.types import NAMESPACE, PROVIDER

DEFAULT_NAMESPACE = "default"

_SUFFIX = "-00000000"
"""As long as what Pulumi adds to the name of a resource whose object has none (pulumi-kubernetes 4.34)."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of objects in any of its versions; `group` is "core" for Kubernetes' first kinds."""

    group: str
    version: str
    name: str

    @property
    def spans_namespaces(self) -> bool:
        """True where its objects belong to the whole cluster."""
        return kubernetes_apis.spans_namespaces(self.group, self.name)

    @property
    def is_custom(self) -> bool:
        """True where neither Kubernetes nor GKE defines it."""
        return "." in self.group and not self.group.endswith((".k8s.io", ".gke.io", "cloud.google.com"))

    @property
    def api_version(self) -> str:
        """As manifests write it."""
        return self.version if self.group == "core" else f"{self.group}/{self.version}"


def kind(view: View) -> Kind | None:
    """The kind of an object; None for a patch, a list, a Helm release or a component."""
    return _kind(view.type)


def server(view: View) -> str:
    """The identity of a cluster: the provider that reaches it, the first of those that reach the same."""
    provider = view.resource.provider_urn
    return view.site.once(_servers).get(provider, provider)


def _servers(site: Site) -> dict[str, str]:
    """For each provider, the first one with the same way to its cluster."""
    first: dict[tuple[object, ...], str] = {}
    servers = {}
    for provider in site.of_type(PROVIDER):
        inputs, sources = provider.resource.inputs, provider.resource.property_dependencies.get("kubeconfig", ())
        way = inputs.get("kubeconfig")
        if sources or isinstance(way, str):
            # A value that is not known yet is identified by its dependencies.
            kubeconfig = way if isinstance(way, str) else ""
            key = (kubeconfig, sources, inputs.get("context"), inputs.get("cluster"))
            servers[provider.urn] = first.setdefault(key, provider.urn)
    return servers


def name(view: View) -> str:
    """The name of an object, or of a Helm release.

    Raises:
        NotKnown: the API server will generate it, or it is not known yet.
    """
    given = view if view.type == RELEASE else view.block("metadata")
    answered = view.outputs if view.type == RELEASE else view.outputs.block("metadata")
    for source in (given, answered):
        found = source.text("name") if source is not None else None
        if found:
            return found
    raise NotKnown


def form_of_name(view: View) -> str | None:
    """The name of an object or release, or one of the form that Pulumi will give it; None where the server does.

    Raises:
        NotKnown: the value is not known yet.
    """
    given = view if view.type == RELEASE else view.block("metadata")
    found = given.text("name") if given is not None else None
    if found:
        return found
    return None if given is not None and "generateName" in given else f"{view.name}{_SUFFIX}"


def namespace(view: View) -> str:
    """The namespace of an object, or of a Helm release; empty for an object of the whole cluster.

    One that Pulumi will name is called `team-…` until it has.

    Raises:
        NotKnown: the namespace is not known yet.
    """
    of = kind(view)
    if of is not None and of.spans_namespaces:
        return ""
    source = view if view.type == RELEASE else view.block("metadata")
    if source is None or "namespace" not in source:
        return view.provider.text("namespace") or DEFAULT_NAMESPACE
    try:
        return source.text("namespace") or DEFAULT_NAMESPACE
    except NotKnown:
        made = _referred(view)
        if made is None:
            raise
    try:
        return name(made)
    except NotKnown:
        return f"{made.name}-…"


def namespace_object(view: View) -> View | None:
    """The Namespace of the program that an object lives in; None where the program makes none of that name.

    Raises:
        NotKnown: the namespace is not known yet.
    """
    return _referred(view) or find(view, NAMESPACE, "", namespace(view))


def objects(site: Site) -> Iterator[View]:
    """Every object of the program, without those that are only looked up."""
    for resource in site.graph:
        if resource.type.startswith("kubernetes:") and resource.custom and not resource.external:
            view = View(resource, site)
            if kind(view) is not None:
                yield view


def find(near: View, type_: str, in_namespace: str, called: str) -> View | None:
    """The object of a type, a namespace and a name in the cluster of another; None where the program makes none."""
    return near.site.once(_index).get((server(near), type_, in_namespace, called))


def lies_in(near: View, type_: str, called: str) -> list[str]:
    """The namespaces in which the program creates an object of a type and a name, in the cluster of another."""
    return near.site.once(_namespaces).get((server(near), type_, called), [])


def names(near: View, *types: str) -> list[str]:
    """The names of the objects of some types in the cluster of another.

    Raises:
        NotKnown: there are none, or one of them has a name that is not known.
    """
    found = {name for type_ in types for name in near.site.once(_names).get((server(near), type_), ())}
    if not found or None in found:
        raise NotKnown
    return sorted(filter(None, found))


@cache
def _kind(type_: str) -> Kind | None:
    module, _, called = type_.partition(":")[2].partition(":")
    group, slash, version = module.partition("/")
    if not slash or group in ("helm.sh", "yaml", "kustomize", "meta") or called.endswith(("Patch", "List")):
        return None
    return Kind(group, version, called)


def _referred(view: View) -> View | None:
    """The Namespace that a preview only knows by where its name comes from."""
    source = view if view.type == RELEASE else view.block("metadata")
    try:
        if source is not None:
            source.value("namespace")
    except NotKnown:
        found = view.sources("namespace" if view.type == RELEASE else "metadata", NAMESPACE)
        return found[0] if len(found) == 1 else None
    return None


def _index(site: Site) -> dict[tuple[str, str, str, str], View]:
    found = {}
    for view in objects(site):
        try:
            found[server(view), view.type, namespace(view), name(view)] = view
        except (NotKnown, TypeMismatch):
            continue  # nothing can be found by a name that nobody knows
    return found


def _namespaces(site: Site) -> dict[tuple[str, str, str], list[str]]:
    found: dict[tuple[str, str, str], list[str]] = {}
    for of_server, type_, there, called in site.once(_index):
        found.setdefault((of_server, type_, called), []).append(there)
    return found


def _names(site: Site) -> dict[tuple[str, str], set[str | None]]:
    """Names by cluster and type; None for one that is not known."""
    found: dict[tuple[str, str], set[str | None]] = {}
    for view in objects(site):
        of = found.setdefault((server(view), view.type), set())
        try:
            of.add(name(view))
        except NotKnown:
            of.add(None)
        except TypeMismatch:
            continue
    return found
