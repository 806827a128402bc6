"""Images of containers: whether nodes without a way out can pull them."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.graph.property_path import Location, leaves
from penstock.graph.values import Secret, Unknown
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, TypeMismatch, Verdict, each, fail
from penstock.graph.view import View
from penstock.kubernetes.facts.charts import RELEASE
from penstock.kubernetes.facts.public_registries import host_of, public_registries
from penstock.kubernetes.model.pods.templates import RUNNING_WORKLOADS, templates
from penstock.kubernetes.rules import nodes
from penstock.kubernetes.rules.node_offer import Registries
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_IMAGE_KEYS = ("image", "repository", "registry")
"""The keys by which values of charts name an image or its registry."""


@RULES.rule(
    on=(*RUNNING_WORKLOADS, RELEASE),
    severity=HIGH,
    rationale="The node cannot reach the registry, and the pod stays in ImagePullBackOff.",
    fix=(
        "Copy the image to a registry that the nodes reach (ECR or Artifact Registry; network.image_mirror of a "
        "description), or give the network a NAT gateway."
    ),
    joins=True,
    sources=(
        "EKS user guide, private clusters: images come from registries in the network",
        "GKE documentation, network isolation: private nodes reach Google through Private Google Access only",
    ),
)
def k8s_image_within_reach(workload: View) -> Verdict:
    """Nodes without a way out of their network get images only from registries of the cloud that they run on."""
    images = [*_of_values(workload)] if workload.type == RELEASE else [*_of_templates(workload)]
    if not (images or workload.type == RELEASE) or not nodes.has_own_cluster(workload):
        return NOT_APPLICABLE
    reached = nodes.registries_within_reach(workload)
    if reached is None:
        return PASS
    if not images:
        raise NotKnown  # the chart itself names its images

    return each(images, lambda image: _pulled(image, reached))


def _of_templates(workload: View) -> Iterator[Location]:
    for pod in templates(workload):
        for container in pod.containers:
            yield Location(container.at("image"), container.given("image"))


def _of_values(release: View) -> Iterator[Location]:
    """The images that values of a chart name, whole or without their tag; only those with their registry."""
    for path, value in leaves(release.value("values") or {}):
        if path.steps[-1] in _IMAGE_KEYS and isinstance(value, str) and "." in value.partition("/")[0]:
            yield Location(f"values.{path}", value)


def _pulled(image: Location, reached: Registries) -> Verdict:
    if isinstance(image.value, Unknown | Secret):
        raise NotKnown
    if not isinstance(image.value, str):
        raise TypeMismatch
    host = host_of(image.value)
    if reached.own.fullmatch(host):
        return PASS
    if host in reached.mirrored or host not in public_registries():
        raise NotKnown  # a copy may be there, or the registry may be in the network
    message = f"no node reaches {host}, where the image {image.value} is: the network has no way out"
    hint = f"Copy it to {reached.example}, or give the network a NAT gateway."
    return fail(message, hint=hint, path=image.path)
