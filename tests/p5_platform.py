"""A P5 platform in plain Pulumi, by an author who never saw Penstock."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pulumi
import pulumi_aws as aws
import pulumi_kubernetes as k8s

Misconfiguration = Mapping[str, Mapping[str, Any]]
"""Arguments that differ from the right ones, by the name of the resource; None leaves one out."""

ZONES = ("us-east-1a", "us-east-1b")
CARDS = 32
GPU_TAINT = {"key": "nvidia.com/gpu", "value": "true", "effect": "NO_SCHEDULE"}
TOLERATIONS = [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}]


def trusted(service: str) -> str:
    """A trust policy for a service of AWS."""
    statement = {"Effect": "Allow", "Principal": {"Service": service}, "Action": "sts:AssumeRole"}
    return json.dumps({"Version": "2012-10-17", "Statement": [statement]})


def interfaces(groups: list[Any], cards: int = CARDS) -> list[dict[str, Any]]:
    """The interfaces that AWS recommends for a p5.48xlarge: one for IP traffic, an efa-only one on each card."""
    fabric = [
        {"network_card_index": card, "device_index": int(card == 0), "interface_type": "efa-only"}
        for card in range(cards)
    ]
    primary = {"network_card_index": 0, "device_index": 0, "interface_type": "interface"}
    return [{**each, "security_groups": groups, "delete_on_termination": "true"} for each in (primary, *fabric)]


def platform(misconfiguration: Misconfiguration, prefix: str = "") -> Callable[[], None]:
    """The program with its misconfigurations; `prefix` begins each name, so that a program may hold several."""

    def make(cls: Any, name: str, opts: pulumi.ResourceOptions | None = None, **arguments: Any) -> Any:
        given = {**arguments, **misconfiguration.get(name, {})}
        found = {key: value(made) if callable(value) else value for key, value in given.items()}
        made[name] = cls(
            f"{prefix}{name}", opts=opts, **{key: value for key, value in found.items() if value is not None}
        )
        return made[name]

    made: dict[str, Any] = {}

    def program() -> None:
        made.clear()
        vpc = make(aws.ec2.Vpc, "vpc", cidr_block="10.0.0.0/16", enable_dns_hostnames=True, enable_dns_support=True)
        make(aws.ec2.Vpc, "other", cidr_block="10.9.0.0/16")
        gateway = make(aws.ec2.InternetGateway, "gateway", vpc_id=vpc.id)
        outside = make(aws.ec2.RouteTable, "outside", vpc_id=vpc.id)
        make(aws.ec2.Route, "out", route_table_id=outside.id, destination_cidr_block="0.0.0.0/0", gateway_id=gateway.id)
        public = make(aws.ec2.Subnet, "public", vpc_id=vpc.id, cidr_block="10.0.0.0/24", availability_zone=ZONES[0])
        make(aws.ec2.RouteTableAssociation, "public", subnet_id=public.id, route_table_id=outside.id)
        address = make(aws.ec2.Eip, "address", domain="vpc")
        nat = make(aws.ec2.NatGateway, "nat", subnet_id=public.id, allocation_id=address.id)
        inside = make(aws.ec2.RouteTable, "inside", vpc_id=vpc.id)
        home = make(
            aws.ec2.Route, "home", route_table_id=inside.id, destination_cidr_block="0.0.0.0/0", nat_gateway_id=nat.id
        )
        subnets = [
            make(
                aws.ec2.Subnet,
                f"private-{zone}",
                vpc_id=vpc.id,
                cidr_block=f"10.0.{64 * (index + 1)}.0/18",
                availability_zone=zone,
            )
            for index, zone in enumerate(ZONES)
        ]
        routed = [
            make(aws.ec2.RouteTableAssociation, f"private-{index}", subnet_id=subnet.id, route_table_id=inside.id)
            for index, subnet in enumerate(subnets)
        ]

        fabric = make(aws.ec2.SecurityGroup, "fabric", vpc_id=vpc.id, description="nodes of one fabric")
        make(
            aws.vpc.SecurityGroupIngressRule,
            "fabric-in",
            security_group_id=fabric.id,
            referenced_security_group_id=fabric.id,
            ip_protocol="-1",
        )
        make(
            aws.vpc.SecurityGroupEgressRule,
            "fabric-out",
            security_group_id=fabric.id,
            referenced_security_group_id=fabric.id,
            ip_protocol="-1",
        )
        make(
            aws.vpc.SecurityGroupEgressRule,
            "fabric-world",
            security_group_id=fabric.id,
            cidr_ipv4="0.0.0.0/0",
            ip_protocol="-1",
        )

        control = make(aws.iam.Role, "control", assume_role_policy=trusted("eks.amazonaws.com"))
        attached = make(
            aws.iam.RolePolicyAttachment,
            "control",
            role=control.name,
            policy_arn="arn:aws:iam::aws:policy/AmazonEKSClusterPolicy",
        )
        cluster = make(
            aws.eks.Cluster,
            "cluster",
            pulumi.ResourceOptions(depends_on=[attached]),
            role_arn=control.arn,
            version="1.35",
            vpc_config={"subnet_ids": [subnet.id for subnet in subnets], "endpoint_private_access": True},
            kubernetes_network_config={"service_ipv4_cidr": "172.20.0.0/16"},
            access_config={"authentication_mode": "API"},
        )
        node = make(aws.iam.Role, "node", assume_role_policy=trusted("ec2.amazonaws.com"))
        allowed = [
            make(
                aws.iam.RolePolicyAttachment,
                policy,
                role=node.name,
                policy_arn=f"arn:aws:iam::aws:policy/{policy}",
            )
            for policy in ("AmazonEKSWorkerNodePolicy", "AmazonEKS_CNI_Policy", "AmazonEC2ContainerRegistryReadOnly")
        ]
        make(
            aws.eks.NodeGroup,
            "system",
            pulumi.ResourceOptions(depends_on=[*allowed, *routed, home]),
            cluster_name=cluster.name,
            node_role_arn=node.arn,
            subnet_ids=[subnet.id for subnet in subnets],
            instance_types=["m7i.2xlarge"],
            ami_type="AL2023_x86_64_STANDARD",
            scaling_config={"min_size": 2, "max_size": 4, "desired_size": 2},
        )
        group = make(aws.ec2.PlacementGroup, "group", strategy="cluster")
        reservation = make(
            aws.ec2.CapacityReservation,
            "train",
            availability_zone=ZONES[0],
            instance_type="p5.48xlarge",
            instance_platform="Linux/UNIX",
            instance_count=8,
            instance_match_criteria="targeted",
            placement_group_arn=group.arn,
        )
        template = make(
            aws.ec2.LaunchTemplate,
            "template",
            instance_type="p5.48xlarge",
            network_interfaces=interfaces([fabric.id, cluster.vpc_config.cluster_security_group_id]),
            placement={"group_name": group.name},
            capacity_reservation_specification={
                "capacity_reservation_target": {"capacity_reservation_id": reservation.id}
            },
            metadata_options={"http_tokens": "required", "http_put_response_hop_limit": 1},
            block_device_mappings=[
                {"device_name": "/dev/xvda", "ebs": {"volume_size": 300, "volume_type": "gp3", "encrypted": "true"}}
            ],
        )
        made["nodes"] = make(
            aws.eks.NodeGroup,
            "nodes",
            pulumi.ResourceOptions(depends_on=[*allowed, *routed, home]),
            cluster_name=cluster.name,
            node_role_arn=node.arn,
            subnet_ids=[subnets[0].id],
            ami_type="AL2023_x86_64_NVIDIA",
            capacity_type="ON_DEMAND",
            scaling_config={"min_size": 0, "max_size": 8, "desired_size": 8},
            taints=[GPU_TAINT],
            labels={"pool": "train"},
            update_config={"max_unavailable": 1, "update_strategy": "MINIMAL"},
            launch_template={"id": template.id, "version": template.latest_version},
        )

        key = make(aws.kms.Key, "key", description="data")
        bucket = make(aws.s3.Bucket, "bucket", bucket=f"acme-{prefix}training-data")
        make(
            aws.s3.BucketServerSideEncryptionConfiguration,
            "bucket",
            bucket=bucket.bucket,
            rules=[
                {"apply_server_side_encryption_by_default": {"sse_algorithm": "aws:kms", "kms_master_key_id": key.arn}}
            ],
        )
        door = make(aws.ec2.SecurityGroup, "door", vpc_id=vpc.id, description="clients of the file system")
        for direction, rule in (
            ("in", aws.vpc.SecurityGroupIngressRule),
            ("out", aws.vpc.SecurityGroupEgressRule),
        ):
            for peer, other in (("self", door), ("nodes", fabric)):
                make(
                    rule,
                    f"door-{direction}-{peer}",
                    security_group_id=door.id,
                    referenced_security_group_id=other.id,
                    ip_protocol="-1",
                )
            opposite = aws.vpc.SecurityGroupEgressRule if direction == "in" else aws.vpc.SecurityGroupIngressRule
            make(
                opposite,
                f"nodes-{direction}-door",
                security_group_id=fabric.id,
                referenced_security_group_id=door.id,
                ip_protocol="-1",
            )
        scratch = make(
            aws.fsx.LustreFileSystem,
            "scratch",
            deployment_type="PERSISTENT_2",
            storage_capacity=19200,
            per_unit_storage_throughput=250,
            efa_enabled=True,
            metadata_configuration={"mode": "AUTOMATIC"},
            subnet_ids=subnets[0].id,
            security_group_ids=[door.id],
            kms_key_id=key.arn,
        )
        make(
            aws.fsx.DataRepositoryAssociation,
            "data",
            file_system_id=scratch.id,
            file_system_path="/data",
            data_repository_path=bucket.bucket.apply(lambda name: f"s3://{name}"),
        )

        provider = k8s.Provider("cluster", kubeconfig=cluster.endpoint)
        inside_cluster = pulumi.ResourceOptions(provider=provider)
        make(
            k8s.helm.v3.Release,
            "plugin",
            inside_cluster,
            chart="nvidia-device-plugin",
            version="0.20.0",
            namespace="kube-system",
            repository_opts={"repo": "https://nvidia.github.io/k8s-device-plugin"},
            values={"tolerations": TOLERATIONS, "gfd": {"enabled": True}},
        )
        namespace = make(k8s.core.v1.Namespace, "team", inside_cluster, metadata={"name": "team"})
        make(
            k8s.batch.v1.Job,
            "job",
            inside_cluster,
            metadata={"name": "job", "namespace": namespace.metadata.name},
            spec=job(),
        )

    return program


def job(labels: Mapping[str, str] | None = None, **container: Any) -> dict[str, Any]:
    """A job on one node of the training pool."""
    node = {"nvidia.com/gpu": "8", "cpu": "180", "memory": "1800Gi"}
    pod = {
        "restart_policy": "Never",
        "node_selector": labels or {"pool": "train"},
        "tolerations": container.pop("tolerations", TOLERATIONS),
        "containers": [
            {
                "name": "main",
                "image": "acme/train:1.0",
                "resources": {"limits": node, "requests": node},
                **container,
            }
        ],
    }
    return {"template": {"spec": pod}}
