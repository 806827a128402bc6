"""Rules on who an AKS cluster is, who signs in to it, and the key of its etcd."""

from __future__ import annotations

from penstock.azure.rules.identities import GUID
from penstock.azure.types import CONTAINERSERVICE_MANAGED_CLUSTER
from penstock.rules.checks import Absent, All, Either, Given, Is, Matches, Where
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_KMS = "securityProfile.azureKeyVaultKms"

_OWN = Either(Matches("identity.type", "(?i).*userassigned.*"), Given("servicePrincipalProfile.clientId"))
"""An identity that has its rights before the cluster is created."""

RULES.row(
    "az-aks-somebody-signs-in",
    "A cluster without local accounts has Entra ID.",
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    check=Where(Is("disableLocalAccounts", True), Given("aadProfile")),
    severity=HIGH,
    rationale="Without Entra ID, local accounts are the only ones, and nobody reaches the cluster.",
    fix="Set aadProfile with managed true, or disableLocalAccounts to false.",
    sources=("AKS documentation, local accounts",),
)
RULES.row(
    "az-aks-admin-groups",
    "Groups of administrators are given by their object ids.",
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    check=Where(Given("aadProfile.adminGroupObjectIDs"), Matches("aadProfile.adminGroupObjectIDs[]", GUID)),
    severity=HIGH,
    rationale="Entra ID finds no group by its name there.",
    fix="Set aadProfile.adminGroupObjectIDs to object ids, which `az ad group show --query id` prints.",
    sources=("AKS documentation, Entra ID for the control plane",),
)
RULES.row(
    "az-aks-kubelet-identity",
    "A cluster whose nodes have an identity of the user's own has one itself.",
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    check=Where(Given("identityProfile.kubeletidentity"), Matches("identity.type", "(?i).*userassigned.*")),
    severity=HIGH,
    rationale="AKS gives nodes a given identity only where the control plane has one that may assign it.",
    fix="Set identity.type to UserAssigned, with an identity that is Managed Identity Operator of the nodes' one.",
    sources=("AKS documentation, managed identities",),
)
RULES.row(
    "az-aks-kms-vault",
    "A key of etcd in a private vault has the id of the vault, and one in a public vault has none.",
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    check=All(
        Where(Is(f"{_KMS}.keyVaultNetworkAccess", "Private"), Given(f"{_KMS}.keyVaultResourceId")),
        Where(Is(f"{_KMS}.keyVaultNetworkAccess", "Public"), Absent(f"{_KMS}.keyVaultResourceId")),
    ),
    severity=HIGH,
    rationale="AKS reaches a private vault by its resource, and rejects the profile otherwise.",
    fix=f"Set {_KMS}.keyVaultResourceId to the id of the private vault, and leave it out for a public one.",
    sources=("Pulumi Azure Native, containerservice.ManagedCluster: Key Vault KMS",),
)
RULES.row(
    "az-aks-kms-key",
    "A key of etcd is given by its identifier with a version.",
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    check=Where(Is(f"{_KMS}.enabled", True), Matches(f"{_KMS}.keyId", r"https://[^/]+/keys/[^/]+/[^/]+")),
    severity=HIGH,
    rationale="AKS encrypts with one version of a key, and rejects an identifier without.",
    fix=f"Set {_KMS}.keyId to keyUriWithVersion of the key.",
    sources=("AKS documentation, KMS encryption of etcd",),
)
RULES.row(
    "az-aks-zone-identity",
    "A cluster with a private zone of the user's own has an identity or service principal of the user's own.",
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    check=Where(Matches("apiServerAccessProfile.privateDNSZone", "/.*"), _OWN),
    severity=HIGH,
    rationale="The cluster writes its name into the zone as it is created, when its system identity has no rights yet.",
    fix="Set identity.type to UserAssigned, with an identity that is Private DNS Zone Contributor of the zone.",
    sources=("AKS documentation, private clusters",),
)
RULES.row(
    "az-aks-kms-identity",
    "A cluster whose etcd has a key of the user's own has an identity of the user's own.",
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    check=Where(Is(f"{_KMS}.enabled", True), _OWN),
    severity=HIGH,
    rationale="The cluster reads the key as it is created, when its system identity has no rights yet.",
    fix="Set identity.type to UserAssigned, with an identity that is Key Vault Crypto User of the vault.",
    sources=("AKS documentation, KMS encryption of etcd",),
)
