"""Identity and hardening on AWS: roles and users, access to clusters, and the metadata service of machines."""

from __future__ import annotations

import re
from typing import Final

from penstock.aws.types import (
    AUTOSCALING_GROUP,
    BATCH_COMPUTE_ENVIRONMENT,
    EC2_INSTANCE,
    EC2_LAUNCH_CONFIGURATION,
    EC2_LAUNCH_TEMPLATE,
    EC2_SPOT_INSTANCE_REQUEST,
    EKS_ADDON,
    EKS_CLUSTER,
    EKS_NODE_GROUP,
    EKS_POD_IDENTITY_ASSOCIATION,
    IAM_POLICY,
    IAM_POLICY_ATTACHMENT,
    IAM_ROLE,
    IAM_ROLE_POLICY_ATTACHMENT,
    IAM_ROLE_POLICY_ATTACHMENTS_EXCLUSIVE,
    IAM_USER,
    IAM_USER_POLICY_ATTACHMENT,
    IAM_USER_POLICY_ATTACHMENTS_EXCLUSIVE,
    RDS_CLUSTER,
    RDS_INSTANCE,
    SAGEMAKER_NOTEBOOK_INSTANCE,
    SECRETSMANAGER_SECRET_POLICY,
)
from penstock.graph.property_path import HIDDEN, Location
from penstock.graph.values import Secret, Unknown
from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, NotKnown, Verdict, allow, each, fail
from penstock.graph.view import View
from penstock.rules.checks import All, AtMost, ByType, Check, Custom, Either, Given, Is, IsNot, OneOf, Unlike, Where
from penstock.rules.levels import CRITICAL, HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings
from penstock.secrets import decoding

RULES = RuleSet(Category.IDENTITY)

_PROVIDER: Final = "pulumi:providers:aws"
_ACCESS_KEY: Final = "aws:iam/accessKey:AccessKey"
_OF_USER: Final = "AKIA"
"""How the ids of keys begin that last; those of sessions begin with ASIA (IAM user guide, IAM identifiers)."""
_MARIADB_WITHOUT_IAM: Final = r"10\.[0-5](?:\..*)?"
"""RDS user guide, IAM database authentication: MariaDB has it from 10.6 on."""
_REGION_DEFAULTS: Final = "aws:ec2/instanceMetadataDefaults:InstanceMetadataDefaults"
_MACHINES: Final = (
    EC2_INSTANCE,
    EC2_SPOT_INSTANCE_REQUEST,
    EC2_LAUNCH_CONFIGURATION,
)
_TOKEN_ISSUER: Final = "aws:iam/openIdConnectProvider:OpenIdConnectProvider"  # noqa: S105 - a type
_METADATA_VERSION: Final = "metadataOptions.httpTokens"
_HAS_METADATA: Final = IsNot("metadataOptions.httpEndpoint", value="disabled")
_ADMINISTRATOR: Final = re.compile(r"arn:aws[\w-]*:iam::aws:policy/(AdministratorAccess|IAMFullAccess|PowerUserAccess)")
_ALL_OF_A_SERVICE: Final = re.compile(
    r"arn:aws[\w-]*:iam::aws:policy/(Amazon(?:DynamoDB|EC2|ECS_?|FSx|RDS|S3|S3Tables|SSM)FullAccess"
    r"|AmazonEC2ContainerRegistryFullAccess|AWSKeyManagementServicePowerUser|AWSLambda_FullAccess"
    r"|SecretsManagerReadWrite)"
)
"""Policies of AWS with every action on all data of a service (AWS managed policy reference, names from memory)."""


def _attaches_none(of_aws: re.Pattern[str], path: str) -> Check:
    """No policy at a path is one of these of AWS; one of the program's own is not one of AWS."""

    def judge(it: View, _: Settings) -> Verdict:
        def one(place: Location) -> Verdict:
            if place.value is None:
                return NOT_APPLICABLE
            if isinstance(place.value, Unknown | Secret):
                return PASS if it.sources(path.removesuffix("[]"), IAM_POLICY) else UNKNOWN
            match = of_aws.fullmatch(str(place.value))
            return PASS if match is None else fail(f"{match[1]} is attached", path=place.path)

        return each(it.locations(path), one)

    return Custom(judge)


