"""Segmentation on Google Cloud: machines, TPUs, databases and file systems."""

from __future__ import annotations

from penstock.gcp.types import (
    ALLOYDB_INSTANCE,
    CLOUDBUILD_WORKER_POOL,
    COMPUTE_INSTANCE,
    COMPUTE_INSTANCE_FROM_MACHINE_IMAGE,
    COMPUTE_INSTANCE_FROM_TEMPLATE,
    COMPUTE_INSTANCE_TEMPLATE,
    COMPUTE_REGION_INSTANCE_TEMPLATE,
    DATAFLOW_FLEX_TEMPLATE_JOB,
    DATAFLOW_JOB,
    DATAPROC_CLUSTER,
    FILESTORE_INSTANCE,
    HYPERCOMPUTECLUSTER_CLUSTER,
    LUSTRE_INSTANCE,
    MANAGEDKAFKA_CLUSTER,
    NETAPP_VOLUME,
    SQL_DATABASE_INSTANCE,
    TPU_V2_QUEUED_RESOURCE,
    TPU_V2_VM,
    VERTEX_AI_INDEX_ENDPOINT,
    WORKBENCH_INSTANCE,
    WORKSTATIONS_WORKSTATION_CONFIG,
)
from penstock.graph.verdict import Verdict, allow, each, fail
from penstock.graph.view import Block, View
from penstock.model.openings.addresses import open_range
from penstock.policies.open_world import NotOpen
from penstock.rules.checks import Absent, All, AtLeast, ByType, Each, Either, Given, Is, IsNot, Unlike, Where
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.SEGMENTATION)

_MACHINES = (
    COMPUTE_INSTANCE_TEMPLATE,
    COMPUTE_REGION_INSTANCE_TEMPLATE,
    COMPUTE_INSTANCE,
    COMPUTE_INSTANCE_FROM_TEMPLATE,
    COMPUTE_INSTANCE_FROM_MACHINE_IMAGE,
)
_NO_ADDRESS = Each("networkInterfaces[]", All(Absent("accessConfigs"), Absent("ipv6AccessConfigs")))
_DATAPROC_INTERNAL = "clusterConfig.gceClusterConfig.internalIpOnly"
_DATAPROC_PUBLIC_IMAGES = r"(?:[01]\.\d+|2\.[01])(?:\D.*)?"
"""Images whose clusters have public addresses unless told otherwise (Dataproc documentation, network configuration)."""
_MADE_BY_SERVICES = {
    DATAPROC_CLUSTER: Where(
        Absent("virtualClusterConfig"),
        All(
            IsNot(_DATAPROC_INTERNAL, value=False),
            Either(
                Is(_DATAPROC_INTERNAL, value=True),
                Unlike("clusterConfig.softwareConfig.imageVersion", _DATAPROC_PUBLIC_IMAGES),
            ),
        ),
    ),
    WORKBENCH_INSTANCE: Is("gceSetup.disablePublicIp", value=True),
    WORKSTATIONS_WORKSTATION_CONFIG: Is("host.gceInstance.disablePublicIpAddresses", value=True),
    CLOUDBUILD_WORKER_POOL: Is("workerConfig.noExternalIp", value=True),
    DATAFLOW_JOB: Is("ipConfiguration", "WORKER_IP_PRIVATE"),
    DATAFLOW_FLEX_TEMPLATE_JOB: Is("ipConfiguration", "WORKER_IP_PRIVATE"),
    HYPERCOMPUTECLUSTER_CLUSTER: IsNot("orchestrator.slurm.loginNodes.enablePublicIps", value=True),
}
_SHARING = "gcp:gemini/dataSharingWithGoogleSetting:DataSharingWithGoogleSetting"

