"""Logs of databases, brokers, pipelines, APIs and edge services on AWS."""

from __future__ import annotations

from typing import Final

from penstock.aws.types import (
    APIGATEWAY_METHOD_SETTINGS,
    APIGATEWAY_REST_API,
    APIGATEWAY_STAGE,
    APIGATEWAYV2_STAGE,
    APPSYNC_GRAPH_QL_API,
    CLOUDFRONT_DISTRIBUTION,
    DOCDB_CLUSTER,
    DOCDB_CLUSTER_PARAMETER_GROUP,
    ELASTICSEARCH_DOMAIN,
    MQ_BROKER,
    MSK_CLUSTER,
    MWAA_ENVIRONMENT,
    NEPTUNE_CLUSTER,
    NETWORKFIREWALL_FIREWALL,
    OPENSEARCH_DOMAIN,
    RDS_CLUSTER,
    RDS_CLUSTER_PARAMETER_GROUP,
    RDS_INSTANCE,
    RDS_PARAMETER_GROUP,
    REDSHIFT_CLUSTER,
    REDSHIFTSERVERLESS_NAMESPACE,
    ROUTE53_ZONE,
    SFN_STATE_MACHINE,
    WAF_WEB_ACL,
    WAFREGIONAL_WEB_ACL,
    WAFV2_WEB_ACL,
)
from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, Outcome, Verdict, allow, fail
from penstock.graph.view import View
from penstock.rules.checks import (
    Absent,
    All,
    ByType,
    Check,
    Custom,
    Either,
    Given,
    Has,
    Is,
    IsNot,
    Joined,
    OneOf,
    Where,
)
from penstock.rules.levels import LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.LOGS)

_WAREHOUSE_LOGS: Final = "aws:redshift/logging:Logging"
_WAREHOUSE_LOG_TYPES: Final = ("userlog", "connectionlog", "useractivitylog")

RULES.row(
    "aws-db-audit-logs",
    "A DocumentDB, Neptune or Redshift database sends its audit logs away.",
    on=(DOCDB_CLUSTER, NEPTUNE_CLUSTER, REDSHIFT_CLUSTER, REDSHIFTSERVERLESS_NAMESPACE),
    check=ByType(
        {
            DOCDB_CLUSTER: Has("enabledCloudwatchLogsExports", ("audit",)),
            NEPTUNE_CLUSTER: Has("enableCloudwatchLogsExports", ("audit",)),
            REDSHIFT_CLUSTER: Joined(((_WAREHOUSE_LOGS, "clusterIdentifier"),), "no redshift.Logging exports its logs"),
            REDSHIFTSERVERLESS_NAMESPACE: Has("logExports", _WAREHOUSE_LOG_TYPES),
        }
    ),
    severity=MEDIUM,
    rationale="After a leak nothing shows who logged in, and which queries ran.",
    fix="Add audit to enabledCloudwatchLogsExports (enableCloudwatchLogsExports of Neptune); of Redshift add an "
    "aws.redshift.Logging for the cluster, or set logExports of a namespace.",
    peers="AWS-0020 AWS-0075 CKV_AWS_71 CKV_AWS_85 CKV_AWS_101 KICS:56f6a008 KICS:45cff7b6 KICS:15ffbacc",
)


def _audits(group: View, _: Settings) -> Verdict:
    """A parameter group of DocumentDB has audit_logs on; it is off by default."""
    for index, parameter in enumerate(group.blocks("parameters")):
        if parameter.text("name") == "audit_logs":
            on = (parameter.text("value") or "").lower() not in ("", "none", "disabled")
            return allow(on, "audit_logs is off", path=f"parameters[{index}].value")
    return allow(None, "nothing sets audit_logs, so it is disabled", path="parameters")


RULES.row(
    "aws-docdb-audit",
    "A parameter group of DocumentDB turns audit logs on.",
    on=DOCDB_CLUSTER_PARAMETER_GROUP,
    check=Custom(_audits),
    severity=LOW,
    rationale="A cluster that exports audit logs still exports nothing: its engine writes none.",
    fix="Set the parameter audit_logs to enabled, or to all on newer engines.",
    peers="CKV_AWS_104",
)

_MYSQL_CLUSTERS: Final = ("aurora", "aurora-mysql", "mysql")

