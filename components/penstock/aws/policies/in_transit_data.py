"""Encryption in transit of analytics, caches, replication, delivery and transfer services of AWS."""

from __future__ import annotations

import re
from typing import Final

from penstock.aws.policies.json_documents import InJson
from penstock.aws.types import (
    ALB_TARGET_GROUP,
    APPSYNC_API_CACHE,
    CLOUDFRONT_DISTRIBUTION,
    DAX_CLUSTER,
    DMS_ENDPOINT,
    DOCDB_CLUSTER_INSTANCE,
    ELB_LOAD_BALANCER,
    EMR_SECURITY_CONFIGURATION,
    LB_TARGET_GROUP,
    RDS_CLUSTER,
    RDS_CLUSTER_INSTANCE,
    RDS_INSTANCE,
    SAGEMAKER_DATA_QUALITY_JOB_DEFINITION,
    TRANSFER_SERVER,
)
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow, each
from penstock.graph.view import Block, View
from penstock.rules.checks import (
    All,
    AtLeast,
    ByType,
    Custom,
    Each,
    Either,
    Given,
    Is,
    IsNot,
    Matches,
    NoneOf,
    OneOf,
    Where,
)
from penstock.rules.levels import HIGH, LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.IN_TRANSIT)

RULES.row(
    "aws-emr-transit",
    "An EMR security configuration encrypts traffic between nodes.",
    on=EMR_SECURITY_CONFIGURATION,
    check=InJson("configuration", Is("EncryptionConfiguration.EnableInTransitEncryption", value=True)),
    severity=HIGH,
    rationale="Shuffle data and HDFS blocks cross the network in clear between the nodes of a cluster.",
    fix="Set EnableInTransitEncryption to true with InTransitEncryptionConfiguration.TLSCertificateConfiguration; a "
    "security configuration is replaced, and clusters follow.",
    peers="AWS-0138 CKV_AWS_351",
)


RULES.row(
    "aws-cache-tls",
    "A DAX cluster and an AppSync cache encrypt in transit.",
    on=(DAX_CLUSTER, APPSYNC_API_CACHE),
    check=ByType(
        {
            DAX_CLUSTER: Is("clusterEndpointEncryptionType", "TLS"),
            APPSYNC_API_CACHE: Is("transitEncryptionEnabled", value=True),
        }
    ),
    severity=HIGH,
    rationale="Items of tables and answers of APIs cross the network in clear.",
    fix="Set clusterEndpointEncryptionType to TLS (transitEncryptionEnabled of an AppSync cache to true); either is "
    "replaced.",
    peers="CKV_AWS_239 CKV_AWS_215",
)

_WITH_SSL_MODE: Final = (
    "mysql",
    "aurora",
    "aurora-postgresql",
    "aurora-serverless",
    "aurora-postgresql-serverless",
    "postgres",
    "mariadb",
    "sqlserver",
    "oracle",
    "mongodb",
    "docdb",
    "db2",
    "db2-zos",
    "sybase",
)
"""Engines whose endpoints take an SSL mode (DMS user guide, "Using SSL with AWS DMS"; the rest always encrypts, or has
a setting of its own).
"""

RULES.row(
    "aws-dms-tls",
    "A DMS endpoint connects to its database over TLS.",
    on=DMS_ENDPOINT,
    check=Where(OneOf("engineName", _WITH_SSL_MODE), All(Given("sslMode"), IsNot("sslMode", "none"))),
    severity=MEDIUM,
    rationale="Every row that is migrated, and the password of the database, cross the network in clear.",
    fix="Set sslMode to verify-full with certificateArn, or to require where the engine offers no more.",
    peers="CKV2_AWS_49",
)


RULES.row(
    "aws-cloudfront-origin-tls",
    "A distribution does not connect to its origins with SSL 3.0, TLS 1.0 or TLS 1.1.",
    on=CLOUDFRONT_DISTRIBUTION,
    check=Each(
        "origins[].customOriginConfig",
        Where(
            IsNot("originProtocolPolicy", "http-only"),
            NoneOf("originSslProtocols[]", ("SSLv3", "TLSv1", "TLSv1.1")),
        ),
    ),
    severity=MEDIUM,
    rationale="An attacker between CloudFront and the origin can force a protocol that can be broken.",
    fix="Set originSslProtocols to [TLSv1.2]; the origin must support it.",
    peers="CKV2_AWS_54",
)
RULES.row(
    "aws-cloudfront-certificate",
    "A distribution has a certificate of its own.",
    on=CLOUDFRONT_DISTRIBUTION,
    check=Either(Given("viewerCertificate.acmCertificateArn"), Given("viewerCertificate.iamCertificateId")),
    severity=LOW,
    rationale="With the default certificate of cloudfront.net CloudFront accepts TLS 1.0, whatever the program sets.",
    fix="Set viewerCertificate.acmCertificateArn to a certificate in us-east-1, with aliases, sslSupportMethod "
    "sni-only and minimumProtocolVersion TLSv1.2_2021.",
    peers="CKV2_AWS_42 KICS:3a1e94df",
)

