"""The managed Kubernetes cluster."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from ipaddress import IPv4Network
from typing import Final

import pulumi
from pulumi_azure_native import authorization, containerservice, managedidentity

from penstock.azure.components.access import api_server_access
from penstock.azure.components.handles import ClusterHandle, GroupHandle, IdentityHandle, KeyHandle, NetworkHandle
from penstock.azure.components.kubeconfig import decoded
from penstock.azure.components.maintenance import channels, maintenance_windows
from penstock.azure.components.pool_profile import pool_profile
from penstock.azure.components.roles import KINDS, grant
from penstock.azure.description import pools
from penstock.description.cluster import ClusterSpec, version_of
from penstock.description.node_pool import NodePoolSpec

_ADMIN = "Azure Kubernetes Service RBAC Cluster Admin"
_USER = "Azure Kubernetes Service Cluster User Role"

_RIGHTS = {
    "network": "Network Contributor",
    "vault": "Key Vault Contributor",
    "kubelet": "Managed Identity Operator",
    "disks": "Reader",
}
"""What the cluster may do, and where (AKS documentation: bring your own network, identity, KMS and disk keys)."""

_AZURE_CLI = "04b07795-8ddb-461a-bbee-02f9e1bf7b46"
"""The application that people are signed in by; others sign in as themselves."""

_DNS = 10
"""The address of DNS among those of services."""


def _kubeconfig(answer: containerservice.ListManagedClusterUserCredentialsResult) -> str:
    return decoded(answer.kubeconfigs[0].value)


_DECIDED_BY: Final = {
    "RoleAssignment": ".admins",
    "agentPoolProfiles": "node_pools",
    "apiServerAccessProfile": ".access .deployer_cidrs",
    "apiServerAccessProfile.authorizedIPRanges": ".deployer_cidrs network.allowed_cidrs",
    "autoUpgradeProfile": ".node_upgrades",
    "kubernetesVersion": ".version",
    "networkProfile.podCidr networkProfile.serviceCidr": "network.cidr",
}


class Cluster(pulumi.ComponentResource):
    """An AKS cluster whose API has an address in the network, and a public one for the ranges that are named.

    Entra ID says who somebody is, and roles of Azure what they may do: `spec.admins` administer the cluster, whoever
    runs the first `up` those of the resource group. There are no local accounts. The first pool runs the cluster's own
    pods and keeps its number of machines: a change of it would make AKS work on every pool. All others are node pools
    of their own (`NodePool`). AKS patches on Saturdays from 7 to 15 UTC, when it is weekend from America to Japan, and
    with accelerators by hand only. A version that the description does not name is chosen at creation.

    The cluster acts as the identity of its `key`.
    """

    handle: ClusterHandle

    def __init__(
        self,
        name: str,
        spec: ClusterSpec,
        *,
        group: GroupHandle,
        network: NetworkHandle,
        key: KeyHandle,
        disk_key: KeyHandle,
        system: NodePoolSpec,
        zones: Sequence[str],
        allowed_cidrs: Sequence[IPv4Network] = (),
        drivers: Collection[str] = (),
        accelerated: bool = False,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Build the cluster.

        Args:
            name: The cluster's name, and the start of every name in it.
            spec: What to build.
            group: Where to build it; the machines get a group of their own.
            network: Where its nodes and its API have their addresses.
            key: Encrypts what Kubernetes stores (`Keys.cluster`).
            disk_key: Encrypts the disks of machines and pods (`Keys.data`).
            system: The pool for the cluster's own pods.
            zones: Where that is.
            allowed_cidrs: Who else reaches the public address, when access is restricted.
            drivers: Which storage pods can mount: bucket, nfs.
            accelerated: Whether some of its nodes have accelerators, whose runs an upgrade would end.
            opts: Pulumi's options.
        """
        super().__init__("penstock:azure:Cluster", name, spec.inputs(_DECIDED_BY), opts)
        child = pulumi.ResourceOptions(parent=self)
        kubelet = self._kubelet(name, spec, group)
        scopes = {"network": network.id, "vault": key.vault, "kubelet": kubelet.id, "disks": disk_key.disks}
        rights = self._rights(name, group, key, scopes)
        version = version_of(spec, "azure")

        scales = system.nodes.min != system.nodes.max
        cluster = containerservice.ManagedCluster(
            name,
            resource_group_name=group.name,
            resource_name_=name,
            location=group.region,
            node_resource_group=f"{name}-nodes",
            node_resource_group_profile={"restriction_level": "ReadOnly"},
            dns_prefix=name,
            sku={"name": "Base", "tier": "Standard"},
            kubernetes_version=version,
            identity={"type": "UserAssigned", "user_assigned_identities": [key.identity.id]},
            identity_profile={
                "kubeletidentity": {
                    "resource_id": kubelet.id,
                    "client_id": kubelet.client,
                    "object_id": kubelet.principal,
                }
            },
            agent_pool_profiles=[
                {
                    **pool_profile(system, network=network, zones=pools.zones_of(system, zones), version=version),
                    "name": pools.pool_name(system),
                    "mode": "System",
                }
            ],
            network_profile={
                "network_plugin": "azure",
                "network_plugin_mode": "overlay",
                "network_dataplane": "cilium",
                "network_policy": "cilium",
                "pod_cidr": network.pods_cidr,
                "service_cidr": str(network.services_cidr),
                "dns_service_ip": str(network.services_cidr[_DNS]),
                "outbound_type": network.way_out,
                "load_balancer_sku": "standard",
            },
            api_server_access_profile=api_server_access(spec, allowed_cidrs, network=network),
            aad_profile={"managed": True, "enable_azure_rbac": True, "tenant_id": group.tenant},
            enable_rbac=True,
            disable_local_accounts=True,
            oidc_issuer_profile={"enabled": True},
            security_profile={
                "workload_identity": {"enabled": True},
                "azure_key_vault_kms": {
                    "enabled": True,
                    "key_id": key.version_id,
                    "key_vault_network_access": "Private",
                    "key_vault_resource_id": key.vault,
                },
                "image_cleaner": {"enabled": True, "interval_hours": 168},
            },
            disk_encryption_set_id=disk_key.disks,
            storage_profile={
                "disk_csi_driver": {"enabled": True},
                "snapshot_controller": {"enabled": True},
                "file_csi_driver": {"enabled": "nfs" in drivers},
                "blob_csi_driver": {"enabled": "bucket" in drivers},
            },
            auto_upgrade_profile=channels(spec, accelerated=accelerated),
            auto_scaler_profile={"skip_nodes_with_local_storage": "false"},  # scratch space keeps no machine
            metrics_profile={"cost_analysis": {"enabled": True}},
            tags=spec.tags,
            opts=pulumi.ResourceOptions(
                parent=self,
                protect=spec.protect,
                depends_on=[*rights, *key.grants, *disk_key.grants, *network.ready],
                # The newest well-known version changes with Penstock, and a cluster does not change with it.
                ignore_changes=[
                    *([] if spec.version is not None else ["kubernetesVersion"]),
                    *(["agentPoolProfiles[0].count"] if scales else []),
                ],
                custom_timeouts=pulumi.CustomTimeouts(create="60m", update="120m", delete="60m"),
            ),
        )
        maintenance_windows(name, cluster=cluster.name, group=group, opts=child)
        self._admit(name, spec, group, cluster.id)

        # Its names are known before it exists, and Azure answers for none that does not: only its id waits for it.
        answer = containerservice.list_managed_cluster_user_credentials_output(
            resource_group_name=cluster.id.apply(lambda id_: id_.split("/")[4]),
            resource_name=cluster.id.apply(lambda id_: id_.split("/")[-1]),
            format="exec",
            opts=pulumi.InvokeOutputOptions(parent=self),
        )
        self.handle = ClusterHandle(
            name=cluster.name,
            id=cluster.id,
            version=version,
            moves=spec.version is not None,
            issuer=cluster.oidc_issuer_profile.apply(lambda profile: profile.issuer_url),
            kubelet=kubelet,
            credentials=pulumi.Output.all(cluster.id, answer.apply(_kubeconfig)).apply(lambda known: known[1]),
        )
        self.register_outputs({"name": cluster.name, "issuer": self.handle.issuer})

    def _kubelet(self, name: str, spec: ClusterSpec, group: GroupHandle) -> IdentityHandle:
        """What nodes act as, when they pull images."""
        kubelet = managedidentity.UserAssignedIdentity(
            f"{name}-kubelet",
            resource_group_name=group.name,
            location=group.region,
            tags=spec.tags,
            opts=pulumi.ResourceOptions(parent=self),
        )
        return IdentityHandle(id=kubelet.id, principal=kubelet.principal_id, client=kubelet.client_id)

    def _rights(
        self, name: str, group: GroupHandle, key: KeyHandle, scopes: Mapping[str, pulumi.Input[str] | None]
    ) -> list[pulumi.Resource]:
        """Let the cluster join subnets, give the vault a private endpoint, hand out its nodes' identity, see disks."""
        return [
            grant(
                f"{name}-{what}",
                role,
                scope=scope,
                to=key.identity.principal,
                group=group,
                opts=pulumi.ResourceOptions(parent=self),
            )
            for what, role in _RIGHTS.items()
            if (scope := scopes[what]) is not None
        ]

    def _admit(self, name: str, spec: ClusterSpec, group: GroupHandle, cluster: pulumi.Input[str]) -> None:
        """Let admins in, and whoever creates the cluster, by a role that takes hold meanwhile.

        Azure refuses to give somebody a role twice in one scope (RoleAssignmentExists), and who creates a cluster is
        often one of its admins: their roles are in scopes of their own.
        """
        child = pulumi.ResourceOptions(parent=self)
        for admin in spec.admins:
            kind, _, principal = admin.partition(":")
            for part, role in (("admin", _ADMIN), ("user", _USER)):
                grant(
                    f"{name}-{part}/{admin}",
                    role,
                    scope=cluster,
                    to=principal,
                    group=group,
                    kind=KINDS[kind],
                    opts=child,
                )
        signed_in = authorization.get_client_config_output(opts=pulumi.InvokeOutputOptions(parent=self))
        grant(
            f"{name}-creator",
            _ADMIN,
            scope=pulumi.Output.concat("/subscriptions/", group.subscription, "/resourceGroups/", group.name),
            to=signed_in.object_id,
            group=group,
            kind=signed_in.client_id.apply(lambda client: "User" if client == _AZURE_CLI else "ServicePrincipal"),
            # Whoever runs the next `up` is for the list of admins to let in.
            opts=pulumi.ResourceOptions(parent=self, ignore_changes=["principalId", "principalType"]),
        )
