"""The managed Kubernetes cluster."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from ipaddress import IPv4Network
from typing import Any, Final

import pulumi
import pulumi_aws
from pulumi_aws import eks, iam

from penstock.aws.components import firewall
from penstock.aws.components.addon import Addon
from penstock.aws.components.adoption import lookups
from penstock.aws.components.handles import ClusterHandle, KeyHandle, NetworkHandle
from penstock.aws.components.logs import RETENTION_DAYS, log_group
from penstock.aws.components.roles import service_role
from penstock.aws.facts import eks_addons
from penstock.description.cluster import SERVICE_CIDR, ClusterSpec, ExistingCluster, version_of

_LOG_TYPES = ("api", "audit", "authenticator", "controllerManager", "scheduler")

_DECIDED_BY: Final = {
    "AccessEntry AccessPolicyAssociation": ".admins",
    "configurationValues": "network.mtu",
    "upgradePolicy.supportType": ".upgrade_policy",
    "version": ".version",
    "vpcConfig.endpointPrivateAccess vpcConfig.endpointPublicAccess": ".access",
    "vpcConfig.publicAccessCidrs": ".deployer_cidrs network.allowed_cidrs",
    "cidrIpv4": "network.cidr",
}


class Cluster(pulumi.ComponentResource):
    """An EKS cluster that answers inside its network, and beyond it only to `allowed_cidrs` and `deployer_cidrs`.

    While `deployer_cidrs` are given, whatever `access` says, the public endpoint admits them: a private cluster comes
    up from a laptop, and is closed by leaving them out. Either way nodes keep to the private endpoint.

    Its VPC CNI enforces network policies, on Linux nodes and except for pods in the network of their node.

    A cluster whose description names no version keeps the one that it was created with: a later default of Penstock
    upgrades neither the cluster nor nodes nor add-ons. `upgrade_policy` says when AWS upgrades the control plane.

    Access goes by IAM alone, for `spec.admins`; a cluster without any is administered by the role or user that created
    it, by an entry that everybody sees and that leaves once there are admins. The component's name is the cluster's
    name, unique in account and region.
    """

    handle: ClusterHandle

    def __init__(
        self,
        name: str,
        spec: ClusterSpec,
        *,
        network: NetworkHandle,
        key: KeyHandle,
        logs_key: KeyHandle,
        allowed_cidrs: Sequence[IPv4Network] = (),
        mtu: int | None = None,
        multi_nic: bool = False,
        log_days: int = RETENTION_DAYS,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Build the cluster.

        Args:
            name: The cluster's name, and the start of every name in it.
            spec: What to build.
            network: Subnets in two zones at least.
            key: Encrypts what Kubernetes stores (`Keys.cluster`).
            logs_key: Encrypts the control plane's logs (`Keys.logs`).
            allowed_cidrs: Who else reaches the API: by peering or VPN, or over the internet when access is restricted.
            mtu: The pods' packets, in bytes; the machines' own by default.
            multi_nic: Whether pods may use the network interfaces of every card, not of the first one only.
            log_days: How long the control plane's logs are kept.
            opts: Pulumi's options.
        """
        super().__init__("penstock:aws:Cluster", name, spec.inputs(_DECIDED_BY), opts)
        child = pulumi.ResourceOptions(parent=self)

        # EKS would make this group itself, unencrypted and kept forever; created first, it is the one EKS finds.
        logs = log_group(
            f"{name}-logs", path=f"/aws/eks/{name}/cluster", key=logs_key, days=log_days, tags=spec.tags, opts=child
        )
        role = service_role(
            f"{name}-control-plane",
            "eks.amazonaws.com",
            partition=network.partition,
            policies=("AmazonEKSClusterPolicy",),
            tags=spec.tags,
            opts=child,
        )
        restricted = spec.access == "restricted"
        # The group that EKS makes admits its nodes only.
        peers = () if restricted else allowed_cidrs
        callers = _public_callers(spec, allowed_cidrs)
        api = firewall.admit(f"{name}-api", 443, network=network, also=peers, tags=spec.tags, opts=child)
        endpoint: eks.ClusterVpcConfigArgsDict = {
            "subnet_ids": network.subnets_in(None),
            "security_group_ids": [api.id],
            "endpoint_private_access": True,
            "endpoint_public_access": bool(callers),
        }
        if callers:
            endpoint["public_access_cidrs"] = callers
        cluster = eks.Cluster(
            name,
            name=name,
            version=version_of(spec, "aws"),
            role_arn=role.arn,
            vpc_config=endpoint,
            kubernetes_network_config={"service_ipv4_cidr": str(SERVICE_CIDR)},
            access_config={"authentication_mode": "API", "bootstrap_cluster_creator_admin_permissions": False},
            encryption_config={"provider": {"key_arn": key.arn}, "resources": ["secrets"]},
            enabled_cluster_log_types=_LOG_TYPES,
            bootstrap_self_managed_addons=False,  # all of them come as add-ons that EKS manages
            upgrade_policy={"support_type": spec.upgrade_policy.upper()},
            deletion_protection=spec.protect,
            tags=spec.tags,
            opts=pulumi.ResourceOptions.merge(
                child,
                pulumi.ResourceOptions(
                    protect=spec.protect,
                    depends_on=[logs, *role.rights],
                    # EKS takes no subnet in another zone once the cluster exists; node groups may be there anyway.
                    ignore_changes=["vpcConfig.subnetIds", *([] if spec.version is not None else ["version"])],
                    custom_timeouts=pulumi.CustomTimeouts(create="30m", delete="30m"),
                ),
            ),
        )
        self.handle = ClusterHandle(
            name=cluster.name,
            security_group_id=cluster.vpc_config.cluster_security_group_id,
            endpoint=cluster.endpoint,
            certificate_authority=cluster.certificate_authority.data,
            version=cluster.version,
            moves=spec.version is not None,
            ready=self._addons(name, spec, cluster, network.partition, _cni(mtu, multi_nic=multi_nic)),
            access=self._admit(name, spec, cluster, network.partition),
        )
        self.register_outputs({"name": cluster.name, "endpoint": cluster.endpoint})

    def _admit(self, name: str, spec: ClusterSpec, cluster: eks.Cluster, partition: str) -> tuple[pulumi.Resource, ...]:
        child = pulumi.ResourceOptions(parent=self)
        admins = {f"{name}-admin-{re.sub('[^0-9A-Za-z]+', '-', arn.split(':', 4)[-1])}": arn for arn in spec.admins}
        if admins:
            return tuple(
                _administer(entry, arn, cluster=cluster, partition=partition, tags=spec.tags, opts=child)
                for entry, arn in admins.items()
            )
        # Whoever runs the next `up` is for the list of admins to let in.
        kept = pulumi.ResourceOptions.merge(child, pulumi.ResourceOptions(ignore_changes=["principalArn"]))
        creator = _signed_in(child)
        return (
            _administer(f"{name}-creator", creator, cluster=cluster, partition=partition, tags=spec.tags, opts=kept),
        )

    def _addons(
        self, name: str, spec: ClusterSpec, cluster: eks.Cluster, partition: str, cni: Mapping[str, Any]
    ) -> tuple[pulumi.Resource, ...]:
        """Install what every cluster has; give back what nodes wait for."""
        configuration: Mapping[str, Mapping[str, Any]] = {"vpc-cni": cni}
        addons = {
            facts: Addon(
                f"{name}-{facts.name}",
                facts.name,
                cluster_name=name,
                kubernetes_version=cluster.version,
                moves=spec.version is not None,
                partition=partition,
                tags=spec.tags,
                configuration=configuration.get(facts.name),
                after=[cluster],
                opts=pulumi.ResourceOptions(parent=self),
            )
            for facts in eks_addons.for_every_cluster()
        }
        return tuple(addon.ready for facts, addon in addons.items() if facts.before_nodes)


