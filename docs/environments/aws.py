"""What the pages of environments on AWS show."""

from docs.environments.facts import CloudFacts

FACTS = CloudFacts(
    cluster="aws:eks/cluster:Cluster",
    pool="aws:eks/nodeGroup:NodeGroup",
    way_out="aws:ec2/natGateway:NatGateway",
    way_in=(
        "From a machine whose public address is in `cluster.deployer_cidrs`, or in `network.allowed_cidrs` with "
        "`access: restricted`: the endpoint of the cluster admits these ranges and the network itself, in the run that "
        "creates both."
    ),
    endpoint=(
        "inputs.vpcConfig.endpointPublicAccess",
        "inputs.vpcConfig.endpointPrivateAccess",
        "inputs.vpcConfig.publicAccessCidrs",
    ),
    scheduling=("inputs.labels", "inputs.taints", "inputs.scalingConfig"),
    rights=(("aws:eks/podIdentityAssociation:PodIdentityAssociation", ("inputs.namespace", "inputs.serviceAccount")),),
    people=(
        "People do, by `cluster.version` and the pool's `aws.release`; add-ons follow the version of the cluster. AWS "
        "itself upgrades the control plane at the end of the support that `cluster.upgrade_policy` names."
    ),
    versions=(
        ("aws:eks/cluster:Cluster", ("inputs.version", "inputs.upgradePolicy.supportType")),
        ("aws:eks/addon:Addon", ("inputs.addonVersion",)),
    ),
    updates=("inputs.releaseVersion", "inputs.updateConfig", "options.customTimeouts.update"),
    kept=(
        ("aws:cloudwatch/logGroup:LogGroup", ("inputs.retentionInDays",)),
        ("aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration", ("inputs.rules",)),
        ("aws:ecr/lifecyclePolicy:LifecyclePolicy", ()),
    ),
    counts=("inputs.scalingConfig",),
    left=(
        "Left are KMS keys until their waiting period ends, and volumes that claims made with a class that retains. "
        "What an autoscaler or a load balancer's controller made must be deleted before."
    ),
)
