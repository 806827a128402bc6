"""Secrets on Google Cloud: how they are kept and exchanged, and where they must not be."""

from __future__ import annotations

from typing import Final

from penstock.gcp.policies.gke_nodes import of_cluster_nodes
from penstock.gcp.types import (
    ALLOYDB_CLUSTER,
    APPENGINE_FLEXIBLE_APP_VERSION,
    APPENGINE_STANDARD_APP_VERSION,
    CLOUDBUILD_TRIGGER,
    CLOUDFUNCTIONS_FUNCTION,
    CLOUDFUNCTIONSV2_FUNCTION,
    CLOUDRUN_SERVICE,
    CLOUDRUNV2_JOB,
    CLOUDRUNV2_SERVICE,
    CLOUDRUNV2_WORKER_POOL,
    CLOUDSCHEDULER_JOB,
    COLAB_RUNTIME_TEMPLATE,
    COMPOSER_ENVIRONMENT,
    COMPUTE_INSTANCE,
    COMPUTE_INSTANCE_FROM_TEMPLATE,
    COMPUTE_INSTANCE_TEMPLATE,
    COMPUTE_PROJECT_METADATA,
    COMPUTE_PROJECT_METADATA_ITEM,
    COMPUTE_REGION_INSTANCE_TEMPLATE,
    COMPUTE_VPN_TUNNEL,
    CONTAINER_CLUSTER,
    CONTAINER_NODE_POOL,
    DATAFLOW_FLEX_TEMPLATE_JOB,
    DATAFLOW_JOB,
    DATAPROC_BATCH,
    DATAPROC_CLUSTER,
    HYPERCOMPUTECLUSTER_CLUSTER,
    SECRETMANAGER_REGIONAL_SECRET,
    SECRETMANAGER_SECRET,
    SQL_DATABASE_INSTANCE,
    SQL_USER,
    TPU_V2_VM,
    VERTEX_AI_ENDPOINT_WITH_MODEL_GARDEN_DEPLOYMENT,
    VERTEX_AI_RAG_CORPUS,
    VERTEX_AI_REASONING_ENGINE,
    WORKBENCH_INSTANCE,
    WORKFLOWS_WORKFLOW,
    WORKSTATIONS_WORKSTATION_CONFIG,
)
from penstock.graph.verdict import Verdict
from penstock.graph.view import View
from penstock.policies.plain_secrets import NoSecretAmong, NoSecretIn, NoSecretInTags, judge_variable
from penstock.policies.tags import taggable_types
from penstock.rules.checks import Absent, All, ByType, Check, Custom, Either, Given, Where
from penstock.rules.levels import CRITICAL, LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.SECRETS)

_SECRETS: Final = (SECRETMANAGER_SECRET, SECRETMANAGER_REGIONAL_SECRET)
_VERSIONS: Final = (
    "gcp:secretmanager/secretVersion:SecretVersion",
    "gcp:secretmanager/regionalSecretVersion:RegionalSecretVersion",
)
_ALLOYDB_USER: Final = "gcp:alloydb/user:User"
_PASSWORDS: Final = {
    SQL_USER: "password",
    SQL_DATABASE_INSTANCE: "rootPassword",
    ALLOYDB_CLUSTER: "initialUser.password",
    _ALLOYDB_USER: "password",
}
"""Where a password is written; a property with Wo at the end takes the same, and the state does not keep it."""


def _item_holds_no_secret(it: View, _: Settings) -> Verdict:
    return judge_variable(it.text("key") or "", it.given("value"), "value")


_MACHINES: Final = {
    COMPUTE_INSTANCE: All(NoSecretAmong("metadata"), NoSecretIn("metadataStartupScript")),
    COMPUTE_INSTANCE_TEMPLATE: All(NoSecretAmong("metadata"), NoSecretIn("metadataStartupScript")),
    COMPUTE_REGION_INSTANCE_TEMPLATE: All(NoSecretAmong("metadata"), NoSecretIn("metadataStartupScript")),
    COMPUTE_PROJECT_METADATA: NoSecretAmong("metadata"),
    COMPUTE_PROJECT_METADATA_ITEM: Custom(_item_holds_no_secret),
    DATAPROC_CLUSTER: NoSecretAmong("clusterConfig.gceClusterConfig.metadata"),
    COMPUTE_INSTANCE_FROM_TEMPLATE: All(NoSecretAmong("metadata"), NoSecretIn("metadataStartupScript")),
    CONTAINER_NODE_POOL: NoSecretAmong("nodeConfig.metadata"),
    CONTAINER_CLUSTER: of_cluster_nodes(NoSecretAmong("nodeConfig.metadata")),
    TPU_V2_VM: NoSecretAmong("metadata"),
    WORKBENCH_INSTANCE: NoSecretAmong("gceSetup.metadata"),
    COLAB_RUNTIME_TEMPLATE: All(
        NoSecretAmong("softwareConfig.envs"), NoSecretIn("softwareConfig.postStartupScriptConfig.postStartupScript")
    ),
    HYPERCOMPUTECLUSTER_CLUSTER: All(
        NoSecretIn("orchestrator.slurm.loginNodes.startupScript"),
        NoSecretIn("orchestrator.slurm.nodeSets[].computeInstance.startupScript"),
        NoSecretIn("orchestrator.slurm.prologBashScripts[]"),
        NoSecretIn("orchestrator.slurm.epilogBashScripts[]"),
    ),
    WORKSTATIONS_WORKSTATION_CONFIG: NoSecretAmong("container.env"),
    "gcp:workstations/workstation:Workstation": NoSecretAmong("env"),
}