_HEADERS: Final = "aws:cloudfront/responseHeadersPolicy:ResponseHeadersPolicy"

RULES.row(
    "aws-cloudfront-hsts",
    "A response headers policy of CloudFront sends Strict-Transport-Security for a year.",
    on=_HEADERS,
    check=All(
        Is("securityHeadersConfig.strictTransportSecurity.override", value=True),
        AtLeast("securityHeadersConfig.strictTransportSecurity.accessControlMaxAgeSec", 31_536_000),
    ),
    severity=LOW,
    rationale="The first request of a browser goes out over HTTP, where it can be redirected to a copy of the site.",
    fix="Set securityHeadersConfig.strictTransportSecurity with accessControlMaxAgeSec 31536000, includeSubdomains "
    "true and override true.",
    peers="CKV_AWS_259",
)

_TARGET_GROUPS: Final = (LB_TARGET_GROUP, ALB_TARGET_GROUP)

RULES.row(
    "aws-lb-target-tls",
    "A load balancer encrypts what it sends to its targets.",
    on=(*_TARGET_GROUPS, ELB_LOAD_BALANCER),
    check=ByType(
        dict.fromkeys(
            _TARGET_GROUPS,
            Where(All(Given("protocol"), IsNot("targetType", "lambda")), IsNot("protocol", "HTTP")),
        )
        | {ELB_LOAD_BALANCER: NoneOf("listeners[].instanceProtocol", ("http", "tcp"))}
    ),
    severity=LOW,
    rationale="Behind the load balancer tokens, prompts and answers cross the VPC in clear.",
    fix="Set protocol to HTTPS (instanceProtocol of a classic load balancer to https or ssl) and give the targets a "
    "certificate, which may be self-signed; a target group is replaced.",
    peers="CKV_AWS_378 CKV_AWS_376",
)

_CLASSIC_POLICY: Final = "aws:elb/loadBalancerPolicy:LoadBalancerPolicy"
_NEGOTIATION: Final = "aws:elb/sslNegotiationPolicy:SslNegotiationPolicy"
_OLD_PROTOCOLS: Final = ("Protocol-SSLv2", "Protocol-SSLv3", "Protocol-TLSv1", "Protocol-TLSv1.1")
_WEAK_CIPHER: Final = re.compile(r".*(RC4|DES|MD5|NULL|EXP|ADH|AECDH|KRB5|PSK|SEED|IDEA|CAMELLIA).*")
_OLD_REFERENCES: Final = re.compile(r"ELBSecurityPolicy-(2011-08|2014-\d+|2015-\d+|2016-08|TLS-1-[01]-.+|Open.*)")
_REFERENCE: Final = "Reference-Security-Policy"


def _offers_nothing_old(attributes: str) -> Custom:
    """A policy of a classic load balancer switches no old protocol or cipher on."""

    def judge(it: View, _: Settings) -> Verdict:
        if it.type == _CLASSIC_POLICY and it.text("policyTypeName") != "SSLNegotiationPolicyType":
            return NOT_APPLICABLE
        return each(it.blocks(attributes), _attribute_is_safe)

    return Custom(judge)


def _attribute_is_safe(attribute: Block) -> Verdict:
    name, value = attribute.text("name") or "", attribute.text("value") or ""
    if name == _REFERENCE:
        return allow(
            not _OLD_REFERENCES.fullmatch(value), f"{value} accepts clients below TLS 1.2", path=attribute.at("value")
        )
    old = name in _OLD_PROTOCOLS or _WEAK_CIPHER.fullmatch(name) is not None
    return allow(not old or value.lower() != "true", f"{name} is on", path=attribute.at("value"))


RULES.row(
    "aws-elb-tls-policy",
    "A classic load balancer accepts no client below TLS 1.2 and no weak cipher.",
    on=(_CLASSIC_POLICY, _NEGOTIATION),
    check=ByType(
        {
            _CLASSIC_POLICY: _offers_nothing_old("policyAttributes"),
            _NEGOTIATION: _offers_nothing_old("attributes"),
        }
    ),
    severity=HIGH,
    rationale="An attacker on the network can downgrade a client to a protocol or a cipher that can be broken.",
    fix="Set the attribute Reference-Security-Policy to ELBSecurityPolicy-TLS-1-2-2017-01, or the old protocols and "
    "ciphers to false.",
    peers="CKV_AWS_213 KICS:4a800e14 KICS:126c1788",
)

