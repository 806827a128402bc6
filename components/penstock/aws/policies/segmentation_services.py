"""Segmentation of what AWS runs: clusters, databases, notebooks, models and load balancers."""

from __future__ import annotations

import json
from typing import Final

from penstock.aws.types import (
    ALB_LISTENER,
    ALB_LOAD_BALANCER,
    BEDROCK_AGENTCORE_AGENT_RUNTIME,
    BEDROCK_AGENTCORE_HARNESS,
    DMS_REPLICATION_INSTANCE,
    EKS_CLUSTER,
    EKS_NODE_GROUP,
    ELB_LOAD_BALANCER,
    LB_LISTENER,
    LB_LOAD_BALANCER,
    MQ_BROKER,
    MSK_CLUSTER,
    MWAA_ENVIRONMENT,
    NEPTUNE_CLUSTER_INSTANCE,
    NEPTUNEGRAPH_GRAPH,
    OPENSEARCH_SERVERLESS_SECURITY_POLICY,
    RDS_CLUSTER,
    RDS_CLUSTER_INSTANCE,
    RDS_INSTANCE,
    REDSHIFT_CLUSTER,
    SAGEMAKER_DOMAIN,
    SAGEMAKER_ENDPOINT_CONFIGURATION,
    SAGEMAKER_MODEL,
    SAGEMAKER_NOTEBOOK_INSTANCE,
    SAGEMAKER_TRAINING_JOB,
)
from penstock.core.wording import listed
from penstock.graph.verdict import NOT_APPLICABLE, PASS, TypeMismatch, Verdict, allow, fail
from penstock.graph.view import Block, View
from penstock.policies.open_world import FewAddresses, NotOpen
from penstock.rules.checks import Absent, All, ByType, Custom, Each, Either, Given, Is, IsNot, Where
from penstock.rules.levels import CRITICAL, HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.SEGMENTATION)

_LOAD_BALANCERS = (LB_LOAD_BALANCER, ALB_LOAD_BALANCER)
_WITH_TLS: Final = ("HTTPS", "TLS", "SSL")
_PASSED_ON: Final = ("TCP", "UDP", "TCP_UDP", "QUIC", "TCP_QUIC")
"""Protocols whose content a network load balancer does not look into; UDP on port 443 is QUIC, which has TLS."""
_PORT_OF_HTTPS: Final = 443
_LISTENERS = (LB_LISTENER, ALB_LISTENER)


RULES.row(
    "aws-eks-private-endpoint",
    "The API server of a production cluster answers inside its VPC, and beyond it a few addresses only.",
    on=EKS_CLUSTER,
    check=All(
        Is("vpcConfig.endpointPrivateAccess", value=True),
        Either(Is("vpcConfig.endpointPublicAccess", value=False), FewAddresses("vpcConfig.publicAccessCidrs")),
    ),
    severity=HIGH,
    rationale=(
        "A stolen token or a flaw of the API server can be used from anywhere in a wide range; without the private "
        "endpoint, nodes leave the VPC to reach it."
    ),
    fix=(
        "Set vpcConfig.endpointPrivateAccess to true, and list ranges of up to 256 addresses in "
        "vpcConfig.publicAccessCidrs, those of people and pipelines that run Pulumi, or set endpointPublicAccess to "
        "false; from then on kubectl and Pulumi need a way into the VPC."
    ),
    peers="CKV_AWS_39 AWS-0040 KICS:42f4b905",
    cis=("EKS 1.8: 5.4.2",),
    sources=(
        "EKS user guide, cluster API server endpoint <https://docs.aws.amazon.com/eks/latest/userguide/cluster-endpoint.html>",
    ),
    in_production=True,
)
RULES.row(
    "aws-eks-public-cidrs",
    "A public API server answers named ranges only.",
    on=EKS_CLUSTER,
    check=Where(Is("vpcConfig.endpointPublicAccess", value=True), NotOpen("vpcConfig.publicAccessCidrs")),
    severity=MEDIUM,
    rationale="The whole internet may try stolen tokens and new flaws on the API server; without ranges, that is so.",
    fix="Set vpcConfig.publicAccessCidrs to the addresses of offices and runners, or turn the public endpoint off.",
    peers="CKV_AWS_38 AWS-0041 KICS:61cf9883",
    cis=("EKS 1.8: 5.4.1",),
)
RULES.row(
    "aws-eks-ng-no-ssh-world",
    "SSH to the nodes of a group is for named security groups.",
    on=EKS_NODE_GROUP,
    check=Where(Given("remoteAccess.ec2SshKey"), Given("remoteAccess.sourceSecurityGroupIds")),
    severity=CRITICAL,
    rationale="With a key and no groups, EKS opens port 22 of every node to the internet.",
    fix="Set remoteAccess.sourceSecurityGroupIds, or drop remoteAccess for Session Manager; either replaces the group.",
    peers="CKV_AWS_100 KICS:ba40ace1",
)
RULES.row(
    "aws-sagemaker-nb-no-internet",
    "A notebook reaches the internet by the VPC only.",
    on=(SAGEMAKER_NOTEBOOK_INSTANCE, SAGEMAKER_DOMAIN),
    check=ByType(
        {
            SAGEMAKER_NOTEBOOK_INSTANCE: Is("directInternetAccess", "Disabled"),
            SAGEMAKER_DOMAIN: Is("appNetworkAccessType", "VpcOnly"),
        }
    ),
    severity=HIGH,
    rationale="Notebooks sit beside the data and run what people paste: by a way out of their own it leaves unseen.",
    fix="Set directInternetAccess to Disabled, with subnetId and securityGroups, which replaces the notebook; in a "
    "domain set appNetworkAccessType to VpcOnly.",
    peers="CKV_AWS_122",
)
_PUBLIC_BY_FLAG = (
    RDS_INSTANCE,
    RDS_CLUSTER,
    RDS_CLUSTER_INSTANCE,
    DMS_REPLICATION_INSTANCE,
    MQ_BROKER,
    NEPTUNE_CLUSTER_INSTANCE,
    REDSHIFT_CLUSTER,
    "aws:redshiftserverless/workgroup:Workgroup",
    "aws:timestreaminfluxdb/dbCluster:DbCluster",
    "aws:timestreaminfluxdb/dbInstance:DbInstance",
)

