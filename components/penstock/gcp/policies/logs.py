"""Logs on Google Cloud."""

from __future__ import annotations

from typing import Final

from penstock.gcp.types import (
    COMPUTE_BACKEND_SERVICE,
    COMPUTE_NETWORK,
    COMPUTE_REGION_BACKEND_SERVICE,
    COMPUTE_ROUTER_NAT,
    COMPUTE_SUBNETWORK,
    CONTAINER_CLUSTER,
    CONTAINER_NODE_POOL,
    FOLDER_IAM_AUDIT_CONFIG,
    LOGGING_PROJECT_BUCKET_CONFIG,
    ORGANIZATIONS_IAM_AUDIT_CONFIG,
    ORGANIZATIONS_PROJECT,
    PROJECTS_IAM_AUDIT_CONFIG,
    STORAGE_BUCKET,
)
from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, Outcome, Verdict, allow, each, fail
from penstock.graph.view import Block, Site, View
from penstock.rules.checks import (
    All,
    ByType,
    Custom,
    Either,
    Has,
    Is,
    IsNot,
    Joined,
    NoneOf,
    NotBelow,
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
_CHARTS: Final = ("kubernetes:helm.sh/v3:Release", "kubernetes:helm.sh/v4:Chart")
_EXPORTING: Final = ("dcgm-exporter", "gpu-operator")
_DAEMON_SET: Final = "kubernetes:apps/v1:DaemonSet"
_PARENTS: Final = ("project", "folder", "orgId")
_FLOW_LOGS: Final = "gcp:networkmanagement/vpcFlowLogsConfig:VpcFlowLogsConfig"
_WITHOUT_FLOWS: Final = (
    "REGIONAL_MANAGED_PROXY",
    "GLOBAL_MANAGED_PROXY",
    "INTERNAL_HTTPS_LOAD_BALANCER",
    "PRIVATE_NAT",
)
_DATA_ACCESS: Final = ("DATA_READ", "DATA_WRITE")

_IS_ON: Final = IsNot("state", "DISABLED")
_NAMED_WITH_NETWORK: Final = Joined(((_FLOW_LOGS, "network"),), "none names its network", _IS_ON)


def _network_logs_flows(subnet: View, settings: Settings) -> Verdict:
    if not subnet.site.of_type(_FLOW_LOGS):
        return NOT_APPLICABLE
    return each(subnet.found("network", COMPUTE_NETWORK), lambda network: _NAMED_WITH_NETWORK.judge(network, settings))


RULES.row(
    "gcp-subnet-flow-logs",
    "A subnetwork logs its flows.",
    on=COMPUTE_SUBNETWORK,
    check=Where(
        NoneOf("purpose", _WITHOUT_FLOWS),
        Either(
            All(IsNot("logConfig", None), IsNot("logConfig.flowSampling", 0)),
            Joined(((_FLOW_LOGS, "subnet"),), "no flow logs config names it", _IS_ON),
            Custom(_network_logs_flows, others=True),
        ),
    ),
    severity=LOW,
    rationale="Data that a stolen node sends out leaves no trace, and the amount is unknown afterwards.",
    fix="Set logConfig, or create a networkmanagement.VpcFlowLogsConfig for the network; a flowSampling of 0.5 and an "
    "aggregationInterval of INTERVAL_10_MIN keep the bill small.",
    peers="CKV_GCP_26 GCP-0029 GCP-0076 KICS:40430747",
    cis=("GCP 4.0: 3.8",),
)
RULES.row(
    "gcp-gke-logging",
    "A cluster sends the logs of the system and of workloads to Cloud Logging.",
    on=CONTAINER_CLUSTER,
    check=All(
        IsNot("loggingService", "none"), Has("loggingConfig.enableComponents", ("SYSTEM_COMPONENTS", "WORKLOADS"))
    ),
    severity=MEDIUM,
    rationale=(
        "The logs of a Pod go with its node: what a job did before it died, or a stranger after he came in, is lost."
    ),
    fix="Set loggingConfig.enableComponents to SYSTEM_COMPONENTS and WORKLOADS, and leave loggingService as it is.",
    peers="CKV_GCP_1 GCP-0060 KICS:4c7ebcb2",
    cis=("GKE 1.6: 5.7.1",),
)
RULES.row(
    "gcp-gke-monitoring",
    "A cluster sends the metrics of its system to Cloud Monitoring.",
    on=CONTAINER_CLUSTER,
    check=All(IsNot("monitoringService", "none"), Has("monitoringConfig.enableComponents", ("SYSTEM_COMPONENTS",))),
    severity=LOW,
    rationale="Nobody is notified when nodes run out of memory or a pool stops growing.",
    fix="Set monitoringConfig.enableComponents with SYSTEM_COMPONENTS among them, and leave monitoringService to its "
    "default.",
    peers="CKV_GCP_8 GCP-0052 KICS:30e8dfd2",
    cis=("GKE 1.6: 5.7.1",),
)


@RULES.rule(
    on=CONTAINER_CLUSTER,
    joins=True,
    severity=LOW,
    rationale="A GPU that throttles or counts memory errors slows the whole job down, and nobody sees which one it is.",
    fix="Add DCGM to monitoringConfig.enableComponents, leave the list out so that GKE collects GPU metrics itself, or "
    "run dcgm-exporter on the nodes.",
)
def gcp_gke_gpu_metrics(cluster: View, settings: Settings) -> Verdict:
    """A cluster with GPU pools that lists what it measures has GPU metrics on the list, or an exporter of its own."""
    listed = [place for place in cluster.locations("monitoringConfig.enableComponents") if place.value is not None]
    inline = [cluster.within(place) for place in cluster.locations("nodePools[]")]
    pools = [pool for pool in (*inline, *cluster.referrers(CONTAINER_NODE_POOL, "cluster")) if _has_gpus(pool)]
    if not listed or not pools:
        return NOT_APPLICABLE
    said = Has("monitoringConfig.enableComponents", ("DCGM",)).judge(cluster, settings)
    return PASS if said.outcome is Outcome.FAIL and _runs_exporter(cluster.site) else said


def _runs_exporter(site: Site) -> bool:
    """Return whether the program installs DCGM's exporter, by a chart or as a daemon set."""
    for release in site.of_type(*_CHARTS):
        chart = (release.text("chart") or "").rpartition("/")[2]
        off = any(each.flag("enabled") is False for each in release.blocks_at("values.dcgmExporter"))
        if chart in _EXPORTING and not off:
            return True
    images = (
        container.text("image") or ""
        for daemons in site.of_type(_DAEMON_SET)
        for container in daemons.blocks_at("spec.template.spec.containers[]")
    )
    return any("dcgm-exporter" in image for image in images)


def _has_gpus(pool: Block) -> bool:
    config = pool.block("nodeConfig")
    return config is not None and config.count("guestAccelerators") > 0


@RULES.rule(
    on=STORAGE_BUCKET,
    joins=True,
    severity=LOW,
    rationale="Nothing shows who read a data set or a checkpoint before it turned up elsewhere.",
    fix="Log DATA_READ and DATA_WRITE of storage.googleapis.com with a gcp.projects.IAMAuditConfig, or set "
    "logging.logBucket to another bucket; the logs of a busy bucket grow large.",
    peers="CKV_GCP_62 CKV_GCP_63 GCP-0077 KICS:d6cabc3a",
)
def gcp_gcs_logging(bucket: View, _: Settings) -> Verdict:
    """A bucket has its reads and writes logged, by an audit config or to another bucket; one for logs needs none."""
    if "logging" in bucket:
        targets = bucket.found("logging.logBucket", STORAGE_BUCKET)
        if not targets and bucket.has_hidden_name:
            return UNKNOWN
        itself = bucket.urn in {target.urn for target in targets}
        return allow(not itself, "the bucket logs to itself", path="logging.logBucket")
    if any(_logs_storage(config) for config in bucket.site.of_type(*_AUDIT_CONFIGS)):
        return PASS
    takes = bucket.referrers(STORAGE_BUCKET, "logging.logBucket")
    return NOT_APPLICABLE if takes else fail("nothing logs who reads and writes it")


def _logs_storage(config: View) -> bool:
    logged = {block.text("logType") for block in config.blocks("auditLogConfigs")}
    return config.text("service") in ("allServices", "storage.googleapis.com") and logged.issuperset(_DATA_ACCESS)


def _access_is_logged(config: View, _: Settings) -> Verdict:
    """Return whether a config logs reads and writes of data, alone or with one of all services of the same parent."""
    beside = [one for one in config.site.of_type(config.type) if one.urn != config.urn and _adds_to(config, one)]
    logged = [kind for one in (config, *beside) for kind in values(one, "auditLogConfigs[].logType")]
    missing = [kind for kind in _DATA_ACCESS if kind not in logged]
    return allow(not missing, f"auditLogConfigs does not log {' and '.join(missing)}", path="auditLogConfigs")


def _adds_to(config: View, other: View) -> bool:
    return other.text("service") == "allServices" and all(config.text(key) == other.text(key) for key in _PARENTS)


def _has_audit_config(project: View, _: Settings) -> Verdict:
    configs = [
        config
        for config in project.site.of_type(PROJECTS_IAM_AUDIT_CONFIG)
        if config.text("service") == "allServices" and _is_of(project, config)
    ]
    return allow(configs, "no audit config of all services logs who reads and writes its data")


def _is_of(project: View, config: View) -> bool:
    if project.urn in {source.urn for source in config.sources("project", ORGANIZATIONS_PROJECT)}:
        return True
    return config.text("project") == project.text("projectId")


RULES.row(
    "gcp-audit-config",
    "The audit config of a project logs who reads and writes data; a project that the program makes has one.",
    on=(*_AUDIT_CONFIGS, ORGANIZATIONS_PROJECT),
    check=ByType(
        dict.fromkeys(_AUDIT_CONFIGS, Custom(_access_is_logged, others=True))
        | {ORGANIZATIONS_PROJECT: Custom(_has_audit_config, others=True)}
    ),
    severity=MEDIUM,
    rationale="Google logs what administrators change, but not who read the data, by default.",
    fix="Add a gcp.projects.IAMAuditConfig with service allServices and auditLogConfigs for DATA_READ and DATA_WRITE; "
    "the logs of busy buckets are billed by the gigabyte.",
    peers="CKV2_GCP_5 GCP-0079 KICS:89fe890f",
    cis=("GCP 4.0: 2.1",),
)
RULES.row(
    "gcp-nat-logging",
    "A NAT gateway logs the connections that it translates or drops.",
    on=COMPUTE_ROUTER_NAT,
    check=Is("logConfig.enable", value=True),
    severity=LOW,
    rationale=(
        "All nodes leave by the same address: without the log nothing shows which of them connected to a stranger."
    ),
    fix="Set logConfig.enable to true, and logConfig.filter to ALL, or to ERRORS_ONLY where the volume costs too much.",
)
RULES.row(
    "gcp-lb-logging",
    "A load balancer logs the requests to a backend service.",
    on=(COMPUTE_BACKEND_SERVICE, COMPUTE_REGION_BACKEND_SERVICE),
    check=All(Is("logConfig.enable", value=True), IsNot("logConfig.sampleRate", 0)),
    severity=LOW,
    rationale="When an endpoint for inference is probed or drained, nothing shows from where.",
    fix="Set logConfig.enable to true; logConfig.sampleRate keeps the bill small.",
)
RULES.row(
    "gcp-log-retention",
    "A log bucket keeps its entries as long as the settings ask.",
    on=LOGGING_PROJECT_BUCKET_CONFIG,
    check=NotBelow("retentionDays", "log_retention_days"),
    severity=LOW,
    rationale="Break-ins are found after months, and by then the log of how it began is gone.",
    fix="Set retentionDays to log_retention_days or more; after 30 days each gigabyte is billed by the month.",
)
