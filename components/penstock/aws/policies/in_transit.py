"""Encryption in transit on AWS."""

from __future__ import annotations

import re
from typing import NamedTuple

from penstock.aws.model.iam_documents import read_document
from penstock.aws.model.iam_statements import Statement
from penstock.aws.types import (
    ALB_LISTENER,
    APIGATEWAY_REST_API,
    CLOUDFRONT_DISTRIBUTION,
    DOCDB_CLUSTER_PARAMETER_GROUP,
    ECS_TASK_DEFINITION,
    EFS_FILE_SYSTEM,
    EFS_FILE_SYSTEM_POLICY,
    ELASTICACHE_CLUSTER,
    ELASTICACHE_REPLICATION_GROUP,
    ELASTICSEARCH_DOMAIN,
    ELB_LOAD_BALANCER,
    FSX_LUSTRE_FILE_SYSTEM,
    LB_LISTENER,
    MEMORYDB_CLUSTER,
    MSK_CLUSTER,
    OPENSEARCH_DOMAIN,
    RDS_CLUSTER,
    RDS_CLUSTER_PARAMETER_GROUP,
    RDS_INSTANCE,
    RDS_PARAMETER_GROUP,
    S3_BUCKET,
    S3_BUCKET_POLICY,
)
from penstock.graph.verdict import NOT_APPLICABLE, PASS, Verdict, allow, each
from penstock.graph.view import View
from penstock.rules.checks import (
    Absent,
    All,
    AtLeast,
    ByType,
    Check,
    Custom,
    Each,
    Either,
    Given,
    Is,
    IsNot,
    Joined,
    Matches,
    OneOf,
    Where,
)
from penstock.rules.levels import HIGH, LOW, MEDIUM, Category
from penstock.rules.remedies import set_to
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.IN_TRANSIT)

_LISTENERS = (LB_LISTENER, ALB_LISTENER)
_LISTENER_RULES = ("aws:lb/listenerRule:ListenerRule", "aws:alb/listenerRule:ListenerRule")
_SEARCH = (OPENSEARCH_DOMAIN, ELASTICSEARCH_DOMAIN)
_WAREHOUSE_GROUP = "aws:redshift/parameterGroup:ParameterGroup"


_MODERN = "ELBSecurityPolicy-TLS13-1-2-2021-06"
_OLDEST_IS_12 = r"ELBSecurityPolicy-(TLS13-1-[23]-.+|TLS-1-2-.+|FS-1-2-.+)"
"""Policies that take no client below TLS 1.2 (Elastic Load Balancing user guide, security policies)."""


def _refuses_plain(*actions: str, resource: str = "") -> Check:
    """A policy that denies everyone these actions where they do not come over TLS, on resources that end like this."""

    def judge(it: View, _: Settings) -> Verdict:
        refused = any(_denies_plain(each, actions, resource) for each in read_document(it.value("policy")).statements)
        return allow(refused, "no statement denies what comes without TLS", path="policy")

    return Custom(judge)


def _denies_plain(statement: Statement, actions: tuple[str, ...], resource: str) -> bool:
    if statement.allows or not statement.is_for_everybody or statement.gives("NotResource"):
        return False
    conditions = statement.conditions
    plain = len(conditions) == 1 and (conditions[0].operator, conditions[0].key, conditions[0].values) == (
        "bool",
        "aws:securetransport",
        ("false",),
    )
    if not plain or not all(statement.is_about(action) for action in actions):
        return False
    return any(each.endswith(resource) for each in statement.resources)


_OBJECTS_REFUSED = _refuses_plain("s3:GetObject", "s3:PutObject", resource="*")

