"""Misconfigurations of vaults, keys, identities, roles and budgets."""

from __future__ import annotations

from typing import Any

from tests.nd_platform.program import SUBSCRIPTION, Misconfiguration
from tests.simulate.azure_misconfigurations.misconfigurations import Misconfigurations


def vault(**changes: Any) -> Misconfiguration:
    """A misconfiguration of the vault."""
    return {"vault": {"properties": changes}}


def key(**changes: Any) -> Misconfiguration:
    """A misconfiguration of the key."""
    return {"key": {"properties": changes}}


def granted(**changes: Any) -> Misconfiguration:
    """A misconfiguration of an assigned role."""
    return {"trainer-images": changes}


def trusted(**changes: Any) -> Misconfiguration:
    """A misconfiguration in who is trusted."""
    return {"trainer-pods": changes}


def budget(**changes: Any) -> Misconfiguration:
    """A misconfiguration of the budget."""
    return {"budget": changes}


def told(**changes: Any) -> Misconfiguration:
    """A misconfiguration in who learns of the budget."""
    return budget(notifications={"most": changes})


_CONTAINERS = "Microsoft.Storage/storageAccounts/blobServices/containers"
_NAMES = "azure-resource-manager/management/resource-name-rules"
_FEDERATED = "entra/workload-id/workload-identity-federation-considerations"
_BUDGET = "rest/api/consumption/budgets/create-or-update"
_ROLES = "role-based-access-control/role-assignments-steps"