RULES.row(
    "aws-aurora-audit",
    "An Aurora MySQL cluster exports its audit log.",
    on=RDS_CLUSTER,
    check=Where(OneOf("engine", _MYSQL_CLUSTERS), Has("enabledCloudwatchLogsExports", ("audit",))),
    severity=LOW,
    rationale="After a leak nothing shows which account read which tables.",
    fix="Add audit to enabledCloudwatchLogsExports, and set server_audit_logging to 1 in the parameter group.",
    peers="CKV_AWS_325",
)

_POSTGRES: Final = ("postgres", "aurora-postgresql")
_QUERY_PARAMETERS: Final = ("log_statement", "log_min_duration_statement")
_GROUPS: Final = {
    RDS_INSTANCE: ("parameterGroupName", RDS_PARAMETER_GROUP),
    RDS_CLUSTER: ("dbClusterParameterGroupName", RDS_CLUSTER_PARAMETER_GROUP),
}


def _logs_queries(it: View, _: Settings) -> Verdict:
    """A PostgreSQL database has a parameter group that logs statements; one of another program is not known."""
    if it.text("engine") not in _POSTGRES:
        return NOT_APPLICABLE
    path, group_type = _GROUPS[it.type]
    if path not in it or str(it.given(path)).startswith("default."):
        return allow(None, f"{path} names no group of your own, and AWS's logs no queries", path=path)
    group = it.one(path, group_type)
    if group is None:
        return NOT_APPLICABLE
    named = {parameter.text("name") for parameter in group.blocks("parameters")}
    return allow(
        named & set(_QUERY_PARAMETERS),
        f"its parameter group {group.name} sets neither {_QUERY_PARAMETERS[0]} nor {_QUERY_PARAMETERS[1]}",
        path=path,
    )


RULES.row(
    "aws-postgres-query-logs",
    "A PostgreSQL database logs statements.",
    on=tuple(_GROUPS),
    check=ByType({type_: Custom(_logs_queries, others=True) for type_, (path, _) in _GROUPS.items()}),
    severity=LOW,
    rationale="Nothing shows which statement changed or read the rows in question.",
    fix="Set log_statement to ddl or mod, or log_min_duration_statement, in a parameter group of the database.",
    peers="CKV2_AWS_27 CKV2_AWS_30 KICS:820882c4",
)

_SEARCH: Final = (OPENSEARCH_DOMAIN, ELASTICSEARCH_DOMAIN)


def _publishes(*log_types: str) -> Check:
    """A search domain publishes one of these logs."""

    def judge(it: View, _: Settings) -> Verdict:
        options = (option for option in it.blocks("logPublishingOptions") if option.flag("enabled") is not False)
        on = {option.text("logType") for option in options}
        return allow(
            on & set(log_types), f"logPublishingOptions has no {' or '.join(log_types)}", path="logPublishingOptions"
        )

    return Custom(judge)


RULES.row(
    "aws-opensearch-audit-logs",
    "A search domain publishes its audit log.",
    on=_SEARCH,
    check=_publishes("AUDIT_LOGS"),
    severity=MEDIUM,
    rationale="After a leak nothing shows who searched which index.",
    fix="Add a block with logType AUDIT_LOGS and cloudwatchLogGroupArn to logPublishingOptions; audit logs need "
    "advancedSecurityOptions.",
    peers="AWS-0042 CKV_AWS_317",
)
RULES.row(
    "aws-opensearch-slow-logs",
    "A search domain publishes a slow log.",
    on=_SEARCH,
    check=_publishes("SEARCH_SLOW_LOGS", "INDEX_SLOW_LOGS"),
    severity=LOW,
    rationale="A query that brings the domain down cannot be found afterwards.",
    fix="Add a block with logType SEARCH_SLOW_LOGS and cloudwatchLogGroupArn to logPublishingOptions.",
    peers="CKV_AWS_84 KICS:acb6b4e2 KICS:e979fcbc",
)

_BROKER_LOGS: Final = "loggingInfo.brokerLogs"

