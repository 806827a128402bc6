"""What the pages of environments on Google Cloud show."""

from docs.environments.facts import CloudFacts

FACTS = CloudFacts(
    cluster="gcp:container/cluster:Cluster",
    pool="gcp:container/nodePool:NodePool",
    way_out="gcp:compute/routerNat:RouterNat",
    way_in=(
        "From anywhere with `access: dns`, the default: the DNS endpoint admits who has the right in IAM. The "
        "endpoints with addresses admit the ranges beside it, or nobody."
    ),
    endpoint=(
        "inputs.controlPlaneEndpointsConfig.dnsEndpointConfig.allowExternalTraffic",
        "inputs.privateClusterConfig.enablePrivateEndpoint",
        "inputs.masterAuthorizedNetworksConfig.cidrBlocks",
    ),
    scheduling=("inputs.nodeConfig.labels", "inputs.nodeConfig.taints", "inputs.autoscaling"),
    rights=(("gcp:storage/bucketIAMMember:BucketIAMMember", ("inputs.role", "inputs.member")),),
    people="Google upgrades the control plane in its window, and nodes when asked to while an exclusion is there.",
    versions=(
        (
            "gcp:container/cluster:Cluster",
            (
                "inputs.minMasterVersion",
                "inputs.maintenancePolicy.recurringWindow.recurrence",
                "inputs.maintenancePolicy.maintenanceExclusions",
            ),
        ),
    ),
    updates=("inputs.upgradeSettings", "options.customTimeouts.update"),
    kept=(
        ("gcp:storage/bucket:Bucket", ("inputs.softDeletePolicy.retentionDurationSeconds", "inputs.lifecycleRules")),
        ("gcp:artifactregistry/repository:Repository", ("inputs.cleanupPolicies",)),
    ),
    counts=("inputs.nodeCount", "inputs.autoscaling"),
    left=(
        "Left are key versions, which Google Cloud never deletes at once, APIs that stay on, and disks that claims "
        "made with a class that retains."
    ),
)
