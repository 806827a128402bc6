"""What the pages of environments on Azure show."""

from docs.environments.facts import CloudFacts

FACTS = CloudFacts(
    cluster="azure-native:containerservice:ManagedCluster",
    pool="azure-native:containerservice:AgentPool",
    way_out="azure-native:network:NatGateway",
    way_in=(
        "From a machine whose public address is in `cluster.deployer_cidrs`, or in `network.allowed_cidrs` with "
        "`access: restricted`: the API server admits these ranges, and its subnet in the network, in the run that "
        "creates both. Who calls it needs a role in Entra ID, for local accounts are off."
    ),
    endpoint=(
        "inputs.apiServerAccessProfile.enablePrivateCluster",
        "inputs.apiServerAccessProfile.authorizedIPRanges",
        "inputs.disableLocalAccounts",
    ),
    scheduling=(
        "inputs.nodeLabels",
        "inputs.nodeTaints",
        "inputs.enableAutoScaling",
        "inputs.minCount",
        "inputs.maxCount",
    ),
    rights=(("azure-native:managedidentity:FederatedIdentityCredential", ("inputs.subject",)),),
    people=(
        "People do, by `cluster.version`, which the node pools follow. The first pool, of the cluster's own pods, "
        "stays at its version until `az aks nodepool upgrade --name system` moves it: AKS takes no version of it "
        "beside pools of their own. With accelerators, no channel upgrades Kubernetes or images of nodes by itself; "
        "what else AKS maintains waits for the windows below."
    ),
    versions=(
        (
            "azure-native:containerservice:ManagedCluster",
            ("inputs.kubernetesVersion", "inputs.autoUpgradeProfile", "inputs.supportPlan"),
        ),
        ("azure-native:containerservice:MaintenanceConfiguration", ("inputs.maintenanceWindow", "inputs.timeInWeek")),
    ),
    updates=("inputs.orchestratorVersion", "inputs.upgradeSettings", "options.customTimeouts.update"),
    kept=(
        (
            "azure-native:storage:BlobServiceProperties",
            ("inputs.deleteRetentionPolicy.days", "inputs.containerDeleteRetentionPolicy.days"),
        ),
        ("azure-native:storage:ManagementPolicy", ("inputs.policy.rules",)),
        ("azure-native:keyvault:Vault", ("inputs.properties.softDeleteRetentionInDays",)),
    ),
    counts=("inputs.count", "inputs.minCount", "inputs.maxCount"),
    left=(
        "Left are vaults and keys until their 90 days end, which purge protection enforces, with their names; deleted "
        "blobs for the days above; and disks that claims made with a class that retains."
    ),
)
