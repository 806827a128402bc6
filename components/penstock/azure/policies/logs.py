"""Logs on Azure."""

from __future__ import annotations

from collections.abc import Callable

from penstock.azure.types import (
    COGNITIVESERVICES_ACCOUNT,
    CONTAINERSERVICE_MANAGED_CLUSTER,
    KEYVAULT_VAULT,
    MONITOR_DIAGNOSTIC_SETTING,
    OPERATIONALINSIGHTS_WORKSPACE,
)
from penstock.graph.verdict import Verdict, allow
from penstock.graph.view import Block, View
from penstock.rules.checks import All, ByType, Check, Custom, Either, Is, IsNot, Joined, NotBelow, Where
from penstock.rules.comparing import same
from penstock.rules.levels import LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.LOGS)


def _sends(*categories: str) -> Callable[[View, Settings], Verdict]:
    """Return whether a diagnostic setting sends one of these categories of logs somewhere, or a group that has them."""

    def check(setting: View, _: Settings) -> Verdict:
        sent = any(_is_on(log) and _is_among(log, categories) for log in setting.blocks("logs"))
        return allow(sent, f"logs has no {categories[0]}", path="logs")

    return check


def _sent(*categories: str) -> Check:
    return Joined(
        ((MONITOR_DIAGNOSTIC_SETTING, "resourceUri"),),
        "no diagnostic setting sends its audit log",
        Custom(_sends(*categories)),
    )


def _is_on(log: Block) -> bool:
    return same(log.value("enabled"), wanted=True)


def _is_among(log: Block, categories: tuple[str, ...]) -> bool:
    group = log.text("categoryGroup") or ""
    return group.lower() in ("audit", "alllogs") or any(same(log.text("category"), each) for each in categories)


RULES.row(
    "az-flow-log",
    "A flow log is on, and its records stay as long as the settings ask.",
    on="azure-native:network:FlowLog",
    check=All(
        Is("enabled", value=True),
        Where(
            All(Is("retentionPolicy.enabled", value=True), IsNot("retentionPolicy.days", 0)),
            NotBelow("retentionPolicy.days", "log_retention_days"),
        ),
    ),
    severity=MEDIUM,
    rationale="Data that a stolen node sends out leaves no trace by the time somebody looks for it.",
    fix="Set enabled to true and retentionPolicy.days to log_retention_days or more, or to 0 for no end; the storage "
    "account bills what stays.",
    peers="CKV_AZURE_12 AZU-0049 AZU-0073 KICS:7750fcca KICS:564b70f8 KICS:b90842e5",
    cis=("Azure 2.1: 6.5†",),
)
RULES.row(
    "az-aks-oms",
    "A cluster is watched by Azure Monitor: Container Insights or managed Prometheus.",
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    check=Either(
        Is("addonProfiles.omsagent.enabled", value=True),
        Is("addonProfiles.omsAgent.enabled", value=True),
        Is("azureMonitorProfile.metrics.enabled", value=True),
    ),
    severity=MEDIUM,
    rationale="What a container wrote goes with its node, and nobody is notified when a pool runs out of memory.",
    fix="Set addonProfiles.omsagent.enabled to true with logAnalyticsWorkspaceResourceID in its config, or "
    "azureMonitorProfile.metrics.enabled; both are billed by what they take in.",
    peers="CKV_AZURE_4 AZU-0040 KICS:9b09dee1",
)
RULES.row(
    "az-aks-defender",
    "A cluster has the sensor of Microsoft Defender.",
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    check=Is("securityProfile.defender.securityMonitoring.enabled", value=True),
    severity=LOW,
    rationale="A shell in a container or a miner on a GPU node raises no alarm.",
    fix="Set securityProfile.defender.securityMonitoring.enabled to true, with a logAnalyticsWorkspaceResourceId; "
    "Defender for Containers is billed by the core.",
)
RULES.row(
    "az-diag-settings",
    "The audit log of a cluster, a key vault or an account of AI services is sent to a place that keeps it.",
    on=(CONTAINERSERVICE_MANAGED_CLUSTER, KEYVAULT_VAULT, COGNITIVESERVICES_ACCOUNT),
    check=ByType(
        {
            CONTAINERSERVICE_MANAGED_CLUSTER: _sent("kube-audit", "kube-audit-admin"),
            KEYVAULT_VAULT: _sent("AuditEvent"),
            COGNITIVESERVICES_ACCOUNT: _sent("Audit"),
        }
    ),
    severity=MEDIUM,
    rationale="Azure drops these logs unless they are sent somewhere: who read a key, called a model or asked the API "
    "server what, is lost.",
    fix="Add an azure_native.monitor.DiagnosticSetting whose resourceUri is the resource and whose logs have "
    "kube-audit (or the cheaper kube-audit-admin) for a cluster, AuditEvent for a vault, Audit for an account, "
    "to a Log Analytics workspace.",
    peers="KICS:38c71c00 KICS:0493b840",
    cis=("Azure 2.1: 5.1.5†", "AKS 1.5: 2.1.1†"),
)
RULES.row(
    "az-law-retention",
    "A Log Analytics workspace keeps its data as long as the settings ask.",
    on=OPERATIONALINSIGHTS_WORKSPACE,
    check=Where(
        IsNot("sku.name", "Free"),  # keeps seven days
        Either(Is("retentionInDays", -1), NotBelow("retentionInDays", "log_retention_days")),
    ),
    severity=LOW,
    rationale="Break-ins are found after months, and by then the log of how it began is gone.",
    fix="Set retentionInDays to log_retention_days or more; what is kept beyond the days in the price of the tier is "
    "billed by the gigabyte and month.",
)
