"""Clusters of GKE: version, network, node pools and what they encrypt with."""

from __future__ import annotations

from penstock.catalog import kubernetes_versions, limits
from penstock.core.errors import UnknownFact
from penstock.core.wording import listed
from penstock.gcp.facts import gke_versions
from penstock.gcp.model import places
from penstock.gcp.model.gke import GkePool
from penstock.gcp.rules import nodes
from penstock.gcp.types import COMPUTE_NETWORK, CONTAINER_CLUSTER, CONTAINER_NODE_POOL, LUSTRE_INSTANCE
from penstock.graph.verdict import NOT_APPLICABLE, PASS, Verdict, allow, each, fail
from penstock.graph.view import Block, View
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_DATAPLANE_V2 = "ADVANCED_DATAPATH"
_IDENTITIES = ".svc.id.goog"
_NOT_ON_AUTOPILOT = (
    "removeDefaultNodePool",
    "nodePools",
    "defaultMaxPodsPerNode",
    "networkPolicy",
    "enableShieldedNodes",
    "enableIntranodeVisibility",
)
"""Properties of a cluster that manages its own nodes, which the provider rejects beside enableAutopilot."""


@RULES.rule(
    on=CONTAINER_CLUSTER,
    severity=HIGH,
    rationale="GKE refuses multi-networking without Dataplane V2 and in routes-based clusters.",
    fix="Set datapathProvider to ADVANCED_DATAPATH and networkingMode to VPC_NATIVE.",
    sources=("GKE documentation, set up multi-network support for Pods",),
)
def gcp_gke_multi_network_dataplane(cluster: View) -> Verdict:
    """A cluster with multi-networking runs Dataplane V2 and is VPC-native."""
    if not cluster.flag("enableMultiNetworking") or cluster.flag("enableAutopilot"):
        return NOT_APPLICABLE  # Autopilot always has Dataplane V2
    if cluster.text("networkingMode") == "ROUTES":
        message = "multi-networking needs a VPC-native cluster, and networkingMode is ROUTES"
        return fail(message, hint="Set networkingMode to VPC_NATIVE.", path="networkingMode")
    message, hint = "multi-networking needs Dataplane V2", f"Set datapathProvider to {_DATAPLANE_V2}."
    holds = cluster.text("datapathProvider") == _DATAPLANE_V2
    return allow(holds, message, hint=hint, path="datapathProvider")


@RULES.rule(
    on=CONTAINER_CLUSTER,
    severity=HIGH,
    rationale="Dataplane V2 enforces network policies itself, and GKE refuses Calico beside it.",
    fix="Leave networkPolicy and addonsConfig.networkPolicyConfig out.",
    sources=("cluster-toolkit 1.95, modules/scheduler/gke-cluster", "GKE documentation, GKE Dataplane V2"),
)
def gcp_gke_dataplane_no_calico(cluster: View) -> Verdict:
    """A cluster with Dataplane V2 does not enable Calico's network policies."""
    if cluster.text("datapathProvider") != _DATAPLANE_V2:
        return NOT_APPLICABLE
    addons, policy = cluster.block("addonsConfig"), cluster.block("networkPolicy")
    addon = addons.block("networkPolicyConfig") if addons is not None else None
    if policy is not None and policy.flag("enabled"):
        message = "Dataplane V2 enforces network policies itself, and excludes those of Calico"
        return fail(message, hint="Leave networkPolicy out.", path="networkPolicy")
    on = addon is not None and addon.flag("disabled") is False
    message = "Dataplane V2 enforces network policies itself, and excludes Calico's add-on"
    return allow(not on, message, hint="Leave networkPolicyConfig out.", path="addonsConfig.networkPolicyConfig")


