"""Rules on node pools: names, zones, pods per node, images, taints and boot disks."""

from __future__ import annotations

import re
from string import digits

from penstock.catalog import limits
from penstock.core.wording import did_you_mean, listed
from penstock.gcp.model import places
from penstock.gcp.model.gke import POOLS, GkePool, gke_pools
from penstock.gcp.rules import nodes
from penstock.gcp.types import CONTAINER_CLUSTER, CONTAINER_NODE_POOL
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow, each, fail, together
from penstock.graph.view import Block, View
from penstock.kubernetes.facts.node_labels import POOL_TAINT_EFFECTS
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_NAME = re.compile(r"[a-z]([-a-z0-9]*[a-z0-9])?")
_IMAGES = (
    "COS_CONTAINERD",
    "UBUNTU_CONTAINERD",
    "WINDOWS_LTSC_CONTAINERD",
    "WINDOWS_SAC_CONTAINERD",
    "CUSTOM_CONTAINERD",
)
"""Images of nodes (GKE documentation, node images)."""
_DOCKER = ("COS", "UBUNTU", "WINDOWS_LTSC", "WINDOWS_SAC")
"""Images with Docker, which GKE no longer starts from version 1.24 on (GKE documentation, node images)."""
_EFFECTS = tuple(POOL_TAINT_EFFECTS.values())


@RULES.rule(
    on=POOLS,
    severity=HIGH,
    rationale="GKE rejects other numbers.",
    fix="Set maxPodsPerNode or defaultMaxPodsPerNode to a number from 8 to 256.",
    sources=("GKE documentation, configure maximum Pods per node (catalogue, gcp_limits)",),
)
def gcp_gke_max_pods_range(view: View) -> Verdict:
    """The maximum number of pods per node is between 8 and 256."""
    low, high = (limits.find_limit(name, "gcp").most for name in ("pods_per_node_least", "pods_per_node"))

    def check(pair: tuple[Block, str]) -> Verdict:
        block, key = pair
        count = block.integer(key)
        if count is None:
            return NOT_APPLICABLE
        hint = f"Use {min(max(count, low), high)}."
        return allow(low <= count <= high, f"{count} pods a node are out of bounds", hint=hint, path=block.at(key))

    own = [(pool.block, "maxPodsPerNode") for pool in gke_pools(view) if not pool.is_default]
    return each([*own, (view, "defaultMaxPodsPerNode")], check)


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale="The API answers any other name with an error 400.",
    fix="Set name to at most 40 of a-z, 0-9 and -, a letter first and no hyphen last.",
    sources=("Kubernetes Engine API, 400: the form of node_pool.name (pulumi-gcp issue 1510)",),
)
def gcp_gke_pool_name(pool: GkePool) -> Verdict:
    """The name of a node pool has at most 40 lower-case letters, digits and hyphens, and starts with a letter."""
    most = limits.find_limit("node_pool_name_characters", "gcp").most
    name = pool.block.text("name") if not pool.is_default else None
    if name is None:
        return NOT_APPLICABLE
    path = pool.block.at("name")
    if _NAME.fullmatch(name) is None:
        hint = "Use lower-case letters, digits and hyphens, a letter first and no hyphen last."
        return fail(f"{name!r} is not a name of a pool", hint=hint, path=path)
    message = f"{name!r} has {len(name)} characters, and a pool's name {most} at most"
    return allow(len(name) <= most, message, hint=f"Shorten it to {name[:most].rstrip('-')}.", path=path)


@RULES.rule(
    on=CONTAINER_CLUSTER,
    severity=HIGH,
    rationale="GKE refuses a second node pool of the same name in a cluster.",
    fix="Give each entry of nodePools a name of its own.",
    sources=("Kubernetes Engine API, 409: a cluster's pools by name",),
)
def gcp_gke_pool_name_unique(cluster: View) -> Verdict:
    """The node pools that a cluster describes itself have different names."""
    if not cluster.count("nodePools"):
        return NOT_APPLICABLE
    taken: set[str] = set()

    def check(pool: Block) -> Verdict:
        name = pool.text("name")
        if name is None:
            return NOT_APPLICABLE
        free = name not in taken
        taken.add(name)
        return allow(free, f"another pool is called {name}", path=pool.at("name"))

    return each(cluster.blocks("nodePools"), check)


