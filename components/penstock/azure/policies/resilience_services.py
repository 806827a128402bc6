"""Resilience on Azure: backup vaults, zones, tiers with a service level, and health of web apps."""

from __future__ import annotations

from typing import Final

from penstock.azure.types import (
    APPCONFIGURATION_CONFIGURATION_STORE,
    COMPUTE_VIRTUAL_MACHINE,
    COMPUTE_VIRTUAL_MACHINE_SCALE_SET,
    CONTAINERSERVICE_AGENT_POOL,
    CONTAINERSERVICE_MANAGED_CLUSTER,
    DATAPROTECTION_BACKUP_VAULT,
    KUSTO_CLUSTER,
    RECOVERYSERVICES_VAULT,
    REDIS,
    SEARCH_SERVICE,
    SQL_DATABASE,
    STORAGE_FILE_SERVICE_PROPERTIES,
    WEB_APP,
    WEB_APP_SERVICE_PLAN,
    WEB_APP_SLOT,
    WEBPUBSUB_WEB_PUB_SUB,
)
from penstock.rules.checks import (
    Absent,
    All,
    AtLeast,
    ByType,
    Either,
    Given,
    Is,
    IsNot,
    Matches,
    NoneOf,
    OneOf,
    Unlike,
    Where,
)
from penstock.rules.levels import LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.RESILIENCE)

_SECURITY: Final = "properties.securitySettings"

RULES.row(
    "az-backup-immutable",
    "Backups in a vault cannot be deleted before they expire.",
    on=(RECOVERYSERVICES_VAULT, DATAPROTECTION_BACKUP_VAULT),
    check=OneOf(f"{_SECURITY}.immutabilitySettings.state", ("Locked", "Unlocked")),
    severity=MEDIUM,
    rationale="An attacker with a stolen administrator account deletes the backups before encrypting the data.",
    fix=f"Set {_SECURITY}.immutabilitySettings.state to Unlocked, and to Locked once it works; that is irreversible.",
    peers="KICS:7a0164a5 KICS:0af1814d",
)
RULES.row(
    "az-backup-soft-delete",
    "A backup vault keeps deleted backups for a while.",
    on=(RECOVERYSERVICES_VAULT, DATAPROTECTION_BACKUP_VAULT),
    check=ByType(
        {
            RECOVERYSERVICES_VAULT: IsNot(f"{_SECURITY}.softDeleteSettings.softDeleteState", "Disabled"),
            DATAPROTECTION_BACKUP_VAULT: IsNot(f"{_SECURITY}.softDeleteSettings.state", "Off"),
        }
    ),
    severity=MEDIUM,
    rationale="A backup that is deleted by mistake or by an attacker is lost at once.",
    fix="Remove softDeleteSettings, or set softDeleteState (state of a BackupVault) to AlwaysON.",
    peers="KICS:8d407b28 KICS:b373043c",
)
RULES.row(
    "az-files-soft-delete",
    "A storage account keeps deleted file shares for a while.",
    on=STORAGE_FILE_SERVICE_PROPERTIES,
    check=IsNot("shareDeleteRetentionPolicy.enabled", value=False),
    severity=MEDIUM,
    rationale="A deleted share is lost with everything on it.",
    fix="Set shareDeleteRetentionPolicy.enabled to true and days to 7 or more.",
    peers="KICS:54087baa",
)


RULES.row(
    "az-appconfig-purge",
    "A deleted configuration store can be recovered.",
    on=APPCONFIGURATION_CONFIGURATION_STORE,
    check=Where(NoneOf("sku.name", ("free", "developer")), Is("enablePurgeProtection", value=True)),
    severity=LOW,
    rationale="Someone deletes and purges the store, and every app that reads it fails to start.",
    fix="Set enablePurgeProtection to true; it cannot be turned off again.",
    peers="CKV_AZURE_187",
)

_ENVIRONMENT: Final = "azure-native:web:AppServiceEnvironment"
_ZONAL: Final = Is("zoneRedundant", value=True)

