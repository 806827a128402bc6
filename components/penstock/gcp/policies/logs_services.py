"""Logs on Google Cloud: what managed services write down, and who receives it."""

from __future__ import annotations

import re
from typing import Final

from penstock.gcp.policies.log_alerts import log_watch
from penstock.gcp.types import (
    DATAFUSION_INSTANCE,
    FOLDER_IAM_AUDIT_CONFIG,
    LOGGING_FOLDER_SINK,
    LOGGING_METRIC,
    LOGGING_ORGANIZATION_SINK,
    MONITORING_ALERT_POLICY,
    ORGANIZATIONS_IAM_AUDIT_CONFIG,
    PROJECTS_IAM_AUDIT_CONFIG,
)
from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, Verdict, allow, fail
from penstock.graph.view import View
from penstock.rules.checks import (
    Absent,
    All,
    ByType,
    Custom,
    Each,
    Either,
    Given,
    Is,
    IsNot,
    Matches,
    Unlike,
    Where,
    values,
)
from penstock.rules.levels import LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.LOGS)

_AUDIT_CONFIGS: Final = (
    PROJECTS_IAM_AUDIT_CONFIG,
    FOLDER_IAM_AUDIT_CONFIG,
    ORGANIZATIONS_IAM_AUDIT_CONFIG,
)
_CONTACT: Final = "gcp:essentialcontacts/contact:Contact"
_AGENT: Final = "gcp:diagflow/agent:Agent"
_CX_AGENT: Final = "gcp:diagflow/cxAgent:CxAgent"
_WEBHOOK: Final = "gcp:diagflow/cxWebhook:CxWebhook"
_CONTACT_SUBJECTS: Final = frozenset({"LEGAL", "SECURITY", "SUSPENSION", "TECHNICAL"})

RULES.row(
    "gcp-audit-no-exemption",
    "The audit log leaves no member out.",
    on=_AUDIT_CONFIGS,
    check=Absent("auditLogConfigs[].exemptedMembers"),
    severity=MEDIUM,
    rationale="A stolen token of an exempted account reads all data without a trace.",
    fix="Remove exemptedMembers; keep noise out by an exclusion of the sink, where it can be undone.",
    peers="KICS:89fe890f",
    cis=("GCP 4.0: 2.1",),
)
RULES.row(
    "gcp-dns-policy-logging",
    "A DNS policy logs the queries of its networks.",
    on="gcp:dns/policy:Policy",
    check=Is("enableLogging", value=True),
    severity=LOW,
    rationale="A name that malware asks for is often its only trace, and data can leave inside of queries.",
    fix="Set enableLogging to true.",
    peers="KICS:cc9e464e",
    cis=("GCP 4.0: 2.12",),
)
RULES.row(
    "gcp-sink-children",
    "A sink of a folder or an organization takes the logs of the projects below.",
    on=(LOGGING_FOLDER_SINK, LOGGING_ORGANIZATION_SINK),
    check=Is("includeChildren", value=True),
    severity=LOW,
    rationale="The sink takes only the few entries of the folder itself, and none of what happens in its projects.",
    fix="Set includeChildren to true.",
    cis=("GCP 4.0: 2.2",),
)
_SINKS: Final = tuple(
    f"gcp:logging/{parent[:1].lower()}{parent[1:]}Sink:{parent}Sink"
    for parent in ("Project", "Folder", "Organization", "BillingAccount")
)
_EXCLUSIONS: Final = tuple(
    f"gcp:logging/{parent[:1].lower()}{parent[1:]}Exclusion:{parent}Exclusion"
    for parent in ("Project", "Folder", "Organization", "BillingAccount")
)
_DROPS_AUDIT_LOGS: Final = r"(?s).*cloudaudit\.googleapis\.com.*"
_KEEPS_AUDIT_LOGS: Final = Where(IsNot("disabled", value=True), Unlike("filter", _DROPS_AUDIT_LOGS))

RULES.row(
    "gcp-audit-log-kept",
    "No sink is disabled, and no exclusion drops audit logs.",
    on=(*_SINKS, *_EXCLUSIONS),
    check=ByType(
        dict.fromkeys(_SINKS, All(IsNot("disabled", value=True), Each("exclusions[]", _KEEPS_AUDIT_LOGS)))
        | dict.fromkeys(_EXCLUSIONS, _KEEPS_AUDIT_LOGS)
    ),
    severity=MEDIUM,
    rationale="What an intruder did is recorded nowhere, and cannot be recovered.",
    fix="Remove disabled from the sink, and cloudaudit.googleapis.com from the filter of the exclusion.",
)
RULES.row(
    "gcp-datafusion-logging",
    "Data Fusion sends logs and metrics of its pipelines to Google Cloud's operations suite.",
    on=DATAFUSION_INSTANCE,
    check=All(Is("enableStackdriverLogging", value=True), Is("enableStackdriverMonitoring", value=True)),
    severity=LOW,
    rationale="The logs of a pipeline go with its cluster, so nobody sees why it failed, or what it read.",
    fix="Set enableStackdriverLogging and enableStackdriverMonitoring to true.",
    peers="CKV_GCP_104 CKV_GCP_105",
)
RULES.row(
    "gcp-dialogflow-logging",
    "Agents of Dialogflow and their webhooks log what they do.",
    on=(_AGENT, _CX_AGENT, _WEBHOOK),
    check=ByType(
        {
            _AGENT: Is("enableLogging", value=True),
            _CX_AGENT: Either(
                Is("advancedSettings.loggingSettings.enableStackdriverLogging", value=True),
                Is("enableStackdriverLogging", value=True),
            ),
            _WEBHOOK: Is("enableStackdriverLogging", value=True),
        }
    ),
    severity=LOW,
    rationale="Nothing shows what an agent was talked into, or what it sent to which service.",
    fix="Set enableLogging (advancedSettings.loggingSettings.enableStackdriverLogging of CX) to true; mask personal "
    "data with a security setting, for the log has the conversations.",
    peers="CKV2_GCP_29 CKV2_GCP_30 CKV2_GCP_31",
)


