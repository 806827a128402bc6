"""Misconfigurations in the cluster: its networking, identities, versions and maintenance."""

from __future__ import annotations

from typing import Any

from tests.nd_platform.clusters import system_pool
from tests.nd_platform.program import Misconfiguration
from tests.simulate.azure_misconfigurations.misconfigurations import Misconfigurations


def cluster(**changes: Any) -> Misconfiguration:
    """A misconfiguration of the cluster."""
    return {"cluster": changes}


def networked(**changes: Any) -> Misconfiguration:
    """A misconfiguration in the cluster's networking."""
    return cluster(network_profile=changes)


def systemic(**changes: Any) -> Misconfiguration:
    """A misconfiguration in the pool that the cluster begins with."""
    return cluster(
        agent_pool_profiles=[
            {**pool, "vnet_subnet_id": lambda made: made["nodes"].id} for pool in system_pool(**changes)
        ]
    )


MISCONFIGURATIONS: Misconfigurations = {
    "services inside the network": (
        "cluster",
        networked(service_cidr="10.60.16.0/20", dns_service_ip="10.60.16.10"),
        "wants ranges apart; aks/azure-cni-overlay",
    ),
    "a resolver outside the services": (
        "cluster",
        networked(dns_service_ip="10.201.0.10"),
        "wants it in the range of services; aks/concepts-network-ip-address-planning",
    ),
    "a resolver at the first address": (
        "cluster",
        networked(dns_service_ip="10.200.0.1"),
        "keeps the first address for kubernetes.default; aks/concepts-network-ip-address-planning",
    ),
    "too many services": (
        "cluster",
        networked(service_cidr="10.192.0.0/11", dns_service_ip="10.192.0.10"),
        "wants less than /12; aks/concepts-network-ip-address-planning",
    ),
    "pods inside the network": (
        "cluster",
        networked(pod_cidr="10.60.0.0/16"),
        "wants ranges apart; aks/azure-cni-overlay",
    ),
    "pods where services are": (
        "cluster",
        networked(pod_cidr="10.200.0.0/14"),
        "wants ranges apart; aks/azure-cni-overlay",
    ),
    "pods for fewer nodes than there are": (
        "cluster train batch",
        networked(pod_cidr="10.128.0.0/22"),
        "gives each node a /24 and has no more; aks/azure-cni-overlay",
    ),
    "Cilium without Azure's networking": (
        "cluster",
        networked(network_plugin="none", network_plugin_mode=None, pod_cidr=None, network_policy=None),
        "wants the plugin azure; aks/azure-cni-powered-by-cilium",
    ),
    "an overlay of kubenet": (
        "cluster",
        networked(network_plugin="kubenet", network_dataplane=None, network_policy=None),
        "wants the plugin azure; aks/azure-cni-overlay",
    ),
    "Cilium's policies without Cilium": (
        "cluster",
        networked(network_dataplane="azure"),
        "wants the dataplane cilium; aks/use-network-policies",
    ),
    "Calico's policies on Cilium": (
        "cluster",
        networked(network_policy="calico"),
        "takes cilium alone; aks/azure-cni-powered-by-cilium",
    ),
    "a plugin that AKS has not": (
        "cluster",
        networked(network_plugin="cilium"),
        "takes azure, kubenet and none; aks/concepts-network",
    ),
    "routes of one's own without any": (
        "cluster nodes",
        networked(outbound_type="userDefinedRouting"),
        "wants a route table at the subnet; aks/egress-outboundtype",
    ),
    "a NAT gateway of one's own without any": (
        "cluster nodes",
        {"nodes": {"nat_gateway": None}},
        "wants a NAT gateway at the subnet; aks/nat-gateway",
    ),
    "a NAT gateway that AKS manages, in a network of one's own": (
        "cluster",
        {"nodes": {"nat_gateway": None}, **networked(outbound_type="managedNATGateway")},
        "refuses agent pools in a network of one's own; aks/nat-gateway",
    ),
    "a basic load balancer": (
        "cluster",
        networked(load_balancer_sku="basic"),
        "wants the standard one for several pools; aks/load-balancer-standard",
    ),
    "a way out that AKS has not": (
        "cluster",
        networked(outbound_type="natGateway"),
        "refuses the value; aks/egress-outboundtype",
    ),
    "a private cluster with ranges that may reach it": (
        "cluster",
        cluster(api_server_access_profile={"enable_private_cluster": True}),
        "takes one of the two; aks/private-clusters",
    ),
    "a range of addresses that are none": (
        "cluster",
        cluster(api_server_access_profile={"authorized_ip_ranges": ["203.0.113.300/32"]}),
        "refuses the range; aks/api-server-authorized-ip-ranges",
    ),
    "an API in a subnet that is not its own": (
        "cluster private",
        cluster(
            api_server_access_profile={"enable_vnet_integration": True, "subnet_id": lambda made: made["private"].id}
        ),
        "wants a subnet delegated to it; aks/api-server-vnet-integration",
    ),
    "workload identity without an issuer": (
        "cluster",
        cluster(oidc_issuer_profile=None),
        "wants the OIDC issuer; aks/workload-identity-deploy-cluster",
    ),
    "no local accounts and nobody else": (
        "cluster",
        cluster(aad_profile=None),
        "wants Entra ID for it; aks/manage-local-accounts-managed-azure-ad",
    ),
    "administrators by name": (
        "cluster",
        cluster(aad_profile={"admin_group_object_ids": ["platform-admins"]}),
        "takes object ids; aks/enable-authentication-microsoft-entra-id",
    ),
    "a version that is long gone": (
        "cluster",
        cluster(kubernetes_version="1.19"),
        "creates no cluster of it; aks/supported-kubernetes-versions",
    ),
    "a version with a v": (
        "cluster",
        cluster(kubernetes_version="v1.34"),
        "refuses the version; aks/supported-kubernetes-versions",
    ),
    "no system pool": ("cluster", systemic(mode="User"), "wants one; aks/use-system-pools"),
    "a system pool of spot machines": (
        "cluster",
        systemic(scale_set_priority="Spot"),
        "refuses the pool; aks/use-system-pools",
    ),
    "a system pool of Windows": (
        "cluster",
        systemic(os_type="Windows", os_sku="Windows2022", name="win"),
        "wants Linux; aks/use-system-pools",
    ),
    "a system pool without nodes": ("cluster", systemic(count=0), "wants one node at least; aks/use-system-pools"),
    "a system pool by a name of several words": (
        "cluster",
        systemic(name="System-Pool"),
        "takes small letters and digits; aks/create-node-pools",
    ),
    "a system pool with few pods": (
        "cluster",
        systemic(max_pods=5),
        "takes 10 to 250; aks/concepts-network-ip-address-planning",
    ),
    "support for years on another tier": (
        "cluster",
        cluster(support_plan="AKSLongTermSupport"),
        "wants the tier Premium; aks/long-term-support",
    ),
    "a tier that AKS has not": (
        "cluster",
        cluster(sku={"tier": "Paid"}),
        "takes Free, Standard and Premium; aks/free-standard-pricing-tiers",
    ),
    "a channel that AKS has not": (
        "cluster",
        cluster(auto_upgrade_profile={"upgrade_channel": "patches"}),
        "refuses the value; aks/auto-upgrade-cluster",
    ),
    "a channel of node images beside another": (
        "cluster",
        cluster(auto_upgrade_profile={"upgrade_channel": "node-image", "node_os_upgrade_channel": "SecurityPatch"}),
        "wants NodeImage beside node-image; aks/auto-upgrade-node-os-image",
    ),
    "a version with four numbers": (
        "cluster",
        cluster(kubernetes_version="1.34.0.1"),
        "refuses the version; aks/supported-kubernetes-versions",
    ),
    "keys of etcd in a private vault that is not named": (
        "cluster",
        cluster(
            security_profile={
                "azure_key_vault_kms": {
                    "enabled": True,
                    "key_id": "https://kv-acme-training.vault.azure.net/keys/etcd/0123456789abcdef0123456789abcdef",
                    "key_vault_network_access": "Private",
                }
            }
        ),
        "wants the vault's id; aks/use-kms-etcd-encryption",
    ),
    "keys of etcd without a version": (
        "cluster",
        cluster(
            security_profile={
                "azure_key_vault_kms": {
                    "enabled": True,
                    "key_id": "https://kv-acme-training.vault.azure.net/keys/etcd",
                    "key_vault_network_access": "Public",
                }
            }
        ),
        "wants the version in the id; aks/use-kms-etcd-encryption",
    ),
    "an identity of one's own that is not named": (
        "cluster",
        {"cluster": {"identity": {"user_assigned_identities": None}}},
        "wants it; aks/use-managed-identity",
    ),
    "the nodes' identity without the cluster's": (
        "cluster",
        cluster(
            identity={"type": "SystemAssigned", "user_assigned_identities": None},
            identity_profile={"kubeletidentity": {"resource_id": lambda made: made["control"].id}},
        ),
        "wants an identity of one's own for both; aks/use-managed-identity",
    ),
    "a name for addresses with an underscore": (
        "cluster",
        cluster(dns_prefix="acme_train"),
        "takes letters, digits and hyphens; aks/troubleshoot-aks-cluster-creation-issues",
    ),
    "no name for addresses": (
        "cluster",
        cluster(dns_prefix=None),
        "wants dnsPrefix or fqdnSubdomain; rest/api/aks/managed-clusters/create-or-update",
    ),
    "a group of nodes that is the cluster's own": (
        "cluster",
        cluster(node_resource_group="training"),
        "creates that group itself, and it exists; aks/faq",
    ),
    "an expander that is none": (
        "cluster",
        cluster(auto_scaler_profile={"expander": "cheapest"}),
        "takes least-waste, most-pods, priority, random; aks/cluster-autoscaler",
    ),
    "an interval without its unit": (
        "cluster",
        cluster(auto_scaler_profile={"scan_interval": "10"}),
        "wants seconds as `10s`; aks/cluster-autoscaler",
    ),
    "a cleaner that comes too often": (
        "cluster",
        cluster(security_profile={"image_cleaner": {"interval_hours": 12}}),
        "takes 24 hours to three months; aks/image-cleaner",
    ),
    "pools scaled by two": (
        "cluster serve",
        cluster(node_provisioning_profile={"mode": "Auto"}),
        "refuses node provisioning beside autoscaled pools; aks/node-autoprovision",
    ),
    "a window by a name of one's own": (
        "window",
        {"window": {"config_name": "saturdays"}},
        "knows three names; aks/planned-maintenance",
    ),
    "a window of two hours": (
        "window",
        {"window": {"maintenance_window": {"duration_hours": 2}}},
        "wants four at least; aks/planned-maintenance",
    ),
    "a window at an hour that is none": (
        "window",
        {"window": {"maintenance_window": {"start_time": "26:00"}}},
        "takes HH:MM; aks/planned-maintenance",
    ),
    "a window on no day": (
        "window",
        {"window": {"maintenance_window": {"schedule": {"weekly": {"day_of_week": "Weekend"}}}}},
        "takes a day of the week; aks/planned-maintenance",
    ),
    "a name that ends with an underscore": (
        "cluster",
        cluster(resource_name_="training_cluster_"),
        "ends names with a letter or digit; azure-resource-manager/management/resource-name-rules",
    ),
}
