"""Secrets on AWS: how they are kept and exchanged, and where they must not be."""

from __future__ import annotations

from typing import Final

from penstock.aws.policies.relations import is_of_another_stack
from penstock.aws.types import (
    AMPLIFY_APP,
    APPRUNNER_SERVICE,
    BATCH_JOB_DEFINITION,
    BEDROCK_AGENT_AGENT,
    BEDROCK_AGENTCORE_AGENT_RUNTIME,
    BEDROCK_AGENTCORE_HARNESS,
    CODEBUILD_PROJECT,
    DOCDB_CLUSTER,
    EC2_INSTANCE,
    EC2_LAUNCH_CONFIGURATION,
    EC2_LAUNCH_TEMPLATE,
    EC2_SPOT_FLEET_REQUEST,
    EC2_SPOT_INSTANCE_REQUEST,
    ECS_EXPRESS_GATEWAY_SERVICE,
    ECS_TASK_DEFINITION,
    GLUE_JOB,
    IMAGEBUILDER_COMPONENT,
    LAMBDA_FUNCTION,
    RDS_CLUSTER,
    RDS_INSTANCE,
    REDSHIFT_CLUSTER,
    REDSHIFTSERVERLESS_NAMESPACE,
    SAGEMAKER_MODEL,
    SAGEMAKER_NOTEBOOK_INSTANCE_LIFECYCLE_CONFIGURATION,
    SAGEMAKER_STUDIO_LIFECYCLE_CONFIG,
    SAGEMAKER_TRAINING_JOB,
    SECRETSMANAGER_SECRET,
    SSM_DOCUMENT,
    SSM_PARAMETER,
)
from penstock.graph.values import Secret
from penstock.graph.verdict import NOT_APPLICABLE, Verdict
from penstock.graph.view import View
from penstock.policies.plain_secrets import (
    NoSecretAmong,
    NoSecretIn,
    NoSecretInContainers,
    NoSecretInTags,
    judge_variable,
)
from penstock.policies.tags import taggable_types
from penstock.rules.checks import (
    Absent,
    All,
    AtMost,
    ByType,
    Check,
    Either,
    Given,
    Is,
    IsNot,
    Joined,
    Matches,
    Where,
)
from penstock.rules.levels import CRITICAL, HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.SECRETS)

_SCRIPTS: Final = {
    EC2_LAUNCH_TEMPLATE: NoSecretIn("userData"),
    EC2_INSTANCE: All(NoSecretIn("userData"), NoSecretIn("userDataBase64")),
    EC2_SPOT_INSTANCE_REQUEST: All(NoSecretIn("userData"), NoSecretIn("userDataBase64")),
    EC2_LAUNCH_CONFIGURATION: All(NoSecretIn("userData"), NoSecretIn("userDataBase64")),
    EC2_SPOT_FLEET_REQUEST: NoSecretIn("launchSpecifications[].userData"),
    CODEBUILD_PROJECT: NoSecretIn("source.buildspec"),
    IMAGEBUILDER_COMPONENT: NoSecretIn("data"),
    SSM_DOCUMENT: NoSecretIn("content"),
    SAGEMAKER_NOTEBOOK_INSTANCE_LIFECYCLE_CONFIGURATION: All(NoSecretIn("onCreate"), NoSecretIn("onStart")),
    SAGEMAKER_STUDIO_LIFECYCLE_CONFIG: NoSecretIn("studioLifecycleConfigContent"),
}
_VARIABLES: Final = {
    LAMBDA_FUNCTION: NoSecretAmong("environment.variables"),
    SAGEMAKER_MODEL: All(NoSecretAmong("primaryContainer.environment"), NoSecretAmong("containers[].environment")),
    APPRUNNER_SERVICE: All(
        NoSecretAmong("sourceConfiguration.imageRepository.imageConfiguration.runtimeEnvironmentVariables"),
        NoSecretAmong(
            "sourceConfiguration.codeRepository.codeConfiguration.codeConfigurationValues.runtimeEnvironmentVariables"
        ),
    ),
    "aws:glue/connection:Connection": NoSecretAmong("connectionProperties"),
    GLUE_JOB: NoSecretAmong("defaultArguments"),
    AMPLIFY_APP: NoSecretAmong("environmentVariables"),
    "aws:amplify/branch:Branch": NoSecretAmong("environmentVariables"),
    CODEBUILD_PROJECT: NoSecretAmong("environment.environmentVariables"),
    ECS_TASK_DEFINITION: NoSecretInContainers("containerDefinitions"),
    BATCH_JOB_DEFINITION: All(
        NoSecretInContainers("containerProperties"),
        NoSecretInContainers("ecsProperties"),
        NoSecretInContainers("nodeProperties"),
        NoSecretAmong("eksProperties.podProperties.containers[].envs"),
        NoSecretAmong("eksProperties.podProperties.initContainers[].envs"),
    ),
    BEDROCK_AGENT_AGENT: NoSecretIn("instruction"),
    BEDROCK_AGENTCORE_AGENT_RUNTIME: NoSecretAmong("environmentVariables"),
    BEDROCK_AGENTCORE_HARNESS: NoSecretAmong("environmentVariables"),
    ECS_EXPRESS_GATEWAY_SERVICE: NoSecretAmong("primaryContainer.environments"),
    "aws:lambdamicrovms/image:Image": NoSecretAmong("environmentVariables"),
    SAGEMAKER_TRAINING_JOB: All(NoSecretAmong("environment"), NoSecretAmong("hyperParameters")),
}
_ROTATION: Final = "aws:secretsmanager/secretRotation:SecretRotation"
_DAYS: Final = 90
_WITHIN_90_DAYS: Final = (
    r"rate\((?:\d|[1-8]\d|90) days?\)|rate\((?:1?\d{1,3}|20\d\d|21[0-5]\d|2160) hours?\)|cron\(.+\)"
)
_IN_TIME: Final = Either(
    AtMost("rotationRules.automaticallyAfterDays", _DAYS),
    Matches("rotationRules.scheduleExpression", _WITHIN_90_DAYS),
)