RULES.row(
    "gcp-instance-no-public-ip",
    "A machine has no public address.",
    on=(*_MACHINES, *_MADE_BY_SERVICES),
    check=ByType({**dict.fromkeys(_MACHINES, _NO_ADDRESS), **_MADE_BY_SERVICES}),
    severity=HIGH,
    rationale="Anybody can connect to it, and a misconfiguration of one firewall rule lets them in.",
    fix="Leave accessConfigs out of networkInterfaces (an empty object there is an address, too), and set "
    "gceSetup.disablePublicIp of a notebook machine to true (disablePublicIpAddresses of workstations, "
    "noExternalIp of Cloud Build, internalIpOnly of Dataproc, no enablePublicIps of login nodes), and "
    "ipConfiguration of Dataflow to WORKER_IP_PRIVATE; Cloud NAT serves. Notebook machines and Dataproc clusters "
    "are replaced with their disks.",
    peers="CKV2_GCP_28 CKV_GCP_40 CKV_GCP_86 CKV_GCP_94 CKV_GCP_103 GCP-0031",
    cis=("GCP 4.0: 4.9",),
)
_FORWARDS = {
    **dict.fromkeys(_MACHINES, IsNot("canIpForward", value=True)),
    WORKBENCH_INSTANCE: IsNot("gceSetup.enableIpForwarding", value=True),
}

RULES.row(
    "gcp-instance-no-ip-forward",
    "A machine sends and takes packets of its own address only.",
    on=tuple(_FORWARDS),
    check=ByType(_FORWARDS),
    severity=MEDIUM,
    rationale="Whoever takes it speaks under addresses of others, or leads their traffic through it.",
    fix="Remove canIpForward (enableIpForwarding of a notebook machine), which replaces the machine; one that routes "
    "for others gets a waiver.",
    peers="CKV_GCP_36 GCP-0043 KICS:f34c0c25",
    cis=("GCP 4.0: 4.6",),
)
RULES.row(
    "gcp-tpu-internal-only",
    "The workers of a TPU have no public addresses.",
    on=(TPU_V2_VM, TPU_V2_QUEUED_RESOURCE),
    check=ByType(
        {
            TPU_V2_VM: All(
                Either(Given("networkConfig"), Given("networkConfigs")),
                IsNot("networkConfig.enableExternalIps", value=True),
                IsNot("networkConfigs[].enableExternalIps", value=True),
            ),
            TPU_V2_QUEUED_RESOURCE: Each(
                "tpu.nodeSpecs[].node",
                All(Given("networkConfig"), IsNot("networkConfig.enableExternalIps", value=True)),
            ),
        }
    ),
    severity=HIGH,
    rationale=(
        "Every host of a slice is reachable from the internet; without a networkConfig it is in the default network "
        "as well."
    ),
    fix="Set networkConfig with the subnetwork and enableExternalIps false; the subnet needs Private Google Access.",
    peers="CKV2_GCP_32",
)
RULES.row(
    "gcp-sql-private",
    "A database has no public address.",
    on=(SQL_DATABASE_INSTANCE, ALLOYDB_INSTANCE),
    check=ByType(
        {
            SQL_DATABASE_INSTANCE: Where(
                Given("settings"),
                All(
                    Is("settings.ipConfiguration.ipv4Enabled", value=False),
                    NotOpen("settings.ipConfiguration.authorizedNetworks[].value"),
                ),
            ),
            ALLOYDB_INSTANCE: All(
                IsNot("networkConfig.enablePublicIp", value=True),
                NotOpen("networkConfig.authorizedExternalNetworks[].cidrRange"),
            ),
        }
    ),
    severity=HIGH,
    rationale="Passwords are tried from all over the world, and one that leaked elsewhere opens everything.",
    fix="Set settings.ipConfiguration.ipv4Enabled to false and privateNetwork to the network, for which a range must "
    "be peered; for AlloyDB leave networkConfig.enablePublicIp out.",
    peers="CKV_GCP_60 CKV_GCP_11 GCP-0017 KICS:b187edca",
    cis=("GCP 4.0: 6.5", "GCP 4.0: 6.6"),
)


