"""Rules on node pools: sizes, autoscaling, images, drivers and upgrades."""

from __future__ import annotations

import re
from string import digits

from penstock.catalog import limits
from penstock.catalog.gcp import gke_versions
from penstock.errors import UnknownFact
from penstock.model.gcp import places
from penstock.model.pools.gke import POOLS, GkePool, gke_pools
from penstock.resources.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, allow, each, fail, together
from penstock.resources.view import Block, View
from penstock.rules.gcp import nodes
from penstock.rules.gcp.types import CLUSTER, NODE_POOL
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.wording import did_you_mean, listed

RULES = RuleSet(Category.PROVIDER)

_NAME = re.compile(r"[a-z]([-a-z0-9]*[a-z0-9])?")
_SECONDS = re.compile(r"\d+(\.\d+)?s")
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
_EFFECTS = ("NO_SCHEDULE", "PREFER_NO_SCHEDULE", "NO_EXECUTE")
_CHANNELS = ("RAPID", "REGULAR", "STABLE", "EXTENDED")
_PER_ZONE = ("minNodeCount", "maxNodeCount")
_TOTAL = ("totalMinNodeCount", "totalMaxNodeCount")


@RULES.rule(
    "gcp-gke-pool-fixed-or-autoscaled",
    on=POOLS,
    severity=MEDIUM,
    rationale="With both, each update undoes what the autoscaler did.",
    fix="Leave nodeCount out; set initialNodeCount for the number of nodes to start with.",
    reads=("autoscaling", "nodeConfig", "nodeCount", "nodePools"),
    sources=(
        "documentation of pulumi-gcp 10, container.NodePool, nodeCount",
        "cluster-toolkit 1.95, modules/compute/gke-node-pool/main.tf",
    ),
)
def a_size_is_fixed_or_autoscaled(view: View) -> Verdict:
    """A node pool has a fixed number of nodes or is autoscaled, and not both."""

    def check(pool: GkePool) -> Verdict:
        if "nodeCount" not in pool.block:
            return NOT_APPLICABLE
        message = "nodeCount is given beside autoscaling, so that each update takes the autoscaler's nodes away"
        hint = "Leave nodeCount out; initialNodeCount says how many nodes to start with."
        return allow("autoscaling" not in pool.block, message, hint=hint, path=pool.block.at("nodeCount"))

    return each(gke_pools(view), check)


@RULES.rule(
    "gcp-gke-autoscaling-bounds-kind",
    on=POOLS,
    severity=HIGH,
    rationale="The API rejects both kinds of bounds together.",
    fix="Leave out totalMinNodeCount and totalMaxNodeCount, or minNodeCount and maxNodeCount.",
    reads=(
        "autoscaling.maxNodeCount",
        "autoscaling.minNodeCount",
        "autoscaling.totalMaxNodeCount",
        "autoscaling.totalMinNodeCount",
        "nodeConfig",
        "nodePools[].autoscaling.maxNodeCount",
        "nodePools[].autoscaling.minNodeCount",
        "nodePools[].autoscaling.totalMaxNodeCount",
        "nodePools[].autoscaling.totalMinNodeCount",
    ),
    sources=("Kubernetes Engine API, NodePoolAutoscaling",),
)
def bounds_are_per_zone_or_in_total(view: View) -> Verdict:
    """The bounds of autoscaling are given per zone or in total, and not both."""

    def check(pool: GkePool) -> Verdict:
        scaling = pool.block.block("autoscaling")
        if scaling is None:
            return NOT_APPLICABLE
        totals = [key for key in _TOTAL if key in scaling]
        zonal = [key for key in _PER_ZONE if key in scaling]
        message = f"{listed(zonal)} per zone and {listed(totals)} in total exclude one another"
        hint = f"Leave {listed(totals)} out, or {listed(zonal)}."
        return allow(not (totals and zonal), message, hint=hint, path=scaling.at(totals[0] if totals else ""))

    return each(gke_pools(view), check)