MISCONFIGURATIONS: Misconfigurations = {
    "a vault's name that begins with a digit": (
        "vault",
        {"vault": {"vault_name": "1-training"}},
        f"begins with a letter; {_NAMES}",
    ),
    "a vault's name with an underscore": (
        "vault",
        {"vault": {"vault_name": "kv_training"}},
        f"takes hyphens; {_NAMES}",
    ),
    "a long name of a vault": (
        "vault",
        {"vault": {"vault_name": "kv-acme-training-platform"}},
        f"takes 24 characters; {_NAMES}",
    ),
    "a vault that forgets at once": (
        "vault",
        vault(soft_delete_retention_in_days=5),
        "keeps 7 to 90 days; key-vault/general/soft-delete-overview",
    ),
    "a vault that never forgets": (
        "vault",
        vault(soft_delete_retention_in_days=180),
        "keeps 7 to 90 days; key-vault/general/soft-delete-overview",
    ),
    "protection that is refused": (
        "vault",
        vault(enable_purge_protection=False),
        "takes true or nothing; rest/api/keyvault/keyvault/vaults/create-or-update",
    ),
    "a key that may be purged under its disks": (
        "disks vault",
        vault(enable_purge_protection=None),
        "wants protection from purges; virtual-machines/disk-encryption",
    ),
    "a tier of vaults that is none": (
        "vault",
        vault(sku={"name": "enterprise"}),
        "has standard and premium; key-vault/general/overview",
    ),
    "a vault of a tenant by name": (
        "vault",
        vault(tenant_id="acme.onmicrosoft.com"),
        "takes the tenant's id; rest/api/keyvault/keyvault/vaults/create-or-update",
    ),
    "a vault that lets nobody in": (
        "vault",
        vault(enable_rbac_authorization=False),
        "wants access policies then; key-vault/general/rbac-guide",
    ),
    "a private range let into a vault": (
        "vault",
        vault(network_acls={"ip_rules": [{"value": "10.0.0.0/8"}]}),
        "takes public addresses; key-vault/general/network-security",
    ),
    "a short key": ("key", key(key_size=1024), "takes 2048, 3072 and 4096; key-vault/keys/about-keys"),
    "a key of a type that is none": ("key", key(kty="AES"), "refuses the type; key-vault/keys/about-keys"),
    "a key that does something else": (
        "key",
        key(key_ops=["crypt"]),
        "refuses the operation; key-vault/keys/about-keys",
    ),
    "a key of curves for disks": (
        "disks key",
        {"key": {"properties": {"kty": "EC", "key_size": None, "curve_name": "P-256", "key_ops": ["sign", "verify"]}}},
        "wants RSA; virtual-machines/disk-encryption",
    ),
    "a key on a curve that is none": (
        "key",
        key(kty="EC", key_size=None, curve_name="P-999", key_ops=["sign"]),
        "knows four; key-vault/keys/about-keys",
    ),
    "a key in hardware that a vault has not": (
        "key vault",
        {**vault(sku={"name": "standard"}), **key(kty="RSA-HSM")},
        "has it on premium; key-vault/keys/about-keys",
    ),
    "a secret's name with an underscore": (
        "secret",
        {"secret": {"secret_name": "hugging_face"}},
        f"takes letters, digits, hyphens; {_NAMES}",
    ),
    "disks encrypted somehow": (
        "disks",
        {"disks": {"encryption_type": "CustomerKey"}},
        "knows three types; virtual-machines/disk-encryption",
    ),
    "disks that nobody may decrypt": (
        "disks",
        {"disks": {"identity": None}},
        "wants an identity; virtual-machines/disk-encryption",
    ),
    "a key without a version that does not rotate": (
        "disks",
        {
            "disks": {
                "rotation_to_latest_key_version_enabled": False,
                "active_key": {"key_url": "https://kv-acme-training.vault.azure.net/keys/disks"},
            }
        },
        "wants the version then; virtual-machines/disk-encryption",
    ),
    "a role by its name": (
        "trainer-images",
        granted(role_definition_id="AcrPull"),
        f"takes the definition's id; {_ROLES}",
    ),
    "a role that is none": (
        "trainer-images",
        granted(
            role_definition_id=f"/subscriptions/{SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/AcrPull"
        ),
        f"takes the definition's id; {_ROLES}",
    ),
    "a role for a name": ("trainer-images", granted(principal_id="trainer"), f"takes an object id; {_ROLES}"),
    "a role for an identity's resource": (
        "trainer-images",
        granted(principal_id=lambda made: made["trainer"].id),
        f"takes an object id; {_ROLES}",
    ),
    "a role for what is no principal": (
        "trainer-images",
        granted(principal_type="ManagedIdentity"),
        f"takes ServicePrincipal; {_ROLES}",
    ),
    "a role for a person, as the SDK has it by default": (
        "trainer-images",
        granted(principal_type=None),
        "refuses an identity as a user; role-based-access-control/troubleshooting",
    ),
    "a role on a name": (
        "trainer-images",
        granted(scope="acmetraining"),
        "takes an id; role-based-access-control/scope-overview",
    ),
    "an assignment by name": (
        "trainer-images",
        granted(role_assignment_name="trainer-pulls"),
        f"takes a GUID; {_ROLES}",
    ),
    "a condition without its version": (
        "trainer-data",
        {"trainer-data": {"condition": f"@Resource[{_CONTAINERS}:name] StringEquals 'datasets'"}},
        "wants version 2.0; role-based-access-control/conditions-format",
    ),
    "two audiences": (
        "trainer-pods",
        trusted(audiences=["api://AzureADTokenExchange", "sts.amazonaws.com"]),
        f"takes one; {_FEDERATED}",
    ),
    "an issuer without encryption": (
        "trainer-pods",
        trusted(issuer="http://issuer.example.com/"),
        f"wants https; {_FEDERATED}",
    ),
    "a subject of no account": (
        "trainer-pods",
        trusted(subject="system:serviceaccount:trainer"),
        "matches no token; aks/workload-identity-overview",
    ),
    "nobody in particular": (
        "trainer-pods",
        trusted(subject="system:serviceaccount:default:*"),
        f"knows no wildcards; {_FEDERATED}",
    ),
    "an identity's name with a dot": (
        "trainer",
        {"trainer": {"resource_name_": "trainer.pods"}},
        f"takes hyphens and underscores; {_NAMES}",
    ),
    "an identity's name of two letters": (
        "trainer",
        {"trainer": {"resource_name_": "tr"}},
        f"takes three to 128; {_NAMES}",
    ),
    "a budget for a month": ("budget", budget(time_grain="Month"), f"takes Monthly; {_BUDGET}"),
    "a budget from the middle of a month": (
        "budget",
        budget(time_period={"start_date": "2026-11-15T00:00:00Z"}),
        f"begins on the first; {_BUDGET}",
    ),
    "a budget that ends before it begins": (
        "budget",
        budget(time_period={"end_date": "2026-10-01T00:00:00Z"}),
        f"wants the end later; {_BUDGET}",
    ),
    "a budget of the past": (
        "budget",
        budget(time_period={"start_date": "2016-01-01T00:00:00Z"}),
        f"begins in June 2017 or later; {_BUDGET}",
    ),
    "a threshold in dollars": ("budget", told(threshold=700000), f"takes 0 to 1000 percent; {_BUDGET}"),
    "a threshold over or so": ("budget", told(operator="Above"), f"knows three; {_BUDGET}"),
    "a threshold that nobody learns of": ("budget", told(contact_emails=[]), f"wants somebody; {_BUDGET}"),
    "a budget of less than nothing": ("budget", budget(amount=-1), f"takes more than 0; {_BUDGET}"),
    "more notices than there are": (
        "budget",
        budget(
            notifications={
                f"n{n}": {
                    "enabled": True,
                    "operator": "GreaterThan",
                    "threshold": 10 * n,
                    "contact_emails": ["a@example.com"],
                }
                for n in range(1, 7)
            }
        ),
        f"takes five; {_BUDGET}",
    ),
    "a budget for a name": ("budget", budget(scope="training"), f"takes the id of a scope; {_BUDGET}"),
    "a group's name that ends with a dot": (
        "group",
        {"group": {"resource_group_name": "training."}},
        f"refuses the name; {_NAMES}",
    ),
    "a region that is none": (
        "group",
        {"group": {"location": "us-east-1"}},
        "knows no such region; reliability/regions-list",
    ),
}