@RULES.rule(
    on=CONTAINER_CLUSTER,
    severity=HIGH,
    rationale="GKE refuses these policies without Dataplane V2.",
    fix="Set datapathProvider to ADVANCED_DATAPATH.",
    sources=(
        "cluster-toolkit 1.95, modules/scheduler/gke-cluster",
        "Pulumi Google Cloud 10.2, container.Cluster, enable_fqdn_network_policy",
    ),
)
def gcp_gke_dataplane_policies(cluster: View) -> Verdict:
    """FQDN network policies and cluster-wide network policies are enabled only with Dataplane V2."""
    asked = [key for key in ("enableFqdnNetworkPolicy", "enableCiliumClusterwideNetworkPolicy") if cluster.flag(key)]
    if not asked or cluster.flag("enableAutopilot"):
        return NOT_APPLICABLE
    holds = cluster.text("datapathProvider") == _DATAPLANE_V2
    hint = f"Set datapathProvider to {_DATAPLANE_V2}."
    return allow(holds, f"{asked[0]} needs Dataplane V2", hint=hint, path="datapathProvider")


@RULES.rule(
    on=CONTAINER_CLUSTER,
    severity=HIGH,
    rationale="The API rejects the state ENCRYPTED without a key.",
    fix="Set databaseEncryption.keyName to a Cloud KMS key in the region of the cluster.",
    sources=("Kubernetes Engine API v1, discovery document, DatabaseEncryption",),
)
def gcp_gke_db_encryption_key(cluster: View) -> Verdict:
    """A cluster whose secrets are encrypted names the key."""
    encryption = cluster.block("databaseEncryption")
    if encryption is None or encryption.text("state") != "ENCRYPTED":
        return NOT_APPLICABLE
    hint = "Name a key of Cloud KMS in the region of the cluster."
    return allow(
        "keyName" in encryption,
        "databaseEncryption.state is ENCRYPTED without a keyName",
        hint=hint,
        path="databaseEncryption.keyName",
    )


@RULES.rule(
    on=CONTAINER_CLUSTER,
    severity=HIGH,
    rationale="GKE accepts no other workload identity pool.",
    fix="Set workloadIdentityConfig.workloadPool to PROJECT.svc.id.goog, with the id of the cluster's project.",
    sources=("GKE documentation, Workload Identity Federation: PROJECT_ID.svc.id.goog",),
)
def gcp_gke_workload_pool(cluster: View) -> Verdict:
    """The workload identity pool of a cluster is that of its project, PROJECT.svc.id.goog."""
    config = cluster.block("workloadIdentityConfig")
    pool = config.text("workloadPool") if config is not None else None
    if config is None or not pool:
        return NOT_APPLICABLE
    project = pool.removesuffix(_IDENTITIES)  # may have dots of its own: example.com:train
    path, hint = config.at("workloadPool"), f"Write PROJECT{_IDENTITIES}, with the id of the cluster's project."
    if not project or project == pool:
        return fail(f"{pool!r} is not a workload identity pool", hint=hint, path=path)
    own = cluster.text("project") or cluster.provider.text("project")
    message = f"the cluster is in project {own}, and the pool is that of {project}"
    return allow(own in (None, project), message, hint=f"Write {own}{_IDENTITIES}.", path=path)


@RULES.rule(
    on=CONTAINER_NODE_POOL,
    severity=HIGH,
    rationale="GKE refuses the mode where Workload Identity Federation is not enabled on the cluster first.",
    fix="Set workloadIdentityConfig.workloadPool of the cluster to PROJECT.svc.id.goog.",
    joins=True,
    sources=("GKE documentation, Workload Identity Federation: enable it on the cluster first",),
)
def gcp_gke_metadata_workload_pool(pool: View) -> Verdict:
    """A node pool with the metadata mode GKE_METADATA is in a cluster with a workload identity pool."""
    config = pool.block("nodeConfig")
    metadata = config.block("workloadMetadataConfig") if config is not None else None
    if metadata is None or metadata.text("mode") != "GKE_METADATA":
        return NOT_APPLICABLE
    cluster = GkePool(pool, pool).cluster
    hint = "Set workloadIdentityConfig.workloadPool of the cluster to PROJECT.svc.id.goog."
    holds = "workloadIdentityConfig" in cluster or cluster.flag("enableAutopilot")
    message = f"{cluster.name} has no workload identity pool"
    return allow(holds, message, hint=hint, path=metadata.at("mode"))


