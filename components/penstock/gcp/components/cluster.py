"""The managed Kubernetes cluster."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from ipaddress import IPv4Network
from typing import Final

import pulumi
from pulumi_gcp import container, projects

from penstock.description.cluster import ClusterSpec, version_of
from penstock.gcp.components import endpoints
from penstock.gcp.components.handles import ClusterHandle, KeyHandle, NetworkHandle, ProjectHandle
from penstock.gcp.components.maintenance import maintenance_policy
from penstock.gcp.components.node_account import node_account

_LOGS = ("SYSTEM_COMPONENTS", "WORKLOADS", "APISERVER", "CONTROLLER_MANAGER", "SCHEDULER")

_METRICS = (
    "SYSTEM_COMPONENTS",
    "APISERVER",
    "CONTROLLER_MANAGER",
    "SCHEDULER",
    "STORAGE",
    "POD",
    "DEPLOYMENT",
    "STATEFULSET",
    "DAEMONSET",
    "JOBSET",
    "HPA",
    "CADVISOR",
    "KUBELET",
)
_GPU_METRICS = "DCGM"
"""GKE's own exporter of what NVIDIA's GPUs do. Nobody chooses its counters, and those of errors are not among them."""

_DECIDED_BY: Final = {
    "controlPlaneEndpointsConfig privateClusterConfig": ".access",
    "maintenancePolicy": ".node_upgrades",
    "masterAuthorizedNetworksConfig": ".deployer_cidrs network.allowed_cidrs",
    "minMasterVersion": ".version",
    "IAMMember": ".admins",
}


class Cluster(pulumi.ComponentResource):
    """A GKE cluster whose API answers by name to identities that IAM lets in, and by address in its network only.

    `spec.access` closes the name, or opens a public address to `allowed_cidrs`. IAM lets `spec.admins` connect to this
    cluster; what they may do in it is for roles in Kubernetes to say (`penstock.kubernetes.Administrators`), which see
    groups that are members of gke-security-groups in their domain.
    The component's name is the cluster's name, unique in project and region. Nodes are for node pools; the one that GKE
    insists on lives for minutes. GKE patches the control plane on Saturdays and Sundays from 7 to 15 UTC, when it is
    weekend from America to Japan; nodes and minor versions with accelerators only wait for a person, until the version
    is no longer supported. A version that the description does not name is chosen at creation, and stays GKE's to move.
    """

    handle: ClusterHandle

    def __init__(
        self,
        name: str,
        spec: ClusterSpec,
        *,
        network: NetworkHandle,
        project: ProjectHandle,
        key: KeyHandle,
        disk_key: KeyHandle,
        allowed_cidrs: Sequence[IPv4Network] = (),
        multi_networking: bool,
        drivers: Collection[str],
        zones: Sequence[str],
        shielded: bool = True,
        accelerated: bool = False,
        gpu_metrics: bool = True,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Build the cluster.

        Args:
            name: The cluster's name, and the start of every name in it.
            spec: What to build.
            network: Where its nodes, pods and services have their addresses.
            project: What it is built in.
            key: Encrypts what Kubernetes stores (`Keys.cluster`).
            disk_key: Encrypts the boot disks of the first nodes (`Keys.data`): an organisation that enforces customer
                keys refuses the cluster without, though those nodes live for minutes.
            allowed_cidrs: Who else reaches an address of the API: by peering or VPN, or over the internet when access
                is restricted.
            multi_networking: Whether pods can have more than one interface: for fabrics with networks of their own.
            drivers: Which storage pods can mount: bucket, lustre, nfs.
            zones: Where node pools are by default.
            shielded: Whether nodes prove who they are by virtual firmware, which machines without a hypervisor lack.
            accelerated: Whether some of its nodes have accelerators, whose runs an upgrade would end.
            gpu_metrics: Whether GKE exports metrics of NVIDIA GPUs; with another exporter on the same nodes, the two
                take the counters from each other.
            opts: Pulumi's options.
        """
        super().__init__("penstock:gcp:Cluster", name, spec.inputs(_DECIDED_BY), opts)
        child = pulumi.ResourceOptions(parent=self)

        account = node_account(f"{name}-nodes", project=project, opts=child)
        cluster = container.Cluster(
            name,
            name=name,
            project=project.id,
            location=network.region,
            node_locations=zones,
            release_channel={"channel": "REGULAR"},
            min_master_version=version_of(spec, "gcp"),
            maintenance_policy=maintenance_policy(spec, accelerated=accelerated),
            network=network.id,
            subnetwork=network.subnetwork,
            ip_allocation_policy={
                "cluster_secondary_range_name": network.pods_range,
                "services_secondary_range_name": network.services_range,
            },
            datapath_provider="ADVANCED_DATAPATH",
            enable_multi_networking=multi_networking,
            enable_intranode_visibility=True,
            private_cluster_config=endpoints.private_cluster_config(spec),
            master_authorized_networks_config=endpoints.authorized_networks(spec, allowed_cidrs),
            control_plane_endpoints_config=endpoints.control_plane_endpoints(spec),
            workload_identity_config={"workload_pool": f"{project.id}.svc.id.goog"},
            database_encryption={"state": "ENCRYPTED", "key_name": key.id},
            authenticator_groups_config=_groups(spec),
            secret_manager_config={"enabled": True},
            binary_authorization={"evaluation_mode": "PROJECT_SINGLETON_POLICY_ENFORCE"},
            # An idle machine goes after minutes; by default GKE keeps some in reserve.
            cluster_autoscaling={"enabled": False, "autoscaling_profile": "OPTIMIZE_UTILIZATION"},
            security_posture_config={"mode": "BASIC"},
            enable_shielded_nodes=shielded,
            addons_config=_addons(drivers),
            logging_config={"enable_components": _LOGS},
            monitoring_config={
                "enable_components": (*_METRICS, *([_GPU_METRICS] if gpu_metrics else [])),
                "managed_prometheus": {"enabled": True},
            },
            cost_management_config={"enabled": True},
            node_pool_defaults={
                "node_config_defaults": {
                    "gcfs_config": {"enabled": True},
                    "insecure_kubelet_readonly_port_enabled": "FALSE",
                }
            },
            remove_default_node_pool=True,
            initial_node_count=1,
            node_config=_short_lived(account.email, disk_key, shielded=shielded),
            resource_labels=spec.tags,
            deletion_protection=bool(spec.protect),  # the provider's own default is to protect
            opts=pulumi.ResourceOptions.merge(
                child,
                pulumi.ResourceOptions(
                    protect=spec.protect,
                    depends_on=[
                        *project.on("container", "binaryauthorization"),
                        *key.for_("container"),
                        *disk_key.for_("compute"),
                    ],
                    ignore_changes=[
                        "nodeConfig",  # of the pool that is gone
                        # Once on, it stays on: pools that use it are deleted only after the cluster is updated.
                        *(() if multi_networking else ("enableMultiNetworking",)),
                        # The newest well-known version changes with Penstock, and a cluster does not change with it.
                        *(() if spec.version is not None else ("minMasterVersion",)),
                    ],
                    custom_timeouts=pulumi.CustomTimeouts(create="60m", update="60m", delete="60m"),
                ),
            ),
        )
        for admin in spec.admins:
            self._admit(name, project, network.region, admin)

        by_name, authority = endpoints.by_name(spec), cluster.master_auth.cluster_ca_certificate
        self.handle = ClusterHandle(
            name=cluster.name,
            location=network.region,
            endpoint=endpoints.dns_name(cluster) if by_name else cluster.endpoint,
            # A name has a certificate that everybody trusts.
            certificate_authority=None if by_name else authority,
            identity=authority,
            node_account=account.email,
            # Image streaming is an API of its own.
            ready=(*account.rights, *project.on("containerfilesystem")),
            apis=tuple(project.on("compute")),
        )
        self.register_outputs({"name": cluster.name, "endpoint": self.handle.endpoint})

    def _admit(self, name: str, project: ProjectHandle, region: str, admin: str) -> None:
        """Let an admin look this cluster up and connect to it, and no other one of the project.

        The condition makes the binding the cluster's own: without, another environment in the project has the same
        one, and whichever is destroyed first takes it from both.
        """
        who = "".join(letter if letter.isalnum() else "-" for letter in admin)
        projects.IAMMember(
            f"{name}-admin-{who}",
            project=project.id,
            role="roles/container.clusterViewer",
            member=admin,
            condition={
                "title": f"cluster {name}",
                "expression": (
                    "resource.type == 'container.googleapis.com/Cluster' && "
                    f"resource.name == 'projects/{project.id}/locations/{region}/clusters/{name}'"
                ),
            },
            opts=pulumi.ResourceOptions(parent=self),
        )