def _managed(manage: str, password: str) -> Check:
    """A password is not written by the program; a replica or a restored database has none to write."""
    written_only = Given(f"{password}Wo")
    return Where(Either(Is(manage, value=True), written_only, Given(password)), Absent(password))


_DATABASES: Final = {
    RDS_INSTANCE: _managed("manageMasterUserPassword", "password"),
    RDS_CLUSTER: _managed("manageMasterUserPassword", "masterPassword"),
    DOCDB_CLUSTER: _managed("manageMasterUserPassword", "masterPassword"),
    REDSHIFT_CLUSTER: _managed("manageMasterPassword", "masterPassword"),
    REDSHIFTSERVERLESS_NAMESPACE: _managed("manageAdminPassword", "adminUserPassword"),
}

RULES.row(
    "aws-lt-no-secret-userdata",
    "Scripts that machines run hold no secret.",
    on=tuple(_SCRIPTS),
    check=ByType(_SCRIPTS),
    severity=CRITICAL,
    rationale="Every process on the machine reads its user data from the metadata service, and so does everyone with "
    "ec2:DescribeInstanceAttribute.",
    fix="Put the secret into Secrets Manager, and let the script read it there with the role of the machine; then "
    "replace the secret, for it has been read.",
    peers="CKV_AWS_46 AWS-0029 AWS-0129 KICS:0b93729a KICS:d7b9d850 KICS:443488f5 AWS-0122",
)
RULES.row(
    "aws-env-no-literal-secret",
    "Variables of functions, models, builds and tasks, and instructions of agents hold no secrets.",
    on=tuple(_VARIABLES),
    check=ByType(_VARIABLES),
    severity=CRITICAL,
    rationale=(
        "Whoever may look at the configuration reads them, in consoles and logs; marking them secret hides them in the "
        "stack only."
    ),
    fix="Name a secret of Secrets Manager in the variable, and read it with the role; tasks have secrets[].valueFrom.",
    peers="CKV_AWS_45 AWS-0036 KICS:1402afd8",
)
RULES.row(
    "aws-sm-rotation",
    "A secret is exchanged every 90 days at least.",
    on=(SECRETSMANAGER_SECRET, _ROTATION),
    check=ByType(
        {
            SECRETSMANAGER_SECRET: Joined(
                ((_ROTATION, "secretId"),), "nothing exchanges the secret regularly", _IN_TIME
            ),
            _ROTATION: Where(is_of_another_stack("secretId", SECRETSMANAGER_SECRET), _IN_TIME),
        }
    ),
    severity=MEDIUM,
    rationale="A secret that leaked unnoticed stays good for years.",
    fix="Add a SecretRotation with a Lambda function, and rotationRules.automaticallyAfterDays of 90 at most; for "
    "tokens that only a person can exchange, waive this with the day of the next exchange.",
    peers="CKV2_AWS_57 CKV_AWS_304",
)
RULES.row(
    "aws-sm-recovery-window",
    "A secret that was deleted can be brought back for a while.",
    on=SECRETSMANAGER_SECRET,
    check=IsNot("recoveryWindowInDays", value=0),
    severity=MEDIUM,
    rationale=(
        "A mistake deletes the only copy of a token or a password at once, and with it whatever was locked by it."
    ),
    fix="Set recoveryWindowInDays to between 7 and 30, or leave it out.",
)
_VERSION: Final = "aws:secretsmanager/secretVersion:SecretVersion"
_API_KEY: Final = "aws:bedrock/agentcoreApiKeyCredentialProvider:AgentcoreApiKeyCredentialProvider"
_OAUTH: Final = "aws:bedrock/agentcoreOauth2CredentialProvider:AgentcoreOauth2CredentialProvider"
_ISSUERS: Final = (
    "atlassian",
    "custom",
    "github",
    "google",
    "included",
    "linkedin",
    "microsoft",
    "salesforce",
    "slack",
)

