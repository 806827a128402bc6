"""The label of new nodes where no kubelet can have it: a pod on every node of a pool puts it on.

A label of a GKE node pool would not do. GKE puts it back on a node that lost it, when the node starts again or when its
control plane does (kubernetes/cloud-provider-gcp, node_annotator.go); and its autoscaler counts it for nodes to come,
with the pod that is on them by it and has all their GPUs, so that no job would ever fit on one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from penstock.addons.health.node_check import SCRIPTS, NodeCheck
from penstock.addons.health.node_check_account import ACCOUNT
from penstock.kubernetes.components.release import EVERYWHERE

SCRIPT: Final = "mark_node.py"
"""What the pod runs, beside the test of nodes, whose words with the API server it shares."""

_NOBODY: Final = 65534


def name_of(check: NodeCheck) -> str:
    """The name of the daemon set beside that of a test."""
    return f"node-mark-{check.pool.pool}"


def pod(check: NodeCheck, image: Any) -> dict[str, Any]:
    """The pod, in the image of the test, which its node needs anyway."""
    return {
        "serviceAccountName": ACCOUNT,
        "terminationGracePeriodSeconds": 5,
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": _NOBODY,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "nodeSelector": dict(check.pool.selector),
        "tolerations": EVERYWHERE,
        "containers": [
            {
                "name": "mark",
                "image": image,
                "command": ["python", f"/check/{SCRIPT}"],
                "env": [
                    {"name": "NODE", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}},
                    {"name": "TAINT", "value": check.taint.key},
                ],
                "resources": {"requests": {"cpu": "10m", "memory": "64Mi"}, "limits": {"memory": "128Mi"}},
                "securityContext": {
                    "allowPrivilegeEscalation": False,
                    "capabilities": {"drop": ["ALL"]},
                    "readOnlyRootFilesystem": True,
                },
                "volumeMounts": [{"name": "scripts", "mountPath": "/check"}],
            }
        ],
        "volumes": [{"name": "scripts", "configMap": {"name": SCRIPTS}}],
    }


def script() -> str:
    """What the container runs: no module of this package, because it runs in an image of others."""
    return (Path(__file__).parent / f"{SCRIPT}.txt").read_text(encoding="utf-8")
