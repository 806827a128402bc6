"""Programs on Azure before and after an edit, by what they edit."""

from __future__ import annotations

HEAD = """
import pulumi
from pulumi_azure_native import (
    authorization,
    containerregistry,
    containerservice,
    dbforpostgresql,
    keyvault,
    managedidentity,
    network,
    resources,
    storage,
    storagecache,
)

CHANGED = False
Options = pulumi.ResourceOptions
GROUP = {"resource_group_name": "rg"}


def either(before, after):
    return after if CHANGED else before
"""

NETWORKS = """
spaces = {"address_prefixes": either(["10.0.0.0/16"], ["10.0.0.0/16", "10.1.0.0/16"])}
vnet = network.VirtualNetwork("vnet", **GROUP, virtual_network_name="vnet", address_space=spaces)
subnet = network.Subnet(
    "nodes", **GROUP, virtual_network_name=vnet.name, address_prefix=either("10.0.0.0/20", "10.1.0.0/20")
)
network.Subnet(
    "moved", **GROUP, virtual_network_name=vnet.name, subnet_name=either("a", "b"), address_prefix="10.0.16.0/24"
)
address = network.PublicIPAddress(
    "out", **GROUP, sku={"name": "Standard"}, public_ip_allocation_method="Static", zones=either(["1"], ["2"])
)
network.NatGateway("nat", **GROUP, sku={"name": "Standard"}, public_ip_addresses=[{"id": address.id}])
"""

GROUPS = """
group = resources.ResourceGroup("group", resource_group_name=either("before", "after"))
vnet = network.VirtualNetwork(
    "vnet", resource_group_name=group.name, address_space={"address_prefixes": ["10.0.0.0/16"]}
)
network.Subnet("nodes", resource_group_name=group.name, virtual_network_name=vnet.name, address_prefix="10.0.0.0/20")
resources.ResourceGroup("tagged", tags={"owner": either("a", "b")})
resources.ResourceGroup("elsewhere", location=either("eastus", "westeurope"))
"""

CLUSTERS = """
cluster = containerservice.ManagedCluster(
    "cluster",
    **GROUP,
    dns_prefix="train",
    kubernetes_version=either("1.33", "1.34"),
    identity={"type": "SystemAssigned"},
    agent_pool_profiles=[{"name": "system", "mode": "System", "count": 3, "vm_size": "Standard_D8ds_v5"}],
)
inside = {**GROUP, "resource_name_": cluster.name, "vm_size": "Standard_D8ds_v5"}
containerservice.AgentPool("counted", **inside, agent_pool_name="counted", count=either(1, 4))
containerservice.AgentPool("labelled", **inside, agent_pool_name="labelled", node_labels={"team": either("a", "b")})
containerservice.AgentPool("disk", **inside, agent_pool_name="disk", os_disk_size_gb=either(128, 256))
containerservice.AgentPool("spot", **inside, agent_pool_name="spot", scale_set_priority=either("Regular", "Spot"))
containerservice.AgentPool("named", **inside, agent_pool_name=either("before", "after"))
containerservice.ManagedCluster("prefixed", **GROUP, dns_prefix=either("a", "b"), identity={"type": "SystemAssigned"})
"""

STORES = """
account = storage.StorageAccount(
    "data", **GROUP, account_name=either("before", "after"), kind="StorageV2", sku={"name": "Standard_ZRS"}
)
storage.BlobContainer("inside", **GROUP, account_name=account.name, container_name="data")
kept = storage.StorageAccount(
    "kept", **GROUP, account_name="kept", kind="StorageV2", sku={"name": either("Standard_LRS", "Standard_ZRS")}
)
storage.BlobContainer(
    "beside", **GROUP, account_name=kept.name, container_name="data", metadata={"a": either("1", "2")}
)
storage.FileShare("share", **GROUP, account_name=kept.name, share_name="home", share_quota=either(100, 200))
storage.StorageAccount(
    "flat",
    **GROUP,
    account_name="flat",
    kind="StorageV2",
    sku={"name": "Standard_LRS"},
    is_hns_enabled=either(False, True),
)
"""

SECRETS = """
vault = keyvault.Vault(
    "vault",
    **GROUP,
    vault_name=either("before", "after"),
    properties={
        "sku": {"family": "A", "name": "standard"},
        "tenant_id": "00000000-0000-0000-0000-000000000000",
        "access_policies": [],
    },
)
keyvault.Secret(
    "token",
    **GROUP,
    vault_name=vault.name,
    secret_name="token",
    properties={"value": pulumi.Output.secret(either("one", "two"))},
)
kept = keyvault.Vault(
    "kept",
    **GROUP,
    vault_name="kept",
    tags={"owner": either("a", "b")},
    properties={
        "sku": {"family": "A", "name": "standard"},
        "tenant_id": "00000000-0000-0000-0000-000000000000",
        "access_policies": [],
    },
)
keyvault.Secret(
    "now-hidden",
    **GROUP,
    vault_name=kept.name,
    secret_name="now",
    properties={"value": either("one", pulumi.Output.secret("one"))},
)
"""

