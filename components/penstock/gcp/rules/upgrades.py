"""Rules on upgrades of nodes: surge and blue-green upgrades, release channels and versions."""

from __future__ import annotations

import re

from penstock.catalog import limits
from penstock.core.errors import UnknownFact
from penstock.gcp.facts import gke_versions
from penstock.gcp.model.gke import POOLS, GkePool, gke_pools
from penstock.gcp.rules import nodes
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, allow, fail, together
from penstock.graph.view import Block
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_SECONDS = re.compile(r"\d+(\.\d+)?s")
_CHANNELS = ("RAPID", "REGULAR", "STABLE", "EXTENDED")


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale="With both at 0 no node could ever be upgraded, and the API rejects the settings.",
    fix="Set maxSurge or maxUnavailable to 1.",
    sources=("Kubernetes Engine API, UpgradeSettings", "documentation of pulumi-gcp 10, container.NodePool"),
)
def gcp_gke_surge_upgrade(pool: GkePool) -> Verdict:
    """A surge upgrade can move: maxSurge and maxUnavailable are not both 0, and neither is negative."""
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


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale=(
        "The API rejects blue-green settings with another strategy, batches given in both ways, and durations or "
        "shares of another form."
    ),
    fix=(
        "Set strategy to BLUE_GREEN, keep one of batchNodeCount and batchPercentage (above 0 and up to 1), and write "
        "durations in seconds such as 3600s."
    ),
    sources=("Kubernetes Engine API, BlueGreenSettings",),
)
def gcp_gke_blue_green_upgrade(pool: GkePool) -> Verdict:
    """Settings for blue-green upgrades go with that strategy, and give batches by number or by share."""
    settings = pool.block.block("upgradeSettings")
    blue_green = settings.block("blueGreenSettings") if settings is not None else None
    if settings is None or blue_green is None:
        return NOT_APPLICABLE
    strategy = settings.text("strategy")
    verdicts = [
        allow(
            strategy == "BLUE_GREEN",
            f"blueGreenSettings is set, and the strategy is {strategy or 'SURGE, by default'}",
            hint="Set strategy to BLUE_GREEN, or leave blueGreenSettings out.",
            path=settings.at("strategy"),
        ),
        _length(blue_green, "nodePoolSoakDuration"),
    ]
    rollout = blue_green.block("standardRolloutPolicy")
    return together([*verdicts, *([] if rollout is None else _batches(rollout))])


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale="The API answers a node pool without automatic upgrades in a release channel with an error 400.",
    fix="Set management.autoUpgrade to true, and keep upgrades away by a maintenance exclusion.",
    joins=True,
    sources=("Kubernetes Engine API, 400: automatic upgrades in a release channel",),
)
def gcp_gke_channel_auto_upgrade(pool: GkePool) -> Verdict:
    """Node pools of a cluster in a release channel have automatic upgrades on."""
    management = pool.block.block("management")
    if management is None or management.flag("autoUpgrade") is not False:
        return NOT_APPLICABLE
    channel = pool.cluster.block("releaseChannel")
    name = channel.text("channel") if channel is not None else "REGULAR"
    message = f"the cluster is in the release channel {name}, where GKE upgrades nodes by itself"
    hint = "Set autoUpgrade to true, and keep upgrades away by a maintenance exclusion."
    return allow(name not in _CHANNELS, message, hint=hint, path=management.at("autoUpgrade"))


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale="Kubernetes supports no other version skew, and GKE rejects nodes that are newer than the control plane.",
    fix="Set version to that of the control plane, or leave version out.",
    joins=True,
    sources=("Kubernetes version skew policy",),
)
def gcp_gke_node_version_skew(pool: GkePool) -> Verdict:
    """The version of a node pool is at most that of the control plane, and at most three minor versions below."""
    behind = limits.find_limit("node_minor_versions_behind", "gcp").most
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


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=MEDIUM,
    rationale="The newest machine types need a recent GKE version, and an older one may not start them.",
    fix=(
        "Set minMasterVersion of the cluster, or version of the node pool, to a GKE version that supports the machine "
        "type."
    ),
    sources=("versions by machine (catalogue, gke_floors)",),
)
def gcp_gke_machine_version(pool: GkePool) -> Verdict:
    """The GKE version is one that starts the machine type of the node pool."""
    machine = pool.machine
    if machine is None or machine.family not in gke_versions.features():
        return NOT_APPLICABLE
    return nodes.has_feature(pool, machine.family)


def _length(block: Block, key: str) -> Verdict:
    length = block.text(key)
    if length is None:
        return PASS
    hint = "Write it in seconds, such as 3600s."
    return allow(_SECONDS.fullmatch(length), f"{length!r} is not a duration in seconds", hint=hint, path=block.at(key))


def _batches(rollout: Block) -> list[Verdict]:
    share, both = rollout.number("batchPercentage"), "batchPercentage" in rollout and "batchNodeCount" in rollout
    return [
        allow(
            not both,
            "batchNodeCount and batchPercentage exclude one another",
            hint="Leave batchPercentage out, or batchNodeCount.",
            path=rollout.at("batchPercentage"),
        ),
        allow(
            share is None or 0 < share <= 1,
            f"batchPercentage {share} is not between 0 and 1",
            hint="Use a number above 0 and up to 1, such as 0.25.",
            path=rollout.at("batchPercentage"),
        ),
        _length(rollout, "batchSoakDuration"),
    ]