@RULES.rule(
    on=CONTAINER_NODE_POOL,
    severity=MEDIUM,
    rationale=(
        "Machines are named by the first 16 characters of the node pool's name, so the machines of such pools are "
        "named alike."
    ),
    fix="Change name so that the first 16 characters differ.",
    joins=True,
    sources=("cluster-toolkit 1.95, modules/compute/gke-node-pool/main.tf, names of instance templates",),
)
def gcp_gke_pool_name_prefix(view: View) -> Verdict:
    """Long names of node pools in one cluster differ in their first 16 characters, unless merely numbered."""
    most = limits.find_limit("pool_name_characters_in_machines", "gcp").most
    name = view.text("name")
    if name is None or len(name) <= most:
        return NOT_APPLICABLE
    pool = GkePool(view, view)
    home = pool.cluster
    others = [other for other in view.site.of_type(CONTAINER_NODE_POOL) if other.urn != view.urn]
    twins = [
        other
        for other in others
        if (called := other.text("name") or "")[:most] == name[:most]
        and called.rstrip(digits) != name.rstrip(digits)
        and GkePool(other, other).cluster.urn == home.urn
    ]
    message = f"machines of {name!r} and {listed(repr(twin.text('name')) for twin in twins)} are named alike"
    hint = f"Use names that differ in their first {most} characters."
    return allow(not twins, message, hint=hint, path="name")


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale="GKE rejects zones outside the region of the cluster.",
    fix="Set nodeLocations to zones of the cluster's region.",
    joins=True,
    sources=("Kubernetes Engine API, NodePool.locations",),
)
def gcp_gke_pool_zones(pool: GkePool) -> Verdict:
    """The zones of a node pool are zones of the region of its cluster."""
    zones = pool.block.texts("nodeLocations")
    if not zones:
        return NOT_APPLICABLE
    here = places.region_of(pool.place()) or ""
    path = pool.block.at("nodeLocations")
    known = f": {listed(named)}" if (named := nodes.zones_in(here)) else ""

    def inside(zone: str) -> Verdict:
        message = f"{zone} is not a zone of {here}, where the cluster is"
        hint = f"Name zones of {here}{known}."
        return allow(places.is_zone(zone) and places.region_of(zone) == here, message, hint=hint, path=path)

    return each(zones, inside)


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale="GKE rejects unknown image types, and starts no images with Docker since version 1.24.",
    fix="Set imageType to COS_CONTAINERD, UBUNTU_CONTAINERD or another image type with containerd.",
    sources=("GKE documentation, node images",),
)
def gcp_gke_image_type(pool: GkePool) -> Verdict:
    """The image type of a node pool is one that GKE starts."""
    config = pool.config
    image = config.text("imageType") if config is not None else None
    if config is None or image is None:
        return NOT_APPLICABLE
    name = image.upper()
    gone = f"{name} ran Docker, which GKE no longer has"
    hint = f"Use {name}_CONTAINERD." if name in _DOCKER else did_you_mean(name, _IMAGES)
    message = gone if name in _DOCKER else f"{image!r} is not an image that GKE starts"
    hint = hint or f"Use one of {listed(_IMAGES)}."
    return allow(name in _IMAGES, message, hint=hint, path=config.at("imageType"))


@RULES.rule(
    on=POOLS,
    severity=HIGH,
    rationale="The API knows only these words, and not the spelling of Kubernetes such as NoSchedule.",
    fix="Set effect to NO_SCHEDULE, PREFER_NO_SCHEDULE or NO_EXECUTE.",
    sources=("Kubernetes Engine API, NodeTaint",),
)
def gcp_gke_taint_effect(view: View) -> Verdict:
    """The effect of a node taint is NO_SCHEDULE, PREFER_NO_SCHEDULE or NO_EXECUTE."""

    def check(taint: Block) -> Verdict:
        effect = taint.text("effect")
        near = next((word for word in _EFFECTS if word.replace("_", "").lower() == str(effect).lower()), None)
        hint = f"Write {near}." if near else f"Use one of {listed(_EFFECTS)}."
        message = f"{effect!r} is not an effect that GKE knows"
        return allow(effect in _EFFECTS, message, hint=hint, path=taint.at("effect"))

    configs = [config for pool in gke_pools(view) if (config := pool.config) is not None]
    return together(each(config.blocks("taints"), check) for config in configs)


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale="The API rejects boot disks below its minimum of 12 GB.",
    fix="Set diskSizeGb (or bootDisk.sizeGb) to 12 or more; 100 is usual.",
    sources=("Kubernetes Engine API, NodeConfig.diskSizeGb",),
)
def gcp_gke_boot_disk_size(pool: GkePool) -> Verdict:
    """The boot disk of a node is large enough for the node image."""
    least = limits.find_limit("boot_disk_gib_least", "gcp").most
    config = pool.config
    if config is None:
        return NOT_APPLICABLE
    disk = config.block("bootDisk")
    holder, key = (config, "diskSizeGb") if disk is None or "sizeGb" not in disk else (disk, "sizeGb")
    size = holder.integer(key)
    if size is None:
        return NOT_APPLICABLE
    message = f"a boot disk of {size} GB is too small for a node"
    return allow(size >= least, message, hint=f"Use {least} or more; 100 is usual.", path=holder.at(key))
