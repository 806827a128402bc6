"""Images of pods that work together over a fabric: NCCL loads the network library from the image."""

from __future__ import annotations

from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, each, fail
from penstock.graph.view import Block
from penstock.kubernetes.facts.fabric_plugins import FabricPlugin, find_plugin_in_image
from penstock.kubernetes.facts.image_contents import find_contents
from penstock.kubernetes.model.pods.templates import RUNNING_WORKLOADS, PodTemplate, requested, templates
from penstock.kubernetes.rules import landing
from penstock.rules.levels import MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_LOADED_FROM = frozenset({"LD_LIBRARY_PATH", "LD_PRELOAD", "NCCL_NET_PLUGIN"})
"""Variables by which a container loads libraries from a volume, or from wherever its command puts them."""

_INSTALLS = "install"


@RULES.rule(
    on=RUNNING_WORKLOADS,
    each_of=templates,
    severity=MEDIUM,
    rationale="Without the library, NCCL uses TCP without a word, or stops where NCCL_NET names the fabric.",
    fix="Use an image with the network library of the fabric, or build one that installs it.",
    joins=True,
    sources=(
        "NVIDIA/nccl, src/plugin/net.cc",
        "aws/deep-learning-containers",
        "NVIDIA/nvidia-container-toolkit issue 1877 (catalogue, kubernetes_image_contents)",
    ),
)
def k8s_fabric_image_library(pods: PodTemplate) -> Verdict:
    """Pods that work together on several nodes with a fabric run images that contain its network library."""
    users = landing.users(pods)
    fabric = landing.fabric_of(pods) if users and landing.span_nodes(pods) else None
    if fabric is None or (fabric.offer is not None and fabric.offer.fabric_interfaces is not None):
        return NOT_APPLICABLE  # such nodes, all of Google, bring the library
    return each(users, lambda container: _contains_library(container, fabric.names))


def brings_libraries(container: Block) -> bool:
    """Return whether a container may load or install the library from outside its image."""
    if any(variable.text("name") in _LOADED_FROM for variable in container.blocks("env")):
        return True
    words = [place.value for path in ("command[]", "args[]") for place in container.locations(path)]
    return any(not isinstance(word, str) or _INSTALLS in word for word in words)


def _contains_library(container: Block, names: frozenset[str]) -> Verdict:
    resource = next(name for name in landing.OVER_FABRIC if name in requested(container))
    plugin = find_plugin_in_image(names, resource)
    image = container.text("image") if plugin is not None else None
    if plugin is None or image is None:
        return NOT_APPLICABLE
    contents = find_contents(image)
    if contents is None or contents.mismatch(resource) or not contents.surely_lacks(plugin.library):
        return PASS  # k8s-image-accelerator reports images for other accelerators
    if brings_libraries(container):
        raise NotKnown
    return fail(
        f"the image {image} lacks {plugin.library}, and its pods work together over {_shown(names, plugin)}",
        hint=f"Use an image with {plugin.needs}.",
        path=container.at("image"),
    )


def _shown(names: frozenset[str], plugin: FabricPlugin) -> str:
    titles = {"efa": "EFA", "infiniband": "InfiniBand", "rdma": "RoCE"}
    return titles.get(plugin.fabric, plugin.fabric) if len(names) == 1 else "RDMA"
