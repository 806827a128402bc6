"""Identity and hardening on Google Cloud: clusters, their nodes, and machines."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from typing_extensions import override

from penstock.gcp.model.gke import pools_of
from penstock.gcp.policies.gke_nodes import STANDARD, of_all_nodes, of_cluster_nodes, of_provisioned_nodes
from penstock.gcp.types import (
    APPENGINE_FLEXIBLE_APP_VERSION,
    APPENGINE_STANDARD_APP_VERSION,
    CLOUDBUILD_TRIGGER,
    CLOUDFUNCTIONS_FUNCTION,
    CLOUDFUNCTIONSV2_FUNCTION,
    CLOUDRUN_SERVICE,
    CLOUDRUNV2_JOB,
    CLOUDRUNV2_SERVICE,
    CLOUDRUNV2_WORKER_POOL,
    COLAB_NOTEBOOK_EXECUTION,
    COLAB_RUNTIME_TEMPLATE,
    COMPOSER_ENVIRONMENT,
    COMPUTE_INSTANCE,
    COMPUTE_INSTANCE_FROM_MACHINE_IMAGE,
    COMPUTE_INSTANCE_FROM_TEMPLATE,
    COMPUTE_INSTANCE_TEMPLATE,
    COMPUTE_PROJECT_METADATA,
    COMPUTE_PROJECT_METADATA_ITEM,
    COMPUTE_REGION_INSTANCE_TEMPLATE,
    CONTAINER_CLUSTER,
    CONTAINER_NODE_POOL,
    DATAFLOW_FLEX_TEMPLATE_JOB,
    DATAFLOW_JOB,
    DATAPROC_BATCH,
    DATAPROC_CLUSTER,
    HYPERCOMPUTECLUSTER_CLUSTER,
    SERVICEACCOUNT_ACCOUNT,
    TPU_V2_VM,
    VERTEX_AI_REASONING_ENGINE,
    WORKBENCH_INSTANCE,
    WORKFLOWS_WORKFLOW,
    WORKSTATIONS_WORKSTATION_CONFIG,
)
from penstock.graph.property_path import Location
from penstock.graph.values import Secret, Unknown
from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, Outcome, Verdict, allow, each, fail
from penstock.graph.view import Block, View
from penstock.rules.checks import (
    Absent,
    All,
    AtPath,
    ByType,
    Check,
    Custom,
    Either,
    Given,
    Is,
    IsNot,
    NoneOf,
    OneOf,
    Unlike,
    Where,
)
from penstock.rules.levels import HIGH, LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.IDENTITY)

_TEMPLATES: Final = (
    COMPUTE_INSTANCE_TEMPLATE,
    COMPUTE_REGION_INSTANCE_TEMPLATE,
)
_COPIES: Final = (
    COMPUTE_INSTANCE_FROM_TEMPLATE,
    COMPUTE_INSTANCE_FROM_MACHINE_IMAGE,
)
"""Machines made from a template or a machine image, which decides where they say nothing themselves."""
_PATH: Final = "(?:projects/[^/]+/serviceAccounts/)?"
_DEFAULT_ACCOUNTS: Final = {
    "Compute Engine": re.compile(rf"default|{_PATH}\d+-compute@developer\.gserviceaccount\.com", re.IGNORECASE),
    "App Engine": re.compile(rf"{_PATH}[\w.:-]+@appspot\.gserviceaccount\.com", re.IGNORECASE),
}
_YES: Final = (True, "y", "yes", "1", 1)
_NO: Final = (False, "n", "no", "0", 0)
_READ_ONLY_PORT: Final = "insecureKubeletReadonlyPortEnabled"


@dataclass(frozen=True, slots=True)
class OwnAccount(AtPath):
    """The property names a service account, and none that Compute Engine or App Engine makes for everything.

    Where it is not given, it is that of the service that `maker` names.
    """

    maker: str = "Compute Engine"

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        def one(place: Location) -> Verdict:
            if isinstance(place.value, Unknown | Secret):
                top = re.split(r"[.\[]", place.path, maxsplit=1)[0]
                return PASS if it.owner.sources(top, SERVICEACCOUNT_ACCOUNT) else UNKNOWN
            if not place.value:
                return fail(f"{place.path} is not set, so it is the default account of {self.maker}", path=place.path)
            service = next((of for of, form in _DEFAULT_ACCOUNTS.items() if form.fullmatch(str(place.value))), None)
            return allow(service is None, f"{place.path} is the default account of {service}", path=place.path)

        return each(it.locations(self.path), one)


@dataclass(frozen=True, slots=True)
class OwnMetadata(Check):
    """Pods see GKE's metadata server, which it turns on where a cluster has Workload Identity and nothing else is said.

    (GKE documentation, use Workload Identity Federation for GKE: new node pools of such a cluster.)
    """

    path: str = "nodeConfig.workloadMetadataConfig.mode"

    @property
    @override
    def joins(self) -> bool:
        return True

    @override
    def reads(self, type_: str) -> tuple[str, ...]:
        return (self.path,)

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        if all(place.value is None for place in it.locations(self.path)):
            cluster = it.owner if it.owner.type == CONTAINER_CLUSTER else it.owner.one("cluster", CONTAINER_CLUSTER)
            has_identities = UNKNOWN if cluster is None else _HAS_IDENTITIES.judge(cluster, settings)
            if cluster is not None and has_identities.outcome is not Outcome.FAIL:
                return has_identities
        return Is(self.path, value="GKE_METADATA").judge(it, settings)


_SERVED: Final = {
    WORKBENCH_INSTANCE: Either(
        OwnAccount("gceSetup.serviceAccounts[].email"),
        Where(Absent("gceSetup.serviceAccounts"), OwnAccount("gceSetup.serviceAccounts")),
    ),
    DATAPROC_CLUSTER: OwnAccount("clusterConfig.gceClusterConfig.serviceAccount"),
}
"""Machines that a service makes, which have the default account for everything where no other is named."""
_ASKS_WHO: Final = IsNot(f"nodeConfig.kubeletConfig.{_READ_ONLY_PORT}", value=True)
_HAS_IDENTITIES: Final = Given("workloadIdentityConfig.workloadPool")


RULES.row(
    "gcp-gke-workload-identity",
    "Pods of a cluster may have identities of their own.",
    on=CONTAINER_CLUSTER,
    check=Where(STANDARD, _HAS_IDENTITIES),
    severity=MEDIUM,
    rationale=(
        "Without it each pod acts as the service account of its node, or with keys that somebody put into a Secret."
    ),
    fix="Set workloadIdentityConfig.workloadPool to PROJECT.svc.id.goog.",
    cis=("GKE 1.6: 5.2.2",),
)
RULES.row(
    "gcp-gke-metadata-server",
    "Pods see the metadata server of GKE, and not that of their machine.",
    on=(CONTAINER_NODE_POOL, CONTAINER_CLUSTER),
    check=of_all_nodes(OwnMetadata()),
    severity=HIGH,
    rationale=(
        "From the machine's server any pod takes the token of the node's service account, and kubelet's credentials."
    ),
    fix="Set nodeConfig.workloadMetadataConfig.mode to GKE_METADATA, which recreates the nodes and needs "
    "workloadIdentityConfig in the Cluster.",
    peers="CKV_GCP_69 GCP-0057",
    cis=("GKE 1.6: 5.4.1",),
)
RULES.row(
    "gcp-gke-node-sa",
    "Nodes have a service account of their own.",
    on=(CONTAINER_NODE_POOL, CONTAINER_CLUSTER),
    check=ByType(
        {
            CONTAINER_NODE_POOL: OwnAccount("nodeConfig.serviceAccount"),
            CONTAINER_CLUSTER: All(
                of_cluster_nodes(OwnAccount("nodeConfig.serviceAccount")),
                of_provisioned_nodes(OwnAccount("clusterAutoscaling.autoProvisioningDefaults.serviceAccount")),
            ),
        }
    ),
    severity=MEDIUM,
    rationale=(
        "The default account of Compute Engine is an editor of the project in many organizations, and so is every "
        "process that escapes from its pod. In newer projects the account has no roles at all, and nodes can neither "
        "write logs nor pull from Artifact Registry."
    ),
    fix="Set nodeConfig.serviceAccount to an account with roles/container.defaultNodeServiceAccount; this recreates "
    "the nodes, and replaces a cluster that describes them itself.",
    peers="CKV2_GCP_1 GCP-0050 KICS:1c8eef02",
    cis=("GKE 1.6: 5.2.1",),
)
RULES.row(
    "gcp-gke-no-legacy-abac",
    "A cluster asks RBAC alone who may do what.",
    on=CONTAINER_CLUSTER,
    check=IsNot("enableLegacyAbac", value=True),
    severity=HIGH,
    rationale=(
        "The older authorizer lets every service account of the cluster do nearly everything, whatever RBAC says."
    ),
    fix="Remove enableLegacyAbac.",
    peers="CKV_GCP_7 GCP-0062 KICS:5baa92d2",
    cis=("GKE 1.6: 5.8.3",),
)
RULES.row(
    "gcp-gke-no-client-cert",
    "A cluster issues no client certificate.",
    on=CONTAINER_CLUSTER,
    check=IsNot("masterAuth.clientCertificateConfig.issueClientCertificate", value=True),
    severity=HIGH,
    rationale=(
        "Nobody can withdraw such a certificate: who has a copy stays in until the cluster's authority is replaced."
    ),
    fix="Set masterAuth.clientCertificateConfig.issueClientCertificate to false; this replaces the cluster.",
    peers="CKV_GCP_13 GCP-0064 KICS:73fb21a1",
    cis=("GKE 1.6: 5.8.1",),
)
RULES.row(
    "gcp-gke-no-readonly-port",
    "The kubelet of a node answers nobody who does not say who he is.",
    on=(CONTAINER_NODE_POOL, CONTAINER_CLUSTER),
    check=ByType(
        {
            CONTAINER_NODE_POOL: _ASKS_WHO,
            CONTAINER_CLUSTER: All(
                of_cluster_nodes(_ASKS_WHO),
                IsNot(f"nodePoolDefaults.nodeConfigDefaults.{_READ_ONLY_PORT}", value=True),
                IsNot(f"nodePoolAutoConfig.nodeKubeletConfig.{_READ_ONLY_PORT}", value=True),
            ),
        }
    ),
    severity=MEDIUM,
    rationale="From port 10255 any pod reads what runs on its node, with the variables of every container.",
    fix=f"Set {_READ_ONLY_PORT} to FALSE, and let what reads metrics there use port 10250 with a token.",
)
RULES.row(
    "gcp-gke-google-groups",
    "Roles in a cluster can be given to groups of the organization.",
    on=CONTAINER_CLUSTER,
    check=Given("authenticatorGroupsConfig.securityGroup"),
    severity=LOW,
    rationale="Roles that are given to people one by one stay with them when they change teams.",
    fix="Set authenticatorGroupsConfig.securityGroup to gke-security-groups@DOMAIN, and bind roles to groups in it.",
    peers="CKV_GCP_65",
    cis=("GKE 1.6: 5.8.2",),
)


# The API attaches no account unasked; only gcloud and the console attach the default one.
_ATTACHED: Final = Where(Given("serviceAccount"), OwnAccount("serviceAccount.email"))
_MACHINE_ACCOUNTS: Final = {**dict.fromkeys((*_TEMPLATES, COMPUTE_INSTANCE, *_COPIES), _ATTACHED), **_SERVED}

RULES.row(
    "gcp-instance-sa",
    "A machine has a service account of its own, or none.",
    on=tuple(_MACHINE_ACCOUNTS),
    check=ByType(_MACHINE_ACCOUNTS),
    severity=HIGH,
    rationale=(
        "The default account is an editor of the project in many organizations, and every machine without its own "
        "account shares it; scopes limit a token only until someone widens them."
    ),
    fix="Set serviceAccount.email to an account with the roles that the machine needs (gceSetup.serviceAccounts of a "
    "notebook machine, clusterConfig.gceClusterConfig.serviceAccount of Dataproc); a notebook machine and a "
    "Dataproc cluster are replaced with their disks.",
    peers="CKV_GCP_30 CKV_GCP_31 GCP-0044 KICS:3cb4af0b KICS:bc280331",
    cis=("GCP 4.0: 4.1", "GCP 4.0: 4.2"),
)


_TURNS_ON: Final = ByType(
    {
        COMPUTE_PROJECT_METADATA: OneOf("metadata.enable-oslogin", _YES),
        COMPUTE_PROJECT_METADATA_ITEM: All(Is("key", "enable-oslogin"), OneOf("value", _YES)),
    }
)
_LOGIN_OF_PROJECT: Final = {
    HYPERCOMPUTECLUSTER_CLUSTER: IsNot("orchestrator.slurm.loginNodes.enableOsLogin", value=False),
    COMPUTE_PROJECT_METADATA: All(OneOf("metadata.enable-oslogin", _YES), NoneOf("metadata.serial-port-enable", _YES)),
    COMPUTE_PROJECT_METADATA_ITEM: All(
        Where(Is("key", "enable-oslogin"), NoneOf("value", _NO)),
        Where(Is("key", "serial-port-enable"), NoneOf("value", _YES)),
    ),
}


def _project_has_os_login(it: View, settings: Settings) -> Verdict:
    """OS Login of the whole project counts, where the program sets it."""
    projects = it.site.of_type(COMPUTE_PROJECT_METADATA, COMPUTE_PROJECT_METADATA_ITEM)
    said = [_TURNS_ON.asked(project, settings) for project in projects]
    if PASS in said or UNKNOWN in said:
        return PASS if PASS in said else UNKNOWN
    return fail("the project's metadata does not turn OS Login on")


_BY_NAME: Final = All(
    NoneOf("metadata.enable-oslogin", _NO),
    Either(
        OneOf("metadata.enable-oslogin", _YES),
        OneOf("metadata.block-project-ssh-keys", _YES),
        Custom(_project_has_os_login, others=True),
    ),
)
_NO_SERIAL_PORT: Final = NoneOf("metadata.serial-port-enable", _YES)
_WINDOWS: Final = r"(?i).*\bwindows-.*"
"""Images that do not support OS Login (Compute Engine documentation, OS Login: limitations)."""
_LOGIN: Final = {
    **dict.fromkeys(
        _TEMPLATES,
        All(Where(Either(Absent("disks"), Unlike("disks[].sourceImage", _WINDOWS)), _BY_NAME), _NO_SERIAL_PORT),
    ),
    COMPUTE_INSTANCE: All(Where(Unlike("bootDisk.initializeParams.image", _WINDOWS), _BY_NAME), _NO_SERIAL_PORT),
    **dict.fromkeys(_COPIES, Where(Given("metadata"), All(_BY_NAME, _NO_SERIAL_PORT))),
}

RULES.row(
    "gcp-instance-oslogin",
    "People log in to a machine as themselves, and not over its serial port.",
    on=(*_LOGIN, *_LOGIN_OF_PROJECT),
    check=ByType(_LOGIN | _LOGIN_OF_PROJECT),
    severity=MEDIUM,
    rationale=(
        "Keys in the project's metadata open every machine for as long as nobody removes them, and the serial port is "
        "open to the whole internet."
    ),
    fix="Set enable-oslogin to TRUE in metadata, or in that of the project, and remove serial-port-enable.",
    peers="CKV_GCP_32 CKV_GCP_33 CKV_GCP_34 CKV_GCP_35 GCP-0030 GCP-0032 GCP-0036 GCP-0042 KICS:32ecd6eb KICS:3e4d5ce6 "
    "KICS:97fa667a KICS:d0b4d550",
    cis=("GCP 4.0: 4.3", "GCP 4.0: 4.4", "GCP 4.0: 4.5"),
)
_HIRED: Final = {
    **dict.fromkeys(
        (CLOUDRUNV2_SERVICE, CLOUDRUNV2_WORKER_POOL),
        OwnAccount("template.serviceAccount"),
    ),
    CLOUDRUNV2_JOB: OwnAccount("template.template.serviceAccount"),
    CLOUDRUN_SERVICE: OwnAccount("template.spec.serviceAccountName"),
    CLOUDFUNCTIONS_FUNCTION: OwnAccount("serviceAccountEmail", "App Engine"),
    CLOUDFUNCTIONSV2_FUNCTION: OwnAccount("serviceConfig.serviceAccountEmail"),
    APPENGINE_STANDARD_APP_VERSION: OwnAccount("serviceAccount", "App Engine"),
    APPENGINE_FLEXIBLE_APP_VERSION: OwnAccount("serviceAccount", "App Engine"),
    WORKFLOWS_WORKFLOW: OwnAccount("serviceAccount"),
    CLOUDBUILD_TRIGGER: OwnAccount("serviceAccount", "Cloud Build or Compute Engine"),
    COMPOSER_ENVIRONMENT: OwnAccount("config.nodeConfig.serviceAccount"),
    COLAB_NOTEBOOK_EXECUTION: Where(Given("serviceAccount"), OwnAccount("serviceAccount")),
    VERTEX_AI_REASONING_ENGINE: All(
        *(Where(Given(path), OwnAccount(path)) for path in ("spec.serviceAccount", "spec.buildSpec.serviceAccount"))
    ),
    DATAFLOW_JOB: OwnAccount("serviceAccountEmail"),
    DATAFLOW_FLEX_TEMPLATE_JOB: OwnAccount("serviceAccountEmail"),
    DATAPROC_BATCH: OwnAccount("environmentConfig.executionConfig.serviceAccount"),
}

RULES.row(
    "gcp-run-sa",
    "A service, a function, a build, a workflow or a pipeline has a service account of its own.",
    on=tuple(_HIRED),
    check=ByType(_HIRED),
    severity=MEDIUM,
    rationale=(
        "The default account is an editor of the project in many organizations, and so is whoever runs a command "
        "through the code."
    ),
    fix="Set the service account to one with the roles that the code needs: template.serviceAccount on Cloud Run, "
    "serviceConfig.serviceAccountEmail of a function, serviceAccount of a workflow or a trigger; an environment "
    "of Composer is replaced, so save a snapshot of it first.",
)
_DRIVER: Final = "nodeConfig.guestAccelerators[].gpuDriverInstallationConfig.gpuDriverVersion"
_BARE_METAL: Final = r".*-metal"
"""Machine types without a virtual TPM, such as A4X Max."""
_SHIELDED: Final = Where(
    Unlike("nodeConfig.machineType", _BARE_METAL),
    All(
        # Secure boot loads only drivers that Google signed: not those that somebody else installs.
        Where(
            Either(Absent("nodeConfig.guestAccelerators"), IsNot(_DRIVER, "INSTALLATION_DISABLED")),
            Is("nodeConfig.shieldedInstanceConfig.enableSecureBoot", value=True),
        ),
        Is("nodeConfig.shieldedInstanceConfig.enableIntegrityMonitoring", value=True),
    ),
)
_SHIELDED_LATER: Final = Where(
    All(STANDARD, Is("clusterAutoscaling.enabled", value=True)),
    All(
        Is("clusterAutoscaling.autoProvisioningDefaults.shieldedInstanceConfig.enableSecureBoot", value=True),
        IsNot(
            "clusterAutoscaling.autoProvisioningDefaults.shieldedInstanceConfig.enableIntegrityMonitoring", value=False
        ),
    ),
)
"""Of the pools that GKE makes by itself; Autopilot's nodes are shielded in any case."""