def _contacts_cover_all(it: View, _: Settings) -> Verdict:
    """The contacts of one organization together hear of everything that matters."""
    beside = [contact for contact in it.site.of_type(_CONTACT) if contact.text("parent") == it.text("parent")]
    heard = {subject for contact in beside for subject in values(contact, "notificationCategorySubscriptions[]")}
    missing = sorted(_CONTACT_SUBJECTS - heard) if "ALL" not in heard else []
    path = "notificationCategorySubscriptions"
    return allow(not missing, f"{path} lacks {', '.join(missing)}", path=path)


RULES.row(
    "gcp-contacts-complete",
    "The contacts of an organization hear of security, technical, legal and suspension matters.",
    on=_CONTACT,
    check=Where(
        Matches("parent", "organizations/.*"),
        Custom(_contacts_cover_all, others=True),
    ),
    severity=LOW,
    rationale="Google warns of leaked keys and of suspensions by mail, and otherwise only the first owner gets it.",
    fix="Set notificationCategorySubscriptions to ALL, or to SECURITY, TECHNICAL, LEGAL and SUSPENSION.",
    peers="KICS:7bd9c6a8",
    cis=("GCP 4.0: 1.16",),
)
RULES.row(
    "gcp-alert-notifies",
    "An alert policy is enabled and notifies someone.",
    on=MONITORING_ALERT_POLICY,
    check=All(IsNot("enabled", value=False), Given("notificationChannels")),
    severity=MEDIUM,
    rationale="The incident is opened in the console, which is not watched at night.",
    fix="Set notificationChannels to channels that people watch, and remove enabled.",
)


def _watching(id_: str, subject: str, cis: str, *patterns: str, peers: str = "") -> None:
    """A rule that a program with alerts on audit logs has one on changes of a subject."""
    wanted = tuple(re.compile(pattern) for pattern in patterns)

    def watched(it: View, _: Settings) -> Verdict:
        watch = it.site.once(log_watch)
        if it.urn != watch.first:
            return NOT_APPLICABLE  # one finding a program
        if any(all(pattern.search(text) for pattern in wanted) for text in watch.alerted):
            return PASS
        elsewhere = any(all(pattern.search(text) for pattern in wanted) for text in watch.counted)
        return UNKNOWN if elsewhere or not watch.complete else fail(f"no alert notifies of {subject}")

    RULES.row(
        id_,
        f"A program that watches audit logs alerts on {subject}.",
        on=(LOGGING_METRIC, MONITORING_ALERT_POLICY),
        check=Custom(watched, others=True),
        severity=LOW,
        rationale="An intruder who makes such a change stays, and no alert reports it.",
        fix="Add a `Metric`, with an `AlertPolicy` on it, whose filter is the one that CIS gives for this control.",
        peers=peers,
        cis=(f"GCP 4.0: {cis}",),
    )


_watching(
    "gcp-alert-owners",
    "changes of project owners",
    "2.4",
    "cloudresourcemanager",
    "roles/owner|projectowner",
    peers="KICS:a881b71c",
)
_watching(
    "gcp-alert-audit-config",
    "changes of the audit config",
    "2.5",
    "setiampolicy",
    "auditconfigdeltas",
    peers="KICS:39d83c5a",
)
_watching("gcp-alert-roles", "changes of custom roles", "2.6", "iam_role|admin[.]v1[.]", peers="KICS:69d4f245")
_watching("gcp-alert-firewalls", "changes of firewall rules", "2.7", "gce_firewall_rule|firewalls[.]")
_watching("gcp-alert-routes", "changes of routes", "2.8", "gce_route|routes[.]")
_watching("gcp-alert-networks", "changes of networks", "2.9", "gce_network|networks[.]")
_watching("gcp-alert-buckets", "changes of access to buckets", "2.10", "gcs_bucket", "setiampermissions")
_watching("gcp-alert-databases", "changes of Cloud SQL instances", "2.11", "cloudsql[.]instances")