RULES.row(
    "aws-rds-not-public",
    "A database or a broker of messages has no public address.",
    on=(*_PUBLIC_BY_FLAG, MSK_CLUSTER),
    check=ByType(
        dict.fromkeys(_PUBLIC_BY_FLAG, IsNot("publiclyAccessible", value=True))
        | {MSK_CLUSTER: IsNot("brokerNodeGroupInfo.connectivityInfo.publicAccess.type", "SERVICE_PROVIDED_EIPS")}
    ),
    severity=CRITICAL,
    rationale="Passwords are tried from all over the world, and one that leaked elsewhere opens everything.",
    fix="Set publiclyAccessible to false (publicAccess.type of Kafka to DISABLED); clients outside the VPC then need "
    "a VPN or a bastion; InfluxDB and Neptune instances, brokers of Amazon MQ and DMS instances are replaced, so "
    "save the data of InfluxDB and empty the queues first.",
    peers=(
        "CKV_AWS_17 CKV_AWS_69 CKV_AWS_89 CKV_AWS_291 AWS-0180 KICS:35113e6f KICS:030d3b18 KICS:4eb5f791 "
        "AWS-0072 KICS:54378d69 KICS:9ba198e0 KICS:af173fde CKV_AWS_102 CKV_AWS_87 CKV_AWS_391"
    ),
    cis=("AWS 5.0: 2.2.3†",),
)


@RULES.rule(
    on=(*_LOAD_BALANCERS, ELB_LOAD_BALANCER),
    joins=True,
    severity=HIGH,
    rationale=(
        "Notebooks, dashboards and model endpoints behind it answer everybody on the internet, and logins, prompts and "
        "answers cross it in clear."
    ),
    fix="Give an intended public entrance listeners of protocol HTTPS or TLS, or of TCP on port 443 whose targets "
    "serve TLS, beside one that redirects to them. For others set internal to true, which replaces the load balancer; "
    "the parameter public_load_balancers allows all of a stack.",
    peers="AWS-0053",
)
def aws_lb_internal(it: View, settings: Settings) -> Verdict:
    """A load balancer has private addresses only or serves TLS, unless the stack says that its own are public."""
    if settings.parameters.public_load_balancers or it.text("loadBalancerType") == "gateway":
        return NOT_APPLICABLE
    if it.flag("internal"):
        return PASS
    listeners = _listeners(it)
    if not listeners:
        return fail("internal is not true, so it faces the internet, and it has no listener with TLS", path="internal")
    in_clear = [f"{protocol} on port {port}" for protocol, port in listeners if not _serves_tls(protocol, port)]
    message = f"internal is not true, so the internet reaches its listeners without TLS: {listed(in_clear)}"
    return allow(not in_clear, message, path="internal")