def _cluster_shields_nodes(cluster: View) -> Verdict:
    """Fail where shielded nodes are off, unless the cluster has bare-metal machines, which cannot be shielded."""
    if cluster.flag("enableShieldedNodes") is not False:
        return PASS
    types = [pool.config.text("machineType") for pool in pools_of(cluster) if pool.config is not None]
    if any(re.fullmatch(_BARE_METAL, type_ or "") for type_ in types):
        return NOT_APPLICABLE
    return fail("enableShieldedNodes is false", path="enableShieldedNodes")


_CLUSTER_SHIELDS: Final = Custom(_cluster_shields_nodes, others=True, takes_settings=False)

RULES.row(
    "gcp-shielded-nodes",
    "Nodes start nothing that is not signed, and notice when that changed.",
    on=(CONTAINER_NODE_POOL, CONTAINER_CLUSTER),
    check=ByType(
        {
            CONTAINER_NODE_POOL: _SHIELDED,
            CONTAINER_CLUSTER: All(_CLUSTER_SHIELDS, of_cluster_nodes(_SHIELDED), _SHIELDED_LATER),
        }
    ),
    severity=MEDIUM,
    rationale=(
        "Who was root on a node once can stay below its system, where no scanner looks, and wait for the next job."
    ),
    fix="Set enableSecureBoot and enableIntegrityMonitoring in nodeConfig.shieldedInstanceConfig to true, which "
    "recreates the nodes (a cluster that describes them itself is replaced), and leave enableShieldedNodes out. "
    "Nodes whose GPU driver GKE does not install start without enableSecureBoot.",
    peers="CKV_GCP_68 CKV_GCP_71 CKV_GCP_72 GCP-0055 KICS:4b5ee6a4 KICS:579a0727",
    cis=("GKE 1.6: 5.5.5", "GKE 1.6: 5.5.6", "GKE 1.6: 5.5.7"),
)