_ATTACHMENTS: Final = {
    IAM_ROLE_POLICY_ATTACHMENT: "policyArn",
    IAM_USER_POLICY_ATTACHMENT: "policyArn",
    "aws:iam/groupPolicyAttachment:GroupPolicyAttachment": "policyArn",
    IAM_POLICY_ATTACHMENT: "policyArn",
    IAM_ROLE_POLICY_ATTACHMENTS_EXCLUSIVE: "policyArns[]",
    IAM_USER_POLICY_ATTACHMENTS_EXCLUSIVE: "policyArns[]",
    "aws:iam/groupPolicyAttachmentsExclusive:GroupPolicyAttachmentsExclusive": "policyArns[]",
    IAM_ROLE: "managedPolicyArns[]",
}
"""What attaches policies, and where it names them."""

RULES.row(
    "aws-iam-no-admin",
    "Nothing has AWS' own policies of administrators attached.",
    on=tuple(_ATTACHMENTS),
    check=ByType({type_: _attaches_none(_ADMINISTRATOR, path) for type_, path in _ATTACHMENTS.items()}),
    severity=CRITICAL,
    rationale="Whoever takes over one workload with it owns the account: its data, its keys, its bills.",
    fix="Attach a policy that names the actions and resources which the bearer needs, in place of this policyArn.",
    peers="CKV_AWS_274 CKV2_AWS_56",
    cis=("AWS 5.0: 1.15†",),
)

RULES.row(
    "aws-iam-no-full-access",
    "Nothing has a policy of AWS attached that allows everything in a service of data or machines.",
    on=tuple(_ATTACHMENTS),
    check=ByType({type_: _attaches_none(_ALL_OF_A_SERVICE, path) for type_, path in _ATTACHMENTS.items()}),
    severity=MEDIUM,
    rationale="A training job that needs one bucket reads those of every other team as well, and may delete them.",
    fix="Attach a policy that names the actions and resources which the bearer needs, in place of this policyArn.",
)


@RULES.rule(
    on=(_ACCESS_KEY, _PROVIDER),
    severity=HIGH,
    rationale=(
        "Such a key works from anywhere until somebody thinks of it, and its secret lies in the state of the stack."
    ),
    fix="Give workloads roles: Pod Identity in EKS, instance profiles on EC2, OIDC in pipelines; then delete the key.",
    peers="CKV_AWS_41 CKV_AWS_348 AWS-0141 AWS-0146 AWS-0167 KICS:970d224d KICS:3561130e KICS:7081f85c",
)
def aws_iam_no_user_keys(it: View, _: Settings) -> Verdict:
    """No user has access keys in use, and no provider works with them."""
    if it.type == _PROVIDER:
        return _works_without_user_keys(it)
    return allow(it.text("status") == "Inactive", "a user has an access key that never expires", path="status")


def _works_without_user_keys(provider: View) -> Verdict:
    given = provider.given("accessKey")
    key = given.value if isinstance(given, Secret) else given
    if key is None:
        return NOT_APPLICABLE
    if isinstance(key, Unknown):
        return UNKNOWN
    of_user = str(key).startswith(_OF_USER)
    return allow(not of_user, "the provider works with the access key of a user", path="accessKey")


@RULES.rule(
    on=(IAM_ROLE, IAM_USER),
    severity=MEDIUM,
    rationale="Where teams make roles themselves, only a boundary keeps a role from more than its team may do.",
    fix="Set permissionsBoundary to the ARN of the policy that your organization has for it.",
)
def aws_iam_permissions_boundary(it: View, settings: Settings) -> Verdict:
    """A role has a permissions boundary, where the settings ask for one."""
    return (
        Given("permissionsBoundary").judge(it, settings) if settings.parameters.permissions_boundary else NOT_APPLICABLE
    )


RULES.row(
    "aws-eks-auth-mode",
    "A cluster lets in by access entries alone, and its creator is not an administrator by default.",
    on=EKS_CLUSTER,
    check=All(
        Is("accessConfig.authenticationMode", value="API"),
        Is("accessConfig.bootstrapClusterCreatorAdminPermissions", value=False),
    ),
    severity=MEDIUM,
    rationale=(
        "Whoever may edit the ConfigMap aws-auth makes himself an administrator, and CloudTrail does not record it; "
        "the pipeline that made the cluster stays one."
    ),
    fix="Set accessConfig.authenticationMode to API, which cannot be taken back, and "
    "bootstrapClusterCreatorAdminPermissions to false, which replaces an existing cluster; add access entries first.",
    cis=("EKS 1.8: 5.5.1",),
)


