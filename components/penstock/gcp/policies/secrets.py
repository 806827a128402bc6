"""Secrets on Google Cloud: how they are kept and exchanged, and where they must not be."""

from __future__ import annotations

from typing import Final

from penstock.gcp.policies.gke_nodes import CLUSTER, POOL, of_cluster_nodes
from penstock.graph.verdict import Verdict
from penstock.graph.view import View
from penstock.policies.plain_secrets import NoSecretAmong, NoSecretIn, NoSecretInTags, judge_variable
from penstock.policies.tags import taggable_types
from penstock.rules.checks import Absent, All, ByType, Check, Custom, Either, Given, Where
from penstock.rules.levels import CRITICAL, LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.SECRETS)

_SECRETS: Final = ("gcp:secretmanager/secret:Secret", "gcp:secretmanager/regionalSecret:RegionalSecret")
_VERSIONS: Final = (
    "gcp:secretmanager/secretVersion:SecretVersion",
    "gcp:secretmanager/regionalSecretVersion:RegionalSecretVersion",
)
_USER: Final = "gcp:sql/user:User"
_DATABASE: Final = "gcp:sql/databaseInstance:DatabaseInstance"
_ALLOYDB: Final = "gcp:alloydb/cluster:Cluster"
_ALLOYDB_USER: Final = "gcp:alloydb/user:User"
_PASSWORDS: Final = {
    _USER: "password",
    _DATABASE: "rootPassword",
    _ALLOYDB: "initialUser.password",
    _ALLOYDB_USER: "password",
}
"""Where a password is written; a property with Wo at the end takes the same, and the state does not keep it."""
_METADATA_ITEM: Final = "gcp:compute/projectMetadataItem:ProjectMetadataItem"


def _item_holds_no_secret(it: View, _: Settings) -> Verdict:
    return judge_variable(it.text("key") or "", it.given("value"), "value")


_MACHINES: Final = {
    "gcp:compute/instance:Instance": All(NoSecretAmong("metadata"), NoSecretIn("metadataStartupScript")),
    "gcp:compute/instanceTemplate:InstanceTemplate": All(
        NoSecretAmong("metadata"), NoSecretIn("metadataStartupScript")
    ),
    "gcp:compute/regionInstanceTemplate:RegionInstanceTemplate": All(
        NoSecretAmong("metadata"), NoSecretIn("metadataStartupScript")
    ),
    "gcp:compute/projectMetadata:ProjectMetadata": NoSecretAmong("metadata"),
    _METADATA_ITEM: Custom(_item_holds_no_secret),
    "gcp:dataproc/cluster:Cluster": NoSecretAmong("clusterConfig.gceClusterConfig.metadata"),
    "gcp:compute/instanceFromTemplate:InstanceFromTemplate": All(
        NoSecretAmong("metadata"), NoSecretIn("metadataStartupScript")
    ),
    POOL: NoSecretAmong("nodeConfig.metadata"),
    CLUSTER: of_cluster_nodes(NoSecretAmong("nodeConfig.metadata")),
    "gcp:tpu/v2Vm:V2Vm": NoSecretAmong("metadata"),
    "gcp:workbench/instance:Instance": NoSecretAmong("gceSetup.metadata"),
    "gcp:colab/runtimeTemplate:RuntimeTemplate": All(
        NoSecretAmong("softwareConfig.envs"), NoSecretIn("softwareConfig.postStartupScriptConfig.postStartupScript")
    ),
    "gcp:hypercomputecluster/cluster:Cluster": All(
        NoSecretIn("orchestrator.slurm.loginNodes.startupScript"),
        NoSecretIn("orchestrator.slurm.nodeSets[].computeInstance.startupScript"),
        NoSecretIn("orchestrator.slurm.prologBashScripts[]"),
        NoSecretIn("orchestrator.slurm.epilogBashScripts[]"),
    ),
    "gcp:workstations/workstationConfig:WorkstationConfig": NoSecretAmong("container.env"),
    "gcp:workstations/workstation:Workstation": NoSecretAmong("env"),
}


def _containers(path: str) -> Check:
    """Neither the variables of containers hold secrets, nor their command lines."""
    return All(NoSecretAmong(f"{path}.envs"), NoSecretIn(f"{path}.commands[]"), NoSecretIn(f"{path}.args[]"))


