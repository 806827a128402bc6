"""Creations that Pulumi awaits: what they wait for must not itself wait for them."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.graph.values import Unknown
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, each, fail
from penstock.graph.view import Block, View
from penstock.kubernetes.facts import controller_charts
from penstock.kubernetes.facts.charts import RELEASE
from penstock.kubernetes.model.pods.templates import PodTemplate, replicas, templates, texts
from penstock.kubernetes.rules import inventory, matching, nodes, releases, services, volumes
from penstock.kubernetes.rules.types import (
    DEPLOYMENT,
    JOB,
    POD,
    SERVICE,
    STATEFUL_SET,
)
from penstock.model.order import comes_after
from penstock.providers import provider_of
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_WORKLOADS = (DEPLOYMENT, STATEFUL_SET, JOB, POD)
_WEBHOOKS = tuple(
    f"kubernetes:admissionregistration.k8s.io/v1:{kind}WebhookConfiguration" for kind in ("Validating", "Mutating")
)
_SKIP = "pulumi.com/skipAwait"
_NOT_AWAITED = "Set skipAwait of the release, or the annotation pulumi.com/skipAwait, to create it without waiting."


@RULES.rule(
    on=(RELEASE, *_WORKLOADS),
    severity=HIGH,
    rationale=(
        "Pulumi waits until pods run: 10 minutes for a workload, 5 for a Helm release. Without a node they stay "
        "Pending and the creation fails, and a node pool that depends on it is not even created."
    ),
    fix="Create a node pool first, and add it to depends_on of the release or workload.",
    joins=True,
    sources=(
        "Pulumi documentation, await logic of Kubernetes resources",
        "Pulumi documentation, Helm Release: skipAwait",
        "pulumi-eks issue 1819",
    ),
)
def k8s_awaited_pods_after_nodes(view: View) -> Verdict:
    """An awaited release or workload is created with or after a node that its pods can run on."""
    if not _runs_pods(view) or view.site.existing(view) is not None:
        return NOT_APPLICABLE
    cluster = nodes.cluster(view)
    if cluster.resource.external or view.site.existing(cluster) is not None:
        raise NotKnown  # it may have nodes of another program
    first = _first_nodes(cluster, inventory.namespace(view))
    what = releases.chart(view) if view.type == RELEASE else view.name
    path = "chart" if view.type == RELEASE else "spec"
    if not first:
        return fail(
            f"{what} waits for its pods, and nothing in the program starts a node in {cluster.name}",
            hint=f"Create a node pool, and add it to depends_on. {_NOT_AWAITED}",
            path=path,
        )
    hosts = _chosen(view) or first
    if all(comes_after(host, view) for host in hosts):
        return fail(
            f"{what} waits for its pods, and {hosts[0].name}, which starts their nodes, waits for {view.name}",
            hint=f"Remove the dependency of {hosts[0].name}, and add it to depends_on of {view.name}.",
            path=path,
        )
    return PASS


@RULES.rule(
    on=_WORKLOADS,
    severity=HIGH,
    rationale=(
        "Pods do not start without the objects that they mount or read, and Pulumi creates these only when the "
        "workload is ready. It waits 10 minutes and fails."
    ),
    fix="Take the name from the output of the object, and remove the dependency of the object on the workload.",
    joins=True,
    sources=("Pulumi documentation, await logic of Kubernetes resources",),
)
def k8s_awaited_pods_after_references(workload: View) -> Verdict:
    """No ConfigMap, Secret, claim or service account of the pods of an awaited workload waits for the workload."""
    if not _runs_pods(workload):
        return NOT_APPLICABLE
    return each(_referred_objects(workload), lambda found: _is_before(workload, *found))


@RULES.rule(
    on=SERVICE,
    severity=HIGH,
    rationale=(
        "Pulumi waits until a Service has a ready pod, and creates the workload only afterwards. It waits 10 minutes "
        "and fails."
    ),
    fix="Remove the dependency of the workload on the Service, or set the annotation pulumi.com/skipAwait.",
    joins=True,
    sources=(
        "Pulumi documentation, await logic of Kubernetes resources",
        "pulumi-kubernetes pull request 2475: headless Services are not awaited",
    ),
)
def k8s_awaited_service_after_pods(service: View) -> Verdict:
    """Some workload that a Service selects does not wait for the Service."""
    spec = service.block("spec")
    selector = texts(spec, "selector")
    if spec is None or not selector or _is_skipped(service):
        return NOT_APPLICABLE
    if spec.text("clusterIP") == "None" or spec.text("type") == "ExternalName":
        return NOT_APPLICABLE
    chosen = services.chosen_pods(service, selector)
    if not chosen:
        return NOT_APPLICABLE  # reported by the rule on selectors
    if not all(comes_after(pods.workload, service) for pods in chosen):
        return PASS
    workload = chosen[0].workload.name
    return fail(
        f"the Service waits for a ready pod, and {workload}, whose pods it selects, waits for the Service",
        hint=f'Remove the dependency of {workload} on {service.name}, or set the annotation {_SKIP} to "true".',
        path="spec.selector",
    )


@RULES.rule(
    on=_WEBHOOKS,
    severity=HIGH,
    rationale=(
        "The API server asks the webhook before it creates a pod, and refuses the pod while nobody answers. So the "
        "webhook's own pods never start, and no other pods either."
    ),
    fix="Create the workload of the webhook first, and add it to depends_on of the configuration.",
    joins=True,
    sources=("Kubernetes documentation, good practices for admission webhooks: dependency loops",),
)
def k8s_webhook_after_its_pods(configuration: View) -> Verdict:
    """A webhook that must answer before pods are created does not come before its own pods."""
    gates = [webhook for webhook in configuration.blocks("webhooks") if _guards_all_pods(webhook)]
    return each(gates, lambda webhook: _has_pods(configuration, webhook))


def _guards_all_pods(webhook: Block) -> bool:
    """Return whether no pod in any namespace starts while a webhook does not answer."""
    if (webhook.text("failurePolicy") or "Fail") != "Fail":
        return False
    if any(list(webhook.block(key) or ()) for key in ("namespaceSelector", "objectSelector")):
        return False
    return any(
        {"pods", "*", "*/*"} & set(rule.texts("resources")) and {"CREATE", "*"} & set(rule.texts("operations"))
        for rule in webhook.blocks("rules")
    )


def _has_pods(configuration: View, webhook: Block) -> Verdict:
    client = webhook.block("clientConfig")
    named = client.block("service") if client is not None else None
    if named is None:
        return NOT_APPLICABLE
    service = inventory.find(configuration, SERVICE, named.text("namespace") or "", named.text("name") or "")
    if service is None:
        raise NotKnown  # of a chart, or of another program
    chosen = services.chosen_pods(service, texts(service.block("spec"), "selector"))
    if not chosen:
        raise NotKnown
    if not all(comes_after(pods.workload, configuration) for pods in chosen):
        return PASS
    workload = chosen[0].workload.name
    return fail(
        f"every pod waits for an answer of {service.name}, and its workload {workload} waits for this configuration",
        hint=f"Remove the dependency of {workload}, and add it to depends_on of {configuration.name}.",
        path=named.at("name"),
    )


def _runs_pods(view: View) -> bool:
    """Return whether Pulumi waits until pods of a release or a workload run on some node."""
    if view.type == RELEASE:
        return controller_charts.has_controller(releases.chart(view)) and view.flag("skipAwait") is not True
    spec = view.block("spec")
    suspended = view.type == JOB and spec is not None and spec.flag("suspend") is True
    return not _is_skipped(view) and not suspended and replicas(view) > 0


def _is_skipped(view: View) -> bool:
    metadata = view.block("metadata")
    annotations = metadata.block("annotations") if metadata is not None else None
    return annotations is not None and annotations.text(_SKIP) == "true"


def _first_nodes(cluster: View, namespace: str) -> list[View]:
    """The resources whose creation starts nodes of a cluster, by the adapter of its cloud."""
    provider = provider_of(cluster.type)
    adapter = provider.module("cluster_nodes") if provider is not None else None
    if adapter is None:
        raise NotKnown
    found: list[View] = adapter.first_nodes(cluster, namespace)
    return found


def _chosen(view: View) -> list[View]:
    """The pools that the pods of a workload can run in, as far as they are known."""
    if view.type == RELEASE:
        return []
    try:
        offers = nodes.offers(view)
    except NotKnown:
        return []
    return [
        offer.pool
        for offer in offers
        if all(
            matching.has_labels(offer, pods.spec) is not False
            and not matching.untolerated(offer, pods)
            and matching.fits(offer, pods.requests) is not False
            for pods in templates(view)
        )
    ]


def _referred_objects(workload: View) -> Iterator[tuple[View | None, str]]:
    """The objects of the program that pods refer to, each with its path; None for an unknown name."""
    here = inventory.namespace(workload)
    for pods in templates(workload):
        yield from _objects_of(workload, here, pods)


def _objects_of(workload: View, here: str, pods: PodTemplate) -> Iterator[tuple[View | None, str]]:
    for type_, block, key in volumes.referred(pods):
        name = block.given(key)
        if isinstance(name, Unknown):
            sources = workload.sources("spec", type_)
            yield sources[0] if len(sources) == 1 else None, block.at(key)
        found = inventory.find(workload, type_, here, name) if isinstance(name, str) else None
        if found is not None and block.flag("optional") is not True:
            yield found, block.at(key)


def _is_before(workload: View, found: View | None, path: str) -> Verdict:
    if found is None:
        raise NotKnown
    if not comes_after(found, workload):
        return PASS
    return fail(
        f"pods do not start without {found.name}, which waits for {workload.name} itself",
        hint=f"Remove the dependency of {found.name} on {workload.name}.",
        path=path,
    )