RULES.row(
    "az-zone-redundant",
    "Plans of web apps and databases in production are in several zones.",
    on=(WEB_APP_SERVICE_PLAN, _ENVIRONMENT, SQL_DATABASE),
    check=ByType(
        {
            WEB_APP_SERVICE_PLAN: Where(Matches("sku.name", r"(?i)(P\dm?v[2-4]|I\d+m?v2|EP\d|WS\d)"), _ZONAL),
            _ENVIRONMENT: _ZONAL,
            SQL_DATABASE: Where(
                All(
                    NoneOf("sku.tier", ("Basic", "Standard", "DataWarehouse")),
                    Unlike("sku.name", r"(?i)(Basic|Free|System|S\d+|DW\d+c?|ElasticPool)"),
                    Absent("elasticPoolId"),  # the pool decides
                ),
                _ZONAL,
            ),
        }
    ),
    severity=LOW,
    rationale="The app or database goes down with one zone.",
    fix="Set zoneRedundant to true, in a region that has zones; a plan or an environment is replaced, and a plan needs "
    "two instances or more.",
    peers="CKV_AZURE_225 CKV_AZURE_229 CKV_AZURE_231",
    in_production=True,
)

_FREE: Final = Unlike("sku.name", r"(?i)(free|f1|free_f1|d1|shared)")
_PAID: Final = {
    APPCONFIGURATION_CONFIGURATION_STORE: NoneOf("sku.name", ("free", "developer")),
    KUSTO_CLUSTER: IsNot("sku.tier", "Basic"),
    REDIS: IsNot("sku.name", "Basic"),
    SEARCH_SERVICE: NoneOf("sku.name", ("free",)),
    "azure-native:signalrservice:SignalR": _FREE,
    WEB_APP_SERVICE_PLAN: Unlike("sku.name", r"(?i)(f1|d1|b\d|shared)"),
    WEBPUBSUB_WEB_PUB_SUB: _FREE,
}

RULES.row(
    "az-paid-tier",
    "Services in production have a tier for production.",
    on=tuple(_PAID),
    check=ByType(_PAID),
    severity=LOW,
    rationale="Free and basic tiers have no service level, no replica or no autoscaling, so one failed machine stops "
    "the service.",
    fix="Set sku.name to Standard or above (S1 or P0v3 for a plan of web apps, sku.tier for Data Explorer); a free "
    "search service is replaced with its indexes.",
    peers="CKV_AZURE_175 CKV_AZURE_180 CKV_AZURE_188 CKV_AZURE_196 CKV_AZURE_211 CKV_AZURE_230",
    in_production=True,
)
RULES.row(
    "az-search-replicas",
    "A search service in production has three replicas.",
    on=SEARCH_SERVICE,
    check=Where(NoneOf("sku.name", ("free",)), AtLeast("replicaCount", 3)),
    severity=LOW,
    rationale="Azure guarantees queries from two replicas on, and updates of indexes from three on.",
    fix="Set replicaCount to 3; each replica is billed.",
    peers="CKV_AZURE_208 CKV_AZURE_209",
    in_production=True,
)
RULES.row(
    "az-plan-instances",
    "A plan of web apps in production has two instances.",
    on=WEB_APP_SERVICE_PLAN,
    check=Where(Matches("sku.name", r"(?i)(S\d|P\d+m?v?\d?|I\d+m?(v2)?)"), AtLeast("sku.capacity", 2)),
    severity=LOW,
    rationale="The apps are down whenever Azure updates or loses the one machine.",
    fix="Set sku.capacity to 2 or more.",
    peers="CKV_AZURE_212",
    in_production=True,
)

_SITE: Final = (WEB_APP, WEB_APP_SLOT)
_IS_APP: Final = Unlike("kind", r"(?i).*(functionapp|workflowapp).*")

RULES.row(
    "az-web-health",
    "Azure probes the health of a web app in production.",
    on=_SITE,
    check=Where(_IS_APP, Given("siteConfig.healthCheckPath")),
    severity=LOW,
    rationale="Requests go to instances that no longer answer.",
    fix="Set siteConfig.healthCheckPath to a path that checks what the app depends on.",
    peers="CKV_AZURE_213",
    in_production=True,
)
RULES.row(
    "az-web-always-on",
    "Azure keeps a web app in production loaded.",
    on=_SITE,
    check=Where(_IS_APP, Is("siteConfig.alwaysOn", value=True)),
    severity=LOW,
    rationale="After 20 minutes without requests the app is unloaded, and the next caller waits until models are "
    "loaded.",
    fix="Set siteConfig.alwaysOn to true; plans from Basic on support it.",
    peers="CKV_AZURE_214",
    in_production=True,
)


