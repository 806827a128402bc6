"""Edge and placement of AWS services: firewalls for web applications, origins, and subnets of data services."""

from __future__ import annotations

from typing import Final

from penstock.aws.types import (
    ALB_LOAD_BALANCER,
    APIGATEWAY_METHOD,
    APIGATEWAY_METHOD_SETTINGS,
    APIGATEWAY_REST_API,
    APIGATEWAY_STAGE,
    APIGATEWAYV2_STAGE,
    APPSYNC_GRAPH_QL_API,
    CLOUDFRONT_DISTRIBUTION,
    ELASTICACHE_CLUSTER,
    ELASTICACHE_REPLICATION_GROUP,
    ELASTICSEARCH_DOMAIN,
    ELB_LOAD_BALANCER,
    EMR_CLUSTER,
    LB_LOAD_BALANCER,
    OPENSEARCH_DOMAIN,
    REDSHIFT_CLUSTER,
    ROUTE53_ZONE,
    WAF_WEB_ACL,
    WAFREGIONAL_WEB_ACL,
    WAFV2_WEB_ACL,
)
from penstock.graph.verdict import Outcome, Verdict, allow, fail
from penstock.graph.view import Block, View
from penstock.rules.checks import (
    Absent,
    All,
    AtLeast,
    ByType,
    Custom,
    Each,
    Either,
    Given,
    Is,
    IsNot,
    Joined,
    Where,
)
from penstock.rules.levels import LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.SEGMENTATION)

_LOAD_BALANCERS: Final = (LB_LOAD_BALANCER, ALB_LOAD_BALANCER)
_PROTECTED: Final = Joined(
    (
        ("aws:wafv2/webAclAssociation:WebAclAssociation", "resourceArn"),
        ("aws:wafregional/webAclAssociation:WebAclAssociation", "resourceArn"),
    ),
    "no web ACL is associated with it",
)


def _is_reached_from_outside(stage: View, _: Settings) -> Verdict:
    """A stage of an API that is not private; an API of another program may be."""
    api = stage.one("restApi", APIGATEWAY_REST_API)
    endpoints = api.block("endpointConfiguration") if api is not None else None
    types = endpoints.value("types") if endpoints is not None else None
    return allow(types not in ("PRIVATE", ["PRIVATE"]), "the API is private")


RULES.row(
    "aws-waf-in-front",
    "A public load balancer, API or distribution has a web ACL in front.",
    on=(*_LOAD_BALANCERS, APIGATEWAY_STAGE, CLOUDFRONT_DISTRIBUTION, APPSYNC_GRAPH_QL_API),
    check=ByType(
        {
            **dict.fromkeys(
                _LOAD_BALANCERS,
                Where(All(Is("loadBalancerType", "application"), IsNot("internal", value=True)), _PROTECTED),
            ),
            APIGATEWAY_STAGE: Where(Custom(_is_reached_from_outside, others=True), _PROTECTED),
            CLOUDFRONT_DISTRIBUTION: Given("webAclId"),
            APPSYNC_GRAPH_QL_API: Where(IsNot("visibility", "PRIVATE"), _PROTECTED),
        }
    ),
    severity=MEDIUM,
    rationale="Floods of requests and known exploits reach the application itself, and the model behind it.",
    fix="Create an aws.wafv2.WebAcl and a WebAclAssociation with resourceArn; of a distribution set webAclId to a web "
    "ACL with scope CLOUDFRONT.",
    peers="AWS-0011 CKV_AWS_68 CKV2_AWS_28 CKV2_AWS_29 CKV2_AWS_33 KICS:0afa6ab8 KICS:1419b4c6 KICS:a186e82c",
)

_CLASSIC_WEB_ACLS: Final = (WAF_WEB_ACL, WAFREGIONAL_WEB_ACL)
_SEPARATE_RULES: Final = (
    ("aws:wafv2/webAclRule:WebAclRule", "webAclArn"),
    ("aws:wafv2/webAclRuleGroupAssociation:WebAclRuleGroupAssociation", "webAclArn"),
)
_BAD_INPUTS: Final = "AWSManagedRulesKnownBadInputsRuleSet"

RULES.row(
    "aws-waf-rules",
    "A web ACL has rules.",
    on=(WAFV2_WEB_ACL, *_CLASSIC_WEB_ACLS),
    check=ByType(
        {
            WAFV2_WEB_ACL: Either(Given("rules"), Given("ruleJson"), Joined(_SEPARATE_RULES, "no rule points at it")),
            **dict.fromkeys(_CLASSIC_WEB_ACLS, Given("rules")),
        }
    ),
    severity=MEDIUM,
    rationale="It does to every request what defaultAction says, so it protects nothing.",
    fix="Add rules, for example the managed rule group AWSManagedRulesCommonRuleSet.",
    peers="CKV_AWS_175",
)