RULES.row(
    "aws-s3-tls-only",
    "A bucket refuses requests without TLS.",
    on=S3_BUCKET,
    check=Either(
        Where(Given("policy"), _OBJECTS_REFUSED),
        Joined(
            ((S3_BUCKET_POLICY, "bucket"),),
            "no policy of the bucket refuses what comes without TLS",
            _OBJECTS_REFUSED,
        ),
    ),
    severity=MEDIUM,
    rationale=(
        "A tool that is set to http:// sends and fetches data, and presigned links, for everyone on the way to read."
    ),
    fix='Add a `BucketPolicy` that denies everyone s3:* where aws:SecureTransport is "false", on the bucket and on /*.',
    peers="KICS:4bc4dd4c CKV_AWS_379",
    cis=("AWS 5.0: 2.1.1",),
)
RULES.row(
    "aws-efs-tls-policy",
    "A shared file system refuses mounts without TLS.",
    on=EFS_FILE_SYSTEM,
    check=Joined(
        ((EFS_FILE_SYSTEM_POLICY, "fileSystemId"),),
        "no policy of the file system refuses what comes without TLS",
        _refuses_plain("elasticfilesystem:ClientMount", "elasticfilesystem:ClientWrite"),
    ),
    severity=MEDIUM,
    rationale=(
        "NFS carries files, and who asks for them, in clear: whoever listens on the network reads and alters both."
    ),
    fix=(
        'Add a `FileSystemPolicy` that denies everyone where aws:SecureTransport is "false"; clients then mount with '
        "the option tls, as the EFS driver of Kubernetes does."
    ),
)
RULES.row(
    "aws-fsx-lustre-transit",
    "A Lustre file system is of a type that encrypts in transit.",
    on=FSX_LUSTRE_FILE_SYSTEM,
    check=OneOf("deploymentType", ("SCRATCH_2", "PERSISTENT_1", "PERSISTENT_2")),
    severity=LOW,
    rationale="What nodes read and write crosses the network in clear, whatever machines they are.",
    fix="Set deploymentType to PERSISTENT_2 or SCRATCH_2; the file system is replaced.",
)


def _rules_forward_nothing(it: View, _: Settings) -> Verdict:
    """Where a listener answers by itself, its rules do not pass requests on to servers either."""
    kinds = {action.text("type") for action in it.blocks("defaultActions")}
    if kinds != {"fixed-response"}:
        return (
            NOT_APPLICABLE  # what the rules of one that redirects let through, such as ACME's challenges, is meant so
        )

    def one(rule: View) -> Verdict:
        forwards = any(action.text("type") == "forward" for action in rule.blocks("actions"))
        return allow(not forwards, f"its rule {rule.name} passes requests on that came without TLS")

    return each((rule for type_ in _LISTENER_RULES for rule in it.referrers(type_, "listenerArn")), one)


def _classic_has_https(it: View, _: Settings) -> Verdict:
    """One with HTTP alone; beside HTTPS, servers see the protocol in X-Forwarded-Proto, and can redirect."""
    protocols = [(listener.text("lbProtocol") or "").lower() for listener in it.blocks("listeners")]
    if "http" not in protocols:
        return NOT_APPLICABLE if not {"https", "ssl"} & set(protocols) else PASS
    return allow(
        "https" in protocols, "the listener serves HTTP alone", path=f"listeners[{protocols.index('http')}].lbProtocol"
    )


RULES.row(
    "aws-lb-https",
    "A load balancer serves over HTTPS, or sends clients there.",
    on=(*_LISTENERS, ELB_LOAD_BALANCER),
    check=ByType(
        dict.fromkeys(
            _LISTENERS,
            Where(
                All(Given("port"), Is("protocol", "HTTP")),
                All(
                    IsNot("defaultActions[].type", "forward"),
                    Each("defaultActions[]", Where(Is("type", "redirect"), Is("redirect.protocol", "HTTPS"))),
                    Custom(_rules_forward_nothing, others=True),
                ),
            ),
        )
        | {ELB_LOAD_BALANCER: Custom(_classic_has_https)}
    ),
    severity=HIGH,
    rationale="Tokens, prompts and answers cross the network in clear, and whoever is in between can change them.",
    fix="Set protocol to HTTPS (lbProtocol to https) with a certificate, or set the default action to a redirect with "
    "protocol HTTPS.",
    peers="CKV_AWS_2 AWS-0054 KICS:de7f5e83 CKV2_AWS_20",
)
RULES.row(
    "aws-lb-tls-policy",
    "A load balancer takes no client below TLS 1.2.",
    on=_LISTENERS,
    check=Where(OneOf("protocol", ("HTTPS", "TLS")), Matches("sslPolicy", _OLDEST_IS_12)),
    severity=HIGH,
    rationale="TLS 1.0 and 1.1 can be broken by whoever is in between, and a client can be downgraded to them.",
    fix=f"Set sslPolicy to {_MODERN}; clients that cannot do TLS 1.2 are turned away.",
    peers="CKV_AWS_103 CKV2_AWS_74 AWS-0047",
    remedy=set_to("sslPolicy", _MODERN),
)