@RULES.rule(
    on=(CONTAINER_CLUSTER, CONTAINER_NODE_POOL),
    severity=HIGH,
    rationale="GKE creates no clusters or nodes of other versions.",
    fix="Set minMasterVersion or version to a minor version that GKE offers.",
    sources=("GKE release notes (catalogue, gcp_kubernetes_versions)",),
)
def gcp_gke_version_offered(holder: View) -> Verdict:
    """A GKE version is of a minor version that GKE still offers."""
    path = "minMasterVersion" if holder.type == CONTAINER_CLUSTER else "version"
    version = holder.text(path)
    if version is None or version in ("latest", "-"):
        return NOT_APPLICABLE
    offered = kubernetes_versions.supported_versions("gcp", holder.site.today)
    hint = f"Offered: {listed(offered)}."
    try:
        minor = gke_versions.version_parts(version)[:2]
    except UnknownFact:
        return fail(f"{version!r} is not a version of GKE, such as 1.35 or 1.34.1-gke.1829001", hint=hint, path=path)
    oldest, newest = (gke_versions.version_parts(offered[place])[:2] for place in (0, -1))
    if minor > (newest[0], newest[1] + 1):
        return fail(f"Kubernetes {version} does not exist yet", hint=hint, path=path)
    return allow(minor >= oldest, f"GKE no longer offers Kubernetes {version}", hint=hint, path=path)


@RULES.rule(
    on=CONTAINER_CLUSTER,
    severity=HIGH,
    rationale="GKE rejects further exclusions, and exclusions with both ends or with neither.",
    fix=(
        "Keep at most 20 maintenanceExclusions, each with endTime or with exclusionOptions.endTimeBehavior "
        "UNTIL_END_OF_SUPPORT."
    ),
    sources=(
        "terraform-provider-google-beta 93c65b2, container_cluster, maintenance_exclusion",
        "cluster-toolkit 1.95, modules/scheduler/gke-cluster",
    ),
)
def gcp_gke_maint_exclusions(cluster: View) -> Verdict:
    """A cluster has at most 20 maintenance exclusions, each until a date or the end of support of its version."""
    policy = cluster.block("maintenancePolicy")
    if policy is None or not policy.count("maintenanceExclusions"):
        return NOT_APPLICABLE
    count, most = policy.count("maintenanceExclusions"), limits.find_limit("maintenance_exclusions", "gcp").most
    if count > most:
        message = f"{count} maintenance exclusions are set; GKE allows {most}"
        return fail(message, hint="Leave some out.", path=policy.at("maintenanceExclusions"))
    return each(policy.blocks("maintenanceExclusions"), _exclusion)


@RULES.rule(
    on=CONTAINER_CLUSTER,
    severity=HIGH,
    rationale="GKE rejects zones of other regions.",
    fix="Set nodeLocations to zones of the cluster's region.",
    sources=("Pulumi Google Cloud 10.2, container.Cluster, node_locations",),
)
def gcp_gke_cluster_zones(cluster: View) -> Verdict:
    """The zones of a cluster's nodes are in the region of the cluster."""
    zones = cluster.texts("nodeLocations")
    if not zones:
        return NOT_APPLICABLE
    region = places.region(cluster)
    strange = [zone for zone in zones if places.region_of(zone) != region or not places.is_zone(zone)]
    message = f"{listed(strange)} is not a zone of {region}, where the cluster is"
    return allow(not strange, message, hint=f"Name zones such as {region}-b.", path="nodeLocations")