def _blocks_known_bad_inputs(acl: View, _: Settings) -> Verdict:
    """A web ACL applies the group, and does not only count what its rules or Log4JRCE match."""
    if "ruleJson" in acl:
        return allow(_BAD_INPUTS in (acl.text("ruleJson") or ""), f"ruleJson has no {_BAD_INPUTS}", path="ruleJson")
    for rule in acl.blocks("rules"):
        for group in rule.blocks_at("statement.managedRuleGroupStatement"):
            if group.text("name") == _BAD_INPUTS:
                return _is_in_force(rule, group)
    by = (view for path in _SEPARATE_RULES for view in acl.referrers(*path))
    named = any(
        view.value("managedRuleGroup.name") == _BAD_INPUTS
        or view.value("statement.managedRuleGroupStatement.name") == _BAD_INPUTS
        for view in by
    )
    return allow(named, f"no rule applies {_BAD_INPUTS}", path="rules")


def _is_in_force(rule: Block, group: Block) -> Verdict:
    if rule.value("overrideAction.count") is not None:
        return fail(f"{_BAD_INPUTS} only counts requests", path=rule.at("overrideAction"))
    counted = [
        override
        for override in group.blocks("ruleActionOverrides")
        if (override.text("name") or "").startswith("Log4JRCE") and override.value("actionToUse.count") is not None
    ]
    return allow(not counted, "Log4JRCE only counts requests", path=rule.at("statement"))


RULES.row(
    "aws-waf-bad-inputs",
    "A web ACL blocks known bad inputs, such as lookups of Log4j.",
    on=WAFV2_WEB_ACL,
    check=Custom(_blocks_known_bad_inputs, others=True),
    severity=LOW,
    rationale="Exploits that need one request, such as CVE-2021-44228, reach every library behind the load balancer.",
    fix=f"Add a rule with managedRuleGroupStatement {_BAD_INPUTS}, vendorName AWS and overrideAction none.",
    peers="CKV_AWS_192 CKV2_AWS_47 CKV2_AWS_76 CKV2_AWS_77 CKV2_AWS_78",
)

_IN_BUCKET: Final = All(Absent("customOriginConfig"), Absent("vpcOriginConfig"))

RULES.row(
    "aws-cloudfront-oac",
    "A distribution has origin access control for its buckets.",
    on=CLOUDFRONT_DISTRIBUTION,
    check=Each(
        "origins[]",
        Where(_IN_BUCKET, Either(Given("originAccessControlId"), Given("s3OriginConfig.originAccessIdentity"))),
    ),
    severity=MEDIUM,
    rationale="The bucket must be public for CloudFront to read it, so everyone passes by the web ACL and the logs.",
    fix="Create an aws.cloudfront.OriginAccessControl, set originAccessControlId, and let the bucket policy admit the "
    "distribution only.",
    peers="CKV2_AWS_46",
)


def _serves_a_bucket(it: View, settings: Settings) -> Verdict:
    of_buckets = [_IN_BUCKET.asked(origin, settings) for origin in it.blocks("origins")]
    return allow(any(said.outcome is Outcome.PASS for said in of_buckets), "no origin is a bucket")


RULES.row(
    "aws-cloudfront-root-object",
    "A distribution in front of a bucket has a default root object.",
    on=CLOUDFRONT_DISTRIBUTION,
    check=Where(Custom(_serves_a_bucket), Given("defaultRootObject")),
    severity=LOW,
    rationale="A request for / lists the names of all objects, where the bucket allows it.",
    fix="Set defaultRootObject to index.html, or to another object.",
    peers="CKV_AWS_305",
)
RULES.row(
    "aws-cloudfront-headers",
    "A distribution sends security headers.",
    on=CLOUDFRONT_DISTRIBUTION,
    check=Given("defaultCacheBehavior.responseHeadersPolicyId"),
    severity=LOW,
    rationale="Other sites may frame the application, and browsers guess the types of its files.",
    fix="Set defaultCacheBehavior.responseHeadersPolicyId to a ResponseHeadersPolicy with securityHeadersConfig.",
    peers="CKV2_AWS_32",
)
RULES.row(
    "aws-lb-desync",
    "A load balancer does not pass on ambiguous requests.",
    on=(*_LOAD_BALANCERS, ELB_LOAD_BALANCER),
    check=IsNot("desyncMitigationMode", "monitor"),
    severity=MEDIUM,
    rationale="A server behind it reads the end of such a request as the next one, which an attacker wrote.",
    fix="Remove desyncMitigationMode, or set it to defensive or strictest.",
    peers="CKV_AWS_328",
)


