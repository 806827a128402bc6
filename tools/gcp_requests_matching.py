"""What Google's provider calls otherwise than Google's APIs do, and what it keeps to itself.

From the provider's documentation (pulumi-gcp 10.2) beside the discovery documents (google-api-python-client 2.202.0).
"""

from __future__ import annotations

SERVICES: dict[str, tuple[str, ...]] = {
    "gcp:projects/service:Service": ("serviceusage.v1",),
    "gcp:bigquery/connection:Connection": ("bigqueryconnection.v1",),
    "gcp:bigquery/reservation:Reservation": ("bigqueryreservation.v1",),
    "bigqueryanalyticshub": ("analyticshub.v1",),
    "bigtable": ("bigtableadmin.v2",),
    "billing": ("billingbudgets.v1", "billingbudgets.v1beta1"),
    "certificateauthority": ("privateca.v1",),
    "cloudbuild": ("cloudbuild.v1",),
    "cloudbuildv2": ("cloudbuild.v2",),
    "cloudfunctions": ("cloudfunctions.v1",),
    "cloudfunctionsv2": ("cloudfunctions.v2",),
    "cloudrun": ("run.v1",),
    "cloudrunv2": ("run.v2",),
    "compute": ("compute.v1", "compute.beta"),
    "dataloss": ("dlp.v2",),
    "diagflow": ("dialogflow.v2", "dialogflow.v3"),
    "dns": ("dns.v1",),
    "filestore": ("file.v1", "file.v1beta1"),
    "kms": ("cloudkms.v1",),
    "logging": ("logging.v2",),
    "monitoring": ("monitoring.v3",),
    "organizations": ("cloudresourcemanager.v3",),
    "projects": ("cloudresourcemanager.v3",),
    "serviceaccount": ("iam.v1",),
    "servicenetworking": ("servicenetworking.v1",),
    "sql": ("sqladmin.v1beta4", "sqladmin.v1"),
    "tpu": ("tpu.v2",),
    "vertex": ("aiplatform.v1", "aiplatform.v1beta1"),
}
"""The documents of the API of a type or of a module of the SDK, where its name is another or it has several APIs."""

SCHEMAS: dict[str, str] = {
    "gcp:compute/globalAddress:GlobalAddress": "Address",
    "gcp:compute/instanceTemplate:InstanceTemplate": "InstanceProperties",
    "gcp:compute/regionInstanceTemplate:RegionInstanceTemplate": "InstanceProperties",
    "gcp:compute/routerNat:RouterNat": "RouterNat",
    "gcp:container/cluster:Cluster": "Cluster",
    "gcp:container/nodePool:NodePool": "NodePool",
    "gcp:dns/recordSet:RecordSet": "ResourceRecordSet",
    "gcp:serviceaccount/account:Account": "ServiceAccount",
    "gcp:sql/databaseInstance:DatabaseInstance": "DatabaseInstance",
    "gcp:storage/bucketObject:BucketObject": "Object",
    "gcp:tpu/v2QueuedResource:V2QueuedResource": "QueuedResource",
    "gcp:tpu/v2Vm:V2Vm": "Node",
}
"""The schemas of what an API calls otherwise, or makes by more than one request."""

_NODES = {
    "gpudirectStrategy": "gpuDirectConfig.gpuDirectStrategy",
    "guestAccelerators": "accelerators",
    "guestAccelerators[].count": "acceleratorCount",
    "guestAccelerators[].type": "acceleratorType",
    "linuxNodeConfig.hugepagesConfig": "hugepages",
    "loggingVariant": "loggingConfig.variantConfig.variant",
}
_POOL = {
    "autoscaling.minNodeCount": "minNodeCount",
    "maxPodsPerNode": "maxPodsConstraint.maxPodsPerNode",
    "networkConfig.podCidrOverprovisionConfig.disabled": "disable",
    "nodeConfig": "config",
    "nodeCount": "initialNodeCount",
    "nodeLocations": "locations",
    **{f"nodeConfig.{path}": name for path, name in _NODES.items()},
}
_NETWORKING = (
    "datapathProvider",
    "defaultSnatStatus",
    "disableL4LbFirewallReconciliation",
    "dnsConfig",
    "enableCiliumClusterwideNetworkPolicy",
    "enableFqdnNetworkPolicy",
    "enableIntranodeVisibility",
    "enableL4IlbSubsetting",
    "enableMultiNetworking",
    "gatewayApiConfig",
    "inTransitEncryptionConfig",
    "networkPerformanceConfig",
    "privateIpv6GoogleAccess",
    "serviceExternalIpsConfig",
)
_KMS_KEYS = {
    f"{owner}.kmsKeySelfLink": "kmsKeyName"
    for owner in (
        "bootDisk",
        "diskEncryptionKey",
        "disks[].diskEncryptionKey",
        "instanceEncryptionKey",
        "sourceImageEncryptionKey",
        "sourceSnapshotEncryptionKey",
    )
}

