"""Labels of nodes by their place in an InfiniBand network: the partition that they are in, and their switch."""

from __future__ import annotations

from typing import Any

import pulumi
from pulumi_kubernetes.apps import v1 as apps
from pulumi_kubernetes.meta import v1 as meta

from penstock.addons.network_operator.nic_policy import WITH_ADAPTERS
from penstock.description.nodes.pool_nodes import SWITCH
from penstock.kubernetes.components.mirrored import from_mirror
from penstock.kubernetes.components.namespace import Namespace
from penstock.kubernetes.components.release import EVERYWHERE
from penstock.kubernetes.facts.workload_images import find_image

_NAME = "infiniband-labels"
_LABELS = {"app.kubernetes.io/name": _NAME}
_FEATURES = "/etc/kubernetes/node-feature-discovery/features.d"
"""Where node feature discovery reads what others found (its documentation, local feature source)."""

_SWITCHES = "infiniband-switches"
"""A ConfigMap of whoever knows the cables: the switch of each node, by its name."""

# Bit 15 of a partition key makes a node a full member, and 0xffff is the partition of all. A port's GUID is the second
# half of its first GID. The file is renamed, because it may be read at any time.
_SCRIPT = rf"""
while true; do
  cd /sys/class/infiniband
  keys=$(cat */ports/1/pkeys/* 2>/dev/null | grep '^0x[89a-f]' | grep -v 0xffff | sort -u | tr '\n' '_')
  guids=$(cat */ports/1/gids/0 2>/dev/null | cut -d: -f5- | tr -d : | sed 's/^/0x/' | sort -u | tr '\n' ',')
  {{
    if [ -n "$keys" ]; then echo "ib/pkey=${{keys%_}}"; fi
    echo "{SWITCH}=$(cat "/switches/$NODE" 2>/dev/null || echo unknown)"
    echo '# +no-label'
    echo "ib.hca-guids=${{guids%,}}"
  }} > /features/.infiniband
  mv /features/.infiniband /features/infiniband
  sleep 60
done
"""

_BOUNDS = {"requests": {"cpu": "5m", "memory": "16Mi"}, "limits": {"memory": "64Mi"}}


class InfinibandLabels(pulumi.ComponentResource):
    """A daemon set that writes what it reads of the node's adapters for node feature discovery, which labels the node.

    It has no rights in the cluster, and of the node one directory. `ib/pkey` is the partition; the switch is `unknown`
    until the ConfigMap says more, so that Kueue, which takes nodes with every level of a topology alone, takes all.
    """

    def __init__(
        self,
        name: str,
        *,
        namespace: Namespace,
        image_mirror: pulumi.Input[str] | None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Label the nodes with adapters; `namespace` lets pods mount directories of the node."""
        super().__init__("penstock:kubernetes:InfinibandLabels", name, None, opts)
        image = from_mirror(find_image("busybox").reference, image_mirror)
        template: Any = {"metadata": {"labels": _LABELS}, "spec": _pod(image)}
        apps.DaemonSet(
            name,
            metadata=meta.ObjectMetaArgs(name=_NAME, namespace=namespace.name, labels=_LABELS),
            spec=apps.DaemonSetSpecArgs(selector=meta.LabelSelectorArgs(match_labels=_LABELS), template=template),
            opts=pulumi.ResourceOptions(parent=self),
        )
        self.register_outputs({})


def _pod(image: pulumi.Input[str]) -> dict[str, Any]:
    return {
        "priorityClassName": "system-node-critical",
        "nodeSelector": WITH_ADAPTERS,
        "tolerations": EVERYWHERE,
        "automountServiceAccountToken": False,
        "securityContext": {"seccompProfile": {"type": "RuntimeDefault"}},
        "containers": [
            {
                "name": "labels",
                "image": image,
                "command": ["/bin/sh", "-c", _SCRIPT],
                "env": [{"name": "NODE", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}}],
                "resources": _BOUNDS,
                "securityContext": {
                    "runAsUser": 0,  # the directory of the node is root's, whatever user the image names
                    "allowPrivilegeEscalation": False,
                    "readOnlyRootFilesystem": True,
                    "capabilities": {"drop": ["ALL"]},
                },
                "volumeMounts": [
                    {"name": "features", "mountPath": "/features"},
                    {"name": "switches", "mountPath": "/switches", "readOnly": True},
                ],
            }
        ],
        "volumes": [
            {"name": "features", "hostPath": {"path": _FEATURES, "type": "DirectoryOrCreate"}},
            {"name": "switches", "configMap": {"name": _SWITCHES, "optional": True}},
        ],
    }