@RULES.rule(
    "gcp-gke-autoscaling-bounds-order",
    on=POOLS,
    severity=HIGH,
    rationale="The API rejects negative counts, an upper bound of 0 and bounds in reverse order.",
    fix=(
        "Set minNodeCount (or totalMinNodeCount) to 0 or more, and maxNodeCount (or totalMaxNodeCount) to 1 or more "
        "and not below it."
    ),
    reads=(
        "autoscaling.maxNodeCount",
        "autoscaling.minNodeCount",
        "autoscaling.totalMaxNodeCount",
        "autoscaling.totalMinNodeCount",
        "initialNodeCount",
        "nodeCount",
    ),
    sources=("Kubernetes Engine API, NodePoolAutoscaling",),
)
def bounds_are_in_order(view: View) -> Verdict:
    """Sizes are 0 or more; so is the lower bound of autoscaling, which is not above the upper one, of 1 or more."""

    def check(pool: GkePool) -> Verdict:
        sizes = [_is_size(pool.block, key) for key in ("nodeCount", "initialNodeCount")]
        scaling = pool.block.block("autoscaling")
        if scaling is None:
            return together(sizes)
        return together([*sizes, *(_in_order(scaling, *keys) for keys in (_PER_ZONE, _TOTAL))])

    return each(gke_pools(view), check)


@RULES.rule(
    "gcp-gke-pool-initial-node-count",
    on=POOLS,
    severity=HIGH,
    rationale="GKE refuses a node pool whose initial size is outside its bounds.",
    fix="Set initialNodeCount to a number within the bounds of autoscaling.",
    reads=(
        "autoscaling.maxNodeCount",
        "autoscaling.minNodeCount",
        "autoscaling.totalMaxNodeCount",
        "autoscaling.totalMinNodeCount",
        "cluster",
        "initialNodeCount",
        "location",
        "nodeLocations",
    ),
    joins=True,
    sources=("cluster-toolkit 1.95, modules/compute/gke-node-pool/main.tf",),
)
def a_pool_starts_within_its_bounds(view: View) -> Verdict:
    """The number of nodes that a node pool starts with lies between the bounds of its autoscaling."""

    def check(pool: GkePool) -> Verdict:
        scaling, initial = pool.block.block("autoscaling"), pool.block.integer("initialNodeCount")
        if scaling is None or initial is None:
            return NOT_APPLICABLE
        total = any(key in scaling for key in _TOTAL)
        low, high = (scaling.integer(key) for key in (_TOTAL if total else _PER_ZONE))
        count = pool.in_all_zones(initial) if total else initial
        if (low or 0) > (high if high is not None else count):
            return NOT_APPLICABLE  # another rule tells
        message = f"the pool starts with {count} nodes{'' if total else ' in each zone'}"
        message = f"{message}, and its bounds are {low or 0} and {'none' if high is None else high}"
        holds = (low or 0) <= count and (high is None or count <= high)
        hint = f"Set initialNodeCount so that the pool starts with {low or 0} to {high} nodes."
        return allow(holds, message, hint=hint, path=pool.block.at("initialNodeCount"))

    return each(gke_pools(view), check)


@RULES.rule(
    "gcp-gke-surge-upgrade",
    on=POOLS,
    severity=HIGH,
    rationale="With both at 0 no node could ever be upgraded, and the API rejects the settings.",
    fix="Set maxSurge or maxUnavailable to 1.",
    reads=("upgradeSettings.maxSurge", "upgradeSettings.maxUnavailable", "upgradeSettings.strategy"),
    sources=("Kubernetes Engine API, UpgradeSettings", "documentation of pulumi-gcp 10, container.NodePool"),
)
def an_upgrade_can_move(view: View) -> Verdict:
    """An upgrade by surge may add a node or take one away: maxSurge and maxUnavailable are not both 0."""

    def check(pool: GkePool) -> Verdict:
        settings = pool.block.block("upgradeSettings")
        if settings is None or settings.text("strategy") == "BLUE_GREEN":
            return NOT_APPLICABLE
        surge, unavailable = settings.integer("maxSurge"), settings.integer("maxUnavailable")
        if surge is None and unavailable is None:
            return NOT_APPLICABLE
        negative = min(surge or 0, unavailable or 0) < 0
        stuck = surge == 0 and not unavailable
        what = "are negative" if negative else "are both 0, so that no node is ever upgraded"
        path = settings.at("maxUnavailable" if (unavailable or 0) < 0 else "maxSurge")
        message = f"maxSurge {surge} and maxUnavailable {unavailable or 0} {what}"
        return allow(not negative and not stuck, message, hint="Set one of them to 1.", path=path)

    return each(gke_pools(view), check)


