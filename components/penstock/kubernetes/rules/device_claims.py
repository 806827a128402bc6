"""Claims of devices (dynamic resource allocation): what publishes the devices, and what else hands them out."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, TypeMismatch, Verdict, allow, each, fail
from penstock.graph.view import Block, Site, View
from penstock.kubernetes.facts import device_classes
from penstock.kubernetes.facts.charts import RELEASE
from penstock.kubernetes.facts.device_classes import DeviceClass
from penstock.kubernetes.model.pods.templates import RUNNING_WORKLOADS, PodTemplate, templates
from penstock.kubernetes.rules import inventory, nodes, releases
from penstock.kubernetes.rules.types import (
    CLAIM_TEMPLATES,
    DEVICE_CLAIMS,
    DEVICE_CLASSES,
    LOCAL_QUEUES,
)
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_TEMPLATE_NAME, _CLAIM_NAME = "resourceClaimTemplateName", "resourceClaimName"


def _devices(claim: View) -> Iterator[Block]:
    """Each part of a claim that names a class: a request, or one of its alternatives."""
    devices = _block_of_devices(claim)
    for request in devices.blocks("requests") if devices is not None else ():
        exactly = request.block("exactly")
        yield from request.blocks("firstAvailable") or [exactly if exactly is not None else request]


@RULES.rule(
    on=(*DEVICE_CLAIMS, *CLAIM_TEMPLATES),
    severity=HIGH,
    rationale="The claim is accepted and never allocated, so its pods stay Pending.",
    fix="Install the driver that publishes the class, with the class turned on, or name another class.",
    joins=True,
    sources=("Kubernetes documentation, dynamic resource allocation",),
)
def k8s_claim_device_class_published(claim: View) -> Verdict:
    """A claim names device classes that the program creates, or that a driver of the program publishes."""
    return each(_devices(claim), lambda request: _is_published(claim, request))


@RULES.rule(
    on=RUNNING_WORKLOADS,
    each_of=templates,
    severity=HIGH,
    rationale="No node offers a device both ways, so the pods stay Pending; or the pods get the devices twice.",
    fix="Leave the request out of resources, or the claim out of resourceClaims.",
    joins=True,
    sources=("Kubernetes documentation, dynamic resource allocation", "KEP-5004, extended resources by DRA"),
)
def k8s_pod_device_asked_once(pods: PodTemplate) -> Verdict:
    """Pods do not both claim devices and request them as an extended resource, such as nvidia.com/gpu."""
    claims = pods.spec.blocks("resourceClaims")
    if not claims:
        return NOT_APPLICABLE
    requested = {name for name, amount in pods.requests.items() if amount}
    if not requested & device_classes.resources():
        return PASS
    return each(claims, lambda claim: _is_no_request(pods, claim, requested))


@RULES.rule(
    on=CLAIM_TEMPLATES,
    severity=HIGH,
    rationale="Kueue admits no job whose pods use the claim, so the job waits for good.",
    fix="Claim an exact count of a class, or use the template outside of queues.",
    joins=True,
    sources=("Kueue 0.19.2, pkg/dra/claims.go: countDevicesPerClass",),
)
def k8s_kueue_claim_countable(template: View) -> Verdict:
    """In a namespace with a queue of Kueue, each request of a claim template is an exact count of one class."""
    devices = _block_of_devices(template)
    if devices is None or not _has_queue(template):
        return NOT_APPLICABLE
    return each(devices.blocks("requests"), _is_countable)


def _block_of_devices(claim: View) -> Block | None:
    spec = claim.block("spec")
    inner = spec.block("spec") if spec is not None and claim.type in CLAIM_TEMPLATES else spec
    return inner.block("devices") if inner is not None else None


def _is_published(claim: View, request: Block) -> Verdict:
    name = request.text("deviceClassName")
    if not name:
        return NOT_APPLICABLE
    found = claim.site.once(_published).get(inventory.server(claim), {})
    if name in found:
        return PASS
    if None in found or not device_classes.is_known(name) or not nodes.has_own_cluster(claim):
        raise NotKnown
    chart = device_classes.charts_of(name)[0]
    return fail(
        f"nothing in the program publishes devices of the class {name}",
        hint=f"Install {chart} with that class turned on.",
        path=request.at("deviceClassName"),
    )


def _published(site: Site) -> dict[str, dict[str | None, View]]:
    """The classes of each cluster that the program creates or has published; None for one that is not known."""
    found: dict[str, dict[str | None, View]] = {}
    for view in site.of_type(RELEASE, *DEVICE_CLASSES):
        here = found.setdefault(inventory.server(view), {})
        try:
            names = [inventory.name(view)] if view.type != RELEASE else [each.name for each in published_by(view)]
            here.update(dict.fromkeys(names, view))
        except NotKnown:
            here[None] = view
        except TypeMismatch:
            continue
    return found


def published_by(release: View) -> list[DeviceClass]:
    """The device classes that a Helm release publishes.

    Raises:
        NotKnown: a value that turns one on or off is not known.
    """
    return [
        each
        for each in device_classes.classes_of_chart(releases.chart(release))
        if (each.turned_on_by is None or releases.flag(release, each.turned_on_by, default=False))
        and (each.turned_off_by is None or releases.flag(release, each.turned_off_by, default=True))
    ]


def claimed(pods: PodTemplate) -> dict[str, int | None]:
    """The number of devices of each class that pods claim; None if they claim all of a node.

    Raises:
        NotKnown: a claim lies outside the program, or may be met in several ways.
    """
    found: dict[str, int | None] = {}
    for claim in pods.spec.blocks("resourceClaims"):
        made = _made(pods, claim)
        devices = _block_of_devices(made) if made is not None else None
        if devices is None:
            raise NotKnown
        for request in devices.blocks("requests"):
            if "firstAvailable" in request:
                raise NotKnown
            exactly = request.block("exactly")
            asked = exactly if exactly is not None else request
            name, every = asked.text("deviceClassName") or "", asked.text("allocationMode") == "All"
            before = found.get(name, 0)
            found[name] = None if every or before is None else before + (asked.integer("count") or 1)
    return found


def _is_no_request(pods: PodTemplate, claim: Block, requested: set[str]) -> Verdict:
    made = _made(pods, claim)
    if made is None:
        raise NotKnown
    names = [request.text("deviceClassName") for request in _devices(made)]
    twice = sorted(requested & {resource for name in names if (resource := device_classes.resource_of(name or ""))})
    return allow(
        not twice,
        f"the pods request {twice[0] if twice else ''}, and claim the same devices by {claim.text('name')}",
        hint="Keep one of them.",
        path=claim.at("name"),
    )


def _made(pods: PodTemplate, claim: Block) -> View | None:
    """The object of the program that a pod's claim names."""
    key, types = (_TEMPLATE_NAME, CLAIM_TEMPLATES) if _TEMPLATE_NAME in claim else (_CLAIM_NAME, DEVICE_CLAIMS)
    name, here = claim.text(key) or "", inventory.namespace(pods.workload)
    return next(filter(None, (inventory.find(pods.workload, type_, here, name) for type_ in types)), None)


def _has_queue(template: View) -> bool:
    here = (inventory.server(template), inventory.namespace(template))
    return here in template.site.once(_queued)


def _queued(site: Site) -> set[tuple[str, str]]:
    found = set()
    for queue in site.of_type(*LOCAL_QUEUES):
        try:
            found.add((inventory.server(queue), inventory.namespace(queue)))
        except (NotKnown, TypeMismatch):
            continue
    return found


def _is_countable(request: Block) -> Verdict:
    if request.blocks("firstAvailable"):
        return fail("Kueue counts no alternatives", hint="Use exactly.", path=request.at("firstAvailable"))
    exactly = request.block("exactly")
    asked = exactly if exactly is not None else request
    if asked.flag("adminAccess"):
        return fail("Kueue admits no adminAccess", hint="Leave it out.", path=asked.at("adminAccess"))
    return allow(
        asked.text("allocationMode") in (None, "ExactCount"),
        f"Kueue cannot count {asked.text('allocationMode')} devices",
        hint="Use ExactCount, with a count.",
        path=asked.at("allocationMode"),
    )