RULES.row(
    "aws-elasticache-transit",
    "A cache encrypts in transit.",
    on=(ELASTICACHE_REPLICATION_GROUP, ELASTICACHE_CLUSTER, MEMORYDB_CLUSTER),
    check=ByType(
        {
            ELASTICACHE_REPLICATION_GROUP: Where(
                Absent("globalReplicationGroupId"), Is("transitEncryptionEnabled", value=True)
            ),
            ELASTICACHE_CLUSTER: Where(Absent("replicationGroupId"), Is("transitEncryptionEnabled", value=True)),
            MEMORYDB_CLUSTER: IsNot("tlsEnabled", value=False),
        }
    ),
    severity=HIGH,
    rationale=(
        "Keys, values and the password itself cross the network in clear, and no password can be required without it."
    ),
    fix=(
        "Set transitEncryptionEnabled (tlsEnabled of MemoryDB) to true, first with transitEncryptionMode preferred so "
        "that clients can follow; before version 7.0.5, and in Memcached and MemoryDB, the cache is replaced. A "
        "Cluster of Redis or Valkey takes no TLS: make it a ReplicationGroup."
    ),
    peers="CKV_AWS_30 CKV_AWS_31 AWS-0051 CKV_AWS_202 KICS:1afbb3fa",
)
RULES.row(
    "aws-msk-tls",
    "A Kafka cluster speaks TLS only, with clients and within.",
    on=MSK_CLUSTER,
    check=All(
        Is("encryptionInfo.encryptionInTransit.clientBroker", "TLS"),
        Is("encryptionInfo.encryptionInTransit.inCluster", value=True),
    ),
    severity=HIGH,
    rationale="Events, and what clients log in with, cross the network for everyone on it to read.",
    fix="Set encryptionInfo.encryptionInTransit.clientBroker to TLS; inCluster counts at creation only.",
    peers="CKV_AWS_81 AWS-0073 KICS:6db52fa6",
)
RULES.row(
    "aws-opensearch-https",
    "A search domain answers over HTTPS only.",
    on=_SEARCH,
    check=All(Given("domainEndpointOptions"), Is("domainEndpointOptions.enforceHttps", value=True)),
    severity=HIGH,
    rationale="Queries, documents and passwords cross the network in clear wherever a client forgets the s of https.",
    fix="Set domainEndpointOptions.enforceHttps to true.",
    peers="CKV_AWS_83 AWS-0046 KICS:2e9e0729",
)
RULES.row(
    "aws-opensearch-tls-policy",
    "A search domain takes no client below TLS 1.2.",
    on=_SEARCH,
    check=Matches("domainEndpointOptions.tlsSecurityPolicy", r"Policy-Min-TLS-1-[23]-.+"),
    severity=HIGH,
    rationale="TLS 1.0 can be broken by whoever is in between, and a client can be downgraded to it.",
    fix=(
        "Set domainEndpointOptions.tlsSecurityPolicy to Policy-Min-TLS-1-2-PFS-2023-10; clients that cannot do TLS 1.2 "
        "are turned away."
    ),
    peers="CKV_AWS_228 AWS-0126",
    remedy=set_to("domainEndpointOptions.tlsSecurityPolicy", "Policy-Min-TLS-1-2-PFS-2023-10"),
)
RULES.row(
    "aws-opensearch-nodes",
    "The nodes of a search domain encrypt what they send each other.",
    on=_SEARCH,
    check=Where(
        Either(
            AtLeast("clusterConfig.instanceCount", 2),
            Is("clusterConfig.dedicatedMasterEnabled", value=True),
            Is("clusterConfig.warmEnabled", value=True),
        ),
        Is("nodeToNodeEncryption.enabled", value=True),
    ),
    severity=HIGH,
    rationale=(
        "Shards move between nodes in clear, with every document in them, and access control by user needs it, too."
    ),
    fix="Set nodeToNodeEncryption.enabled to true; before OpenSearch, or Elasticsearch 6.7, the domain is replaced.",
    peers="CKV_AWS_6 AWS-0043 KICS:967eb3e6",
)


class _Enforcement(NamedTuple):
    """How a kind of database refuses plain connections: a parameter, and since when it is on by itself."""

    parameter: str
    on_since: float