@RULES.rule(
    "gcp-gke-blue-green-upgrade",
    on=POOLS,
    severity=HIGH,
    rationale=(
        "The API rejects blue-green settings with another strategy, batches given in both ways, and durations or "
        "shares of another form."
    ),
    fix=(
        "Set strategy to BLUE_GREEN, keep one of batchNodeCount and batchPercentage (above 0 and up to 1), and write "
        "durations in seconds such as 3600s."
    ),
    reads=(
        "upgradeSettings.blueGreenSettings.nodePoolSoakDuration",
        "upgradeSettings.blueGreenSettings.standardRolloutPolicy.batchNodeCount",
        "upgradeSettings.blueGreenSettings.standardRolloutPolicy.batchPercentage",
        "upgradeSettings.blueGreenSettings.standardRolloutPolicy.batchSoakDuration",
        "upgradeSettings.strategy",
    ),
    sources=("Kubernetes Engine API, BlueGreenSettings",),
)
def a_blue_green_upgrade_is_described_in_full(view: View) -> Verdict:
    """Settings for blue-green upgrades go with that strategy, and give batches by number or by share."""

    def check(pool: GkePool) -> Verdict:
        settings = pool.block.block("upgradeSettings")
        blue_green = settings.block("blueGreenSettings") if settings is not None else None
        if settings is None or blue_green is None:
            return NOT_APPLICABLE
        strategy = settings.text("strategy")
        verdicts = [
            allow(
                strategy == "BLUE_GREEN",
                f"blueGreenSettings are given, and the strategy is {strategy or 'SURGE, by default'}",
                hint="Set strategy to BLUE_GREEN, or leave blueGreenSettings out.",
                path=settings.at("strategy"),
            ),
            _length(blue_green, "nodePoolSoakDuration"),
        ]
        rollout = blue_green.block("standardRolloutPolicy")
        return together([*verdicts, *([] if rollout is None else _batches(rollout))])

    return each(gke_pools(view), check)


@RULES.rule(
    "gcp-gke-max-pods-range",
    on=POOLS,
    severity=HIGH,
    rationale="GKE rejects other numbers.",
    fix="Set maxPodsPerNode or defaultMaxPodsPerNode to a number from 8 to 256.",
    reads=("defaultMaxPodsPerNode", "maxPodsPerNode", "nodeConfig", "nodePools"),
    sources=("GKE documentation, configure maximum Pods per node (catalogue, gcp_limits)",),
)
def pods_per_node_are_within_bounds(view: View) -> Verdict:
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
    "gcp-gke-pool-name",
    on=POOLS,
    severity=HIGH,
    rationale="The API answers any other name with an error 400.",
    fix="Set name to at most 40 of a-z, 0-9 and -, a letter first and no hyphen last.",
    reads=("name",),
    sources=("Kubernetes Engine API, 400: the form of node_pool.name (pulumi-gcp issue 1510)",),
)
def a_name_of_a_pool_is_short_and_plain(view: View) -> Verdict:
    """The name of a node pool has at most 40 lower-case letters, digits and hyphens, and starts with a letter."""
    most = limits.find_limit("node_pool_name_characters", "gcp").most

    def check(pool: GkePool) -> Verdict:
        name = pool.block.text("name") if not pool.is_default else None
        if name is None:
            return NOT_APPLICABLE
        path = pool.block.at("name")
        if _NAME.fullmatch(name) is None:
            hint = "Use lower-case letters, digits and hyphens, a letter first and no hyphen last."
            return fail(f"{name!r} is no name of a pool", hint=hint, path=path)
        message = f"{name!r} has {len(name)} characters, and a pool's name {most} at most"
        return allow(len(name) <= most, message, hint=f"Shorten it to {name[:most].rstrip('-')}.", path=path)

    return each(gke_pools(view), check)