RULES.row(
    "aws-broker-logs",
    "A Kafka cluster or a broker of Amazon MQ sends its logs away.",
    on=(MSK_CLUSTER, MQ_BROKER),
    check=ByType(
        {
            MSK_CLUSTER: Either(
                Is(f"{_BROKER_LOGS}.cloudwatchLogs.enabled", value=True),
                Is(f"{_BROKER_LOGS}.firehose.enabled", value=True),
                Is(f"{_BROKER_LOGS}.s3.enabled", value=True),
            ),
            MQ_BROKER: All(
                Is("logs.general", value=True), Where(Is("engineType", "ActiveMQ"), Is("logs.audit", value=True))
            ),
        }
    ),
    severity=MEDIUM,
    rationale="Logins that failed, and clients that were refused, leave no trace.",
    fix="Enable one of loggingInfo.brokerLogs; of Amazon MQ set logs.general to true, and logs.audit of ActiveMQ.",
    peers="AWS-0070 AWS-0071 AWS-0074 CKV_AWS_48 CKV_AWS_80 CKV_AWS_197 KICS:2f56b7ab KICS:31245f98",
)
RULES.row(
    "aws-mwaa-logs",
    "An Airflow environment logs its scheduler, web server and workers.",
    on=MWAA_ENVIRONMENT,
    check=All(
        Is("loggingConfiguration.schedulerLogs.enabled", value=True),
        Is("loggingConfiguration.webserverLogs.enabled", value=True),
        Is("loggingConfiguration.workerLogs.enabled", value=True),
    ),
    severity=LOW,
    rationale="Nothing shows who started a pipeline with which arguments, or why it failed.",
    fix="Set enabled to true in schedulerLogs, webserverLogs and workerLogs of loggingConfiguration.",
    peers="CKV_AWS_242 CKV_AWS_243 CKV_AWS_244",
)

_CLASSIC_WEB_ACLS: Final = (WAF_WEB_ACL, WAFREGIONAL_WEB_ACL)

RULES.row(
    "aws-waf-logs",
    "A web ACL logs requests.",
    on=(WAFV2_WEB_ACL, *_CLASSIC_WEB_ACLS),
    check=ByType(
        {
            WAFV2_WEB_ACL: Joined(
                (("aws:wafv2/webAclLoggingConfiguration:WebAclLoggingConfiguration", "resourceArn"),),
                "no logging configuration points at it",
            ),
            **dict.fromkeys(_CLASSIC_WEB_ACLS, Given("loggingConfiguration.logDestination")),
        }
    ),
    severity=LOW,
    rationale="Neither attacks nor requests that were blocked by mistake can be examined.",
    fix="Add an aws.wafv2.WebAclLoggingConfiguration with resourceArn; names of its destinations begin with "
    "aws-waf-logs-.",
    peers="CKV2_AWS_31 CKV_AWS_176",
)


RULES.row(
    "aws-apigw-access-logs",
    "A stage of API Gateway logs access.",
    on=(APIGATEWAY_STAGE, APIGATEWAYV2_STAGE),
    check=Given("accessLogSettings.destinationArn"),
    severity=MEDIUM,
    rationale="When an API is probed or drained, nothing shows from where.",
    fix="Set accessLogSettings with destinationArn and format.",
    peers="AWS-0001 CKV_AWS_76 KICS:1b6799eb KICS:982aa526",
)


_LEVEL: Final = OneOf("settings.loggingLevel", ("ERROR", "INFO"))


def _methods_are_logged(stage: View, settings: Settings) -> Verdict:
    """Method settings of the same API and stage turn execution logs on; a stage is named by text in both."""
    own = (stage.text("stageName"), stage.found("restApi", APIGATEWAY_REST_API), stage.given("restApi"))
    unclear = False
    for other in stage.site.of_type(APIGATEWAY_METHOD_SETTINGS):
        if other.resource.property_dependencies.get("stageName") != (stage.urn,):
            apis = other.found("restApi", APIGATEWAY_REST_API)
            of_same_api = {api.urn for api in apis} == {api.urn for api in own[1]} if apis else False
            if not (of_same_api or other.given("restApi") == own[2]) or other.text("stageName") != own[0]:
                continue
        outcome = _LEVEL.asked(other, settings).outcome
        if outcome is Outcome.PASS:
            return PASS
        unclear = unclear or outcome is Outcome.UNKNOWN
    return UNKNOWN if unclear else fail("no method settings of the stage turn execution logs on")


