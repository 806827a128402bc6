"""Objects that must be in a cluster before others: API versions, namespaces, definitions of custom resources."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from penstock.catalog import kubernetes_versions
from penstock.core.versions import minor
from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, NotKnown, TypeMismatch, Verdict, fail
from penstock.graph.view import Site, View
from penstock.kubernetes.facts import apis as kubernetes_apis
from penstock.kubernetes.facts import chart_crds
from penstock.kubernetes.facts.charts import RELEASE
from penstock.kubernetes.rules import dependencies, inventory, nodes, releases
from penstock.kubernetes.rules.types import ANY, DEFINITION
from penstock.providers import all_providers, provider_of
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_RETRIES: Final = "pulumi-kubernetes, await.Creation: retries on NotFound and NoMatch"
_ALWAYS_THERE = ("", inventory.DEFAULT_NAMESPACE, "kube-system", "kube-public", "kube-node-lease")


@RULES.rule(
    on=ANY,
    severity=HIGH,
    rationale="The API server does not know the kind and rejects the object.",
    fix=(
        "Set apiVersion to the version that replaces the removed one, or leave the object out where Kubernetes removed "
        "its kind."
    ),
    joins=True,
    sources=("Kubernetes, deprecated API migration guide",),
)
def k8s_api_version_served(view: View) -> Verdict:
    """The API version of an object is served by the cluster, or by every supported version if unknown."""
    kind = inventory.kind(view)
    removed = kubernetes_apis.removed(kind.api_version, kind.name) if kind is not None else None
    if kind is None or removed is None:
        return NOT_APPLICABLE
    gone = minor(removed.removed_in)
    version = _version(view)
    if version is None:
        if gone > min(map(minor, _oldest_versions(view))):
            return UNKNOWN
    elif gone > minor(version):
        return PASS
    return fail(
        f"Kubernetes {removed.removed_in} and newer do not serve {kind.name} of {kind.api_version}",
        hint=f"Use {removed.instead}." if removed.instead else "Kubernetes has no such kind any more: leave it out.",
        path="apiVersion",
    )


@RULES.rule(
    on=ANY,
    severity=HIGH,
    rationale=(
        "The provider repeats a rejected request five times within 31 s, which is enough for a namespace that is "
        "created at the same time. It is not enough for one that waits for the object itself, and a Helm release is "
        "not repeated."
    ),
    fix=(
        "Take metadata.namespace (namespace of a Helm release) from the Namespace resource, or add the Namespace to "
        "depends_on."
    ),
    joins=True,
    sources=("Kubernetes documentation, namespaces", _RETRIES),
)
def k8s_namespace_created_first(view: View) -> Verdict:
    """A namespace that the program creates exists before its Helm releases, and while its objects are retried."""
    if inventory.kind(view) is None and view.type != RELEASE:
        return NOT_APPLICABLE
    if view.type == RELEASE and view.flag("createNamespace") is True:
        return PASS
    there = inventory.namespace(view)
    if there in _ALWAYS_THERE:
        return PASS if there else NOT_APPLICABLE
    made = inventory.namespace_object(view)
    makers = [made] if made is not None else []
    makers += view.site.once(_releases_that_make).get((inventory.server(view), there), [])
    if not makers or any(dependencies.of_one_manifest(view, maker) for maker in makers):
        return UNKNOWN
    if any(dependencies.follows(view, maker) for maker in makers):
        return PASS
    maker = makers[0].name
    if view.type == RELEASE:
        return fail(
            f"the release does not depend on the namespace {there}, which {maker} creates",
            hint=f"Take the namespace's name from the resource {maker}, or add depends_on=[{maker}].",
            path="namespace",
        )
    return _retried(
        view,
        makers,
        f"the namespace {there} is created by {maker}, which waits for the object itself",
        hint=f"Take the namespace's name from the resource {maker}, which must not depend on the object.",
        path="metadata.namespace",
    )


@RULES.rule(
    on=ANY,
    severity=MEDIUM,
    rationale=(
        "The provider repeats a rejected request five times within 31 s, which is enough for a definition that is "
        "created at the same time. A chart may take longer to install its definitions and their webhooks."
    ),
    fix="Add the Helm release or CustomResourceDefinition to depends_on.",
    joins=True,
    sources=("Kubernetes documentation, custom resources", "CRDs of charts as in their repositories", _RETRIES),
)
def k8s_crd_created_first(view: View) -> Verdict:
    """A custom resource depends on the Helm release that defines its kind, and no definition waits for it."""
    kind = inventory.kind(view)
    if kind is None:
        return NOT_APPLICABLE
    makers = view.site.once(_definers).get((inventory.server(view), kind.group), [])
    if not makers:
        return UNKNOWN if kind.is_custom else NOT_APPLICABLE
    if any(dependencies.of_one_manifest(view, maker) for maker in makers):
        return UNKNOWN
    if any(dependencies.follows(view, maker) for maker in makers):
        return PASS
    maker, hint = makers[0].name, f"Add depends_on=[{makers[0].name}]."
    definitions = [each for each in makers if each.type == DEFINITION]
    if definitions:
        message = f"{maker} defines the kinds of {kind.group}, and waits for the object itself"
        return _retried(view, definitions, message, hint=hint, path="kind")
    return fail(
        f"the object does not depend on {maker}, which defines the kinds of {kind.group}", hint=hint, path="kind"
    )


def _retried(view: View, makers: Sequence[View], message: str, *, hint: str, path: str) -> Verdict:
    """Judge an object that the provider requests again until what it needs is there, for 31 s."""
    if any(dependencies.starts_with(view, maker) for maker in makers):
        return PASS
    return fail(message, hint=hint, path=path) if dependencies.waits_for(makers[0], view) else UNKNOWN


def _version(view: View) -> str | None:
    """The minor version of the cluster that an object goes to; None where it is not known."""
    try:
        return nodes.kubernetes_version(view)
    except NotKnown:
        return None


def _oldest_versions(view: View) -> list[str]:
    """Return the oldest version of the cloud that runs the cluster of an object; of each cloud, where none is known."""
    try:
        own = provider_of(nodes.cluster(view).type)
    except NotKnown:
        own = None
    clouds = [own] if own is not None else [each for each in all_providers() if each.has("cluster_nodes")]
    return [kubernetes_versions.supported_versions(cloud.name, view.site.today)[0] for cloud in clouds]


def _releases_that_make(site: Site) -> dict[tuple[str, str], list[View]]:
    """Helm releases by the namespaces that they make."""
    found: dict[tuple[str, str], list[View]] = {}
    for release in site.of_type(RELEASE):
        try:
            if release.flag("createNamespace") is True:
                found.setdefault((inventory.server(release), inventory.namespace(release)), []).append(release)
        except (NotKnown, TypeMismatch):
            continue
    return found


def _definers(site: Site) -> dict[tuple[str, str], list[View]]:
    """The resources that bring definitions, by their group."""
    found: dict[tuple[str, str], list[View]] = {}
    for view in site.of_type(RELEASE, DEFINITION):
        try:
            for group in _defined(view):
                found.setdefault((inventory.server(view), group), []).append(view)
        except (NotKnown, TypeMismatch):
            continue
    return found


def _defined(view: View) -> tuple[str, ...]:
    if view.type == RELEASE:
        return chart_crds.groups(releases.chart(view))
    spec = view.block("spec")
    group = spec.text("group") if spec is not None else None
    return (group,) if group else ()