def _listeners(it: View) -> list[tuple[str, int | None]]:
    """Protocol and port of each listener of the program that does not redirect to HTTPS."""
    if it.type == ELB_LOAD_BALANCER:
        return [_at_port(listener, "lbProtocol", "lbPort") for listener in it.blocks("listeners")]
    listeners = [listener for type_ in _LISTENERS for listener in it.referrers(type_, "loadBalancerArn")]
    return [_at_port(listener, "protocol", "port") for listener in listeners if not _redirects(listener)]


def _at_port(listener: Block, protocol: str, port: str) -> tuple[str, int | None]:
    number = listener.number(port)
    return (listener.text(protocol) or "").upper(), None if number is None else int(number)


def _serves_tls(protocol: str, port: int | None) -> bool:
    """Return whether a listener serves TLS, or passes on what clients send to the port of HTTPS."""
    return protocol in _WITH_TLS or (protocol in _PASSED_ON and port == _PORT_OF_HTTPS)


def _redirects(listener: View) -> bool:
    """Return whether a listener sends all that it receives to HTTPS."""
    actions = listener.blocks("defaultActions")
    targets = [action.text("redirect.protocol") for action in actions if action.text("type") == "redirect"]
    return bool(targets) and len(targets) == len(actions) and set(targets) <= {"HTTPS"}


RULES.row(
    "aws-lb-drop-headers",
    "An application load balancer drops malformed headers.",
    on=_LOAD_BALANCERS,
    check=Where(Is("loadBalancerType", "application"), Is("dropInvalidHeaderFields", value=True)),
    severity=MEDIUM,
    rationale="Servers behind it read such headers in their own ways, by which one request is smuggled within another.",
    fix="Set dropInvalidHeaderFields to true; header names with underscores are dropped from then on.",
    peers="CKV_AWS_131 AWS-0052 KICS:6e3fd2ed",
)
_ACCESS_POINT: Final = "aws:efs/accessPoint:AccessPoint"
_ACCESS_POINT_OF_BUCKET: Final = "aws:s3/filesAccessPoint:FilesAccessPoint"

RULES.row(
    "aws-efs-access-point",
    "An access point has a user of its own other than root, and a directory below the root.",
    on=(_ACCESS_POINT, _ACCESS_POINT_OF_BUCKET),
    check=ByType(
        {
            _ACCESS_POINT: All(Given("posixUser"), IsNot("posixUser.uid", 0), IsNot("rootDirectory.path", "/")),
            _ACCESS_POINT_OF_BUCKET: All(IsNot("posixUsers[].uid", 0), IsNot("rootDirectories[].path", "/")),
        }
    ),
    severity=MEDIUM,
    rationale="A pod that is root writes as root over the whole file system, the homes of other teams included.",
    fix="Set posixUser to a uid above 0 and rootDirectory.path to the team's directory; both replace the access point.",
    peers="CKV_AWS_329 CKV_AWS_330",
)


def _collections_are_private(it: View, _: Settings) -> Verdict:
    if it.text("type") != "network":
        return NOT_APPLICABLE
    try:
        entries = json.loads(it.text("policy") or "[]")
    except ValueError:
        raise TypeMismatch from None
    if not isinstance(entries, list):
        raise TypeMismatch
    public = any(isinstance(entry, dict) and entry.get("AllowFromPublic") is True for entry in entries)
    return allow(not public, "AllowFromPublic is true in policy, so collections answer the internet", path="policy")


RULES.row(
    "aws-aoss-no-public",
    "Collections of OpenSearch Serverless, and graphs of Neptune Analytics, do not answer the internet.",
    on=(OPENSEARCH_SERVERLESS_SECURITY_POLICY, NEPTUNEGRAPH_GRAPH),
    check=ByType(
        {
            OPENSEARCH_SERVERLESS_SECURITY_POLICY: Custom(_collections_are_private),
            NEPTUNEGRAPH_GRAPH: IsNot("publicConnectivity", value=True),
        }
    ),
    severity=MEDIUM,
    rationale="Stolen credentials of one role read every document that models look things up in, from anywhere.",
    fix="Set AllowFromPublic to false, with SourceVPCEs, or with SourceServices [bedrock.amazonaws.com] for knowledge "
    "bases; of a graph set publicConnectivity to false.",
)

_NETWORK_MODES: Final = {
    BEDROCK_AGENTCORE_AGENT_RUNTIME: "networkConfiguration.networkMode",
    "aws:bedrock/agentcoreBrowser:AgentcoreBrowser": "networkConfiguration.networkMode",
    "aws:bedrock/agentcoreCodeInterpreter:AgentcoreCodeInterpreter": "networkConfiguration.networkMode",
    BEDROCK_AGENTCORE_HARNESS: ("environments[].agentcoreRuntimeEnvironments[].networkConfigurations[].networkMode"),
}