@RULES.rule(
    on=(FILESTORE_INSTANCE, NETAPP_VOLUME),
    severity=MEDIUM,
    rationale="Every machine of the network mounts the share as root, and reads and deletes what any team put there.",
    fix=(
        "Set fileShares.nfsExportOptions (exportPolicy.rules of NetApp) with the ipRanges of the nodes: pods mount "
        "through their node, with its address. ROOT_SQUASH beside it keeps a pod's root from writing where the share "
        "belongs to root."
    ),
)
def gcp_filestore_private(it: View, _: Settings) -> Verdict:
    """A share is exported to named ranges only."""
    if it.type == NETAPP_VOLUME:
        rules = [it.within(place) for place in it.locations("exportPolicy.rules[]") if place.value is not None]
        return each(
            rules, lambda rule: _names_clients(rule, "allowedClients", (rule.text("allowedClients") or "").split(","))
        )
    options = [it.within(place) for place in it.locations("fileShares.nfsExportOptions[]") if place.value is not None]
    path = "fileShares.nfsExportOptions"
    if not options:
        return fail(f"{path} is not set, so every client of the network has the share as root", path=path)
    return each(options, lambda option: _names_clients(option, "ipRanges", option.texts("ipRanges")))


def _names_clients(export: Block, key: str, ranges: list[str]) -> Verdict:
    named = any(ranges) and open_range(ranges) is None
    return allow(named, f"{export.at(key)} names no clients", path=export.at(key))


RULES.row(
    "gcp-lustre-network",
    "Root of a client is root in a Lustre instance from named ranges only.",
    on=LUSTRE_INSTANCE,
    check=All(
        Given("network"),
        Is("accessRulesOptions.defaultSquashMode", "ROOT_SQUASH"),
        AtLeast("accessRulesOptions.defaultSquashUid", 1),
        Either(Absent("accessRulesOptions.accessRules"), NotOpen("accessRulesOptions.accessRules[].ipAddressRanges[]")),
    ),
    severity=MEDIUM,
    rationale=(
        "Every machine of the network mounts it, and whoever is root on one reads and deletes what any team put there."
    ),
    fix=(
        "Set accessRulesOptions.defaultSquashMode to ROOT_SQUASH with defaultSquashUid and defaultSquashGid 65534, and "
        "an access rule with NO_SQUASH for the range of the nodes."
    ),
)
RULES.row(
    "gcp-kafka-no-world",
    "Brokers of Kafka are reached from named ranges only.",
    on=MANAGEDKAFKA_CLUSTER,
    check=NotOpen("gcpConfig.accessConfig.publicClusterConfig.allowedSourceIpRanges[]"),
    severity=HIGH,
    rationale="With the token of one client, wherever it leaked, anybody reads every topic from anywhere.",
    fix="Leave gcpConfig.accessConfig.publicClusterConfig out, or name the ranges of clients in it.",
)
RULES.row(
    "gcp-vertex-index-private",
    "An index of vectors answers within the network only.",
    on=VERTEX_AI_INDEX_ENDPOINT,
    check=IsNot("publicEndpointEnabled", value=True),
    severity=MEDIUM,
    rationale="What lies next to a question in the index are passages of your documents, for whoever has a token.",
    fix="Set privateServiceConnectConfig, or network, in place of publicEndpointEnabled; the endpoint is replaced.",
    peers="CKV2_GCP_34",
)
RULES.row(
    "gcp-gemini-no-data-sharing",
    "Google gets no prompts and answers to improve its products with.",
    on=_SHARING,
    check=All(IsNot("enableDataSharing", value=True), IsNot("enablePreviewDataSharing", value=True)),
    severity=HIGH,
    rationale=(
        "Code and secrets that people show to the assistant leave the company, and people at Google may read them."
    ),
    fix="Set enableDataSharing and enablePreviewDataSharing to false.",
)