_FAMILY = re.compile(r"([a-z-]+?)-?(\d+(?:\.\d+)?)")
_NEVER = float("inf")
_ENFORCEMENTS = {
    "postgres": _Enforcement("rds.force_ssl", 15),
    "aurora-postgresql": _Enforcement("rds.force_ssl", 17),
    "mysql": _Enforcement("require_secure_transport", _NEVER),
    "aurora-mysql": _Enforcement("require_secure_transport", _NEVER),
    "mariadb": _Enforcement("require_secure_transport", 11.8),
    "sqlserver-ee": _Enforcement("rds.force_ssl", _NEVER),
    "sqlserver-ex": _Enforcement("rds.force_ssl", _NEVER),
    "sqlserver-se": _Enforcement("rds.force_ssl", _NEVER),
    "sqlserver-web": _Enforcement("rds.force_ssl", _NEVER),
    "docdb": _Enforcement("tls", 0),
    "redshift": _Enforcement("require_ssl", 2),
}
"""By engine (RDS and Aurora user guides, "Using SSL/TLS"; DocumentDB developer guide, "Encrypting data in transit";
Redshift management guide, "Configuring security options for connections", where the family redshift-2.0 is from
memory); Oracle has an option for it instead.
"""
_OFF = ("0", "off", "false", "disabled")


def _database_asks(key: str) -> Check:
    """A database with AWS's own parameters refuses plain connections; a group of the program's is judged itself."""

    def judge(it: View, _: Settings) -> Verdict:
        engine = it.text("engine") or ""
        in_cluster = it.type == RDS_INSTANCE and engine.startswith("aurora")
        if in_cluster or it.sources(key, RDS_PARAMETER_GROUP, RDS_CLUSTER_PARAMETER_GROUP):
            return NOT_APPLICABLE
        if not (it.text(key) or "default.").startswith("default."):
            return NOT_APPLICABLE  # another program's
        found = re.match(r"\d+(\.\d+)?", it.text("engineVersion") or "")
        return _asked_by_itself(engine, float(found[0]) if found else None, key)

    return Custom(judge)


def _group_asks(group: View, _: Settings) -> Verdict:
    """A parameter group lets a database refuse plain connections."""
    family = group.text("family") or ""
    found = _FAMILY.fullmatch(family)
    if (
        found is None
        or found[1] not in _ENFORCEMENTS
        or (found[1].startswith("aurora") and group.type == RDS_PARAMETER_GROUP)
    ):
        return NOT_APPLICABLE
    wanted = _ENFORCEMENTS[found[1]].parameter
    for index, parameter in enumerate(group.blocks("parameters")):
        if parameter.text("name") == wanted:
            on = (parameter.text("value") or "0").lower() not in _OFF
            return allow(on, f"{wanted} is off", path=f"parameters[{index}].value")
    return _asked_by_itself(found[1], float(found[2]), "parameters")


def _asked_by_itself(engine: str, version: float | None, path: str) -> Verdict:
    """The default of an engine; the newest version where none is given."""
    if engine not in _ENFORCEMENTS:
        return NOT_APPLICABLE
    parameter, since = _ENFORCEMENTS[engine]
    by_itself = since < _NEVER if version is None else version >= since
    return allow(by_itself, f"nothing sets {parameter}, so plain connections are taken", path=path)


_GROUP_ASKS = Custom(_group_asks)

RULES.row(
    "aws-rds-tls",
    "A database refuses connections without TLS.",
    on=(
        RDS_PARAMETER_GROUP,
        RDS_CLUSTER_PARAMETER_GROUP,
        DOCDB_CLUSTER_PARAMETER_GROUP,
        _WAREHOUSE_GROUP,
        RDS_INSTANCE,
        RDS_CLUSTER,
    ),
    check=ByType(
        {
            RDS_PARAMETER_GROUP: _GROUP_ASKS,
            RDS_CLUSTER_PARAMETER_GROUP: _GROUP_ASKS,
            DOCDB_CLUSTER_PARAMETER_GROUP: _GROUP_ASKS,
            _WAREHOUSE_GROUP: _GROUP_ASKS,
            RDS_INSTANCE: _database_asks("parameterGroupName"),
            RDS_CLUSTER: _database_asks("dbClusterParameterGroupName"),
        }
    ),
    severity=MEDIUM,
    rationale="A client that does not ask for TLS sends its password, or its token, and every row in clear.",
    fix=(
        "Set the parameter rds.force_ssl (PostgreSQL, SQL Server) or require_secure_transport (MySQL, MariaDB) to 1, "
        "require_ssl (Redshift) to true or tls (DocumentDB) to enabled in a group of parameters, and use "
        "the group; clients without TLS are turned away."
    ),
    peers="CKV2_AWS_69 CKV_AWS_90 CKV_AWS_105",
)

