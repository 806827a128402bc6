"""The type tokens that rules for Kubernetes speak of."""

from __future__ import annotations

PROVIDER = "pulumi:providers:kubernetes"

NAMESPACE = "kubernetes:core/v1:Namespace"
POD = "kubernetes:core/v1:Pod"
CONFIG_MAP = "kubernetes:core/v1:ConfigMap"
SECRET = "kubernetes:core/v1:Secret"
SERVICE = "kubernetes:core/v1:Service"
SERVICE_ACCOUNT = "kubernetes:core/v1:ServiceAccount"
PRIORITY_CLASS = "kubernetes:scheduling.k8s.io/v1:PriorityClass"
RUNTIME_CLASS = "kubernetes:node.k8s.io/v1:RuntimeClass"
VOLUME = "kubernetes:core/v1:PersistentVolume"
CLAIM = "kubernetes:core/v1:PersistentVolumeClaim"
QUOTA = "kubernetes:core/v1:ResourceQuota"
LIMIT_RANGE = "kubernetes:core/v1:LimitRange"
DEPLOYMENT = "kubernetes:apps/v1:Deployment"
REPLICA_SET = "kubernetes:apps/v1:ReplicaSet"
STATEFUL_SET = "kubernetes:apps/v1:StatefulSet"
DAEMON_SET = "kubernetes:apps/v1:DaemonSet"
JOB = "kubernetes:batch/v1:Job"
CRON_JOB = "kubernetes:batch/v1:CronJob"
AUTOSCALERS = ("kubernetes:autoscaling/v1:HorizontalPodAutoscaler", "kubernetes:autoscaling/v2:HorizontalPodAutoscaler")
DISRUPTION_BUDGET = "kubernetes:policy/v1:PodDisruptionBudget"
INGRESS = "kubernetes:networking.k8s.io/v1:Ingress"
INGRESS_CLASS = "kubernetes:networking.k8s.io/v1:IngressClass"
NETWORK_POLICY = "kubernetes:networking.k8s.io/v1:NetworkPolicy"
NETWORK_POLICIES = (
    NETWORK_POLICY,
    f"{NETWORK_POLICY}Patch",
    "kubernetes:extensions/v1beta1:NetworkPolicy",
    "kubernetes:policy.networking.k8s.io/v1alpha1:AdminNetworkPolicy",
    "kubernetes:policy.networking.k8s.io/v1alpha1:BaselineAdminNetworkPolicy",
    "kubernetes:policy.networking.k8s.io/v1alpha2:ClusterNetworkPolicy",
    "kubernetes:networking.k8s.aws/v1alpha1:ApplicationNetworkPolicy",
    "kubernetes:networking.k8s.aws/v1alpha1:ClusterNetworkPolicy",
)
"""Policies that an engine of any maker enforces, or that of EKS."""
STORAGE_CLASS = "kubernetes:storage.k8s.io/v1:StorageClass"
ROLE = "kubernetes:rbac.authorization.k8s.io/v1:Role"
CLUSTER_ROLE = "kubernetes:rbac.authorization.k8s.io/v1:ClusterRole"
ROLE_BINDING = "kubernetes:rbac.authorization.k8s.io/v1:RoleBinding"
CLUSTER_ROLE_BINDING = "kubernetes:rbac.authorization.k8s.io/v1:ClusterRoleBinding"
DEFINITION = "kubernetes:apiextensions.k8s.io/v1:CustomResourceDefinition"
JOB_SET = "kubernetes:jobset.x-k8s.io/v1alpha2:JobSet"
NIC_POLICY = "kubernetes:mellanox.com/v1alpha1:NicClusterPolicy"
NETWORK = "kubernetes:networking.gke.io/v1:Network"
NETWORK_PARAMETERS = "kubernetes:networking.gke.io/v1:GKENetworkParamSet"

EKS_CLUSTER = "aws:eks/cluster:Cluster"
EKS_ADDON = "aws:eks/addon:Addon"
GKE_CLUSTER = "gcp:container/cluster:Cluster"
GOOGLE_ACCOUNT = "gcp:serviceaccount/account:Account"
GOOGLE_BUCKET = "gcp:storage/bucket:Bucket"
GOOGLE_SUBNETWORK = "gcp:compute/subnetwork:Subnetwork"
GOOGLE_VPC = "gcp:compute/network:Network"

_CLAIMS = ("v1", "v1beta2", "v1beta1")
"""Versions of the API of claims, the stable one first."""

DEVICE_CLASSES, DEVICE_CLAIMS, CLAIM_TEMPLATES = (
    tuple(f"kubernetes:resource.k8s.io/{version}:{kind}" for version in _CLAIMS)
    for kind in ("DeviceClass", "ResourceClaim", "ResourceClaimTemplate")
)

ANY = "kubernetes:*"

_KUEUE = ("v1beta1", "v1beta2")


def _kueue(kind: str, *versions: str) -> tuple[str, ...]:
    return tuple(f"kubernetes:kueue.x-k8s.io/{version}:{kind}" for version in (*versions, *_KUEUE))


CLUSTER_QUEUES = _kueue("ClusterQueue")
LOCAL_QUEUES = _kueue("LocalQueue")
FLAVORS = _kueue("ResourceFlavor")
TOPOLOGIES = _kueue("Topology", "v1alpha1")
COHORTS = _kueue("Cohort", "v1alpha1")
ADMISSION_CHECKS = _kueue("AdmissionCheck")
