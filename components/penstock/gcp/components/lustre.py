"""Managed Lustre: the scratch space that feeds training jobs and takes their checkpoints."""

from __future__ import annotations

from functools import partial
from typing import Final

import pulumi
from pulumi_gcp import compute, lustre, storage

from penstock.core.quantities import lustre_gib
from penstock.description.storage import LustreSpec
from penstock.gcp.components.handles import BucketHandle, KeyHandle, NetworkHandle, ProjectHandle, VolumeHandle
from penstock.gcp.facts import lustre as gcp_lustre
from penstock.gcp.facts import service_agents

FILESYSTEM = "lustrefs"
"""What clients call the file system behind the server's address; Google allows it eight letters and digits."""

READERS = ("objectViewer", "legacyBucketReader")
"""The roles by which a service agent copies from a bucket: its objects, and where it lies.

Source: Storage Transfer Service documentation, permissions for agentless transfers, 2026-11; Managed Lustre's own list
could not be read.
"""


NOBODY = 65534
"""The user and the group that own nothing."""

_LNET = "988"
"""The port by which servers call their clients back (Kubernetes Engine documentation, Lustre CSI driver)."""

_DECIDED_BY: Final = {
    "sourceRanges accessRulesOptions.accessRules[].ipAddressRanges": "network.cidr",
    "capacityGib": ".capacity_tib",
    "location": ".zone cloud.zones",
    "perUnitStorageThroughput": ".throughput_mbps_per_tib",
}


class Lustre(pulumi.ComponentResource):
    """A parallel file system in one zone: that of the pools which mount it.

    Every client in the network reaches it, GKE's through the Lustre CSI driver; but root is nobody on all of them but
    nodes: there root of a pod is root in it, and can write. It can grow, never shrink, and keeps its throughput for
    each TiB forever: a change of that replaces it, which `protect` refuses. Google copies from a bucket only on
    command: with a source bucket, Lustre may read it, and `import_command` is what to run, as often as is wanted; it
    copies what is new or has changed.
    """

    filesystem_id: pulumi.Output[str]
    filesystem: pulumi.Output[str]
    mount_point: pulumi.Output[str]
    import_command: pulumi.Output[str] | None = None
    volume: VolumeHandle

    def __init__(
        self,
        name: str,
        spec: LustreSpec,
        *,
        network: NetworkHandle,
        project: ProjectHandle,
        zone: str,
        key: KeyHandle,
        source: BucketHandle | None = None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        super().__init__("penstock:gcp:Lustre", name, spec.inputs(_DECIDED_BY), opts)
        dynamic = gcp_lustre.steps(spec.throughput_mbps_per_tib).dynamic

        instance = lustre.Instance(
            name,
            instance_id=name,
            project=project.id,
            location=zone,
            filesystem=FILESYSTEM,
            capacity_gib=str(lustre_gib(spec.capacity_tib)),
            per_unit_storage_throughput=None if dynamic else str(spec.throughput_mbps_per_tib),
            dynamic_tier_options={"mode": "DEFAULT_CACHE"} if dynamic else None,
            network=network.id,
            access_rules_options={
                "default_squash_mode": "ROOT_SQUASH",
                "default_squash_uid": NOBODY,  # left out it is 0: root stays root
                "default_squash_gid": NOBODY,
                "access_rules": [
                    {"name": "nodes", "ip_address_ranges": [network.nodes_cidr], "squash_mode": "NO_SQUASH"}
                ],
            },
            kms_key=key.id,
            labels=spec.tags,
            opts=pulumi.ResourceOptions(
                parent=self,
                protect=spec.protect,
                delete_before_replace=True,  # its id is its name
                depends_on=[*project.on("lustre"), *network.private_services, *key.for_("lustre")],
                # One creation in a hundred takes 40 to 80 minutes: magic-modules, pull request 14878.
                custom_timeouts=pulumi.CustomTimeouts(create="120m", update="120m", delete="120m"),
            ),
        )
        self.filesystem_id, self.mount_point = instance.id, instance.mount_point
        self.filesystem = instance.filesystem
        self.volume = VolumeHandle(
            driver="lustre.csi.storage.gke.io",
            handle=pulumi.Output.concat(f"{project.id}/{zone}/", instance.instance_id),
            gib=lustre_gib(spec.capacity_tib),
            # The mount point is ADDRESS@tcp:/FILESYSTEM.
            attributes={"ip": instance.mount_point.apply(_address), "filesystem": instance.filesystem},
        )
        outputs: dict[str, pulumi.Input[str]] = {
            "filesystem_id": self.filesystem_id,
            "filesystem": self.filesystem,
            "mount_point": self.mount_point,
            "summary": f"{spec.capacity_tib:g} TiB at {spec.throughput_mbps_per_tib} MB/s for each TiB, {zone}",
        }
        if network.private_services_cidr is not None:
            self._let_call_back(name, network, network.private_services_cidr, project)
        if source is not None:
            self._let_read(name, source, project)
            self.import_command = outputs["import_command"] = _import(instance, source, project, zone)
        self.register_outputs(outputs)

    def _let_call_back(self, name: str, network: NetworkHandle, servers: str, project: ProjectHandle) -> None:
        compute.Firewall(
            name,
            project=project.id,
            network=network.id,
            direction="INGRESS",
            source_ranges=[servers],
            allows=[{"protocol": "tcp", "ports": [_LNET]}],
            log_config={"metadata": "EXCLUDE_ALL_METADATA"},
            opts=pulumi.ResourceOptions(parent=self),
        )

    def _let_read(self, name: str, source: BucketHandle, project: ProjectHandle) -> None:
        agent = project.agents.get("lustre")
        if agent is None:
            agent = pulumi.Output.from_input(project.number).apply(partial(service_agents.email, "lustre"))
        for role in READERS:
            storage.BucketIAMMember(
                f"{name}-{role}",
                bucket=source.name,
                role=f"roles/storage.{role}",
                member=pulumi.Output.concat("serviceAccount:", agent),
                opts=pulumi.ResourceOptions(parent=self),
            )


def _address(mount_point: str) -> str:
    return mount_point.partition("@")[0]


def _import(instance: lustre.Instance, source: BucketHandle, project: ProjectHandle, zone: str) -> pulumi.Output[str]:
    return pulumi.Output.concat(
        "gcloud lustre instances import-data ",
        instance.instance_id,
        f" --project={project.id} --location={zone} --gcs-path-uri=gs://",
        source.name,
        "/",
    )