@RULES.rule(
    "gcp-gke-pool-name-unique",
    on=CLUSTER,
    severity=HIGH,
    rationale="GKE refuses a second node pool of the same name in a cluster.",
    fix="Give each entry of nodePools a name of its own.",
    reads=("nodePools[].name",),
    sources=("Kubernetes Engine API, 409: a cluster's pools by name",),
)
def pools_of_a_cluster_differ_by_name(cluster: View) -> Verdict:
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
        return allow(free, f"another pool is called {name}", hint="Give each a name of its own.", path=pool.at("name"))

    return each(cluster.blocks("nodePools"), check)


@RULES.rule(
    "gcp-gke-pool-name-prefix",
    on=NODE_POOL,
    severity=MEDIUM,
    rationale=(
        "Machines are named by the first 16 characters of the node pool's name, so the machines of such pools are "
        "named alike."
    ),
    fix="Change name so that the first 16 characters differ.",
    reads=("cluster", "name"),
    joins=True,
    sources=("cluster-toolkit 1.95, modules/compute/gke-node-pool/main.tf, names of instance templates",),
)
def pools_differ_in_what_machines_are_named_by(view: View) -> Verdict:
    """Long names of node pools in one cluster differ in their first 16 characters; numbered pools may be alike."""
    most = limits.find_limit("pool_name_characters_in_machines", "gcp").most
    name = view.text("name")
    if name is None or len(name) <= most:
        return NOT_APPLICABLE
    pool = GkePool(view, view)
    home = pool.cluster
    others = [other for other in view.site.of_type(NODE_POOL) if other.urn != view.urn]
    twins = [
        other
        for other in others
        if (called := other.text("name") or "")[:most] == name[:most]
        and called.rstrip(digits) != name.rstrip(digits)
        and GkePool(other, other).cluster.urn == home.urn
    ]
    message = f"machines of {name!r} and {listed(repr(twin.text('name')) for twin in twins)} are named alike"
    hint = f"Make the first {most} characters of the names differ."
    return allow(not twins, message, hint=hint, path="name")


@RULES.rule(
    "gcp-gke-pool-zones",
    on=POOLS,
    severity=HIGH,
    rationale="GKE rejects zones outside the region of the cluster.",
    fix="Set nodeLocations to zones of the cluster's region.",
    reads=("cluster", "location", "nodeLocations"),
    joins=True,
    sources=("Kubernetes Engine API, NodePool.locations",),
)
def nodes_stand_in_the_region_of_their_cluster(view: View) -> Verdict:
    """The zones of a node pool are zones of the region of its cluster."""

    def check(pool: GkePool) -> Verdict:
        zones = pool.block.texts("nodeLocations")
        if not zones:
            return NOT_APPLICABLE
        here = places.region_of(pool.place()) or ""
        path = pool.block.at("nodeLocations")
        known = f": {listed(named)}" if (named := nodes.zones_in(here)) else ""

        def inside(zone: str) -> Verdict:
            message = f"{zone} is no zone of {here}, where the cluster is"
            hint = f"Name zones of {here}{known}."
            return allow(places.is_zone(zone) and places.region_of(zone) == here, message, hint=hint, path=path)

        return each(zones, inside)

    return each(gke_pools(view), check)


