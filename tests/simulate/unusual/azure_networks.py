"""Networks, clusters and identities of Azure that are right by its documentation and seldom seen."""

from __future__ import annotations

import pulumi
import pulumi_azure_native as azure
import pulumi_random as random

_HERE = "/subscriptions/0282681f-7a9e-424b-80b2-96babd57a8a1/resourceGroups/central"

_BUILT_IN = "/subscriptions/0282681f-7a9e-424b-80b2-96babd57a8a1/providers/Microsoft.Authorization/roleDefinitions"


def _group(name: str = "team") -> azure.resources.ResourceGroup:
    return azure.resources.ResourceGroup(name, resource_group_name=f"{name}.(1)_a-b")


def groups_in_other_places() -> None:
    """<https://learn.microsoft.com/en-us/azure/azure-resource-manager/management/resource-name-rules>."""
    azure.resources.ResourceGroup("words", location="West Europe", tags={"a b": "", "cost/center": "1"})
    azure.resources.ResourceGroup(
        "code", location="swedencentral", managed_by=f"{_HERE}/providers/Microsoft.Foo/bars/b"
    )
    azure.resources.ResourceGroup(
        "found", opts=pulumi.ResourceOptions(import_=_HERE, protect=True, ignore_changes=["tags"])
    )


def an_account_named_at_random() -> None:
    """<https://learn.microsoft.com/en-us/azure/storage/common/storage-account-overview>."""
    end = random.RandomId("end", byte_length=4)
    account = azure.storage.StorageAccount(
        "data",
        resource_group_name=_group().name,
        account_name=end.hex.apply(lambda text: f"st{text}"),
        kind="BlockBlobStorage",
        sku={"name": "Premium_ZRS"},
        is_hns_enabled=True,
        network_rule_set={
            "default_action": "Deny",
            "bypass": "AzureServices, Logging",
            "ip_rules": [{"i_p_address_or_range": "203.0.113.0/30"}],
        },
        allow_shared_key_access=False,
        minimum_tls_version="TLS1_2",
    )
    azure.storage.BlobContainer(
        "logs", resource_group_name="central", account_name=account.name, container_name="$logs"
    )
    pulumi.export(
        "key",
        pulumi.Output.secret(
            azure.storage.list_storage_account_keys_output(resource_group_name="central", account_name=account.name)
            .keys[0]
            .value
        ),
    )


def an_account_with_rules_of_age() -> None:
    """<https://learn.microsoft.com/en-us/azure/storage/blobs/lifecycle-management-policy-structure>."""
    azure.storage.ManagementPolicy(
        "default",
        resource_group_name="central",
        account_name="acmedata1",
        management_policy_name="default",
        policy={
            "rules": [
                {
                    "name": "r",
                    "type": "Lifecycle",
                    "enabled": True,
                    "definition": {
                        "filters": {"blob_types": ["blockBlob"], "prefix_match": ["c/a"]},
                        "actions": {
                            "base_blob": {
                                "tier_to_cool": {"days_after_modification_greater_than": 0},
                                "delete": {"days_after_last_access_time_greater_than": 1.0},
                            },
                            "snapshot": {"delete": {"days_after_creation_greater_than": 90}},
                        },
                    },
                }
            ]
        },
    )


def a_network_with_subnets_inside() -> None:
    """<https://learn.microsoft.com/en-us/azure/virtual-network/subnet-delegation-overview>."""
    azure.network.VirtualNetwork(
        "in",
        resource_group_name="central",
        address_space={"address_prefixes": ["10.0.0.0/16", "fd00:db8:deca::/48"]},
        subnets=[
            {"name": "GatewaySubnet", "address_prefix": "10.0.255.0/27"},
            {"name": "AzureBastionSubnet", "address_prefix": "10.0.254.0/26"},
            {"name": "dual", "address_prefixes": ["10.0.1.0/24", "fd00:db8:deca:deed::/64"]},
            {
                "name": "given",
                "address_prefix": "10.0.2.0/28",
                "delegations": [{"name": "d", "service_name": "Microsoft.DBforPostgreSQL/flexibleServers"}],
                "private_endpoint_network_policies": "Disabled",
            },
        ],
        dhcp_options={"dns_servers": []},
    )


