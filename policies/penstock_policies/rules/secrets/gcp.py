"""Secrets on Google Cloud: how they are kept and exchanged, and where they must not stand."""

from __future__ import annotations

from typing import Final

from penstock_policies.checks import Absent, All, ByType, Either, Given, Where
from penstock_policies.gke_nodes import CLUSTER, POOL, inside
from penstock_policies.plain_secrets import NoSecretAmong, NoSecretIn
from penstock_policies.rule import CRITICAL, LOW, MEDIUM, Concern, Rules

RULES = Rules(Concern.SECRETS)

_SECRETS: Final = ("gcp:secretmanager/secret:Secret", "gcp:secretmanager/regionalSecret:RegionalSecret")
_VERSIONS: Final = (
    "gcp:secretmanager/secretVersion:SecretVersion",
    "gcp:secretmanager/regionalSecretVersion:RegionalSecretVersion",
)
_USER: Final = "gcp:sql/user:User"
_DATABASE: Final = "gcp:sql/databaseInstance:DatabaseInstance"
_MACHINES: Final = {
    "gcp:compute/instance:Instance": All(NoSecretAmong("metadata"), NoSecretIn("metadataStartupScript")),
    "gcp:compute/instanceTemplate:InstanceTemplate": All(
        NoSecretAmong("metadata"), NoSecretIn("metadataStartupScript")
    ),
    "gcp:compute/regionInstanceTemplate:RegionInstanceTemplate": All(
        NoSecretAmong("metadata"), NoSecretIn("metadataStartupScript")
    ),
    "gcp:compute/projectMetadata:ProjectMetadata": NoSecretAmong("metadata"),
    "gcp:compute/instanceFromTemplate:InstanceFromTemplate": All(
        NoSecretAmong("metadata"), NoSecretIn("metadataStartupScript")
    ),
    POOL: NoSecretAmong("nodeConfig.metadata"),
    CLUSTER: inside(NoSecretAmong("nodeConfig.metadata")),
    "gcp:tpu/v2Vm:V2Vm": NoSecretAmong("metadata"),
    "gcp:workbench/instance:Instance": NoSecretAmong("gceSetup.metadata"),
}
_RUNS: Final = {
    "gcp:cloudrunv2/service:Service": NoSecretAmong("template.containers[].envs"),
    "gcp:cloudrunv2/job:Job": NoSecretAmong("template.template.containers[].envs"),
    "gcp:cloudrunv2/workerPool:WorkerPool": NoSecretAmong("template.containers[].envs"),
    "gcp:cloudrun/service:Service": NoSecretAmong("template.spec.containers[].envs"),
    "gcp:cloudfunctions/function:Function": All(
        NoSecretAmong("environmentVariables"), NoSecretAmong("buildEnvironmentVariables")
    ),
    "gcp:cloudfunctionsv2/function:Function": All(
        NoSecretAmong("serviceConfig.environmentVariables"), NoSecretAmong("buildConfig.environmentVariables")
    ),
    "gcp:vertex/aiReasoningEngine:AiReasoningEngine": NoSecretAmong("spec.deploymentSpec.envs"),
}

RULES.row(
    "gcp-instance-no-secret-metadata",
    "The metadata of machines, and the scripts in it, hold no secrets.",
    on=tuple(_MACHINES),
    check=ByType(_MACHINES),
    weight=CRITICAL,
    why="Every process on the machine reads its metadata, and so does everyone with compute.instances.get.",
    fix="Put the secret into Secret Manager, and let the script read it there with the machine's service account; then "
    "replace the secret, for it has been read.",
)
RULES.row(
    "gcp-run-no-literal-secret",
    "Variables of Cloud Run, functions and agents hold no secrets.",
    on=tuple(_RUNS),
    check=ByType(_RUNS),
    weight=CRITICAL,
    why="Whoever may look at the service reads them, in the console and in every older revision.",
    fix="Name the secret in envs[].valueSource.secretKeyRef, or in secretEnvironmentVariables of a function; then "
    "replace it, for it has been read.",
)
RULES.row(
    "gcp-secret-rotation",
    "Somebody is told when a secret is to be exchanged, or it ends by itself.",
    on=_SECRETS,
    check=Either(Given("rotation.rotationPeriod"), Given("ttl"), Given("expireTime")),
    weight=LOW,
    why="A secret that leaked unnoticed stays good for years.",
    fix="Set rotation.rotationPeriod and rotation.nextRotationTime, with a topic in topics that someone listens to: "
    "Secret Manager only reminds.",
)
RULES.row(
    "gcp-secret-no-inline",
    "The stack writes the value of a secret, and keeps none.",
    on=_VERSIONS,
    check=Absent("secretData"),
    weight=MEDIUM,
    why="Everyone who may decrypt the state of the stack reads the secret there, and in each older copy of the state.",
    fix="Use secretDataWo with secretDataWoVersion, or leave the value to a person.",
)
RULES.row(
    "gcp-sql-no-inline-password",
    "The stack writes the passwords of a database, and keeps none.",
    on=(_USER, _DATABASE),
    check=ByType(
        {
            _USER: Where(Either(Given("password"), Given("passwordWo")), Absent("password")),
            _DATABASE: Where(Either(Given("rootPassword"), Given("rootPasswordWo")), Absent("rootPassword")),
        }
    ),
    weight=MEDIUM,
    why="Everyone who may decrypt the state of the stack has the database.",
    fix="Make users of type CLOUD_IAM_USER or CLOUD_IAM_SERVICE_ACCOUNT, which have no password; or use passwordWo and "
    "rootPasswordWo.",
)
