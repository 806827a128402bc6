"""The rules of the strict packs that our own platforms break, with reasons: the tests hold them to this list."""

from __future__ import annotations

from typing import Final

ADVICE: Final = {
    "aws-rds-monitoring": "RDS already has the metrics of the database; those of its host need a role of their own",
    "aws-sm-rotation": "a token of another company is exchanged by people, at that company",
    "gcp-secret-rotation": "a token of another company is exchanged by people, at that company",
    "k8s-data-class-label": "node agents read no data, and their namespace has none",
    "k8s-image-digest": "no public source confirms the digests of the images below",
    "k8s-image-pull-always": "each job brings its own image in place of that of its runtime",
    "k8s-ns-limit-range": "a queue of Kueue bounds a team, and agents have requests of their own",
    "k8s-ns-pss-restricted": "RDMA needs IPC_LOCK, which the level restricted refuses",
    "k8s-ns-quota": "a queue of Kueue bounds a team, and agents run once on each node",
    "k8s-pod-cpu-limit": "a limit slows agents down while their node is idle",
    "k8s-pod-nonroot": "the pods below need root on the node, in its file systems, or for a capability",
    "k8s-pod-ro-rootfs": "training code writes beside itself",
    "cost-pod-gpu-limits": "who brings the machines has not said how much CPU and memory they have",
}
"""Rules that a platform with such secrets and agents breaks, and the reason."""

ADVICE_WITHOUT_OWNER: Final = {"tag-k8s-labels": "a description without an owner leaves its namespaces without one"}
ADVICE_IN_DEV: Final = {"aws-log-retention": "a dev environment keeps logs for a month, for what they cost"}
ADVICE_ON: Final = {
    "azure": {
        "az-acr-trust": "images are judged at admission, by `addons.security`",
        "az-aks-defender": "Defender is bought by a subscription, and sees all clusters of it",
        "az-aks-host-enc": "Microsoft does not say whether the sizes of these accelerators have it",
        "az-aks-oms": "observability is in the cluster, and logs have no workspace yet",
        "az-aks-policy-addon": "admission is for `addons.security`",
        "az-aks-system-taint": "the first pool runs the pods of add-ons, too",
        "az-aks-upgrade-channel": "a run of weeks ends with the first of its nodes",
        "az-amlfs-subnet": "jobs are root in their containers, and share what they write",
        "az-diag-settings": "flow logs and diagnostic settings are not built yet",
        "az-kv-key-expiry": "what an expired key encrypts cannot be read",
        "az-kv-key-hsm": "keys in hardware are for who asks for them",
        "az-service-logs": "flow logs and diagnostic settings are not built yet",
        "az-storage-logs": "flow logs and diagnostic settings are not built yet",
    }
}
"""The same by the cloud of a platform."""

IMAGES_BY_TAG: Final = {
    "docker.io/pulumi/pulumi": "no public source names a digest",
    "docker.io/rayproject/ray": "no public source names a digest; `addons.ray.image` replaces it",
    "ghcr.io/kastenhq/kubestr": "no public source names a digest",
    "ghcr.io/kubeflow/trainer/deepspeed-runtime": "no public source names a digest of this release",
    "ghcr.io/slinkyproject": "Slurm's images, which the operator's chart takes by tag",
    "mcr.microsoft.com/oss/kubernetes-csi/csi-node-driver-registrar": "Microsoft builds it, and publishes no digest",
    "mcr.microsoft.com/oss/kubernetes-csi/livenessprobe": "Microsoft builds it, and publishes no digest",
    "mcr.microsoft.com/oss/v2/kubernetes-csi/azurelustre-csi": "Microsoft publishes no digest, and signs the image",
    "nvcr.io/nvidia/mellanox/doca-driver": "the network operator adds kernel and system of each node to the tag",
    "public.ecr.aws/deep-learning-containers/pytorch": "AWS patches it under its tag; only one source names a digest",
    "public.ecr.aws/neuron/pytorch-training-neuronx": "no public source names a digest",
    "us-docker.pkg.dev/cloud-tpu-images/jax-ai-image/tpu": "no public source names a digest",
    "us-docker.pkg.dev/gce-ai-infra/asapd-lite/asapd-lite": "Google's manifests name the tag",
    "us-docker.pkg.dev/gce-ai-infra/gpudirect-tcpx/nccl-plugin-gpudirecttcpx-dev": "Google's manifests name the tag",
    "us-docker.pkg.dev/gce-ai-infra/gpudirect-tcpx/tcpgpudmarxd-dev": "Google's manifests name the tag",
}
"""Images of the catalogue that pods name by tag, and the reason."""

AS_ROOT: Final = {
    "AmdNodeSoftware": "it installs AMD's driver on the node, and speaks to the kubelet by a socket of root",
    "AzureLustreDriver": "it mounts file systems on the node, and speaks to the kubelet by sockets of root",
    "InfinibandLabels": "it writes into a directory of the node that belongs to root",
    "Training": "over InfiniBand and RoCE, `IPC_LOCK` has an effect for root only, because Kubernetes sets no ambient "
    "capabilities; elsewhere, Lustre and NFS file systems belong to root at first, and most drivers ignore `fsGroup` "
    "on volumes of many nodes",
}
"""Components whose pods run as root, and the reason."""