RULES.row(
    "aws-apigw-execution-logs",
    "A stage of API Gateway logs errors of its methods.",
    on=APIGATEWAY_STAGE,
    check=Custom(_methods_are_logged, others=True),
    severity=LOW,
    rationale="Requests that an authorizer or a validator refused leave no reason behind.",
    fix="Add an aws.apigateway.MethodSettings with methodPath */* and settings.loggingLevel ERROR.",
    peers="CKV2_AWS_4 KICS:1b6799eb",
)
RULES.row(
    "aws-apigw-no-data-trace",
    "API Gateway does not log the full text of requests and answers.",
    on=(APIGATEWAY_METHOD_SETTINGS, APIGATEWAYV2_STAGE),
    check=ByType(
        {
            APIGATEWAY_METHOD_SETTINGS: IsNot("settings.dataTraceEnabled", value=True),
            APIGATEWAYV2_STAGE: All(
                IsNot("defaultRouteSettings.dataTraceEnabled", value=True),
                IsNot("routeSettings[].dataTraceEnabled", value=True),
            ),
        }
    ),
    severity=MEDIUM,
    rationale="Prompts, answers and tokens are copied into CloudWatch, where everyone with access to logs reads them.",
    fix="Set dataTraceEnabled to false, and enable it for a short time only where a fault is searched.",
    peers="CKV_AWS_276",
)


RULES.row(
    "aws-cloudfront-logs",
    "A distribution logs access.",
    on=CLOUDFRONT_DISTRIBUTION,
    check=Either(
        Given("loggingConfig.bucket"),
        Given("defaultCacheBehavior.realtimeLogConfigArn"),
        Joined(
            (("aws:cloudwatch/logDeliverySource:LogDeliverySource", "resourceArn"),),
            "no log delivery source reads it",
            Joined((("aws:cloudwatch/logDelivery:LogDelivery", "deliverySourceName"),), "no delivery takes its logs"),
        ),
    ),
    severity=MEDIUM,
    rationale="When a site or an API is attacked, nothing shows from where and which objects were fetched.",
    fix="Set loggingConfig.bucket, or add an aws.cloudwatch.LogDeliverySource with logType ACCESS_LOGS and a delivery.",
    peers="AWS-0010 CKV_AWS_86 KICS:94690d79",
)
RULES.row(
    "aws-accelerator-logs",
    "A global accelerator records its flows.",
    on="aws:globalaccelerator/accelerator:Accelerator",
    check=Is("attributes.flowLogsEnabled", value=True),
    severity=LOW,
    rationale="The addresses of clients are seen nowhere else.",
    fix="Set attributes.flowLogsEnabled to true with flowLogsS3Bucket.",
    peers="CKV_AWS_75 KICS:96e8183b",
)


RULES.row(
    "aws-appsync-logs",
    "An AppSync API logs requests and errors of its fields.",
    on=APPSYNC_GRAPH_QL_API,
    check=All(
        Given("logConfig.cloudwatchLogsRoleArn"), OneOf("logConfig.fieldLogLevel", ("ALL", "ERROR", "INFO", "DEBUG"))
    ),
    severity=LOW,
    rationale="Queries that were refused, or that read more than they should, leave no trace.",
    fix="Set logConfig.cloudwatchLogsRoleArn, and logConfig.fieldLogLevel to ERROR or more.",
    peers="CKV_AWS_193 CKV_AWS_194",
)
RULES.row(
    "aws-sfn-logs",
    "A state machine logs its executions.",
    on=SFN_STATE_MACHINE,
    check=All(
        OneOf("loggingConfiguration.level", ("ALL", "ERROR", "FATAL")), Given("loggingConfiguration.logDestination")
    ),
    severity=LOW,
    rationale="An express workflow keeps no history, so a pipeline that failed cannot be examined.",
    fix="Set loggingConfiguration.level to ERROR or ALL and logDestination to a log group's ARN with :* at its end; "
    "includeExecutionData copies inputs and outputs into the log.",
)
RULES.row(
    "aws-firewall-logs",
    "A network firewall logs.",
    on=NETWORKFIREWALL_FIREWALL,
    check=Joined(
        (("aws:networkfirewall/loggingConfiguration:LoggingConfiguration", "firewallArn"),),
        "no logging configuration points at it",
    ),
    severity=MEDIUM,
    rationale="Neither alerts nor dropped flows are seen by anyone.",
    fix="Add an aws.networkfirewall.LoggingConfiguration with firewallArn and the log types ALERT and FLOW.",
    peers="CKV2_AWS_63",
)


RULES.row(
    "aws-route53-query-logs",
    "A public hosted zone logs queries.",
    on=ROUTE53_ZONE,
    check=Where(Absent("vpcs"), Joined((("aws:route53/queryLog:QueryLog", "zoneId"),), "no query log points at it")),
    severity=LOW,
    rationale="Names that attackers search for, and records that dangle, are noticed by nobody.",
    fix="Add an aws.route53.QueryLog with zoneId; its log group is in us-east-1.",
    peers="CKV2_AWS_39 KICS:7dbba512",
)