_RUNS: Final = {
    "gcp:cloudrunv2/service:Service": _containers("template.containers[]"),
    "gcp:cloudrunv2/job:Job": _containers("template.template.containers[]"),
    "gcp:cloudrunv2/workerPool:WorkerPool": _containers("template.containers[]"),
    "gcp:cloudrun/service:Service": _containers("template.spec.containers[]"),
    "gcp:appengine/standardAppVersion:StandardAppVersion": NoSecretAmong("envVariables"),
    "gcp:appengine/flexibleAppVersion:FlexibleAppVersion": NoSecretAmong("envVariables"),
    "gcp:cloudbuild/trigger:Trigger": All(
        NoSecretAmong("substitutions"),
        NoSecretAmong("build.substitutions"),
        NoSecretIn("build.options.envs[]"),
        NoSecretIn("build.steps[].envs[]"),
        NoSecretIn("build.steps[].args[]"),
        NoSecretIn("build.steps[].script"),
    ),
    "gcp:composer/environment:Environment": NoSecretAmong("config.softwareConfig.envVariables"),
    "gcp:vertex/aiEndpointWithModelGardenDeployment:AiEndpointWithModelGardenDeployment": All(
        NoSecretAmong("modelConfig.containerSpec.envs"), NoSecretIn("modelConfig.huggingFaceAccessToken")
    ),
    "gcp:workflows/workflow:Workflow": All(NoSecretAmong("userEnvVars"), NoSecretIn("sourceContents")),
    "gcp:dataproc/batch:Batch": All(
        NoSecretIn("pysparkBatch.args[]"),
        NoSecretIn("sparkBatch.args[]"),
        NoSecretAmong("runtimeConfig.properties"),
    ),
    "gcp:cloudfunctions/function:Function": All(
        NoSecretAmong("environmentVariables"), NoSecretAmong("buildEnvironmentVariables")
    ),
    "gcp:cloudfunctionsv2/function:Function": All(
        NoSecretAmong("serviceConfig.environmentVariables"), NoSecretAmong("buildConfig.environmentVariables")
    ),
    "gcp:vertex/aiReasoningEngine:AiReasoningEngine": All(
        NoSecretAmong("spec.deploymentSpec.envs"), NoSecretAmong("spec.sourceCodeSpec.imageSpec.buildArgs")
    ),
    "gcp:ces/tool:Tool": NoSecretIn("pythonFunction.pythonCode"),
    "gcp:ces/toolset:Toolset": All(
        NoSecretAmong("mcpToolset.customHeaders"),
        NoSecretAmong("mcpToolset.apiAuthentication.bearerTokenConfig"),
        NoSecretAmong("openApiToolset.apiAuthentication.bearerTokenConfig"),
    ),
    "gcp:cloudscheduler/job:Job": NoSecretAmong("httpTarget.headers"),
    "gcp:dataflow/job:Job": NoSecretAmong("parameters"),
    "gcp:dataflow/flexTemplateJob:FlexTemplateJob": NoSecretAmong("parameters"),
    "gcp:managedkafka/connector:Connector": NoSecretAmong("configs"),
    "gcp:parametermanager/parameterVersion:ParameterVersion": NoSecretIn("parameterData"),
    "gcp:parametermanager/regionalParameterVersion:RegionalParameterVersion": NoSecretIn("parameterData"),
}