RULES.row(
    "aws-agentcore-vpc",
    "An agent, and the code and the browser that it works with, reach the internet by the VPC only.",
    on=tuple(_NETWORK_MODES),
    check=ByType({type_: IsNot(path, "PUBLIC") for type_, path in _NETWORK_MODES.items()}),
    severity=MEDIUM,
    rationale=(
        "A sentence hidden in a page or a mail lets an agent send data away; past the VPC no rule and no log sees it."
    ),
    fix="Set networkMode to VPC, with subnets and security groups; a code interpreter without a network has SANDBOX.",
)

_TUNING: Final = "aws:sagemaker/hyperParameterTuningJob:HyperParameterTuningJob"


def _runs_on_machines(it: View, _: Settings) -> Verdict:
    """Return whether no endpoint runs a model serverless, where it takes neither a VPC nor isolation."""
    variants = (
        variant
        for configuration in it.referrers(SAGEMAKER_ENDPOINT_CONFIGURATION, "productionVariants[].modelName")
        for variant in configuration.blocks("productionVariants")
    )
    return allow(not any("serverlessConfig" in variant for variant in variants), "the endpoint runs serverless")


_KEPT_IN: Final = Either(Given("vpcConfig"), Is("enableNetworkIsolation", value=True))

RULES.row(
    "aws-sagemaker-network",
    "A model, a notebook or a training job of SageMaker reaches the network by the VPC, or not at all.",
    on=(SAGEMAKER_MODEL, SAGEMAKER_NOTEBOOK_INSTANCE, SAGEMAKER_TRAINING_JOB, _TUNING),
    check=ByType(
        {
            SAGEMAKER_MODEL: Where(Custom(_runs_on_machines, others=True), _KEPT_IN),
            SAGEMAKER_NOTEBOOK_INSTANCE: Given("subnetId"),
            SAGEMAKER_TRAINING_JOB: Where(Absent("serverlessJobConfig"), _KEPT_IN),
            _TUNING: All(Each("trainingJobDefinition", _KEPT_IN), Each("trainingJobDefinitions[]", _KEPT_IN)),
        }
    ),
    severity=MEDIUM,
    rationale=(
        "Code in a container or in a pickled model sends prompts and data to anywhere, past the VPC's logs and rules."
    ),
    fix="Set vpcConfig with private subnets (subnetId of a notebook), or enableNetworkIsolation to true where the "
    "container needs no network; either replaces it.",
    peers="CKV_AWS_306 CKV_AWS_370",
)
RULES.row(
    "aws-sagemaker-isolation",
    "A container that SageMaker gives its model has no network of its own.",
    on=SAGEMAKER_MODEL,
    check=Where(
        All(
            Custom(_runs_on_machines, others=True),
            Either(Given("primaryContainer.modelDataUrl"), Given("primaryContainer.modelDataSource")),
        ),
        Is("enableNetworkIsolation", value=True),
    ),
    severity=MEDIUM,
    rationale="Code in the image or in a pickled model sends prompts away, also by the VPC, wherever its rules allow.",
    fix="Set enableNetworkIsolation to true, which replaces the model; SageMaker still fetches image and model data.",
    sources=(
        "Security Hub, SageMaker.5 <https://docs.aws.amazon.com/securityhub/latest/userguide/sagemaker-controls.html>",
    ),
)
RULES.row(
    "aws-emr-block-public",
    "EMR refuses clusters whose security groups are open to the internet.",
    on="aws:emr/blockPublicAccessConfiguration:BlockPublicAccessConfiguration",
    check=Is("blockPublicSecurityGroupRules", value=True),
    severity=HIGH,
    rationale="Hadoop and Spark run what anybody sends to their ports, with the cluster's role.",
    fix="Set blockPublicSecurityGroupRules to true.",
    peers="CKV_AWS_390",
)
RULES.row(
    "aws-mwaa-private",
    "The web server of Airflow is reached from its VPC only.",
    on=MWAA_ENVIRONMENT,
    check=Is("webserverAccessMode", "PRIVATE_ONLY"),
    severity=MEDIUM,
    rationale=(
        "Stolen credentials of one person run code in the pipelines from anywhere, with the role of the environment."
    ),
    fix="Set webserverAccessMode to PRIVATE_ONLY; people then need a way into the VPC.",
    peers="CKV2_AWS_66",
)
