"""Logs on Azure: audits of databases, plans of Defender, contacts, alerts and diagnostic settings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from penstock.azure.types import (
    APIMANAGEMENT_API_MANAGEMENT_SERVICE,
    BATCH_ACCOUNT,
    CDN_PROFILE,
    CONTAINERREGISTRY_REGISTRY,
    COSMOSDB_DATABASE_ACCOUNT,
    DATABRICKS_WORKSPACE,
    DATAFACTORY_FACTORY,
    DBFORPOSTGRESQL_CONFIGURATION,
    DBFORPOSTGRESQL_SERVER,
    EVENTHUB_NAMESPACE,
    IOTHUB_IOT_HUB_RESOURCE,
    KUSTO_CLUSTER,
    LOGIC_WORKFLOW,
    MACHINELEARNINGSERVICES_WORKSPACE,
    MONITOR_DIAGNOSTIC_SETTING,
    NETWORK_APPLICATION_GATEWAY,
    NETWORK_AZURE_FIREWALL,
    SEARCH_SERVICE,
    SERVICEBUS_NAMESPACE,
    SQL_DATABASE,
    SQL_SERVER,
    STORAGE_ACCOUNT,
    SYNAPSE_SQL_POOL,
    SYNAPSE_WORKSPACE,
    WEB_APP,
)
from penstock.graph.property_path import HIDDEN
from penstock.graph.verdict import NOT_APPLICABLE, NotKnown, Verdict, allow, fail
from penstock.graph.view import Block, View
from penstock.rules.checks import (
    Absent,
    All,
    AtLeast,
    ByType,
    Check,
    Custom,
    Either,
    Given,
    Is,
    IsNot,
    Joined,
    NotBelow,
    OneOf,
    Where,
)
from penstock.rules.comparing import same
from penstock.rules.levels import LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.LOGS)

_PLAN: Final = "azure-native:security:Pricing"

RULES.row(
    "az-defender-plan",
    "A plan of Defender for Cloud is enabled.",
    on=_PLAN,
    check=Is("pricingTier", "Standard"),
    severity=MEDIUM,
    rationale="Attacks on these resources raise no alert, and vulnerable images and machines are not reported.",
    fix="Set pricingTier to Standard; plans are billed by resource.",
    peers="CKV_AZURE_19 CKV_AZURE_55 CKV_AZURE_61 CKV_AZURE_69 CKV_AZURE_79 CKV_AZURE_84 CKV_AZURE_85 CKV_AZURE_86 "
    "CKV_AZURE_87 CKV_AZURE_234 AZU-0045 KICS:819d50fd KICS:2081c7d6",
    cis=("Azure 2.1: 2.1.1†",),
)
RULES.row(
    "az-security-contact",
    "A security contact has an address and a phone number, and receives alerts with the owners.",
    on="azure-native:security:SecurityContact",
    check=All(
        IsNot("isEnabled", value=False),
        Given("emails"),
        Given("phone"),
        Is("notificationsByRole.state", "On"),
        Given("notificationsSources"),
    ),
    severity=MEDIUM,
    rationale="Microsoft finds an attack on the subscription and reaches no one.",
    fix="Set emails, phone, notificationsByRole with state On and roles [Owner], and notificationsSources with an "
    "Alert of minimalSeverity High.",
    peers="AZU-0044 AZU-0046 AZU-0062 AZU-0063 AZU-0064 CKV_AZURE_20 CKV_AZURE_21 CKV_AZURE_22 CKV_AZURE_131 "
    "KICS:34664094 KICS:9db38e87 KICS:3e9fcc67",
    cis=("Azure 2.1: 2.1.17†", "Azure 2.1: 2.1.18†", "Azure 2.1: 2.1.19†"),
)

_AUDITS: Final = (
    "azure-native:sql:ExtendedServerBlobAuditingPolicy",
    "azure-native:sql:ServerBlobAuditingPolicy",
)
_AUDITS_OF_DATABASES: Final = (
    "azure-native:sql:DatabaseBlobAuditingPolicy",
    "azure-native:sql:ExtendedDatabaseBlobAuditingPolicy",
)
_ENABLED: Final = Is("state", "Enabled")

RULES.row(
    "az-sql-audit",
    "A SQL server audits its databases.",
    on=SQL_SERVER,
    check=Joined(
        tuple((type_, "serverName") for type_ in (*_AUDITS, *_AUDITS_OF_DATABASES)),
        "no auditing policy is enabled",
        _ENABLED,
    ),
    severity=MEDIUM,
    rationale="Nothing shows who read or changed which rows.",
    fix="Add an ExtendedServerBlobAuditingPolicy with serverName, state Enabled and a storageEndpoint or "
    "isAzureMonitorTargetEnabled.",
    peers="CKV_AZURE_23 CKV_AZURE_156 AZU-0027 KICS:e055285c KICS:609839ae KICS:f7e296b0 KICS:83a229ba",
    cis=("Azure 2.1: 4.1.1†",),
)
RULES.row(
    "az-sql-audit-retention",
    "Audit records of SQL databases are kept as long as the settings require.",
    on=(*_AUDITS, *_AUDITS_OF_DATABASES),
    check=Where(
        All(_ENABLED, Given("storageEndpoint"), IsNot("retentionDays", 0), Given("retentionDays")),
        NotBelow("retentionDays", "log_retention_days"),
    ),
    severity=LOW,
    rationale="Intrusions are found after months, when the records of their beginning are deleted.",
    fix="Set retentionDays to log_retention_days or more, or to 0, which keeps records forever.",
    peers="CKV_AZURE_24 AZU-0025 KICS:c09cdac2 KICS:9c301481 KICS:59acb56b",
    cis=("Azure 2.1: 4.1.6†",),
)


def _has_plan(view: View, _: Settings) -> Verdict:
    """The program enables the Defender plan for SQL servers."""
    plans = (plan for plan in view.site.of_type(_PLAN) if same(plan.text("pricingName"), "SqlServers"))
    return allow(any(same(plan.text("pricingTier"), "Standard") for plan in plans), "no plan covers SQL servers")


_ALERTS: Final = "azure-native:sql:ServerSecurityAlertPolicy"

_ALERTS_OF_DATABASE: Final = "azure-native:sql:DatabaseSecurityAlertPolicy"

RULES.row(
    "az-sql-threats",
    "A SQL server detects threats, and no database is left out.",
    on=(SQL_SERVER, _ALERTS_OF_DATABASE),
    check=ByType(
        {
            SQL_SERVER: Either(
                Joined(((_ALERTS, "serverName"),), "no security alert policy is enabled", _ENABLED),
                Custom(_has_plan, others=True),
            ),
            _ALERTS_OF_DATABASE: _ENABLED,
        }
    ),
    severity=MEDIUM,
    rationale="SQL injection and guessed passwords raise no alert.",
    fix="Add a ServerSecurityAlertPolicy with serverName and state Enabled, or the Defender plan SqlServers.",
    peers="CKV2_AZURE_13 AZU-0028 KICS:25cd1853",
    cis=("Azure 2.1: 2.1.3†",),
)

RULES.row(
    "az-sql-alerts",
    "Alerts of SQL databases are of all kinds and reach people.",
    on=(_ALERTS, _ALERTS_OF_DATABASE),
    check=Where(
        _ENABLED,
        All(Absent("disabledAlerts"), Either(Given("emailAddresses"), Is("emailAccountAdmins", value=True))),
    ),
    severity=LOW,
    rationale="An attack on the database is detected, and no one is told.",
    fix="Remove disabledAlerts, and set emailAddresses, or emailAccountAdmins to true.",
    peers="CKV_AZURE_25 CKV_AZURE_26 CKV_AZURE_27 AZU-0018 AZU-0023 KICS:574e8d82",
)

_SCANS: Final = All(
    Is("recurringScans.isEnabled", value=True),
    Either(Given("recurringScans.emails"), Is("recurringScans.emailSubscriptionAdmins", value=True)),
)

RULES.row(
    "az-sql-scans",
    "A SQL server, or a workspace or pool of Synapse, is scanned for vulnerabilities, and people get the reports.",
    on=(SQL_SERVER, SYNAPSE_WORKSPACE, SYNAPSE_SQL_POOL),
    check=ByType(
        {
            SQL_SERVER: Either(
                Joined(
                    (("azure-native:sql:ServerVulnerabilityAssessment", "serverName"),), "no scans are enabled", _SCANS
                ),
                Joined(
                    (("azure-native:sql:SqlVulnerabilityAssessmentsSetting", "serverName"),),
                    "no scans are enabled",
                    _ENABLED,
                ),
            ),
            SYNAPSE_WORKSPACE: Joined(
                (("azure-native:synapse:WorkspaceManagedSqlServerVulnerabilityAssessment", "workspaceName"),),
                "no scans are enabled",
                _SCANS,
            ),
            SYNAPSE_SQL_POOL: Joined(
                (("azure-native:synapse:SqlPoolVulnerabilityAssessment", "sqlPoolName"),),
                "no scans are enabled",
                _SCANS,
            ),
        }
    ),
    severity=LOW,
    rationale="Excessive permissions and open features of the database stay unnoticed.",
    fix="Add a SqlVulnerabilityAssessmentsSetting with state Enabled, or a ServerVulnerabilityAssessment "
    "(of Synapse, a WorkspaceManagedSqlServer- or SqlPoolVulnerabilityAssessment) with recurringScans.isEnabled and "
    "emails.",
    peers="CKV2_AZURE_2 CKV2_AZURE_3 CKV2_AZURE_4 CKV2_AZURE_5 CKV2_AZURE_46 CKV2_AZURE_52",
)

_LOGGED: Final = (
    "log_checkpoints",
    "log_connections",
    "log_disconnections",
    "log_retention",
    "connection_throttling",
    "connection_throttle.enable",
)
_KEPT: Final = ("logfiles.retention_days", "log_retention_days")

RULES.row(
    "az-pg-logs",
    "A PostgreSQL server logs connections and checkpoints, throttles failed logins, and keeps logs for four days.",
    on=DBFORPOSTGRESQL_CONFIGURATION,
    check=All(
        Where(OneOf("configurationName", _LOGGED), IsNot("value", "off")),
        Where(OneOf("configurationName", _KEPT), AtLeast("value", 4)),
    ),
    severity=LOW,
    rationale="Guessed passwords leave no trace, and logs are deleted within a weekend.",
    fix="Set value to on (to 4 or more for logfiles.retention_days).",
    peers="CKV_AZURE_30 CKV_AZURE_31 CKV_AZURE_32 CKV_AZURE_146 AZU-0019 AZU-0021 AZU-0024 KICS:a6d774b6 KICS:e69bda39 "
    "KICS:f9112910 KICS:07f7134f KICS:2b3c671f KICS:3790d386 KICS:c640d783 KICS:ffb02aca KICS:261a83f8",
    cis=("Azure 2.1: 4.3.2†", "Azure 2.1: 4.3.3†", "Azure 2.1: 4.3.4†", "Azure 2.1: 4.3.5†", "Azure 2.1: 4.3.6†"),
)

_SUBSCRIPTION: Final = re.compile(r"/?subscriptions/[^/]+/?", re.IGNORECASE)
_OF_ACTIVITY: Final = ("Administrative", "Alert", "Policy", "Security")


def _enabled_logs(setting: Block) -> Iterator[Block]:
    return (log for log in setting.blocks("logs") if same(log.value("enabled"), wanted=True))


@RULES.rule(
    on=MONITOR_DIAGNOSTIC_SETTING,
    severity=MEDIUM,
    rationale="After 90 days nothing shows who changed roles, network rules or policies.",
    fix="Enable the categories Administrative, Alert, Policy and Security in logs, or the categoryGroup allLogs.",
    peers="KICS:21fa1872",
    cis=("Azure 2.1: 5.1.2†",),
)
def az_activity_log(it: View, _: Settings) -> Verdict:
    """A diagnostic setting of a subscription sends the four main categories of its activity log."""
    if not _SUBSCRIPTION.fullmatch(it.text("resourceUri") or ""):
        return NOT_APPLICABLE
    logs = list(_enabled_logs(it))
    if any(same(log.text("categoryGroup"), "allLogs") for log in logs):
        return allow(True, "")
    sent = {(log.text("category") or "").casefold() for log in logs}
    missing = [category for category in _OF_ACTIVITY if category.casefold() not in sent]
    return allow(not missing, f"logs does not send {', '.join(missing)}", path="logs")


_ALERT: Final = "azure-native:monitor:ActivityLogAlert"
_WATCHED: Final = (
    "Microsoft.Authorization/policyAssignments/delete",
    "Microsoft.Authorization/policyAssignments/write",
    "Microsoft.Network/networkSecurityGroups/delete",
    "Microsoft.Network/networkSecurityGroups/write",
    "Microsoft.Network/publicIPAddresses/delete",
    "Microsoft.Network/publicIPAddresses/write",
    "Microsoft.Security/securitySolutions/delete",
    "Microsoft.Security/securitySolutions/write",
    "Microsoft.Sql/servers/firewallRules/delete",
    "Microsoft.Sql/servers/firewallRules/write",
    "ServiceHealth",
)
"""Operations, and the category, that CIS wants alerts for."""


def _watches(alert: View) -> Iterator[str]:
    """The operations and categories that an enabled alert with an action is about, in lower case."""
    if same(alert.value("enabled"), wanted=False) or not alert.blocks_at("actions.actionGroups[]"):
        return
    for condition in (*alert.blocks_at("condition.allOf[]"), *alert.blocks_at("condition.allOf[].anyOf[]")):
        yield (condition.text("equals") or "").casefold()


@RULES.rule(
    on=_ALERT,
    joins=True,
    severity=LOW,
    rationale="Someone opens the network or removes a policy, and no one learns of it.",
    fix="Add an ActivityLogAlert with an action group for each operation that the message names.",
    peers="KICS:1219a37a KICS:1ec163d0 KICS:62d120b1 KICS:8553d83f KICS:8ce5c61f KICS:99b47957 KICS:a7b422e3 "
    "KICS:b3b9ce2f KICS:b97a1065 KICS:d0514e4b KICS:f677bd92",
    cis=("Azure 2.1: 5.2.1†", "Azure 2.1: 5.2.2†", "Azure 2.1: 5.2.3†", "Azure 2.1: 5.2.4†"),
)
def az_activity_alerts(it: View, _: Settings) -> Verdict:
    """A program with activity log alerts has one for each operation that CIS lists."""
    alerts = it.site.of_type(_ALERT)
    if alerts[0].urn != it.urn:
        return NOT_APPLICABLE  # one finding for the program, at its first alert
    watched = {operation for alert in alerts for operation in _watches(alert)}
    missing = [operation for operation in _WATCHED if operation.casefold() not in watched]
    return allow(not missing, f"no alert is about {', '.join(missing)}", path="condition")


_SENDS: Final = Joined(
    ((MONITOR_DIAGNOSTIC_SETTING, "resourceUri"),),
    "no diagnostic setting sends its logs",
    Custom(lambda setting, _: allow(any(_enabled_logs(setting)), "logs has none enabled", path="logs")),
)
_LOGGING: Final[dict[str, Check]] = {
    WEB_APP: Either(Is("siteConfig.httpLoggingEnabled", value=True), _SENDS),
    **dict.fromkeys(
        (
            APIMANAGEMENT_API_MANAGEMENT_SERVICE,
            BATCH_ACCOUNT,
            CDN_PROFILE,
            CONTAINERREGISTRY_REGISTRY,
            COSMOSDB_DATABASE_ACCOUNT,
            DATABRICKS_WORKSPACE,
            DATAFACTORY_FACTORY,
            DBFORPOSTGRESQL_SERVER,
            EVENTHUB_NAMESPACE,
            IOTHUB_IOT_HUB_RESOURCE,
            KUSTO_CLUSTER,
            LOGIC_WORKFLOW,
            MACHINELEARNINGSERVICES_WORKSPACE,
            NETWORK_APPLICATION_GATEWAY,
            NETWORK_AZURE_FIREWALL,
            SEARCH_SERVICE,
            SERVICEBUS_NAMESPACE,
            SQL_DATABASE,
            SYNAPSE_WORKSPACE,
        ),
        _SENDS,
    ),
}

RULES.row(
    "az-service-logs",
    "Gateways, data services, queues, registries and apps send their logs to a place that keeps them.",
    on=tuple(_LOGGING),
    check=ByType(_LOGGING),
    severity=LOW,
    rationale="Azure drops these logs unless they are sent somewhere, so no one can tell later who called the service.",
    fix="Add an azure_native.monitor.DiagnosticSetting whose resourceUri is the resource and whose logs have the "
    "categoryGroup allLogs or audit enabled.",
    peers="KICS:50f32d3c KICS:8a0628ed KICS:0bd3630a CKV_AZURE_63",
    cis=("Azure 2.1: 5.4†",),
)


@RULES.rule(
    on=STORAGE_ACCOUNT,
    joins=True,
    severity=LOW,
    rationale="Nothing shows who read or deleted which data.",
    fix="Add a DiagnosticSetting whose resourceUri is the account's id with /blobServices/default (queueServices, "
    "tableServices, fileServices) and whose logs have StorageRead, StorageWrite and StorageDelete enabled.",
    peers="CKV_AZURE_33 CKV2_AZURE_20 CKV2_AZURE_21 AZU-0009 AZU-0057 KICS:43f6e60c",
    cis=("Azure 2.1: 3.5†", "Azure 2.1: 3.13†", "Azure 2.1: 3.14†"),
)
def az_storage_logs(it: View, _: Settings) -> Verdict:
    """A service of a storage account sends its logs to a place that keeps them."""
    said = [setting for setting in it.site.of_type(MONITOR_DIAGNOSTIC_SETTING) if _is_about_service_of(setting, it)]
    if any(True for setting in said for _ in _enabled_logs(setting)):
        return allow(True, "")
    return fail("no diagnostic setting sends the logs of its services")


def _is_about_service_of(setting: View, account: View) -> bool:
    place = setting.locations("resourceUri")[0].value
    if account.urn in setting.resource.property_dependencies.get("resourceUri", ()):
        return True
    if isinstance(place, HIDDEN):
        raise NotKnown
    return isinstance(place, str) and place.casefold().startswith(f"{account.resource.id or account.urn}/".casefold())
