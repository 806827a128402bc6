"""Supply chain on Google Cloud."""

from __future__ import annotations

from penstock.gcp.policies.gke_nodes import of_cluster_nodes
from penstock.gcp.types import (
    ARTIFACTREGISTRY_REPOSITORY,
    CLOUDBUILD_TRIGGER,
    CLOUDRUNV2_JOB,
    CLOUDRUNV2_SERVICE,
    CLOUDRUNV2_WORKER_POOL,
    COMPUTE_INSTANCE,
    COMPUTE_INSTANCE_FROM_TEMPLATE,
    COMPUTE_INSTANCE_TEMPLATE,
    COMPUTE_PROJECT_METADATA,
    COMPUTE_REGION_INSTANCE_TEMPLATE,
    CONTAINER_CLUSTER,
    CONTAINER_NODE_POOL,
    TPU_V2_VM,
    WORKBENCH_INSTANCE,
)
from penstock.policies import downloads
from penstock.policies.downloads import PinnedDownloads
from penstock.rules.checks import Absent, All, ByType, Each, Either, Is, IsNot, OneOf, Unlike, Where
from penstock.rules.levels import LOW, MEDIUM, Category
from penstock.rules.remedies import set_to
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.SUPPLY_CHAIN)

_RUN = (
    CLOUDRUNV2_SERVICE,
    CLOUDRUNV2_JOB,
    CLOUDRUNV2_WORKER_POOL,
)

_OF_IMAGES = All(Is("format", "DOCKER"), Is("mode", "STANDARD_REPOSITORY"))
"""A repository to which somebody pushes images; others pass on what they take from elsewhere."""

RULES.row(
    "gcp-ar-immutable",
    "A tag of a registry always names the same image.",
    on=ARTIFACTREGISTRY_REPOSITORY,
    check=Where(_OF_IMAGES, Is("dockerConfig.immutableTags", value=True)),
    severity=MEDIUM,
    rationale="Whoever can push moves the tag that production pulls to an image of theirs, and no declaration changes.",
    fix="Set dockerConfig.immutableTags to true, and give each build a tag of its own.",
)
RULES.row(
    "gcp-ar-scan",
    "Images are scanned for known holes when they are pushed.",
    on=ARTIFACTREGISTRY_REPOSITORY,
    check=Where(_OF_IMAGES, IsNot("vulnerabilityScanningConfig.enablementConfig", "DISABLED")),
    severity=MEDIUM,
    rationale=(
        "An image of CUDA and Python has hundreds of packages, and nobody hears of the one that lets strangers in."
    ),
    fix="Set vulnerabilityScanningConfig.enablementConfig to INHERITED, and enable the Container Scanning API.",
    cis=("GKE 1.6: 5.1.1",),
    remedy=set_to("vulnerabilityScanningConfig.enablementConfig", "INHERITED"),
)
RULES.row(
    "gcp-gke-binauthz",
    "A cluster runs only images that the project's policy admits.",
    on=CONTAINER_CLUSTER,
    check=Either(
        Is("binaryAuthorization.evaluationMode", "PROJECT_SINGLETON_POLICY_ENFORCE"),
        Is("binaryAuthorization.enabled", value=True),
    ),
    severity=MEDIUM,
    rationale=(
        "Whoever may create a pod runs any image of the internet on machines that hold your weights and credentials."
    ),
    fix="Set binaryAuthorization.evaluationMode to PROJECT_SINGLETON_POLICY_ENFORCE, and a policy for the project.",
    peers="CKV_GCP_66",
    cis=("GKE 1.6: 5.10.4",),
)
_PULLS = ("github", "bitbucketServerTriggerConfig", "repositoryEventConfig", "developerConnectEventConfig")
_ASKED = ("COMMENTS_ENABLED", "COMMENTS_ENABLED_FOR_EXTERNAL_CONTRIBUTORS_ONLY")

RULES.row(
    "gcp-build-pull-requests",
    "A build of a pull request from outside waits for a comment of an owner.",
    on=CLOUDBUILD_TRIGGER,
    check=All(*(Each(f"{source}.pullRequest", OneOf("commentControl", _ASKED)) for source in _PULLS)),
    severity=MEDIUM,
    rationale="A stranger's pull request runs its own code with the service account and the secrets of the build.",
    fix="Set commentControl in pullRequest to COMMENTS_ENABLED_FOR_EXTERNAL_CONTRIBUTORS_ONLY.",
)
RULES.row(
    "gcp-gke-posture",
    "GKE checks the workloads of a cluster for weak settings.",
    on=CONTAINER_CLUSTER,
    check=IsNot("securityPostureConfig.mode", "DISABLED"),
    severity=LOW,
    rationale="Nobody hears of privileged pods and of bulletins for the version that runs.",
    fix="Set securityPostureConfig.mode to BASIC, or remove it.",
    cis=("GKE 1.6: 5.10.5",),
)
RULES.row(
    "gcp-run-no-breakglass",
    "No service of Cloud Run goes around Binary Authorization for good.",
    on=_RUN,
    check=Absent("binaryAuthorization.breakglassJustification"),
    severity=MEDIUM,
    rationale="What was right for one night of an incident lets every image in from then on.",
    fix="Remove binaryAuthorization.breakglassJustification, and give the image an attestation.",
)

_COS = OneOf("nodeConfig.imageType", ("COS_CONTAINERD", "COS"))

RULES.row(
    "gcp-gke-cos",
    "Linux nodes run Container-Optimized OS.",
    on=(CONTAINER_NODE_POOL, CONTAINER_CLUSTER),
    check=ByType(
        {
            CONTAINER_NODE_POOL: Where(Unlike("nodeConfig.imageType", "(?i)windows.*"), _COS),
            CONTAINER_CLUSTER: of_cluster_nodes(Where(Unlike("nodeConfig.imageType", "(?i)windows.*"), _COS)),
        }
    ),
    severity=LOW,
    rationale=(
        "Ubuntu has a package manager and a writable system, so whoever gets out of a container stays on the node."
    ),
    fix="Set nodeConfig.imageType to COS_CONTAINERD; the nodes are recreated one by one.",
    peers="CKV_GCP_22 GCP-0054 KICS:8a893e46",
    cis=("GKE 1.6: 5.5.1",),
)

_OF_MACHINE = All(
    PinnedDownloads("metadataStartupScript"),
    PinnedDownloads("metadata.startup-script"),
    PinnedDownloads("metadata.user-data"),
)
_BOOTS = {
    COMPUTE_INSTANCE: _OF_MACHINE,
    COMPUTE_INSTANCE_TEMPLATE: _OF_MACHINE,
    COMPUTE_REGION_INSTANCE_TEMPLATE: _OF_MACHINE,
    COMPUTE_INSTANCE_FROM_TEMPLATE: _OF_MACHINE,
    COMPUTE_PROJECT_METADATA: PinnedDownloads("metadata.startup-script"),
    TPU_V2_VM: PinnedDownloads("metadata.startup-script"),
    WORKBENCH_INSTANCE: PinnedDownloads("gceSetup.metadata.startup-script"),
}

RULES.row(
    "gcp-boot-download-pinned",
    "What a machine downloads as it starts is pinned.",
    on=tuple(_BOOTS),
    check=ByType(_BOOTS),
    severity=LOW,
    rationale=downloads.RATIONALE,
    fix=downloads.FIX,
)