RULES.row(
    "az-aks-scale-sets",
    "Node pools are scale sets.",
    on=(CONTAINERSERVICE_MANAGED_CLUSTER, CONTAINERSERVICE_AGENT_POOL),
    check=ByType(
        {
            CONTAINERSERVICE_MANAGED_CLUSTER: IsNot("agentPoolProfiles[].type", "AvailabilitySet"),
            CONTAINERSERVICE_AGENT_POOL: IsNot("type", "AvailabilitySet"),
        }
    ),
    severity=LOW,
    rationale="Availability sets have no zones, no autoscaler and one pool only, and AKS retired them.",
    fix="Set type to VirtualMachineScaleSets, or leave it out of a pool of its own; the cluster is replaced.",
    peers="CKV_AZURE_169",
)
_WINDOWS: Final = "osProfile.windowsConfiguration"
_LINUX: Final = "osProfile.linuxConfiguration"


def _patched(under: str) -> Either:
    """Windows updates itself, or Azure patches it."""
    return Either(
        IsNot(f"{under}{_WINDOWS}.enableAutomaticUpdates", value=False),
        Is(f"{under}{_WINDOWS}.patchSettings.patchMode", "AutomaticByPlatform"),
    )


RULES.row(
    "az-vm-windows-updates",
    "Windows machines receive updates.",
    on=(COMPUTE_VIRTUAL_MACHINE, COMPUTE_VIRTUAL_MACHINE_SCALE_SET),
    check=ByType(
        {COMPUTE_VIRTUAL_MACHINE: _patched(""), COMPUTE_VIRTUAL_MACHINE_SCALE_SET: _patched("virtualMachineProfile.")}
    ),
    severity=LOW,
    rationale="Known vulnerabilities stay open until someone updates the machine by hand.",
    fix="Remove enableAutomaticUpdates, or set patchSettings.patchMode to AutomaticByPlatform.",
    peers="CKV_AZURE_177 KICS:187e6d39",
)
RULES.row(
    "az-vmss-image-upgrade",
    "A scale set replaces its machines when a new image is published.",
    on=COMPUTE_VIRTUAL_MACHINE_SCALE_SET,
    check=Where(
        Unlike("sku.name", r"(?i)standard_n.*"),  # an upgrade would end runs on accelerators
        Either(
            Is("upgradePolicy.automaticOSUpgradePolicy.enableAutomaticOSUpgrade", value=True),
            Is(
                "virtualMachineProfile.osProfile.linuxConfiguration.patchSettings.patchMode",
                "AutomaticByPlatform",
            ),
            Is("virtualMachineProfile.osProfile.windowsConfiguration.patchSettings.patchMode", "AutomaticByPlatform"),
        ),
    ),
    severity=LOW,
    rationale="Machines run for months on an image with known vulnerabilities.",
    fix="Set upgradePolicy.automaticOSUpgradePolicy.enableAutomaticOSUpgrade to true with a health extension, or "
    "patchSettings.patchMode to AutomaticByPlatform.",
    peers="CKV_AZURE_95",
)
RULES.row(
    "az-vm-agent",
    "Machines have the agent of Azure.",
    on=(COMPUTE_VIRTUAL_MACHINE, COMPUTE_VIRTUAL_MACHINE_SCALE_SET),
    check=ByType(
        {
            COMPUTE_VIRTUAL_MACHINE: All(
                IsNot(f"{_WINDOWS}.provisionVMAgent", value=False), IsNot(f"{_LINUX}.provisionVMAgent", value=False)
            ),
            COMPUTE_VIRTUAL_MACHINE_SCALE_SET: All(
                IsNot(f"virtualMachineProfile.{_WINDOWS}.provisionVMAgent", value=False),
                IsNot(f"virtualMachineProfile.{_LINUX}.provisionVMAgent", value=False),
            ),
        }
    ),
    severity=LOW,
    rationale="Patches, backups, monitoring and GPU drivers cannot be installed by Azure.",
    fix="Remove provisionVMAgent, or set it to true.",
    peers="CKV_AZURE_179",
)