@RULES.rule(
    "gcp-gke-image-type",
    on=POOLS,
    severity=HIGH,
    rationale="GKE rejects unknown image types, and starts no images with Docker since version 1.24.",
    fix="Set imageType to COS_CONTAINERD, UBUNTU_CONTAINERD or another image type with containerd.",
    reads=("nodeConfig.imageType",),
    sources=("GKE documentation, node images",),
)
def an_image_is_one_that_gke_starts(view: View) -> Verdict:
    """The image type of a node pool is one that GKE starts."""

    def check(pool: GkePool) -> Verdict:
        config = pool.config
        image = config.text("imageType") if config is not None else None
        if config is None or image is None:
            return NOT_APPLICABLE
        name = image.upper()
        gone = f"{name} ran Docker, which GKE no longer has"
        hint = f"Use {name}_CONTAINERD." if name in _DOCKER else did_you_mean(name, _IMAGES)
        message = gone if name in _DOCKER else f"{image!r} is no image that GKE starts"
        hint = hint or f"Use one of {listed(_IMAGES)}."
        return allow(name in _IMAGES, message, hint=hint, path=config.at("imageType"))

    return each(gke_pools(view), check)


@RULES.rule(
    "gcp-gke-taint-effect",
    on=POOLS,
    severity=HIGH,
    rationale="The API knows only these words, and not the spelling of Kubernetes such as NoSchedule.",
    fix="Set effect to NO_SCHEDULE, PREFER_NO_SCHEDULE or NO_EXECUTE.",
    reads=("nodeConfig.taints[].effect",),
    sources=("Kubernetes Engine API, NodeTaint",),
)
def a_taint_has_an_effect_of_gke(view: View) -> Verdict:
    """The effect of a node taint is NO_SCHEDULE, PREFER_NO_SCHEDULE or NO_EXECUTE."""

    def check(taint: Block) -> Verdict:
        effect = taint.text("effect")
        near = next((word for word in _EFFECTS if word.replace("_", "").lower() == str(effect).lower()), None)
        hint = f"Write {near}." if near else f"Use one of {listed(_EFFECTS)}."
        message = f"{effect!r} is no effect that GKE knows"
        return allow(effect in _EFFECTS, message, hint=hint, path=taint.at("effect"))

    configs = [config for pool in gke_pools(view) if (config := pool.config) is not None]
    return together(each(config.blocks("taints"), check) for config in configs)


@RULES.rule(
    "gcp-gke-boot-disk-size",
    on=POOLS,
    severity=HIGH,
    rationale="The API rejects boot disks below its minimum of 12 GB.",
    fix="Set diskSizeGb (or bootDisk.sizeGb) to 12 or more; 100 is usual.",
    reads=("nodeConfig.bootDisk.sizeGb", "nodeConfig.diskSizeGb"),
    sources=("Kubernetes Engine API, NodeConfig.diskSizeGb",),
)
def a_boot_disk_holds_the_image(view: View) -> Verdict:
    """The boot disk of a node is large enough for the node image."""
    least = limits.find_limit("boot_disk_gib_least", "gcp").most

    def check(pool: GkePool) -> Verdict:
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

    return each(gke_pools(view), check)


@RULES.rule(
    "gcp-gke-channel-auto-upgrade",
    on=POOLS,
    severity=HIGH,
    rationale="The API answers a node pool without automatic upgrades in a release channel with an error 400.",
    fix="Set management.autoUpgrade to true, and keep upgrades away by a maintenance exclusion.",
    reads=("cluster", "management.autoUpgrade"),
    joins=True,
    sources=("Kubernetes Engine API, 400: automatic upgrades in a release channel",),
)
def nodes_in_a_release_channel_are_upgraded(view: View) -> Verdict:
    """Node pools of a cluster in a release channel have automatic upgrades on."""

    def check(pool: GkePool) -> Verdict:
        management = pool.block.block("management")
        if management is None or management.flag("autoUpgrade") is not False:
            return NOT_APPLICABLE
        channel = pool.cluster.block("releaseChannel")
        name = channel.text("channel") if channel is not None else "REGULAR"
        message = f"the cluster is in the release channel {name}, where GKE upgrades nodes by itself"
        hint = "Set autoUpgrade to true, and keep upgrades away by a maintenance exclusion."
        return allow(name not in _CHANNELS, message, hint=hint, path=management.at("autoUpgrade"))

    return each(gke_pools(view), check)