RENAMED: dict[str, dict[str, str]] = {
    "gcp:container/nodePool:NodePool": _POOL,
    "gcp:container/cluster:Cluster": {
        **{name: f"networkConfig.{name}" for name in _NETWORKING},
        **{f"nodeConfig.{path}": name for path, name in _NODES.items()},
        **{f"nodePools[].{path}": name for path, name in _POOL.items()},
        "allowNetAdmin": "autopilot.workloadPolicyConfig.allowNetAdmin",
        "autopilotClusterPolicyConfig": "autopilot.clusterPolicyConfig",
        "clusterAutoscaling": "autoscaling",
        "clusterAutoscaling.autoProvisioningDefaults": "autoprovisioningNodePoolDefaults",
        "clusterAutoscaling.autoProvisioningDefaults.diskSize": "diskSizeGb",
        "clusterAutoscaling.autoProvisioningLocations": "autoprovisioningLocations",
        "clusterAutoscaling.defaultComputeClassEnabled": "defaultComputeClassConfig.enabled",
        "clusterAutoscaling.enabled": "enableNodeAutoprovisioning",
        "defaultMaxPodsPerNode": "defaultMaxPodsConstraint.maxPodsPerNode",
        "enableAutopilot": "autopilot.enabled",
        "enableLegacyAbac": "legacyAbac.enabled",
        "enableShieldedNodes": "shieldedNodes.enabled",
        "ipAllocationPolicy.podCidrOverprovisionConfig.disabled": "disable",
        "loggingConfig.enableComponents": "componentConfig.enableComponents",
        "maintenancePolicy.dailyMaintenanceWindow": "window.dailyMaintenanceWindow",
        "minMasterVersion": "initialClusterVersion",
        "monitoringConfig.enableComponents": "componentConfig.enableComponents",
        "monitoringConfig.managedPrometheus": "managedPrometheusConfig",
        "nodeLocations": "locations",
        "nodePoolDefaults.nodeConfigDefaults.insecureKubeletReadonlyPortEnabled": (
            "nodeKubeletConfig.insecureKubeletReadonlyPortEnabled"
        ),
        "nodePoolDefaults.nodeConfigDefaults.loggingVariant": "loggingConfig.variantConfig.variant",
        "nodeVersion": "initialClusterVersion",
        "resourceUsageExportConfig.enableResourceConsumptionMetering": "consumptionMeteringConfig.enabled",
    },
    "gcp:compute/disk:Disk": {"image": "sourceImage", "size": "sizeGb", "snapshot": "sourceSnapshot", **_KMS_KEYS},
    "gcp:compute/firewall:Firewall": {
        "allows": "allowed",
        "allows[].protocol": "IPProtocol",
        "denies": "denied",
        "denies[].protocol": "IPProtocol",
    },
    "gcp:compute/instance:Instance": {
        "guestAccelerators[].count": "acceleratorCount",
        "guestAccelerators[].type": "acceleratorType",
        "reservationAffinity.type": "consumeReservationType",
        **_KMS_KEYS,
    },
    "gcp:compute/instanceTemplate:InstanceTemplate": {
        "guestAccelerators[].count": "acceleratorCount",
        "guestAccelerators[].type": "acceleratorType",
        "reservationAffinity.type": "consumeReservationType",
        **_KMS_KEYS,
    },
    "gcp:compute/network:Network": {
        "bgpAlwaysCompareMed": "routingConfig.bgpAlwaysCompareMed",
        "bgpBestPathSelectionMode": "routingConfig.bgpBestPathSelectionMode",
        "bgpInterRegionCost": "routingConfig.bgpInterRegionCost",
        "routingMode": "routingConfig.routingMode",
    },
    "gcp:secretmanager/secret:Secret": {"replication.auto": "automatic"},
    "gcp:secretmanager/secretVersion:SecretVersion": {"secretData": "payload.data"},
    "gcp:sql/databaseInstance:DatabaseInstance": {
        "encryptionKeyName": "diskEncryptionConfiguration.kmsKeyName",
        "settings.diskAutoresize": "storageAutoResize",
        "settings.diskAutoresizeLimit": "storageAutoResizeLimit",
        "settings.diskSize": "dataDiskSizeGb",
        "settings.diskType": "dataDiskType",
    },
    "gcp:storage/bucket:Bucket": {
        "lifecycleRules": "lifecycle.rule",
        "publicAccessPrevention": "iamConfiguration.publicAccessPrevention",
        "requesterPays": "billing.requesterPays",
        "uniformBucketLevelAccess": "iamConfiguration.uniformBucketLevelAccess.enabled",
    },
}
"""Where the API has properties that it calls otherwise, by their path in the program; from the owner's schema on."""

OF_EVERY_TYPE = ("project", "region", "zone", "location", "deletionPolicy")
"""What is part of a request's address, or is the provider's own, on all types."""

KEPT: dict[str, tuple[str, ...]] = {
    "gcp:container/cluster:Cluster": (
        "deletionProtection",
        "removeDefaultNodePool",
        "maintenancePolicy.recurringWindow",
        "maintenancePolicy.maintenanceExclusions",
    ),
    "gcp:container/nodePool:NodePool": ("cluster",),
    "gcp:secretmanager/secret:Secret": ("deletionProtection",),
    "gcp:sql/databaseInstance:DatabaseInstance": ("deletionProtection",),
    "gcp:storage/bucket:Bucket": ("forceDestroy",),
}
"""What the provider keeps to itself, or takes apart into several fields, by path."""