@RULES.rule(
    on=EKS_CLUSTER,
    joins=True,
    severity=MEDIUM,
    rationale="Pods without roles of their own take the one of their node, so that each may do what any of them needs.",
    fix="Bind service accounts to roles by PodIdentityAssociation, by podIdentityAssociations of an Addon, or through "
    "an OpenIdConnectProvider for the cluster.",
    cis=("EKS 1.8: 5.2.1",),
)
def aws_eks_pod_identity(it: View, _: Settings) -> Verdict:
    """A cluster with nodes gives pods roles of their own."""
    if not it.referrers(EKS_NODE_GROUP, "clusterName"):
        return NOT_APPLICABLE
    issuers = it.site.of_type(_TOKEN_ISSUER)
    if it.referrers(EKS_POD_IDENTITY_ASSOCIATION, "clusterName") or any(
        it.urn in issuer.resource.property_dependencies.get("url", ()) for issuer in issuers
    ):
        return PASS
    addons = it.referrers(EKS_ADDON, "clusterName")
    own = [addon for addon in addons if addon.count("podIdentityAssociations") or "serviceAccountRoleArn" in addon]
    if not own and any(_issues_for_some_cluster(issuer) for issuer in issuers):
        return UNKNOWN
    return allow(own, "no pod of the cluster has a role of its own")


def _issues_for_some_cluster(issuer: View) -> bool:
    """Return whether the issuer of a provider is not known yet."""
    return isinstance(issuer.resource.inputs.get("url"), Unknown) and "url" not in issuer.resource.property_dependencies


def _tokens(it: View) -> str | None:
    """Return whether session tokens are required or optional, as the resource, its template or the region says.

    None if none of them says it, because the image decides then; an empty text if there is no metadata service.

    Raises:
        NotKnown: it is not known yet, or a launch template elsewhere says it.
    """
    options = it.block("metadataOptions")
    if options is not None and options.text("httpEndpoint") == "disabled":
        return ""
    if options is not None and "httpTokens" in options:
        return options.text("httpTokens")
    if "launchTemplate" in it:
        templates = it.found("launchTemplate.id", EC2_LAUNCH_TEMPLATE) or it.found(
            "launchTemplate.name", EC2_LAUNCH_TEMPLATE
        )
        if not templates:
            raise NotKnown
        return _tokens(templates[0])
    own = (one for one in it.site.of_type(_REGION_DEFAULTS) if one.resource.provider == it.resource.provider)
    return next((said for one in own if (said := one.text("httpTokens")) in ("required", "optional")), None)


def _requires_tokens(it: View) -> Verdict:
    said = _tokens(it)
    return (
        NOT_APPLICABLE
        if said == ""
        else allow(said != "optional", f"{_METADATA_VERSION} is optional", path=_METADATA_VERSION)
    )


def _names_tokens(it: View) -> Verdict:
    said = _tokens(it)
    if said in ("", "optional"):
        return NOT_APPLICABLE  # there is no service, or another rule refuses the setting
    return allow(said is not None, f"{_METADATA_VERSION} is not set, so the image decides", path=_METADATA_VERSION)


_STOLEN: Final = (
    "A program that fetches addresses for others, as many web servers do, can be tricked into fetching the machine's "
    "credentials; so the data of whole companies was stolen."
)
RULES.row(
    "aws-lt-imdsv2",
    "No launch template lets the metadata service answer without a session token.",
    on=EC2_LAUNCH_TEMPLATE,
    check=Custom(_requires_tokens, others=True, takes_settings=False),
    severity=HIGH,
    rationale=_STOLEN,
    fix="Set metadataOptions.httpTokens to required; SDKs older than 2020 cannot use that.",
    peers="CKV_AWS_79 AWS-0130",
    cis=("AWS 5.0: 5.7",),
)
RULES.row(
    "aws-ec2-imdsv2",
    "No machine lets the metadata service answer without a session token.",
    on=_MACHINES,
    check=Custom(_requires_tokens, others=True, takes_settings=False),
    severity=HIGH,
    rationale=_STOLEN,
    fix="Set metadataOptions.httpTokens to required, which needs no restart; a launch configuration is replaced.",
    peers="CKV_AWS_79 AWS-0028 AWS-0130 KICS:c306ac53",
)
RULES.row(
    "aws-imdsv2-named",
    "A machine or a launch template says that the metadata service asks for a session token.",
    on=(EC2_LAUNCH_TEMPLATE, *_MACHINES),
    check=Custom(_names_tokens, others=True, takes_settings=False),
    severity=MEDIUM,
    rationale="Images of the last years ask for tokens by themselves; an older or a foreign image does not.",
    fix="Set metadataOptions.httpTokens to required, or once for all in an aws.ec2.InstanceMetadataDefaults; a launch "
    "configuration is replaced.",
    sources=("EC2 user guide, order of precedence for instance metadata options",),
    peers="CKV_AWS_79 AWS-0028 AWS-0130 KICS:c306ac53",
    cis=("AWS 5.0: 5.7",),
)
_CAPACITY: Final = "aws:ecs/capacityProvider:CapacityProvider"
_OF_ECS: Final = re.compile(r"/aws/service/ecs/|ECS_CLUSTER")


