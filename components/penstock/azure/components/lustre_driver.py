"""Managed Lustre of Azure, as pods mount it."""

from __future__ import annotations

from typing import Any

import pulumi
from pulumi_kubernetes.apps import v1 as apps
from pulumi_kubernetes.meta import v1 as meta
from pulumi_kubernetes.storage import v1 as storage

from penstock.azure.facts.lustre_clients import IMAGE, LustreClient, lustre_clients
from penstock.kubernetes.components.mirrored import from_mirror
from penstock.kubernetes.components.namespace import Namespace
from penstock.kubernetes.components.node_terms import affinity
from penstock.kubernetes.components.release import EVERYWHERE
from penstock.kubernetes.facts.workload_images import find_image

DRIVER = "azurelustre.csi.azure.com"
"""What volumes call the driver."""

_NAMESPACE = "azure-lustre"
_OS = "kubernetes.azure.com/os-sku-effective"
_KUBELET = "/var/lib/kubelet"
_SOCKETS = f"{_KUBELET}/plugins/{DRIVER}"
_ACCOUNT = "/etc/kubernetes/azure.json"
_HEALTH = 29763
_READY = ["/app/readinessProbe.sh"]

_DRIVER_BOUNDS = {"requests": {"cpu": "10m", "memory": "64Mi"}, "limits": {"memory": "512Mi"}}
_SIDECAR_BOUNDS = {"requests": {"cpu": "10m", "memory": "20Mi"}, "limits": {"memory": "100Mi"}}
"""CPU has no limit: a throttled driver is a job that waits for its files."""


class AzureLustreDriver(pulumi.ComponentResource):
    """The node's part of the driver: installs the Lustre client, and mounts file systems that exist.

    It has no rights in the cluster: volumes are there already, and nothing waits for a taint to go. The client comes
    from packages.microsoft.com, which nodes must reach.
    """

    def __init__(
        self,
        name: str,
        *,
        image_mirror: pulumi.Input[str] | None = None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Install it on every node whose system has a client.

        Args:
            name: The start of every name in it.
            image_mirror: The registry that stands in for public ones.
            opts: Pulumi's options.
        """
        super().__init__("penstock:kubernetes:AzureLustreDriver", name, None, opts)
        child = pulumi.ResourceOptions(parent=self)
        namespace = Namespace(name, namespace=_NAMESPACE, pod_security="privileged", critical_pods=True, opts=child)
        storage.CSIDriver(
            name,
            metadata=meta.ObjectMetaArgs(name=DRIVER),
            spec=storage.CSIDriverSpecArgs(attach_required=False, pod_info_on_mount=True, fs_group_policy="File"),
            opts=child,
        )
        for client in lustre_clients():
            called = f"lustre-client-{client.os_sku.lower()}"
            labels = {"app.kubernetes.io/name": called}
            template: Any = {"metadata": {"labels": labels}, "spec": _pod(client, image_mirror)}
            apps.DaemonSet(
                f"{name}-{client.os_sku.lower()}",
                metadata=meta.ObjectMetaArgs(name=called, namespace=namespace.name, labels=labels),
                spec=apps.DaemonSetSpecArgs(selector=meta.LabelSelectorArgs(match_labels=labels), template=template),
                opts=pulumi.ResourceOptions(parent=self, depends_on=[namespace]),
            )
        self.register_outputs({})


def _pod(client: LustreClient, mirror: pulumi.Input[str] | None) -> dict[str, Any]:
    return {
        "priorityClassName": "system-node-critical",
        "affinity": affinity([{"matchExpressions": [{"key": _OS, "operator": "In", "values": [client.os_sku]}]}]),
        "tolerations": EVERYWHERE,
        "automountServiceAccountToken": False,
        # Lustre's kernel modules use the interfaces of the node.
        "hostNetwork": True,
        "dnsPolicy": "Default",
        "securityContext": {"seccompProfile": {"type": "RuntimeDefault"}},
        "containers": [_driver(client, mirror), _registrar(mirror), _liveness(mirror)],
        "volumes": [
            {"name": "sockets", "hostPath": {"path": _SOCKETS, "type": "DirectoryOrCreate"}},
            {"name": "registration", "hostPath": {"path": f"{_KUBELET}/plugins_registry", "type": "Directory"}},
            {"name": "mounts", "hostPath": {"path": _KUBELET, "type": "Directory"}},
            {"name": "account", "hostPath": {"path": _ACCOUNT, "type": "File"}},
            {"name": "devices", "hostPath": {"path": "/dev", "type": "Directory"}},
            {"name": "system", "hostPath": {"path": "/etc/os-release", "type": "File"}},
        ],
    }


def _driver(client: LustreClient, mirror: pulumi.Input[str] | None) -> dict[str, Any]:
    ready = {"exec": {"command": _READY}, "initialDelaySeconds": 10, "timeoutSeconds": 10}
    return {
        "name": "driver",
        "image": from_mirror(f"{IMAGE}:{client.tag}", mirror),
        "args": [
            "-v=5",
            "--endpoint=unix:///csi/csi.sock",
            "--nodeid=$(NODE)",
            "--remove-not-ready-taint=false",
        ],
        "env": [
            {"name": "NODE", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}},
            {"name": "AZURELUSTRE_CSI_INSTALL_LUSTRE_CLIENT", "value": "yes"},
            {"name": "LUSTRE_VERSION", "value": client.client},
            {"name": "CLIENT_SHA_SUFFIX", "value": client.build},
        ],
        "lifecycle": {"preStop": {"exec": {"command": ["/bin/sh", "-c", "lustre_rmmod"]}}},
        "livenessProbe": {
            "httpGet": {"path": "/healthz", "port": _HEALTH},
            "initialDelaySeconds": 60,
            "timeoutSeconds": 10,
            "periodSeconds": 30,
            "failureThreshold": 5,
        },
        "readinessProbe": {**ready, "periodSeconds": 30, "failureThreshold": 5},
        "startupProbe": {**ready, "periodSeconds": 5, "failureThreshold": 120},
        "resources": _DRIVER_BOUNDS,
        "securityContext": {"privileged": True},
        "volumeMounts": [
            {"name": "sockets", "mountPath": "/csi"},
            {"name": "mounts", "mountPath": _KUBELET, "mountPropagation": "Bidirectional"},
            {"name": "account", "mountPath": _ACCOUNT, "readOnly": True},
            {"name": "devices", "mountPath": "/dev"},
            {"name": "system", "mountPath": "/etc/host-os-release", "readOnly": True},
        ],
    }


def _registrar(mirror: pulumi.Input[str] | None) -> dict[str, Any]:
    return {
        **_sidecar("csi-registrar", mirror),
        "args": ["--csi-address=/csi/csi.sock", f"--kubelet-registration-path={_SOCKETS}/csi.sock", "--v=2"],
        "volumeMounts": [
            {"name": "sockets", "mountPath": "/csi"},
            {"name": "registration", "mountPath": "/registration"},
        ],
    }


def _liveness(mirror: pulumi.Input[str] | None) -> dict[str, Any]:
    return {
        **_sidecar("csi-liveness", mirror),
        "args": ["--csi-address=/csi/csi.sock", "--probe-timeout=120s", f"--health-port={_HEALTH}", "--v=2"],
        "volumeMounts": [{"name": "sockets", "mountPath": "/csi"}],
    }


def _sidecar(name: str, mirror: pulumi.Input[str] | None) -> dict[str, Any]:
    return {
        "name": name.removeprefix("csi-"),
        "image": from_mirror(find_image(name).reference, mirror),
        "resources": _SIDECAR_BOUNDS,
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        },
    }