_REST_DOMAIN = "aws:apigateway/domainName:DomainName"
_HTTP_DOMAIN = "aws:apigatewayv2/domainName:DomainName"

RULES.row(
    "aws-cloudfront-https",
    "A distribution serves over HTTPS, or sends clients there.",
    on=CLOUDFRONT_DISTRIBUTION,
    check=All(
        IsNot("defaultCacheBehavior.viewerProtocolPolicy", "allow-all"),
        IsNot("orderedCacheBehaviors[].viewerProtocolPolicy", "allow-all"),
    ),
    severity=HIGH,
    rationale="Tokens, prompts and answers cross the network in clear, and whoever is in between can change them.",
    fix="Set viewerProtocolPolicy to redirect-to-https or https-only in each behavior.",
    peers="CKV_AWS_34 AWS-0012 KICS:55af1353",
)
RULES.row(
    "aws-cloudfront-tls",
    "A distribution with a certificate of its own takes no client below TLS 1.2.",
    on=CLOUDFRONT_DISTRIBUTION,
    check=Where(
        Either(Given("viewerCertificate.acmCertificateArn"), Given("viewerCertificate.iamCertificateId")),
        Matches("viewerCertificate.minimumProtocolVersion", r"TLSv1\.[23]_\d{4}"),
    ),
    severity=HIGH,
    rationale="TLS 1.0 and 1.1 can be broken by whoever is in between, and a client can be downgraded to them.",
    fix="Set viewerCertificate.minimumProtocolVersion to TLSv1.2_2021; clients that cannot do TLS 1.2 are turned away.",
    peers="CKV_AWS_174 AWS-0013 KICS:00e5e55e KICS:5c0003fb",
)
RULES.row(
    "aws-cloudfront-origin-https",
    "A distribution asks its origins over HTTPS.",
    on=CLOUDFRONT_DISTRIBUTION,
    check=Each(
        "origins[]",
        Where(
            Given("customOriginConfig"),
            Either(
                IsNot("customOriginConfig.originProtocolPolicy", "http-only"),
                Matches("domainName", r".+\.s3-website[.-].+"),  # the websites of S3 know no TLS
            ),
        ),
    ),
    severity=MEDIUM,
    rationale="What clients sent over HTTPS crosses the internet in clear on the way from CloudFront to the server.",
    fix="Set customOriginConfig.originProtocolPolicy to https-only, and give the origin a certificate.",
    peers="CKV2_AWS_72",
)
RULES.row(
    "aws-apigw-tls",
    "An API takes no client below TLS 1.2, where it says how old a client may be.",
    on=(_REST_DOMAIN, APIGATEWAY_REST_API, _HTTP_DOMAIN),
    check=ByType(
        dict.fromkeys(
            (_REST_DOMAIN, APIGATEWAY_REST_API), Where(Given("securityPolicy"), IsNot("securityPolicy", "TLS_1_0"))
        )
        | {_HTTP_DOMAIN: IsNot("domainNameConfiguration.securityPolicy", "TLS_1_0")}
    ),
    severity=HIGH,
    rationale="TLS 1.0 can be broken by whoever is in between, and a client can be downgraded to it.",
    fix="Set securityPolicy to TLS_1_2, or to one of the newer policies that begin with SecurityPolicy_TLS13.",
    peers="CKV_AWS_206 AWS-0005 KICS:4e1cc5d3",
)

RULES.row(
    "aws-ecs-efs-tls",
    "A task mounts shared files over TLS.",
    on=ECS_TASK_DEFINITION,
    check=Each(
        "volumes[]",
        Where(Given("efsVolumeConfiguration"), Is("efsVolumeConfiguration.transitEncryption", "ENABLED")),
    ),
    severity=MEDIUM,
    rationale=(
        "NFS carries files, and who asks for them, in clear: whoever listens on the network reads and alters both."
    ),
    fix="Set efsVolumeConfiguration.transitEncryption to ENABLED; the task definition gets a new revision.",
    peers="CKV_AWS_97 AWS-0035 KICS:4d46ff3b",
)