def _containers(path: str) -> Check:
    """Neither the variables of containers hold secrets, nor their command lines."""
    return All(NoSecretAmong(f"{path}.envs"), NoSecretIn(f"{path}.commands[]"), NoSecretIn(f"{path}.args[]"))


_RUNS: Final = {
    CLOUDRUNV2_SERVICE: _containers("template.containers[]"),
    CLOUDRUNV2_JOB: _containers("template.template.containers[]"),
    CLOUDRUNV2_WORKER_POOL: _containers("template.containers[]"),
    CLOUDRUN_SERVICE: _containers("template.spec.containers[]"),
    APPENGINE_STANDARD_APP_VERSION: NoSecretAmong("envVariables"),
    APPENGINE_FLEXIBLE_APP_VERSION: NoSecretAmong("envVariables"),
    CLOUDBUILD_TRIGGER: All(
        NoSecretAmong("substitutions"),
        NoSecretAmong("build.substitutions"),
        NoSecretIn("build.options.envs[]"),
        NoSecretIn("build.steps[].envs[]"),
        NoSecretIn("build.steps[].args[]"),
        NoSecretIn("build.steps[].script"),
    ),
    COMPOSER_ENVIRONMENT: NoSecretAmong("config.softwareConfig.envVariables"),
    VERTEX_AI_ENDPOINT_WITH_MODEL_GARDEN_DEPLOYMENT: All(
        NoSecretAmong("modelConfig.containerSpec.envs"), NoSecretIn("modelConfig.huggingFaceAccessToken")
    ),
    WORKFLOWS_WORKFLOW: All(NoSecretAmong("userEnvVars"), NoSecretIn("sourceContents")),
    DATAPROC_BATCH: All(
        NoSecretIn("pysparkBatch.args[]"),
        NoSecretIn("sparkBatch.args[]"),
        NoSecretAmong("runtimeConfig.properties"),
    ),
    CLOUDFUNCTIONS_FUNCTION: All(NoSecretAmong("environmentVariables"), NoSecretAmong("buildEnvironmentVariables")),
    CLOUDFUNCTIONSV2_FUNCTION: All(
        NoSecretAmong("serviceConfig.environmentVariables"), NoSecretAmong("buildConfig.environmentVariables")
    ),
    VERTEX_AI_REASONING_ENGINE: All(
        NoSecretAmong("spec.deploymentSpec.envs"), NoSecretAmong("spec.sourceCodeSpec.imageSpec.buildArgs")
    ),
    "gcp:ces/tool:Tool": NoSecretIn("pythonFunction.pythonCode"),
    "gcp:ces/toolset:Toolset": All(
        NoSecretAmong("mcpToolset.customHeaders"),
        NoSecretAmong("mcpToolset.apiAuthentication.bearerTokenConfig"),
        NoSecretAmong("openApiToolset.apiAuthentication.bearerTokenConfig"),
    ),
    CLOUDSCHEDULER_JOB: NoSecretAmong("httpTarget.headers"),
    DATAFLOW_JOB: NoSecretAmong("parameters"),
    DATAFLOW_FLEX_TEMPLATE_JOB: NoSecretAmong("parameters"),
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
    COMPUTE_VPN_TUNNEL: ("sharedSecret",),
    "gcp:bigquery/connection:Connection": ("cloudSql.credential.password",),
    "gcp:datastream/connectionProfile:ConnectionProfile": tuple(f"{source}.password" for source in _SOURCES),
    "gcp:iam/workforcePoolProvider:WorkforcePoolProvider": (
        f"oidc.{_PLAIN}",
        f"extendedAttributesOauth2Client.{_PLAIN}",
        f"extraAttributesOauth2Client.{_PLAIN}",
    ),
    VERTEX_AI_RAG_CORPUS: ("vectorDbConfig.apiAuth.apiKeyConfig.apiKeyString",),
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