def firewalls_in_words_and_numbers() -> None:
    """<https://learn.microsoft.com/en-us/azure/virtual-network/network-security-groups-overview>."""
    azure.network.NetworkSecurityGroup(
        "rules",
        resource_group_name="central",
        security_rules=[
            {
                "name": "a",
                "priority": 100,
                "direction": "Inbound",
                "access": "Allow",
                "protocol": "*",
                "source_address_prefix": "AzureLoadBalancer",
                "source_port_range": "*",
                "destination_address_prefix": "*",
                "destination_port_range": "0-65535",
            },
            {
                "name": "b",
                "priority": 4096,
                "direction": "Outbound",
                "access": "Deny",
                "protocol": "Esp",
                "source_address_prefixes": ["10.0.0.0/8", "192.168.1.1"],
                "source_port_ranges": ["1", "2-3"],
                "destination_address_prefix": "Storage.WestEurope",
                "destination_port_ranges": ["443"],
            },
            {
                "name": "c",
                "priority": 101,
                "direction": "Inbound",
                "access": "Allow",
                "protocol": "Tcp",
                "source_application_security_groups": [
                    {"id": f"{_HERE}/providers/Microsoft.Network/applicationSecurityGroups/web"}
                ],
                "source_port_range": "*",
                "destination_address_prefix": "VirtualNetwork",
                "destination_port_range": "22",
            },
        ],
    )


def a_private_way_to_a_store() -> None:
    """<https://learn.microsoft.com/en-us/azure/private-link/private-endpoint-dns>."""
    zone = azure.privatedns.PrivateZone(
        "blob", resource_group_name="central", private_zone_name="privatelink.blob.core.windows.net", location="Global"
    )
    azure.privatedns.VirtualNetworkLink(
        "blob",
        resource_group_name="central",
        private_zone_name=zone.name,
        location="global",
        registration_enabled=False,
        virtual_network={"id": f"{_HERE}/providers/Microsoft.Network/virtualNetworks/v"},
    )
    end = azure.network.PrivateEndpoint(
        "blob",
        resource_group_name="central",
        subnet={"id": f"{_HERE}/providers/Microsoft.Network/virtualNetworks/v/subnets/s"},
        private_link_service_connections=[
            {
                "name": "c",
                "private_link_service_id": f"{_HERE}/providers/Microsoft.Storage/storageAccounts/a",
                "group_ids": ["blob"],
            }
        ],
    )
    azure.network.PrivateDnsZoneGroup(
        "blob",
        resource_group_name="central",
        private_endpoint_name=end.name,
        private_dns_zone_configs=[{"name": "z", "private_dns_zone_id": zone.id}],
    )


def a_cluster_with_a_network_plugin_of_ones_own() -> None:
    """<https://learn.microsoft.com/en-us/azure/aks/use-byo-cni>."""
    azure.containerservice.ManagedCluster(
        "bare",
        resource_group_name="central",
        dns_prefix="bare",
        identity={"type": "SystemAssigned"},
        network_profile={"network_plugin": "none"},
        kubernetes_version="1.32",
        agent_pool_profiles=[
            {"name": "a", "mode": "System", "count": 1, "vm_size": "Standard_D2s_v5", "os_disk_size_gb": 0}
        ],
        disable_local_accounts=True,
        aad_profile={"managed": True, "enable_azure_rbac": True},
    )
    azure.containerservice.ManagedCluster(
        "auto",
        resource_group_name="central",
        sku={"name": "Automatic", "tier": "Standard"},
        identity={"type": "SystemAssigned"},
        agent_pool_profiles=[{"name": "systempool", "mode": "System", "count": 3}],
    )


def pools_that_shrink_to_nothing() -> None:
    """<https://learn.microsoft.com/en-us/azure/aks/spot-node-pool>."""
    azure.containerservice.AgentPool(
        "spot",
        resource_group_name="central",
        resource_name_="central",
        agent_pool_name="spot1",
        mode="User",
        vm_size="Standard_NC24ads_A100_v4",
        scale_set_priority="Spot",
        scale_set_eviction_policy="Delete",
        spot_max_price=-1,
        enable_auto_scaling=True,
        min_count=0,
        max_count=1000,
        count=0,
        node_taints=["kubernetes.azure.com/scalesetpriority=spot:NoSchedule"],
        availability_zones=["1", "3"],
        gpu_profile={"driver": "None"},
        os_sku="AzureLinux",
    )