_OF_ACM: Final = r"arn:aws[\w-]*:acm:.+"

RULES.row(
    "aws-elb-acm",
    "A classic load balancer has a certificate of ACM on each TLS listener.",
    on=ELB_LOAD_BALANCER,
    check=Each("listeners[]", Where(OneOf("lbProtocol", ("https", "ssl")), Matches("sslCertificateId", _OF_ACM))),
    severity=LOW,
    rationale="A certificate that was uploaded to IAM expires without a warning, and copies of its private key remain.",
    fix="Set sslCertificateId of the listener to the ARN of an aws.acm.Certificate.",
    peers="CKV_AWS_127",
)


RULES.row(
    "aws-transfer-no-ftp",
    "A transfer server does not offer FTP.",
    on=TRANSFER_SERVER,
    check=IsNot("protocols[]", "FTP"),
    severity=HIGH,
    rationale="FTP sends passwords and files in clear.",
    fix="Remove FTP from protocols, and use SFTP or FTPS.",
    peers="CKV_AWS_357",
)
RULES.row(
    "aws-transfer-policy",
    "A transfer server has a recent security policy.",
    on=TRANSFER_SERVER,
    check=Matches("securityPolicyName", r"TransferSecurityPolicy-.*20(2[2-9]|[3-9]\d)-\d\d"),
    severity=MEDIUM,
    rationale="The default of 2018 accepts SHA-1 and ciphers in CBC mode.",
    fix="Set securityPolicyName to TransferSecurityPolicy-2025-03 or newer.",
    peers="CKV_AWS_380",
)

_MAIL: Final = "aws:ses/configurationSet:ConfigurationSet"
_MAIL_V2: Final = "aws:sesv2/configurationSet:ConfigurationSet"

RULES.row(
    "aws-ses-tls",
    "A configuration set of SES requires TLS.",
    on=(_MAIL, _MAIL_V2),
    check=Is("deliveryOptions.tlsPolicy", "Require"),
    severity=LOW,
    rationale="Mail goes out in clear to servers that offer no TLS, or whose offer is stripped on the way.",
    fix="Set deliveryOptions.tlsPolicy to Require (REQUIRE in SES v2); mail to servers without TLS bounces.",
    peers="CKV_AWS_365",
)
RULES.row(
    "aws-sagemaker-monitor-tls",
    "A data quality job of SageMaker encrypts traffic between its instances.",
    on=SAGEMAKER_DATA_QUALITY_JOB_DEFINITION,
    check=Is("networkConfig.enableInterContainerTrafficEncryption", value=True),
    severity=LOW,
    rationale="Captured requests and answers cross the network in clear between the instances of the job.",
    fix="Set networkConfig.enableInterContainerTrafficEncryption to true; the definition is replaced.",
    peers="CKV_AWS_369",
)

_CERTIFICATES: Final = {
    RDS_INSTANCE: "caCertIdentifier",
    RDS_CLUSTER_INSTANCE: "caCertIdentifier",
    DOCDB_CLUSTER_INSTANCE: "caCertIdentifier",
    RDS_CLUSTER: "caCertificateIdentifier",
}
_EXPIRED: Final = ("rds-ca-2010", "rds-ca-2015", "rds-ca-2019")

RULES.row(
    "aws-rds-ca",
    "A database has a certificate of a current authority.",
    on=tuple(_CERTIFICATES),
    check=ByType({type_: Where(Given(path), NoneOf(path, _EXPIRED)) for type_, path in _CERTIFICATES.items()}),
    severity=MEDIUM,
    rationale="Clients that verify the certificate no longer connect, so that someone turns verification off.",
    fix="Remove the property, or set it to rds-ca-rsa2048-g1 or a later one; give clients the new bundle first.",
    peers="CKV_AWS_211 KICS:9f40c07e",
)

_ACM: Final = "aws:acm/certificate:Certificate"

RULES.row(
    "aws-acm-transparency",
    "A public certificate is entered in a certificate transparency log.",
    on=_ACM,
    check=IsNot("options.certificateTransparencyLoggingPreference", "DISABLED"),
    severity=LOW,
    rationale="Browsers refuse the certificate, and one that was issued to a stranger is found by nobody.",
    fix="Remove options.certificateTransparencyLoggingPreference, or set it to ENABLED.",
    peers="CKV_AWS_234",
)