def _addons(drivers: Collection[str]) -> container.ClusterAddonsConfigArgsDict:
    return {
        "dns_cache_config": {"enabled": True},
        "gce_persistent_disk_csi_driver_config": {"enabled": True},
        "gcs_fuse_csi_driver_config": {"enabled": "bucket" in drivers},
        "lustre_csi_driver_config": {"enabled": "lustre" in drivers},
        "gcp_filestore_csi_driver_config": {"enabled": "nfs" in drivers},
    }


def _groups(spec: ClusterSpec) -> container.ClusterAuthenticatorGroupsConfigArgsDict | None:
    """Have GKE look up groups: those that are members of one whose name Google fixes, in the domain of the admins'."""
    domains = [admin.rpartition("@")[2] for admin in spec.admins if admin.startswith("group:")]
    return {"security_group": f"gke-security-groups@{domains[0]}"} if domains else None


def _short_lived(account: pulumi.Input[str], key: KeyHandle, *, shielded: bool) -> container.ClusterNodeConfigArgsDict:
    """The first node, which GKE insists on: without an account of ours it would want the project's default one."""
    return {
        "boot_disk_kms_key": key.id,
        "service_account": account,
        "oauth_scopes": ["https://www.googleapis.com/auth/cloud-platform"],
        "workload_metadata_config": {"mode": "GKE_METADATA"},
        "shielded_instance_config": {"enable_secure_boot": shielded, "enable_integrity_monitoring": shielded},
    }
