"""AMD GPUs of nodes whose image lacks their driver, as Kubernetes hands them to pods."""

from __future__ import annotations

from typing import Any

import pulumi
from pulumi_kubernetes.apps import v1 as apps
from pulumi_kubernetes.meta import v1 as meta

from penstock.kubernetes.components import node_terms
from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.components.mirrored import from_mirror
from penstock.kubernetes.components.namespace import Namespace
from penstock.kubernetes.components.release import EVERYWHERE
from penstock.kubernetes.facts.node_drivers import find_driver
from penstock.kubernetes.facts.workload_images import find_image

_NAME = "amd-gpu"
_LABELS = {"app.kubernetes.io/name": _NAME}
_NODE, _DEVICES, _SYS = "/host", "/var/lib/kubelet/device-plugins", "/sys"
_LONGEST = "30m"
"""For the driver to be built on every node."""

# A node keeps the driver that it began with: a module in use cannot be replaced.
_INSTALL = r"""
exec chroot /host /bin/bash -euo pipefail -c '
  if ! dpkg-query --show --showformat="\${Status}" amdgpu-dkms 2>/dev/null | grep -q "ok installed"; then
    release=$(. /etc/os-release; echo "${VERSION_CODENAME}")
    mkdir -p /etc/apt/keyrings
    curl --fail --silent --show-error --location --retry 5 --output /etc/apt/keyrings/rocm.asc "${KEY}"
    echo "deb [arch=amd64 signed-by=/etc/apt/keyrings/rocm.asc] ${REPOSITORY}/${VERSION}/ubuntu ${release} main" \
      > /etc/apt/sources.list.d/amdgpu.list
    apt-get update -y
    DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y amdgpu-dkms
  fi
  modprobe amdgpu
'
"""

_PLUGIN = {"requests": {"cpu": "10m", "memory": "64Mi"}, "limits": {"memory": "512Mi"}}
_BUILD = {"requests": {"cpu": "10m", "memory": "64Mi"}, "limits": {"memory": "8Gi"}}
"""CPU has no limit: the node has nothing else to do before it has its driver."""


class AmdNodeSoftware(pulumi.ComponentResource):
    """The driver from AMD's repository, and then the plugin that offers each GPU as `amd.com/gpu`.

    Both are of one pod, because the plugin looks for a driver once, when it starts. AMD's GPU Operator would build the
    driver into an image, for which it needs a registry that it may write to.
    """

    def __init__(
        self, name: str, _spec: None, *, cluster: InCluster, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        """Install both on the nodes of the pools that need them."""
        super().__init__("penstock:kubernetes:AmdNodeSoftware", name, None, opts)
        namespace = Namespace(
            name,
            namespace=_NAME,
            pod_security="privileged",
            critical_pods=True,
            opts=pulumi.ResourceOptions(parent=self),
        )
        pools = [pool for pool in cluster.accelerated if pool.software is not None and pool.software.driver == "plugin"]
        image = from_mirror(find_image("amd-device-plugin").reference, cluster.image_mirror)
        template: Any = {
            "metadata": {"labels": _LABELS},
            "spec": _pod(image, node_terms.required([pool.selector for pool in pools])),
        }
        apps.DaemonSet(
            name,
            metadata=meta.ObjectMetaArgs(name=_NAME, namespace=namespace.name, labels=_LABELS),
            spec=apps.DaemonSetSpecArgs(selector=meta.LabelSelectorArgs(match_labels=_LABELS), template=template),
            opts=pulumi.ResourceOptions(
                parent=self,
                depends_on=[namespace],
                custom_timeouts=pulumi.CustomTimeouts(create=_LONGEST, update=_LONGEST),
            ),
        )
        self.register_outputs({})


def _pod(image: pulumi.Input[str], affinity: dict[str, Any]) -> dict[str, Any]:
    return {
        "priorityClassName": "system-node-critical",
        "affinity": affinity,
        "tolerations": EVERYWHERE,
        "automountServiceAccountToken": False,
        # The packages' own scripts see the processes of the node, and its name servers.
        "hostNetwork": True,
        "hostPID": True,
        "securityContext": {"seccompProfile": {"type": "RuntimeDefault"}},
        "initContainers": [_driver(image)],
        "containers": [_plugin(image)],
        "volumes": [
            {"name": "node", "hostPath": {"path": "/"}},
            {"name": "devices", "hostPath": {"path": _DEVICES}},
            {"name": "sys", "hostPath": {"path": _SYS}},
        ],
    }


def _driver(image: pulumi.Input[str]) -> dict[str, Any]:
    driver = find_driver("amdgpu")
    its = {"REPOSITORY": driver.repository, "VERSION": driver.version, "KEY": driver.key}
    return {
        "name": "driver",
        "image": image,
        "command": ["/bin/sh", "-ec", _INSTALL],
        "env": [{"name": name, "value": value} for name, value in its.items()],
        "resources": _BUILD,
        "securityContext": {"privileged": True},
        "volumeMounts": [{"name": "node", "mountPath": _NODE}],
    }


def _plugin(image: pulumi.Input[str]) -> dict[str, Any]:
    return {
        "name": "plugin",
        "image": image,
        "resources": _PLUGIN,
        "securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}},
        "volumeMounts": [{"name": "devices", "mountPath": _DEVICES}, {"name": "sys", "mountPath": _SYS}],
    }
