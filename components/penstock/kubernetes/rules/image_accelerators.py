"""Images of containers with accelerators: they contain the software of their maker."""

from __future__ import annotations

from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, each, fail
from penstock.graph.view import Block
from penstock.kubernetes.facts.image_contents import find_contents
from penstock.kubernetes.model.pods.templates import RUNNING_WORKLOADS, PodTemplate, requested, templates
from penstock.kubernetes.rules.fabric_images import brings_libraries
from penstock.rules.levels import MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_ACCELERATORS = ("nvidia.com/", "amd.com/", "aws.amazon.com/neuron", "google.com/tpu")


@RULES.rule(
    on=RUNNING_WORKLOADS,
    each_of=templates,
    severity=MEDIUM,
    rationale="The pod starts, and its program finds no accelerator that its libraries can use.",
    fix="Use an image that is built for the accelerators that the container requests.",
    sources=(
        "NGC documentation, catalog of containers",
        "ROCm documentation, PyTorch on ROCm installation",
        "Google Cloud documentation, JAX AI images (catalogue, kubernetes_image_contents)",
    ),
)
def k8s_image_accelerator(pods: PodTemplate) -> Verdict:
    """Containers with accelerators run images that are built for them, as far as the images are known."""
    users = [each for each in pods.containers if _resources(each)]
    return each(users, _fits) if users else NOT_APPLICABLE


def _resources(container: Block) -> list[str]:
    return [name for name in requested(container) if name.startswith(_ACCELERATORS)]


def _fits(container: Block) -> Verdict:
    image = container.text("image")
    contents = find_contents(image) if image is not None else None
    if contents is None:
        return PASS
    mismatches = [contents.mismatch(resource) for resource in _resources(container)]
    if None in mismatches:
        return PASS
    if brings_libraries(container):
        raise NotKnown
    return fail(
        f"the image {image} {mismatches[0]}, which its container requests",
        hint="Use an image that is built for them.",
        path=container.at("image"),
    )