RULES.row(
    "aws-sm-no-inline-value",
    "The stack writes the value of a secret, and keeps none.",
    on=(_VERSION, _API_KEY, _OAUTH),
    check=ByType(
        {
            _VERSION: All(Absent("secretString"), Absent("secretBinary")),
            _API_KEY: Absent("apiKey"),
            _OAUTH: All(
                *(Absent(f"oauth2ProviderConfig.{issuer}Oauth2ProviderConfig.clientSecret") for issuer in _ISSUERS)
            ),
        }
    ),
    severity=MEDIUM,
    rationale=(
        "Everyone who may decrypt the state of the stack reads the secret there, and in each older copy of the state."
    ),
    fix="Use secretStringWo with secretStringWoVersion (apiKeyWo or clientSecretWo of a provider for agents), or "
    "leave the value to a person or to rotation.",
)
RULES.row(
    "aws-rds-managed-password",
    "The password of a database's master user is not in the stack.",
    on=tuple(_DATABASES),
    check=ByType(_DATABASES),
    severity=HIGH,
    rationale=(
        "Everyone who may read the state of the stack, or its logs, has the database; and nobody ever exchanges it."
    ),
    fix="Set manageMasterUserPassword (manageMasterPassword, manageAdminPassword in Redshift) to true, which lets AWS "
    "make and exchange it; where AWS cannot (a global database, Aurora Serverless v1, a source of replicas), use "
    "passwordWo, masterPasswordWo or adminUserPasswordWo, which the state does not keep.",
)


@RULES.rule(
    on=SSM_PARAMETER,
    severity=CRITICAL,
    rationale="Everyone with ssm:GetParameter reads it in clear, and no key is needed.",
    fix="Set type to SecureString with keyId, and valueWo in place of value; then replace the secret, for it has been "
    "read.",
    peers="CKV2_AWS_34",
)
def aws_ssm_no_plain_secret(it: View, _: Settings) -> Verdict:
    """A parameter that is not encrypted holds no secret."""
    if it.text("type") == "SecureString":
        return NOT_APPLICABLE
    path = "insecureValue" if "insecureValue" in it else "value"
    if path not in it:
        return NOT_APPLICABLE
    name = (it.text("name") if "name" in it else None) or it.name
    value = it.given(path)
    return judge_variable(name, value.value if isinstance(value, Secret) else value, path)  # the SDK marks every one


RULES.row(
    "aws-tag-no-secret",
    "Tags hold no secrets.",
    on=taggable_types("aws", "tags"),
    check=NoSecretInTags("tags"),
    severity=CRITICAL,
    rationale=(
        "Whoever may look at the resource reads its tags, and bills, inventories and logs of activity repeat them."
    ),
    fix="Name the secret of Secrets Manager in the tag at most; then replace the secret, for it has been read.",
)
