"""Daemon sets that make nodes of some fabrics of Google Cloud ready: they prepare the node, and then only wait."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import pulumi
from pulumi_kubernetes.apps import v1 as apps
from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.meta import v1 as meta

from penstock.catalog import machines
from penstock.catalog.machine import Architecture
from penstock.kubernetes.facts import gpudirect
from penstock.kubernetes.facts.node_labels import INSTANCE_TYPE

NAMESPACE = "kube-system"
"""GKE lets pods be critical for a node in this namespace only, unless another has a quota for it."""

_LIBRARIES = "/home/kubernetes/bin"
"""Where GKE keeps what it mounts into containers with GPUs; the rest of a node's disk is read only, or lost at boot."""

_NOBODY = 65535


Mirror = pulumi.Input[str] | Mapping[str, pulumi.Input[str]] | None
"""A registry that stands in for all others, or one for each host that has one."""


def image(name: str, mirror: Mirror) -> pulumi.Input[str]:
    """An image of `kubernetes.facts.gpudirect`, from its public registry or by the same path from a mirror of it."""
    public = gpudirect.image(name).reference
    host, _, path = public.partition("/")
    registry = mirror.get(host) if isinstance(mirror, Mapping) else mirror
    return public if registry is None else pulumi.Output.concat(registry, "/", path)


def machine_types(fabrics: Collection[str], architecture: Architecture | None = None) -> list[str]:
    """The machine types that have one of these fabrics."""
    return [
        machine.machine_type
        for machine in machines.machine_types("gcp")
        if machine.fabric in fabrics and architecture in (None, machine.architecture)
    ]


def installer(plugin: str, mirror: Mirror, *, script: str, directories: Mapping[str, str]) -> core.ContainerArgs:
    """The container that copies NCCL's plug-in to `directories` of the node, by where the image wants them."""
    return core.ContainerArgs(
        name=f"{plugin}-installer",
        image=image(plugin, mirror),
        command=["/bin/sh", "-ec"],
        args=[script],
        security_context=core.SecurityContextArgs(privileged=True),
        # The page cache counts the libraries that it copies, hundreds of megabytes, as its memory.
        resources=core.ResourceRequirementsArgs(requests={"cpu": "150m", "memory": "64Mi"}, limits={"memory": "1Gi"}),
        volume_mounts=[
            core.VolumeMountArgs(name=volume_name(path), mount_path=mount) for mount, path in directories.items()
        ],
    )


def daemon_set(
    name: str,
    *,
    called: str,
    runs_on: Sequence[str],
    containers: Sequence[core.ContainerArgs],
    first: Sequence[core.ContainerArgs] = (),
    directories: Collection[str],
    volumes: Sequence[core.VolumeArgs] = (),
    host_pid: bool = False,
    host_network: bool = False,
    opts: pulumi.ResourceOptions,
) -> apps.DaemonSet:
    """Pods on every node of the machine types `runs_on`, with these directories of the node, made where they lack."""
    labels = {"app.kubernetes.io/name": called}
    return apps.DaemonSet(
        name,
        metadata=meta.ObjectMetaArgs(name=called, namespace=NAMESPACE, labels=labels),
        spec=apps.DaemonSetSpecArgs(
            selector=meta.LabelSelectorArgs(match_labels=labels),
            template=core.PodTemplateSpecArgs(
                metadata=meta.ObjectMetaArgs(labels=labels),
                spec=core.PodSpecArgs(
                    priority_class_name="system-node-critical",
                    affinity=_on(runs_on),
                    tolerations=[core.TolerationArgs(operator="Exists")],
                    automount_service_account_token=False,
                    host_pid=host_pid or None,
                    host_network=host_network or None,
                    init_containers=list(first) or None,
                    containers=list(containers),
                    volumes=[
                        *(
                            core.VolumeArgs(
                                name=volume_name(path),
                                host_path=core.HostPathVolumeSourceArgs(path=path, type="DirectoryOrCreate"),
                            )
                            for path in directories
                        ),
                        *volumes,
                    ],
                ),
            ),
        ),
        opts=opts,
    )


def pause(mirror: Mirror) -> core.ContainerArgs:
    """The container that keeps a pod alive after it has prepared its node; it may do nothing."""
    return core.ContainerArgs(
        name="pause",
        image=image("pause", mirror),
        resources=core.ResourceRequirementsArgs(requests={"cpu": "1m", "memory": "4Mi"}, limits={"memory": "32Mi"}),
        security_context=core.SecurityContextArgs(
            run_as_non_root=True,
            run_as_user=_NOBODY,
            allow_privilege_escalation=False,
            read_only_root_filesystem=True,
            capabilities=core.CapabilitiesArgs(drop=["ALL"]),
            seccomp_profile=core.SeccompProfileArgs(type="RuntimeDefault"),
        ),
    )


def libraries(directory: str = "") -> str:
    """A directory of the node that GKE mounts into containers with GPUs."""
    return f"{_LIBRARIES}/{directory}".rstrip("/")


def volume_name(path: str) -> str:
    """The name of the volume for a directory of the node."""
    return path.strip("/").replace("/", "-").replace(".", "-").lower()


def _on(types: Sequence[str]) -> core.AffinityArgs:
    chosen = core.NodeSelectorRequirementArgs(key=INSTANCE_TYPE, operator="In", values=list(types))
    return core.AffinityArgs(
        node_affinity=core.NodeAffinityArgs(
            required_during_scheduling_ignored_during_execution=core.NodeSelectorArgs(
                node_selector_terms=[core.NodeSelectorTermArgs(match_expressions=[chosen])]
            )
        )
    )