LUSTRE = """
def lustre(name, **arguments):
    base = {
        "sku": {"name": "AMLFS-Durable-Premium-250"},
        "storage_capacity_ti_b": 8,
        "zones": ["1"],
        "filesystem_subnet": "subnet",
    }
    window = {"day_of_week": "Sunday", "time_of_day_utc": "03:00"}
    storagecache.AmlFilesystem(
        name, **GROUP, aml_filesystem_name=name, **{"maintenance_window": window, **base, **arguments}
    )


lustre("window", maintenance_window={"day_of_week": either("Sunday", "Monday"), "time_of_day_utc": "03:00"})
lustre("capacity", storage_capacity_ti_b=either(8, 16))
lustre("tier", sku={"name": either("AMLFS-Durable-Premium-250", "AMLFS-Durable-Premium-500")})
lustre("zone", zones=[either("1", "2")])
lustre("owned", tags={"owner": either("a", "b")})
"""

DATABASES = """
def server(name, **arguments):
    arguments = {"sku": {"name": "Standard_D2ds_v5", "tier": "GeneralPurpose"}, "version": "17", **arguments}
    return dbforpostgresql.Server(name, **GROUP, **{"server_name": name, **arguments})


server("sized", storage={"storage_size_gb": either(128, 256)})
server("login", administrator_login=either("a", "b"), administrator_login_password=pulumi.Output.secret("p"))
named = server("named", server_name=either("before", "after"))
dbforpostgresql.Database("inside", **GROUP, server_name=named.name, database_name="flows")
server("upgraded", version=either("16", "17"))
"""

IDENTITIES = """
account = managedidentity.UserAssignedIdentity("nodes", **GROUP, resource_name_=either("before", "after"))
authorization.RoleAssignment(
    "pull",
    principal_id=account.principal_id,
    principal_type="ServicePrincipal",
    scope="/subscriptions/s",
    role_definition_id="/providers/Microsoft.Authorization/roleDefinitions/7f951dda-4ed3-4680-a7ca-43fe172d538d",
)
kept = managedidentity.UserAssignedIdentity("kept", **GROUP, resource_name_="kept")
authorization.RoleAssignment(
    "scoped",
    principal_id=kept.principal_id,
    principal_type="ServicePrincipal",
    scope=either("/subscriptions/s", "/subscriptions/t"),
    role_definition_id="/providers/Microsoft.Authorization/roleDefinitions/7f951dda-4ed3-4680-a7ca-43fe172d538d",
)
managedidentity.FederatedIdentityCredential(
    "trainer",
    **GROUP,
    resource_name_=kept.name,
    federated_identity_credential_resource_name="trainer",
    issuer="https://example.com",
    subject=either("system:serviceaccount:a:b", "system:serviceaccount:c:d"),
    audiences=["api://AzureADTokenExchange"],
)
"""

NAMES = """
containerregistry.Registry(either("removed", "added"), **GROUP, sku={"name": "Premium"})
moved = network.VirtualNetwork(
    either("was", "is"),
    **GROUP,
    virtual_network_name="moved",
    address_space={"address_prefixes": ["10.0.0.0/16"]},
    opts=Options(aliases=[pulumi.Alias(name="was")]),
)
network.Subnet("in-moved", **GROUP, virtual_network_name=moved.name, address_prefix="10.0.0.0/24")
network.VirtualNetwork("guarded", **GROUP, tags={"owner": either("a", "b")}, opts=Options(protect=True))
network.VirtualNetwork("ignoring", **GROUP, tags={"owner": either("a", "b")}, opts=Options(ignore_changes=["tags"]))
first = network.VirtualNetwork(
    "first",
    **GROUP,
    virtual_network_name="first",
    location=either("eastus", "westeurope"),
    opts=Options(delete_before_replace=True),
)
network.Subnet("in-first", **GROUP, virtual_network_name=first.name, address_prefix="10.0.0.0/24")
"""

PROVIDERS = """
from pulumi_azure_native import Provider

there = Options(
    provider=Provider(
        "there",
        subscription_id=either("11111111-1111-1111-1111-111111111111", "22222222-2222-2222-2222-222222222222"),
    )
)
group = resources.ResourceGroup("moves", opts=there)
network.VirtualNetwork("in-moves", resource_group_name=group.name, opts=there)
explicit = Options(
    provider=either(None, Provider("explicit", subscription_id="11111111-1111-1111-1111-111111111111"))
)
network.VirtualNetwork("explicit", **GROUP, opts=explicit)
"""

PROGRAMS = {
    "networks": NETWORKS,
    "groups": GROUPS,
    "clusters": CLUSTERS,
    "stores": STORES,
    "secrets": SECRETS,
    "lustre": LUSTRE,
    "databases": DATABASES,
    "identities": IDENTITIES,
    "names": NAMES,
    "providers": PROVIDERS,
}
