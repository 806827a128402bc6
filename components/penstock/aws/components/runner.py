"""A machine inside the network, from which people and Pulumi reach a closed cluster."""

from __future__ import annotations

from collections.abc import Mapping

import pulumi
from pulumi_aws import ec2, iam, ssm, vpc

from penstock.aws.components.adoption import lookups
from penstock.aws.components.handles import ClusterHandle, KeyHandle, NetworkHandle
from penstock.aws.components.kubeconfig import TUNNEL_PORT, kubeconfig
from penstock.aws.components.roles import service_role

MACHINE_TYPE = "t4g.small"
"""The smallest Graviton machine with memory enough for Pulumi and its plugins; a few dollars a month."""

_IMAGE = "/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-arm64"
"""Where AWS publishes the newest image of Amazon Linux 2023, which brings the SSM agent along."""

_DISK_GIB = 30


class Runner(pulumi.ComponentResource):
    """A small machine without a public address, an inbound rule or a key, opened by SSM Session Manager.

    `session` opens a shell on it. `tunnel` forwards a local port to the cluster's API, and `kubeconfig` is for kubectl
    on the near side of the tunnel. Who may do so is for IAM to say: `ssm:StartSession` on this machine. It keeps the
    image that it was created with; replace it for a newer one.
    """

    session: pulumi.Output[str]
    tunnel: pulumi.Output[str]
    kubeconfig: pulumi.Output[str]

    def __init__(
        self,
        name: str,
        *,
        cluster: ClusterHandle,
        network: NetworkHandle,
        key: KeyHandle,
        region: str,
        tags: Mapping[str, str],
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Make the machine in the first private subnet; `key` encrypts its disk (`Keys.data`)."""
        super().__init__("penstock:aws:Runner", name, None, opts)
        child = pulumi.ResourceOptions(parent=self)

        role = service_role(
            name,
            "ec2.amazonaws.com",
            partition=network.partition,
            policies=("AmazonSSMManagedInstanceCore",),
            tags=tags,
            opts=child,
        )
        profile = iam.InstanceProfile(name, role=role.name, tags=tags, opts=child)
        machine = ec2.Instance(
            name,
            ami=ssm.get_parameter_output(name=_IMAGE, opts=lookups(child)).insecure_value,
            instance_type=MACHINE_TYPE,
            subnet_id=network.subnets_in(None)[0],
            associate_public_ip_address=False,
            vpc_security_group_ids=[self._group(name, network, tags).id],
            iam_instance_profile=profile.name,
            metadata_options={"http_endpoint": "enabled", "http_tokens": "required", "http_put_response_hop_limit": 1},
            root_block_device={
                "volume_type": "gp3",
                "volume_size": _DISK_GIB,
                "encrypted": True,
                "kms_key_id": key.arn,
                "tags": {**tags, "Name": name},
            },
            ebs_optimized=True,
            monitoring=True,
            tags={**tags, "Name": name},
            opts=pulumi.ResourceOptions.merge(
                child,
                pulumi.ResourceOptions(
                    depends_on=[*role.rights, *network.ready],
                    ignore_changes=["ami"],  # a newer image must not replace the machine under a running session
                ),
            ),
        )

        start = pulumi.Output.concat(f"aws ssm start-session --region {region} --target ", machine.id)
        self.session = start
        self.tunnel = pulumi.Output.concat(
            start,
            " --document-name AWS-StartPortForwardingSessionToRemoteHost --parameters host=",
            pulumi.Output.from_input(cluster.endpoint).apply(lambda url: url.removeprefix("https://")),
            f",portNumber=443,localPortNumber={TUNNEL_PORT}",
        )
        self.kubeconfig = kubeconfig(cluster, region=region, tunnel=True)
        self.register_outputs({"session": self.session, "tunnel": self.tunnel})

    def _group(self, name: str, network: NetworkHandle, tags: Mapping[str, str]) -> ec2.SecurityGroup:
        """A group without inbound rules: Session Manager's agent calls out, and nobody calls in."""
        child = pulumi.ResourceOptions(parent=self)
        group = ec2.SecurityGroup(
            name,
            description=f"{name}: HTTPS out, nothing in",
            vpc_id=network.vpc_id,
            tags={**tags, "Name": name},
            opts=child,
        )
        vpc.SecurityGroupEgressRule(
            f"{name}-https",
            security_group_id=group.id,
            cidr_ipv4="0.0.0.0/0",
            ip_protocol="tcp",
            from_port=443,
            to_port=443,
            description="Session Manager, the API of the cluster and those of AWS",
            tags=tags,
            opts=child,
        )
        return group