@RULES.rule(
    "gcp-gke-node-version-skew",
    on=POOLS,
    severity=HIGH,
    rationale="Kubernetes supports no other version skew, and GKE rejects nodes that are newer than the control plane.",
    fix="Set version to that of the control plane, or leave version out.",
    reads=("cluster", "version"),
    joins=True,
    sources=("Kubernetes version skew policy",),
)
def nodes_are_not_newer_than_their_cluster(view: View) -> Verdict:
    """The version of a pool's nodes is not above that of the control plane, and three minor versions below at most."""
    behind = limits.find_limit("node_minor_versions_behind", "gcp").most

    def check(pool: GkePool) -> Verdict:
        own = pool.block.text("version") if not pool.is_default else None
        if own is None:
            return NOT_APPLICABLE
        master = pool.cluster.text("minMasterVersion")
        if master is None:
            raise NotKnown
        try:
            mine, theirs = gke_versions.version_parts(own), gke_versions.version_parts(master)
        except UnknownFact:
            raise NotKnown from None
        short = min(len(mine), len(theirs))
        path = pool.block.at("version")
        if mine[:short] > theirs[:short]:
            message = f"the nodes have {own}, which is newer than the control plane's {master}"
            return fail(message, hint=f"Use {master}, or leave version out.", path=path)
        message = f"the nodes have {own}, which is more than {behind} minor versions behind {master}"
        return allow(mine[1] >= theirs[1] - behind, message, hint=f"Use {master}.", path=path)

    return each(gke_pools(view), check)


@RULES.rule(
    "gcp-gke-machine-version",
    on=POOLS,
    severity=MEDIUM,
    rationale="The newest machine types need a recent GKE version, and an older one may not start them.",
    fix=(
        "Set minMasterVersion of the cluster, or version of the node pool, to a GKE version that supports the machine "
        "type."
    ),
    reads=("nodeConfig.machineType", "version"),
    sources=("versions by machine (catalogue, gke_floors)",),
)
def the_version_of_gke_has_the_machine(view: View) -> Verdict:
    """The GKE version is one that starts the machine type of the node pool."""

    def check(pool: GkePool) -> Verdict:
        machine = pool.machine
        if machine is None or machine.family not in gke_versions.features():
            return NOT_APPLICABLE
        return nodes.has_feature(pool, machine.family)

    return each(gke_pools(view), check)


def _is_size(block: Block, key: str) -> Verdict:
    count = block.integer(key)
    if count is None:
        return NOT_APPLICABLE
    return allow(count >= 0, f"{key} is {count}", hint="Use 0 or more.", path=block.at(key))


def _in_order(scaling: Block, least: str, most: str) -> Verdict:
    low, high = scaling.integer(least), scaling.integer(most)
    if low is None and high is None:
        return NOT_APPLICABLE
    verdicts = [
        allow((low or 0) >= 0, f"{least} is {low}", hint="Use 0 or more.", path=scaling.at(least)),
        allow(high is None or high > 0, f"{most} is {high}", hint="Use 1 or more.", path=scaling.at(most)),
    ]
    if low is not None and high is not None:
        message = f"{least} {low} is above {most} {high}"
        verdicts.append(allow(low <= high, message, hint=f"Use {high} or less.", path=scaling.at(least)))
    return together(verdicts)


def _length(block: Block, key: str) -> Verdict:
    length = block.text(key)
    if length is None:
        return PASS
    hint = "Write it in seconds, such as 3600s."
    return allow(_SECONDS.fullmatch(length), f"{length!r} is no length of time", hint=hint, path=block.at(key))


def _batches(rollout: Block) -> list[Verdict]:
    share, both = rollout.number("batchPercentage"), "batchPercentage" in rollout and "batchNodeCount" in rollout
    return [
        allow(
            not both,
            "batches are given by number and by share, which exclude one another",
            hint="Leave batchPercentage out, or batchNodeCount.",
            path=rollout.at("batchPercentage"),
        ),
        allow(
            share is None or 0 < share <= 1,
            f"a batch of {share} is no share of the nodes",
            hint="Use a number above 0 and up to 1, such as 0.25.",
            path=rollout.at("batchPercentage"),
        ),
        _length(rollout, "batchSoakDuration"),
    ]