@RULES.rule(
    on=CONTAINER_CLUSTER,
    severity=HIGH,
    rationale="GKE refuses a cluster that starts without a node.",
    fix=(
        "Set initialNodeCount to 1, and removeDefaultNodePool to true where node pools of your own replace the default "
        "one."
    ),
    sources=("Pulumi Google Cloud 10.2, container.Cluster, initial_node_count and remove_default_node_pool",),
)
def gcp_gke_cluster_initial_nodes(cluster: View) -> Verdict:
    """A Standard cluster starts with nodes, even where its default node pool is removed at once."""
    if cluster.flag("enableAutopilot") or cluster.count("nodePools"):
        return NOT_APPLICABLE
    hint = "Set initialNodeCount to 1, and removeDefaultNodePool to true if pools of your own are to take its place."
    count = cluster.integer("initialNodeCount")
    return allow(count, "the cluster starts without a node, which GKE refuses", hint=hint, path="initialNodeCount")


@RULES.rule(
    on=(CONTAINER_CLUSTER, CONTAINER_NODE_POOL),
    severity=HIGH,
    rationale=(
        "Autopilot creates its nodes itself: the provider rejects such settings, and the API answers node pools with "
        "an error 400."
    ),
    fix="Leave the node pool and the node settings out, or set enableAutopilot to false.",
    joins=True,
    sources=(
        "terraform-provider-google-beta 93c65b2, container_cluster: what conflicts with enable_autopilot",
        "Kubernetes Engine API, 400 on pools of Autopilot",
    ),
)
def gcp_gke_autopilot_no_pools(holder: View) -> Verdict:
    """An Autopilot cluster has neither node pools of the program nor node settings."""
    if holder.type == CONTAINER_NODE_POOL:
        cluster = GkePool(holder, holder).cluster
        if "enableAutopilot" not in cluster:
            return NOT_APPLICABLE
        hint = "Leave the pool out, or set enableAutopilot of the cluster to false."
        message = f"{cluster.name} is an Autopilot cluster, which manages its own nodes"
        return allow(not cluster.flag("enableAutopilot"), message, hint=hint, path="cluster")
    if not holder.flag("enableAutopilot"):
        return NOT_APPLICABLE
    given = [key for key in _NOT_ON_AUTOPILOT if key in holder]
    message = f"an Autopilot cluster manages its own nodes and takes no {listed(given)}"
    return allow(not given, message, hint=f"Leave {listed(given)} out.", path=given[0] if given else "")


@RULES.rule(
    on=CONTAINER_CLUSTER,
    severity=MEDIUM,
    rationale="Without the driver no pod can mount the file system.",
    fix="Set addonsConfig.lustreCsiDriverConfig.enabled to true.",
    joins=True,
    sources=("GKE documentation, Managed Lustre CSI driver",),
)
def gcp_gke_lustre_csi(cluster: View) -> Verdict:
    """A cluster in the network of a Lustre file system for GKE has the CSI driver that mounts it."""
    network = cluster.one("network", COMPUTE_NETWORK)
    if network is None or network.resource.external:
        return NOT_APPLICABLE
    made = [each_ for each_ in network.referrers(LUSTRE_INSTANCE, "network") if each_.flag("gkeSupportEnabled")]
    if not made or any(_mounts_lustre(other) for other in network.referrers(CONTAINER_CLUSTER, "network")):
        return PASS if made else NOT_APPLICABLE
    return fail(
        f"{made[0].name} is for clients in GKE, and no cluster of its network has the CSI driver for Lustre",
        path="addonsConfig.lustreCsiDriverConfig",
    )


def _exclusion(exclusion: Block) -> Verdict:
    options = exclusion.block("exclusionOptions")
    open_ended = options is not None and options.text("endTimeBehavior") == "UNTIL_END_OF_SUPPORT"
    if open_ended == bool(exclusion.text("endTime")):
        message = "an exclusion has endTime or endTimeBehavior UNTIL_END_OF_SUPPORT, and has " + (
            "both" if open_ended else "neither"
        )
        hint = "Give endTime, or set exclusionOptions.endTimeBehavior to UNTIL_END_OF_SUPPORT."
        return fail(message, hint=hint, path=exclusion.at("endTime"))
    return PASS


def _mounts_lustre(cluster: View) -> bool:
    return nodes.enabled(cluster.block("addonsConfig"), "lustreCsiDriverConfig") is True