RULES.row(
    "aws-apigw-validation",
    "A method of API Gateway validates requests.",
    on=APIGATEWAY_METHOD,
    check=Where(IsNot("httpMethod", "OPTIONS"), Given("requestValidatorId")),
    severity=LOW,
    rationale="Malformed and oversized requests reach the code behind the API.",
    fix="Create an aws.apigateway.RequestValidator, and set requestValidatorId and requestModels.",
    peers="CKV2_AWS_53",
)


RULES.row(
    "aws-apigw-throttling",
    "A stage of API Gateway has a rate limit of its own.",
    on=(APIGATEWAYV2_STAGE, APIGATEWAY_METHOD_SETTINGS),
    check=ByType(
        {
            APIGATEWAYV2_STAGE: AtLeast("defaultRouteSettings.throttlingRateLimit", 1),
            APIGATEWAY_METHOD_SETTINGS: Where(Is("methodPath", "*/*"), AtLeast("settings.throttlingRateLimit", 0)),
        }
    ),
    severity=LOW,
    rationale="One caller uses up the limit of the account, on which every other API of the region depends.",
    fix="Set throttlingRateLimit and throttlingBurstLimit in defaultRouteSettings (in settings of */* of a REST API).",
)

_SEARCH: Final = (OPENSEARCH_DOMAIN, ELASTICSEARCH_DOMAIN)

RULES.row(
    "aws-opensearch-vpc",
    "A search domain is in a VPC, with security groups of its own.",
    on=_SEARCH,
    check=All(Given("vpcOptions.subnetIds"), Given("vpcOptions.securityGroupIds")),
    severity=MEDIUM,
    rationale="The domain answers the whole internet: one mistake in its access policy opens all documents.",
    fix="Set vpcOptions.subnetIds and vpcOptions.securityGroupIds; a public domain is replaced.",
    peers="CKV_AWS_137 CKV_AWS_248",
)
RULES.row(
    "aws-data-subnets",
    "A warehouse, a cache or an EMR cluster is placed in named subnets.",
    on=(REDSHIFT_CLUSTER, ELASTICACHE_CLUSTER, ELASTICACHE_REPLICATION_GROUP, EMR_CLUSTER),
    check=ByType(
        {
            REDSHIFT_CLUSTER: Given("clusterSubnetGroupName"),
            ELASTICACHE_CLUSTER: Where(Absent("replicationGroupId"), Given("subnetGroupName")),
            ELASTICACHE_REPLICATION_GROUP: Where(Absent("globalReplicationGroupId"), Given("subnetGroupName")),
            EMR_CLUSTER: Either(Given("ec2Attributes.subnetId"), Given("ec2Attributes.subnetIds")),
        }
    ),
    severity=MEDIUM,
    rationale="It lands in the default VPC, whose subnets are public.",
    fix="Set clusterSubnetGroupName, subnetGroupName or ec2Attributes.subnetId to private subnets; a cache and an EMR "
    "cluster are replaced.",
    peers="AWS-0127 CKV_AWS_154 CKV_AWS_323 KICS:0a494a6a KICS:2b3c8a6d KICS:8c849af7",
)
RULES.row(
    "aws-redshift-vpc-routing",
    "A data warehouse loads and unloads data through its VPC.",
    on=REDSHIFT_CLUSTER,
    check=Is("enhancedVpcRouting", value=True),
    severity=LOW,
    rationale="COPY and UNLOAD pass by the VPC's flow logs, endpoints and endpoint policies.",
    fix="Set enhancedVpcRouting to true, and add a gateway endpoint for S3.",
    peers="CKV_AWS_321",
)

RULES.row(
    "aws-domain-lock",
    "A registered domain cannot be transferred away.",
    on="aws:route53domains/registeredDomain:RegisteredDomain",
    check=IsNot("transferLock", value=False),
    severity=MEDIUM,
    rationale="With one stolen code the domain goes to another registrar, and every name of the company with it.",
    fix="Remove transferLock, or set it to true.",
    peers="CKV_AWS_377",
)


RULES.row(
    "aws-route53-dnssec",
    "A public hosted zone signs its records.",
    on=ROUTE53_ZONE,
    check=Where(
        Absent("vpcs"),
        Joined(
            (("aws:route53/hostedZoneDnsSec:HostedZoneDnsSec", "hostedZoneId"),),
            "no DNSSEC signing is set up for it",
            IsNot("signingStatus", "NOT_SIGNING"),
        ),
    ),
    severity=LOW,
    rationale="A forged answer sends users and pipelines to another server.",
    fix="Add an aws.route53.KeySigningKey and an aws.route53.HostedZoneDnsSec for the zone, and the DS record at the "
    "registrar.",
    peers="CKV2_AWS_38",
)
