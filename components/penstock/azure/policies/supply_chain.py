"""Supply chain on Azure."""

from __future__ import annotations

from penstock.azure.types import (
    BATCH_POOL,
    COMPUTE_VIRTUAL_MACHINE,
    COMPUTE_VIRTUAL_MACHINE_EXTENSION,
    COMPUTE_VIRTUAL_MACHINE_SCALE_SET,
    COMPUTE_VIRTUAL_MACHINE_SCALE_SET_EXTENSION,
    CONTAINERREGISTRY_REGISTRY,
    CONTAINERSERVICE_MANAGED_CLUSTER,
    MACHINELEARNINGSERVICES_COMPUTE,
)
from penstock.policies import downloads
from penstock.policies.downloads import PinnedAddresses, PinnedDownloads
from penstock.rules.checks import All, ByType, Each, Either, Is, IsNot, Where
from penstock.rules.levels import LOW, MEDIUM, Category
from penstock.rules.remedies import set_to
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.SUPPLY_CHAIN)


_CHOSEN = IsNot("sku.name", "Automatic")
"""Azure sets up an automatic cluster with all of this by itself."""

RULES.row(
    "az-acr-trust",
    "A registry holds back images until somebody has judged them.",
    on=CONTAINERREGISTRY_REGISTRY,
    check=Where(
        Is("sku.name", "Premium"),
        Either(Is("policies.quarantinePolicy.status", "enabled"), Is("policies.trustPolicy.status", "enabled")),
    ),
    severity=LOW,
    rationale="An image is pulled the moment it is pushed, by a build that was broken into as by any other.",
    fix="Set policies.quarantinePolicy.status to enabled, and let the scanner of your builds release images. "
    "Content trust does as well, but registries that do not have it yet can no longer turn it on.",
    peers="CKV_AZURE_164 CKV_AZURE_166",
)
RULES.row(
    "az-aks-policy-addon",
    "A cluster asks Azure Policy which pods it may admit.",
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    check=Where(
        _CHOSEN,
        Either(
            Is("addonProfiles.azurepolicy.enabled", value=True),
            Is("addonProfiles.azurePolicy.enabled", value=True),
        ),
    ),
    severity=MEDIUM,
    rationale="Nothing else refuses privileged pods or images from anywhere, whatever the organisation has decided.",
    fix="Set addonProfiles.azurepolicy.enabled to true, and assign an initiative to the cluster's scope.",
    peers="CKV_AZURE_116 AZU-0066 KICS:43789711",
)
RULES.row(
    "az-aks-image-cleaner",
    "Nodes drop images that have known holes and that nothing runs.",
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    check=Where(_CHOSEN, Is("securityProfile.imageCleaner.enabled", value=True)),
    severity=LOW,
    rationale="An old image stays on the node for months, ready to run without a pull that a scanner could refuse.",
    fix="Set securityProfile.imageCleaner.enabled to true, and intervalHours to 168.",
    remedy=set_to("securityProfile.imageCleaner.enabled", value=True),
)

_OF_EXTENSION = All(
    PinnedDownloads("settings.commandToExecute"),
    PinnedDownloads("settings.script"),
    PinnedAddresses("settings.fileUris[]"),
)
_BOOTS = {
    COMPUTE_VIRTUAL_MACHINE: All(PinnedDownloads("osProfile.customData"), PinnedDownloads("userData")),
    COMPUTE_VIRTUAL_MACHINE_SCALE_SET: All(
        PinnedDownloads("virtualMachineProfile.osProfile.customData"),
        PinnedDownloads("virtualMachineProfile.userData"),
        Each("virtualMachineProfile.extensionProfile.extensions[]", _OF_EXTENSION),
    ),
    COMPUTE_VIRTUAL_MACHINE_EXTENSION: _OF_EXTENSION,
    COMPUTE_VIRTUAL_MACHINE_SCALE_SET_EXTENSION: _OF_EXTENSION,
    BATCH_POOL: PinnedDownloads("startTask.commandLine"),
    MACHINELEARNINGSERVICES_COMPUTE: All(
        PinnedDownloads("properties.properties.setupScripts.scripts.creationScript.scriptData"),
        PinnedDownloads("properties.properties.setupScripts.scripts.startupScript.scriptData"),
    ),
}

RULES.row(
    "az-boot-download-pinned",
    "What a machine downloads as it starts is pinned.",
    on=tuple(_BOOTS),
    check=ByType(_BOOTS),
    severity=LOW,
    rationale=downloads.RATIONALE,
    fix=downloads.FIX,
)