def _signed_in(opts: pulumi.ResourceOptions) -> pulumi.Output[str]:
    """The role or user that runs Pulumi; of a session of a role, the role itself, which an access entry must name."""
    asks = pulumi.InvokeOutputOptions(parent=opts.parent)
    return iam.get_session_context_output(
        arn=pulumi_aws.get_caller_identity_output(opts=asks).arn, opts=asks
    ).issuer_arn


def _administer(
    name: str,
    principal: pulumi.Input[str],
    *,
    cluster: eks.Cluster,
    partition: str,
    tags: Mapping[str, str],
    opts: pulumi.ResourceOptions,
) -> pulumi.Resource:
    """Let a role or user administer the whole cluster."""
    entry = eks.AccessEntry(name, cluster_name=cluster.name, principal_arn=principal, tags=tags, opts=opts)
    return eks.AccessPolicyAssociation(
        name,
        cluster_name=cluster.name,
        principal_arn=entry.principal_arn,
        policy_arn=f"arn:{partition}:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy",
        access_scope={"type": "cluster"},
        opts=opts,
    )


def _cni(mtu: int | None, *, multi_nic: bool) -> dict[str, Any]:
    """Settings of the VPC CNI that differ from its defaults.

    Its node agent enforces network policies only if `enableNetworkPolicy` is set, a text in the add-on's schema. Pods
    start before their policies apply (mode standard): in mode strict each pod would need a policy for DNS of its own.
    """
    env = {"AWS_VPC_ENI_MTU": str(mtu)} if mtu is not None else {}
    if multi_nic:
        env["ENABLE_MULTI_NIC"] = "true"  # else it manages the first card only (amazon-vpc-cni-k8s README, 1.20)
    return {"enableNetworkPolicy": "true", **({"env": env} if env else {})}


def _public_callers(spec: ClusterSpec, allowed_cidrs: Sequence[IPv4Network]) -> list[str]:
    """The ranges that reach the API over the internet; none of them, and there is no public endpoint."""
    standing = allowed_cidrs if spec.access == "restricted" else ()
    return list(dict.fromkeys(str(cidr) for cidr in (*spec.deployer_cidrs, *standing)))


def adopt(
    existing: ExistingCluster, *, version: str | None = None, opts: pulumi.ResourceOptions | None = None
) -> ClusterHandle:
    """A handle on a cluster that is already there. `version` is that of its nodes; the cluster's own by default."""
    found = eks.get_cluster_output(name=existing.name, opts=lookups(opts))
    return ClusterHandle(
        name=existing.name,
        security_group_id=found.vpc_config.cluster_security_group_id,
        endpoint=found.endpoint,
        certificate_authority=found.certificate_authorities[0].data,
        version=version if version is not None else found.version,
        moves=version is not None,
    )