def _starts_hosts_of_ecs(it: View, _: Settings) -> Verdict:
    """Return whether a template is for hosts of ECS, whose tasks get their roles past the metadata service."""
    texts = [it.given(key) for key in ("imageId", "userData", "userDataBase64")]
    written = [text for text in texts if isinstance(text, str)]
    if any(_OF_ECS.search(part) for text in written for part in (text, *decoding.unwrapped(text))):
        return PASS
    if it.type == EC2_LAUNCH_TEMPLATE:
        batch = it.referrers(BATCH_COMPUTE_ENVIRONMENT, "computeResources.launchTemplate.launchTemplateId")
        groups = it.referrers(AUTOSCALING_GROUP, "launchTemplate.id")
    else:
        batch, groups = [], it.referrers(AUTOSCALING_GROUP, "launchConfiguration")
    hosts = any(group.referrers(_CAPACITY, "autoScalingGroupProvider.autoScalingGroupArn") for group in groups)
    if batch or hosts:
        return PASS
    return UNKNOWN if any(isinstance(text, HIDDEN) for text in texts) else NOT_APPLICABLE


RULES.row(
    "aws-lt-imds-hop",
    "The metadata service answers the machine itself, and not the pods on it.",
    on=(EC2_LAUNCH_TEMPLATE, EC2_LAUNCH_CONFIGURATION),
    check=Where(
        _HAS_METADATA,
        Either(
            AtMost("metadataOptions.httpPutResponseHopLimit", 1),
            Custom(_starts_hosts_of_ecs, others=True),
        ),
    ),
    severity=HIGH,
    rationale="With two hops a pod gets the credentials of its node, past the role that it was given itself.",
    fix="Set metadataOptions.httpPutResponseHopLimit to 1, and give pods that need AWS roles by Pod Identity.",
    peers="CKV_AWS_341",
    cis=("EKS 1.8: 5.2.1",),
)
RULES.row(
    "aws-sm-policy",
    "AWS refuses a policy that opens a secret to the public.",
    on=SECRETSMANAGER_SECRET_POLICY,
    check=Is("blockPublicPolicy", value=True),
    severity=HIGH,
    rationale="One misconfiguration of the policy, and any AWS account may read the secret.",
    fix="Set blockPublicPolicy to true.",
)
RULES.row(
    "aws-rds-iam-auth",
    "A database takes logins by IAM.",
    on=(RDS_INSTANCE, RDS_CLUSTER),
    check=Where(
        OneOf("engine", ("mysql", "mariadb", "postgres", "aurora-mysql", "aurora-postgresql")),
        Where(
            Either(IsNot("engine", "mariadb"), Unlike("engineVersion", _MARIADB_WITHOUT_IAM)),
            Is("iamDatabaseAuthenticationEnabled", value=True),
        ),
    ),
    severity=MEDIUM,
    rationale="Passwords of databases are shared, stay when people leave, and end in notebooks.",
    fix="Set iamDatabaseAuthenticationEnabled to true; users who are to log in so get the right rds_iam or the plugin.",
    peers="CKV_AWS_161 CKV_AWS_162 AWS-0176 KICS:88fd05e0 KICS:228497f6",
)
RULES.row(
    "aws-sagemaker-nb-no-root",
    "Users of a notebook are not root.",
    on=SAGEMAKER_NOTEBOOK_INSTANCE,
    check=Is("rootAccess", value="Disabled"),
    severity=MEDIUM,
    rationale=(
        "As root, code from a notebook somebody shared reads the files and credentials of everyone on the machine, and "
        "turns its guards off."
    ),
    fix="Set rootAccess to Disabled; what needs root goes into a lifecycle configuration, which runs as root anyway.",
    peers="CKV_AWS_307",
)
RULES.row(
    "aws-sagemaker-nb-imdsv2",
    "The metadata service of a notebook asks for a session token.",
    on=SAGEMAKER_NOTEBOOK_INSTANCE,
    check=Is("instanceMetadataServiceConfiguration.minimumInstanceMetadataServiceVersion", value="2"),
    severity=MEDIUM,
    rationale=_STOLEN,
    fix="Set instanceMetadataServiceConfiguration.minimumInstanceMetadataServiceVersion to 2.",
    peers="CKV_AWS_371",
)