def a_cluster_with_addresses_for_pods() -> None:
    """<https://learn.microsoft.com/en-us/azure/aks/azure-cni-overlay>."""
    identity = azure.managedidentity.UserAssignedIdentity("aks", resource_group_name="central")
    azure.containerservice.ManagedCluster(
        "overlay",
        resource_group_name="central",
        dns_prefix="o",
        identity={"type": "UserAssigned", "user_assigned_identities": [identity.id]},
        network_profile={
            "network_plugin": "azure",
            "network_plugin_mode": "overlay",
            "network_dataplane": "cilium",
            "network_policy": "cilium",
            "pod_cidr": "192.168.0.0/16",
            "outbound_type": "userDefinedRouting",
            "load_balancer_sku": "standard",
        },
        agent_pool_profiles=[
            {
                "name": "sys",
                "mode": azure.containerservice.AgentPoolMode.SYSTEM,
                "count": 3,
                "vm_size": "Standard_D4ds_v5",
                "os_disk_type": "Ephemeral",
                "vnet_subnet_id": f"{_HERE}/providers/Microsoft.Network/virtualNetworks/v/subnets/aks",
            }
        ],
        api_server_access_profile={"enable_private_cluster": True, "private_dns_zone": "none"},
        oidc_issuer_profile={"enabled": True},
        security_profile={"workload_identity": {"enabled": True}},
        auto_upgrade_profile={"upgrade_channel": "node-image"},
    )


def identities_trusted_from_elsewhere() -> None:
    """<https://learn.microsoft.com/en-us/entra/workload-id/workload-identity-federation>."""
    identity = azure.managedidentity.UserAssignedIdentity("ci", resource_group_name="central")
    azure.managedidentity.FederatedIdentityCredential(
        "ci",
        resource_group_name="central",
        resource_name_=identity.name,
        audiences=["api://AzureADTokenExchange"],
        issuer="https://token.actions.githubusercontent.com",
        subject="repo:acme/app:environment:prod",
    )
    azure.authorization.RoleAssignment(
        "ci",
        scope=_HERE,
        principal_id=identity.principal_id,
        principal_type="ServicePrincipal",
        role_definition_id=f"{_BUILT_IN}/2a2b9908-6ea1-4ae2-8e65-a410df84e7d1",
        role_assignment_name=random.RandomUuid("ci").result,
        condition_version="2.0",
        condition="@Resource[Microsoft.Storage/storageAccounts/blobServices/containers:name] StringEquals 'a'",
    )


def rights_for_a_person_who_runs_it() -> None:
    """<https://learn.microsoft.com/en-us/azure/role-based-access-control/custom-roles>."""
    me = azure.authorization.get_client_config()
    scope = f"/subscriptions/{me.subscription_id}"
    role = azure.authorization.RoleDefinition(
        "own",
        scope=scope,
        role_name="Own Operator",
        role_type="CustomRole",
        assignable_scopes=[scope],
        permissions=[
            {
                "actions": ["*/read", "Microsoft.Compute/*/action"],
                "not_actions": [],
                "data_actions": ["Microsoft.Storage/storageAccounts/blobServices/containers/blobs/read"],
            }
        ],
    )
    azure.authorization.RoleAssignment(
        "me", scope=scope, principal_id=me.object_id, principal_type="User", role_definition_id=role.id
    )


def clusters_that_live_elsewhere() -> None:
    """<https://learn.microsoft.com/en-us/azure/azure-arc/kubernetes/overview>."""
    azure.kubernetes.ConnectedCluster(
        "arc",
        resource_group_name="central",
        cluster_name="edge",
        agent_public_key_certificate="",
        identity={"type": "SystemAssigned"},
        distribution="k3s",
        kind="ProvisionedCluster",
    )
    azure.kubernetesconfiguration.Extension(
        "flux",
        resource_group_name="central",
        cluster_rp="Microsoft.Kubernetes",
        cluster_resource_name="connectedClusters",
        cluster_name="edge",
        extension_name="flux",
        extension_type="microsoft.flux",
        auto_upgrade_minor_version=True,
        scope={"cluster": {"release_namespace": "flux-system"}},
    )
