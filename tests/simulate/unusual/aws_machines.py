"""Clusters and machines of AWS that are right by its documentation and seldom seen."""

from __future__ import annotations

import base64
import json
from functools import partial

import pulumi
import pulumi_aws as aws


def _role(name: str, service: str, *actions: str) -> aws.iam.Role:
    statement = {"Effect": "Allow", "Principal": {"Service": service}, "Action": actions or ("sts:AssumeRole",)}
    return aws.iam.Role(name, assume_role_policy=json.dumps({"Version": "2012-10-17", "Statement": [statement]}))


def _subrange(number: int, block: str) -> str:
    return block.replace("00::/56", f"0{number}::/64")


def _cluster_role(name: str, *actions: str) -> aws.iam.Role:
    role = _role(name, "eks.amazonaws.com", "sts:AssumeRole", *actions)
    for policy in ("Cluster", *(("Compute", "BlockStorage", "LoadBalancing", "Networking") if actions else ())):
        aws.iam.RolePolicyAttachment(
            f"{name}-{policy}", role=role.name, policy_arn=f"arn:aws:iam::aws:policy/AmazonEKS{policy}Policy"
        )
    return role


def _subnets(name: str) -> list[pulumi.Output[str]]:
    vpc = aws.ec2.Vpc(name, cidr_block="10.0.0.0/16", enable_dns_hostnames=True)
    return [
        aws.ec2.Subnet(
            f"{name}{n}", vpc_id=vpc.id, cidr_block=f"10.0.{n * 16}.0/20", availability_zone=f"us-east-1{zone}"
        ).id
        for n, zone in enumerate("ab")
    ]


def a_cluster_in_auto_mode() -> None:
    """<https://docs.aws.amazon.com/eks/latest/userguide/automode-get-started-cli.html>."""
    role = _role("auto", "eks.amazonaws.com", "sts:AssumeRole", "sts:TagSession")
    node = _role("node", "ec2.amazonaws.com")
    names = ["Cluster", "Compute", "BlockStorage", "LoadBalancing", "Networking"]
    kept = [
        aws.iam.RolePolicyAttachment(each, role=role.name, policy_arn=f"arn:aws:iam::aws:policy/AmazonEKS{each}Policy")
        for each in names
    ]
    aws.iam.RolePolicyAttachment(
        "pull", role=node.name, policy_arn="arn:aws:iam::aws:policy/AmazonEC2ContainerRegistryPullOnly"
    )
    aws.iam.RolePolicyAttachment(
        "work", role=node.name, policy_arn="arn:aws:iam::aws:policy/AmazonEKSWorkerNodeMinimalPolicy"
    )
    aws.eks.Cluster(
        "auto",
        role_arn=role.arn,
        version="1.33",
        bootstrap_self_managed_addons=False,
        access_config={"authentication_mode": "API"},
        compute_config={"enabled": True, "node_pools": ["general-purpose", "system"], "node_role_arn": node.arn},
        kubernetes_network_config={"elastic_load_balancing": {"enabled": True}},
        storage_config={"block_storage": {"enabled": True}},
        vpc_config={"subnet_ids": _subnets("auto"), "endpoint_private_access": True},
        opts=pulumi.ResourceOptions(depends_on=kept),
    )


def a_cluster_in_auto_mode_without_pools_of_its_own() -> None:
    """<https://docs.aws.amazon.com/eks/latest/userguide/create-node-pool.html>."""
    role = _cluster_role("bare", "sts:TagSession")
    cluster = aws.eks.Cluster(
        "bare",
        role_arn=role.arn,
        bootstrap_self_managed_addons=False,
        compute_config={"enabled": True},
        kubernetes_network_config={"elastic_load_balancing": {"enabled": True}, "service_ipv4_cidr": "172.20.0.0/16"},
        storage_config={"block_storage": {"enabled": True}},
        access_config={"authentication_mode": "API_AND_CONFIG_MAP"},
        vpc_config={"subnet_ids": _subnets("bare")},
        upgrade_policy={"support_type": "STANDARD"},
    )
    node = _role("bare-node", "ec2.amazonaws.com")
    entry = aws.eks.AccessEntry("bare", cluster_name=cluster.name, principal_arn=node.arn, type="EC2")
    aws.eks.AccessPolicyAssociation(
        "bare",
        cluster_name=cluster.name,
        principal_arn=entry.principal_arn,
        access_scope={"type": "cluster"},
        policy_arn="arn:aws:eks::aws:cluster-access-policy/AmazonEKSAutoNodePolicy",
    )