RULES.row(
    "gcp-instance-no-secret-metadata",
    "The metadata and the variables of machines, and the scripts in them, hold no secrets.",
    on=tuple(_MACHINES),
    check=ByType(_MACHINES),
    severity=CRITICAL,
    rationale="Every process on the machine reads its metadata, and so does everyone with compute.instances.get.",
    fix="Put the secret into Secret Manager, and let the script read it there with the machine's service account; then "
    "replace the secret, for it has been read.",
)
RULES.row(
    "gcp-run-no-literal-secret",
    "Variables, parameters and command lines of Cloud Run, functions, builds, jobs and agents hold no secrets.",
    on=tuple(_RUNS),
    check=ByType(_RUNS),
    severity=CRITICAL,
    rationale="Whoever may look at the service reads them, in the console and in every older revision.",
    fix="Name the secret in envs[].valueSource.secretKeyRef, or in secretEnvironmentVariables of a function; then "
    "replace it, for it has been read.",
)
RULES.row(
    "gcp-secret-rotation",
    "Somebody is notified when a secret is to be rotated, or it ends by itself.",
    on=_SECRETS,
    check=Either(Given("rotation.rotationPeriod"), Given("ttl"), Given("expireTime")),
    severity=LOW,
    rationale="A secret that leaked unnoticed stays good for years.",
    fix="Set rotation.rotationPeriod and rotation.nextRotationTime, with a topic in topics that someone listens to: "
    "Secret Manager only reminds.",
)
RULES.row(
    "gcp-secret-no-inline",
    "The stack writes the value of a secret, and keeps none.",
    on=_VERSIONS,
    check=Absent("secretData"),
    severity=MEDIUM,
    rationale=(
        "Everyone who may decrypt the state of the stack reads the secret there, and in each older copy of the state."
    ),
    fix="Use secretDataWo with secretDataWoVersion, or leave the value to a person.",
)
RULES.row(
    "gcp-sql-no-inline-password",
    "The stack writes the passwords of a database, and keeps none.",
    on=tuple(_PASSWORDS),
    check=ByType(
        {type_: Where(Either(Given(path), Given(f"{path}Wo")), Absent(path)) for type_, path in _PASSWORDS.items()}
    ),
    severity=MEDIUM,
    rationale="Everyone who may decrypt the state of the stack has the database.",
    fix="Make users of type CLOUD_IAM_USER or CLOUD_IAM_SERVICE_ACCOUNT (ALLOYDB_IAM_USER), which have no password; or "
    "use passwordWo and rootPasswordWo.",
)

_SOURCES: Final = ("mongodbProfile", "mysqlProfile", "oracleProfile", "postgresqlProfile", "sqlServerProfile")
_PLAIN: Final = "clientSecret.value.plainText"
_KEPT: Final = {
    "gcp:agentidentity/authProvider:AuthProvider": (
        "authProviderTypeParams.threeLeggedOauth.clientSecret",
        "authProviderTypeParams.twoLeggedOauth.clientSecret",
    ),
    "gcp:compute/regionSslCertificate:RegionSslCertificate": ("privateKey",),
    "gcp:compute/sSLCertificate:SSLCertificate": ("privateKey",),
    "gcp:compute/vPNTunnel:VPNTunnel": ("sharedSecret",),
    "gcp:bigquery/connection:Connection": ("cloudSql.credential.password",),
    "gcp:datastream/connectionProfile:ConnectionProfile": tuple(f"{source}.password" for source in _SOURCES),
    "gcp:iam/workforcePoolProvider:WorkforcePoolProvider": (
        f"oidc.{_PLAIN}",
        f"extendedAttributesOauth2Client.{_PLAIN}",
        f"extraAttributesOauth2Client.{_PLAIN}",
    ),
    "gcp:vertex/aiRagCorpus:AiRagCorpus": ("vectorDbConfig.apiAuth.apiKeyConfig.apiKeyString",),
}
"""Credentials that may be written without the state keeping them, or named where they lie in Secret Manager."""

RULES.row(
    "gcp-no-inline-credential",
    "The stack writes the credentials of connections and agents, and keeps none.",
    on=tuple(_KEPT),
    check=ByType({type_: All(*(Absent(path) for path in paths)) for type_, paths in _KEPT.items()}),
    severity=MEDIUM,
    rationale=(
        "Everyone who may decrypt the state of the stack acts as the agent, or has the database behind the connection."
    ),
    fix="Use the property of the same name with Wo at the end, secretManagerStoredPassword of Datastream, or "
    "apiKeySecretVersion of a corpus.",
)

RULES.row(
    "gcp-label-no-secret",
    "Labels hold no secrets.",
    on=taggable_types("gcp", "labels"),
    check=NoSecretInTags("labels"),
    severity=CRITICAL,
    rationale=(
        "Whoever may look at the resource reads its labels, and bills, inventories and logs of activity repeat them."
    ),
    fix="Name the secret of Secret Manager in the label at most; then replace the secret, for it has been read.",
)
