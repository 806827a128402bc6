"""A machine inside the network, from which closed endpoints are reached."""

from __future__ import annotations

from collections.abc import Sequence

import pulumi
from pulumi_gcp import compute, iap

from penstock.description.block import ComponentSpec
from penstock.gcp.components.handles import KeyHandle, NetworkHandle, ProjectHandle
from penstock.gcp.facts import address_ranges

MACHINE_TYPE = "e2-small"
"""Enough for a proxy, and for a Pulumi program of some hundred resources."""

_IMAGE = "debian-cloud/debian-12"
"""A family: the newest image when the machine is created, which then installs its own security updates."""

_DISK_GIB = 20
_SSH = "22"
_SOCKS = 1080


class Runner(pulumi.ComponentResource):
    """A small shielded machine without a public address, which Identity-Aware Proxy alone reaches, by SSH.

    `members` may open the tunnel and log in as themselves: OS Login knows them by IAM, and keys in metadata are
    ignored. The machine acts as nobody. `tunnel` is the command that makes it a proxy for a laptop or a pipeline, at
    `proxy`: `HTTPS_PROXY=socks5://localhost:1080 kubectl get nodes`.
    """

    tunnel: pulumi.Output[str]
    proxy: str

    def __init__(
        self,
        name: str,
        spec: ComponentSpec,
        *,
        network: NetworkHandle,
        project: ProjectHandle,
        key: KeyHandle,
        zone: str,
        members: Sequence[str],
        opens_firewall: bool = True,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Build the machine.

        Args:
            name: The start of every name in it, and the tag of the machine in the network.
            spec: Labels.
            network: Where it stands.
            project: What it is built in.
            key: Encrypts its disk (`Keys.data`).
            zone: Full name, such as us-central1-a.
            members: IAM members who may use it.
            opens_firewall: Whether the network's firewall lets the proxy in; one that is not ours needs a rule of its
                own for TCP 22 from 35.235.240.0/20 to the tag.
            opts: Pulumi's options.
        """
        super().__init__("penstock:gcp:Runner", name, None, opts)
        child = pulumi.ResourceOptions(parent=self)
        if opens_firewall:
            compute.Firewall(
                name,
                project=project.id,
                network=network.id,
                direction="INGRESS",
                source_ranges=[str(address_ranges.iap())],
                target_tags=[name],
                allows=[{"protocol": "tcp", "ports": [_SSH]}],
                log_config={"metadata": "INCLUDE_ALL_METADATA"},
                opts=child,
            )
        machine = compute.Instance(
            name,
            project=project.id,
            zone=zone,
            machine_type=MACHINE_TYPE,
            boot_disk={"kms_key_self_link": key.id, "initialize_params": {"image": _IMAGE, "size": _DISK_GIB}},
            network_interfaces=[{"subnetwork": network.subnetwork}],
            tags=[name],
            metadata={"enable-oslogin": "TRUE", "block-project-ssh-keys": "TRUE"},
            shielded_instance_config={
                "enable_secure_boot": True,
                "enable_vtpm": True,
                "enable_integrity_monitoring": True,
            },
            allow_stopping_for_update=True,
            labels=spec.tags,
            opts=pulumi.ResourceOptions(
                parent=self,
                depends_on=[*project.on("compute"), *network.ready, *key.for_("compute")],
            ),
        )
        for member in members:
            self._admit(name, machine, member, project)

        self.proxy = f"socks5://localhost:{_SOCKS}"
        self.tunnel = pulumi.Output.concat(
            "gcloud compute ssh ",
            machine.name,
            f" --project={project.id} --zone={zone} --tunnel-through-iap -- -N -D {_SOCKS}",
        )
        self.register_outputs({"tunnel": self.tunnel, "proxy": self.proxy})

    def _admit(self, name: str, machine: compute.Instance, member: str, project: ProjectHandle) -> None:
        who = "".join(letter if letter.isalnum() else "-" for letter in member)
        iap.TunnelInstanceIAMMember(
            f"{name}-tunnel-{who}",
            project=project.id,
            zone=machine.zone,
            instance=machine.name,
            role="roles/iap.tunnelResourceAccessor",
            member=member,
            opts=pulumi.ResourceOptions(parent=self, depends_on=project.on("iap")),
        )
        for role in ("osLogin", "viewer"):  # without the second, nobody finds the machine that they may log in to
            compute.InstanceIAMMember(
                f"{name}-{role}-{who}",
                project=project.id,
                zone=machine.zone,
                instance_name=machine.name,
                role=f"roles/compute.{role}",
                member=member,
                opts=pulumi.ResourceOptions(parent=self),
            )