def _starts_signed(path: str) -> Check:
    return All(
        Is(f"{path}.enableSecureBoot", value=True),
        *(IsNot(f"{path}.{key}", value=False) for key in ("enableVtpm", "enableIntegrityMonitoring")),
    )


_SHIELDED_MACHINES: Final = {
    **dict.fromkeys((*_TEMPLATES, COMPUTE_INSTANCE), _starts_signed("shieldedInstanceConfig")),
    **dict.fromkeys(_COPIES, Where(Given("shieldedInstanceConfig"), _starts_signed("shieldedInstanceConfig"))),
    WORKBENCH_INSTANCE: _starts_signed("gceSetup.shieldedInstanceConfig"),
    DATAPROC_CLUSTER: _starts_signed("clusterConfig.gceClusterConfig.shieldedInstanceConfig"),
    WORKSTATIONS_WORKSTATION_CONFIG: _starts_signed("host.gceInstance.shieldedInstanceConfig"),
    COLAB_RUNTIME_TEMPLATE: Is("shieldedVmConfig.enableSecureBoot", value=True),
}

RULES.row(
    "gcp-instance-shielded",
    "A machine starts nothing that is not signed, and notices when that changed.",
    on=tuple(_SHIELDED_MACHINES),
    check=ByType(_SHIELDED_MACHINES),
    severity=MEDIUM,
    rationale=(
        "Who was root on it once can stay below its system, where no scanner looks, and outlive each new disk image."
    ),
    fix="Set shieldedInstanceConfig.enableSecureBoot to true, and leave enableVtpm and enableIntegrityMonitoring on; "
    "the machine stops for it, and drivers that somebody built himself must be signed; a Dataproc cluster is "
    "replaced.",
    peers="CKV_GCP_39 GCP-0041 GCP-0045 GCP-0067 KICS:1b44e234",
    cis=("GCP 4.0: 4.8",),
)
RULES.row(
    "gcp-tpu-sa",
    "A TPU has a service account of its own.",
    on=TPU_V2_VM,
    check=OwnAccount("serviceAccount.email"),
    severity=MEDIUM,
    rationale=(
        "The default account is an editor of the project in many organizations, and so is then every training script."
    ),
    fix="Set serviceAccount.email to an account with roles on the buckets that the job uses; this replaces the TPU.",
)