def a_cluster_with_hybrid_nodes() -> None:
    """<https://docs.aws.amazon.com/eks/latest/userguide/hybrid-nodes-cluster-create.html>."""
    role = _role("hybrid", "eks.amazonaws.com")
    policy = aws.iam.RolePolicyAttachment(
        "hybrid", role=role.name, policy_arn=aws.iam.ManagedPolicy.AMAZON_EKS_CLUSTER_POLICY
    )
    cluster = aws.eks.Cluster(
        "hybrid",
        role_arn=role.arn,
        access_config={"authentication_mode": "API"},
        remote_network_config={
            "remote_node_networks": {"cidrs": ["10.200.0.0/16"]},
            "remote_pod_networks": {"cidrs": ["10.201.0.0/16"]},
        },
        vpc_config={"subnet_ids": _subnets("hybrid"), "endpoint_public_access": True, "endpoint_private_access": False},
        opts=pulumi.ResourceOptions(depends_on=[policy]),
    )
    node = _role("on-premises", "ssm.amazonaws.com")
    aws.eks.AccessEntry("hybrid", cluster_name=cluster.name, principal_arn=node.arn, type="HYBRID_LINUX")


def a_cluster_with_a_network_plugin_of_ones_own() -> None:
    """<https://docs.aws.amazon.com/eks/latest/userguide/alternate-cni-plugins.html>."""
    role, node = _cluster_role("cni"), _role("cni-node", "ec2.amazonaws.com")
    subnets = aws.ec2.get_subnets(filters=[{"name": "tag:tier", "values": ["private"]}]).ids
    cluster = aws.eks.Cluster(
        "cni", role_arn=role.arn, bootstrap_self_managed_addons=False, vpc_config={"subnet_ids": subnets}
    )
    for each in ("AmazonEKSWorkerNodePolicy", "AmazonEC2ContainerRegistryReadOnly"):
        aws.iam.RolePolicyAttachment(each, role=node.name, policy_arn=f"arn:aws:iam::aws:policy/{each}")
    aws.eks.NodeGroup(
        "cni",
        cluster_name=cluster.name,
        node_role_arn=node.arn,
        subnet_ids=subnets,
        scaling_config={"min_size": 0, "desired_size": 0, "max_size": 3},
        instance_types=["m7g.large", "m6g.large"],
        ami_type="BOTTLEROCKET_ARM_64",
        capacity_type="SPOT",
        update_config={"max_unavailable_percentage": 33},
        taints=[{"key": "node.cilium.io/agent-not-ready", "value": "true", "effect": "NO_EXECUTE"}],
        opts=pulumi.ResourceOptions(ignore_changes=["scalingConfig.desiredSize"]),
    )


def a_cluster_of_ipv6() -> None:
    """<https://docs.aws.amazon.com/eks/latest/userguide/cni-ipv6.html>."""
    vpc = aws.ec2.Vpc("six", cidr_block="10.0.0.0/16", assign_generated_ipv6_cidr_block=True)
    subnets = [
        aws.ec2.Subnet(
            f"six-{n}",
            vpc_id=vpc.id,
            cidr_block=f"10.0.{n}.0/24",
            availability_zone_id=f"use1-az{n}",
            ipv6_cidr_block=vpc.ipv6_cidr_block.apply(partial(_subrange, n)),
            assign_ipv6_address_on_creation=True,
        )
        for n in (1, 2)
    ]
    role = _cluster_role("six")
    cluster = aws.eks.Cluster(
        "six",
        role_arn=role.arn,
        kubernetes_network_config={"ip_family": "ipv6"},
        vpc_config={"subnet_ids": [each.id for each in subnets]},
    )
    aws.eks.Addon(
        "six",
        cluster_name=cluster.name,
        addon_name="vpc-cni",
        resolve_conflicts_on_create="OVERWRITE",
        configuration_values=json.dumps({"env": {"ENABLE_PREFIX_DELEGATION": "true"}}),
    )


def a_cluster_of_profiles_only() -> None:
    """<https://docs.aws.amazon.com/eks/latest/userguide/fargate-profile.html>."""
    role, pod = _cluster_role("pods"), _role("pod", "eks-fargate-pods.amazonaws.com")
    subnets = _subnets("pods")
    aws.iam.RolePolicyAttachment(
        "pod", role=pod.name, policy_arn="arn:aws:iam::aws:policy/AmazonEKSFargatePodExecutionRolePolicy"
    )
    cluster = aws.eks.Cluster("pods", role_arn=role.arn, vpc_config={"subnet_ids": subnets})
    aws.eks.FargateProfile(
        "pods",
        cluster_name=cluster.name,
        pod_execution_role_arn=pod.arn,
        subnet_ids=subnets,
        selectors=[{"namespace": "prod-*"}, {"namespace": "kube-system", "labels": {"k8s-app": "kube-dns"}}],
    )


def nodes_by_a_template_with_an_image_of_ones_own() -> None:
    """<https://docs.aws.amazon.com/eks/latest/userguide/launch-templates.html>."""
    cluster = aws.eks.get_cluster(name="central")
    head = 'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="//"\n\n'
    text = f"{head}--//\nContent-Type: application/node.eks.aws\n\n---\n--//--\n"
    template = aws.ec2.LaunchTemplate(
        "own",
        image_id="ami-0123456789abcdef0",
        user_data=base64.b64encode(text.encode()).decode(),
        vpc_security_group_ids=[cluster.vpc_config.cluster_security_group_id],
        block_device_mappings=[
            {
                "device_name": "/dev/xvda",
                "ebs": {
                    "volume_type": "gp3",
                    "volume_size": 16384,
                    "iops": "16000",
                    "throughput": 1000,
                    "encrypted": "true",
                },
            }
        ],
        metadata_options={"http_tokens": "required", "http_put_response_hop_limit": 2},
    )
    aws.eks.NodeGroup(
        "own",
        cluster_name=cluster.name,
        node_role_arn="arn:aws:iam::111122223333:role/teams/node",
        subnet_ids=cluster.vpc_config.subnet_ids,
        scaling_config={"min_size": 1, "desired_size": 1, "max_size": 450},
        instance_types=["c7i.large", "c7i-flex.large"],
        launch_template={"id": template.id, "version": template.latest_version.apply(str)},
    )


def machines_described_by_requirements() -> None:
    """<https://docs.aws.amazon.com/autoscaling/ec2/userguide/create-mixed-instances-group-attribute-based-instance-type-selection.html>."""
    image = aws.ec2.get_ami(
        most_recent=True, owners=["amazon"], filters=[{"name": "name", "values": ["al2023-ami-2023*-x86_64"]}]
    )
    template = aws.ec2.LaunchTemplate("fleet", image_id=image.id)
    aws.autoscaling.Group(
        "fleet",
        min_size=0,
        max_size=10,
        desired_capacity_type="vcpu",
        availability_zones=["us-east-1a", "us-east-1b"],
        mixed_instances_policy={
            "launch_template": {
                "launch_template_specification": {"launch_template_id": template.id, "version": "$Latest"},
                "overrides": [
                    {
                        "instance_requirements": {
                            "vcpu_count": {"min": 0},
                            "memory_mib": {"min": 0, "max": 65536},
                            "allowed_instance_types": ["m*", "c7*.*"],
                        }
                    }
                ],
            },
            "instances_distribution": {
                "on_demand_base_capacity": 0,
                "on_demand_percentage_above_base_capacity": 0,
                "spot_allocation_strategy": "price-capacity-optimized",
            },
        },
        instance_refresh={
            "strategy": "Rolling",
            "preferences": {"min_healthy_percentage": 100, "max_healthy_percentage": 150},
        },
        tags=[{"key": "Name", "value": "", "propagate_at_launch": True}],
    )


def an_image_by_a_parameter() -> None:
    """<https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/create-launch-template.html>."""
    template = aws.ec2.LaunchTemplate(
        "parameter",
        image_id="resolve:ssm:/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-arm64",
        instance_type="t4g.nano",
        credit_specification={"cpu_credits": "standard"},
    )
    found = aws.ssm.get_parameter(name="/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-x86_64")
    aws.ec2.Instance(
        "found",
        ami=found.value,
        instance_type="t3.micro",
        user_data="#!/bin/sh\ntrue",
        user_data_replace_on_change=True,
    )
    aws.ec2.Instance("by-template", launch_template={"id": template.id, "version": "$Default"})


def disks_of_every_kind() -> None:
    """<https://docs.aws.amazon.com/ebs/latest/userguide/ebs-volume-types.html>."""
    kinds: list[dict[str, object]] = [
        {"type": "gp3", "size": 65536, "iops": 80000, "throughput": 2000},
        {"type": "gp3", "size": 1},
        {"type": "io2", "size": 100, "iops": 64000},
        {"type": "io2", "size": 4, "iops": 2000, "multi_attach_enabled": True},
        {"type": "st1", "size": 125},
        {"type": "sc1", "size": 16384},
        {"type": "standard", "size": 1},
        {"type": "gp2", "size": 1},
        {"snapshot_id": "snap-0123456789abcdef0"},
        {"snapshot_id": "snap-0123456789abcdef0", "volume_initialization_rate": 300},
    ]
    for n, kind in enumerate(kinds):
        aws.ebs.Volume(f"v{n}", availability_zone="us-east-1f", **kind)


def accelerators_reserved_by_time() -> None:
    """<https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/capacity-blocks-using.html>."""
    block = aws.ec2.CapacityBlockReservation(
        "train",
        capacity_block_offering_id="cb-0123456789abcdefg",
        instance_platform="Linux/UNIX",
        tags={"Environment": "dev"},
    )
    template = aws.ec2.LaunchTemplate(
        "train",
        image_id="ami-0123456789abcdef0",
        instance_type="p5.48xlarge",
        instance_market_options={"market_type": "capacity-block"},
        capacity_reservation_specification={"capacity_reservation_target": {"capacity_reservation_id": block.id}},
        network_interfaces=[
            {
                "network_card_index": card,
                "device_index": 0 if card == 0 else 1,
                "interface_type": "efa" if card == 0 else "efa-only",
            }
            for card in range(32)
        ],
    )
    aws.ec2.Instance("train", launch_template={"name": template.name, "version": "1"})


def a_spot_request_and_a_dedicated_host() -> None:
    """<https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/dedicated-hosts-overview.html>."""
    host = aws.ec2.DedicatedHost("mac", instance_type="mac2.metal", availability_zone="us-east-1b", auto_placement="on")
    aws.ec2.Instance("mac", ami="ami-0123456789abcdef0", instance_type="mac2.metal", host_id=host.id, tenancy="host")
    aws.ec2.Instance(
        "spot",
        ami="ami-0123456789abcdef0",
        instance_type="c7a.medium",
        instance_market_options={
            "market_type": "spot",
            "spot_options": {"spot_instance_type": "persistent", "instance_interruption_behavior": "hibernate"},
        },
        hibernation=True,
        root_block_device={"encrypted": True},
    )
    aws.ec2.PlacementGroup("spread", strategy="spread", spread_level="rack")
    aws.ec2.PlacementGroup("parts", strategy="partition", partition_count=7)
