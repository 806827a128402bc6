"""The collector of logs: on every node, it reads what containers write, and sends it on."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Final

import pulumi
from pulumi_kubernetes.apps import v1 as apps
from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.meta import v1 as meta

from penstock.addons.prometheus_crds.component import AGENTS
from penstock.core.yaml_text import yaml_text
from penstock.kubernetes.components.mirrored import from_mirror
from penstock.kubernetes.components.release import EVERYWHERE
from penstock.kubernetes.facts.workload_images import find_image

_NAME: Final = "log-collector"
_LOGS, _PLACE, _CONFIG = "/var/log/pods", "/var/lib/log-collector", "/conf"
_MEMORY_MIB: Final = 512
_LABELS: Final = {"app.kubernetes.io/name": _NAME}


class LogCollector(pulumi.ComponentResource):
    """An OpenTelemetry collector on every node, which goes on where it stopped.

    Logs are named by namespace, pod and container, as the names of their files have it: it needs no right to ask the
    API server.
    """

    def __init__(
        self,
        name: str,
        *,
        endpoint: str,
        image_mirror: pulumi.Input[str] | None = None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Run it; `endpoint` takes OTLP over HTTP."""
        super().__init__("penstock:kubernetes:LogCollector", name, None, opts)
        child = pulumi.ResourceOptions(parent=self)
        text = yaml_text(_configuration(endpoint))
        config = core.ConfigMap(
            name,
            metadata=meta.ObjectMetaArgs(name=_NAME, namespace=AGENTS),
            data={"config.yaml": text},
            opts=child,
        )
        account = core.ServiceAccount(
            name,
            metadata=meta.ObjectMetaArgs(name=_NAME, namespace=AGENTS),
            automount_service_account_token=False,
            opts=child,
        )
        image = from_mirror(find_image("log-collector").reference, image_mirror)
        template: Any = {
            # It reads its configuration once: another one is for new pods.
            "metadata": {"labels": _LABELS, "annotations": {"penstock.dev/config": _digest(text)}},
            "spec": _pod(image),
        }
        apps.DaemonSet(
            name,
            metadata=meta.ObjectMetaArgs(name=_NAME, namespace=AGENTS, labels=_LABELS),
            spec=apps.DaemonSetSpecArgs(
                selector=meta.LabelSelectorArgs(match_labels=_LABELS),
                update_strategy=apps.DaemonSetUpdateStrategyArgs(
                    type="RollingUpdate", rolling_update=apps.RollingUpdateDaemonSetArgs(max_unavailable="10%")
                ),
                template=template,
            ),
            opts=pulumi.ResourceOptions(parent=self, depends_on=[config, account]),
        )
        self.register_outputs({})


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]


def _configuration(endpoint: str) -> dict[str, Any]:
    files = {
        "include": [f"{_LOGS}/*/*/*.log"],
        "exclude": [f"{_LOGS}/{AGENTS}_{_NAME}-*/*/*.log"],  # its own would come back to it for ever
        "start_at": "end",
        "include_file_path": True,
        "include_file_name": False,
        "storage": "file_storage",
        "operators": [{"type": "container"}],
        "retry_on_failure": {"enabled": True},
    }
    return {
        "extensions": {"file_storage": {"directory": _PLACE}, "health_check": {"endpoint": "0.0.0.0:13133"}},
        "receivers": {"filelog": files},
        "processors": {
            "memory_limiter": {"check_interval": "1s", "limit_mib": _MEMORY_MIB * 4 // 5},
            "batch": {},
        },
        "exporters": {
            "otlphttp": {
                "endpoint": endpoint,
                "sending_queue": {"storage": "file_storage"},
                "retry_on_failure": {"max_elapsed_time": 0},  # for ever, not for 5 minutes
            }
        },
        "service": {
            "extensions": ["file_storage", "health_check"],
            "pipelines": {
                "logs": {
                    "receivers": ["filelog"],
                    "processors": ["memory_limiter", "batch"],
                    "exporters": ["otlphttp"],
                }
            },
            "telemetry": {"metrics": {"level": "none"}},
        },
    }


def _pod(image: pulumi.Input[str]) -> dict[str, Any]:
    probe = {"httpGet": {"path": "/", "port": 13133}, "initialDelaySeconds": 5, "periodSeconds": 30}
    return {
        "serviceAccountName": _NAME,
        "automountServiceAccountToken": False,
        "priorityClassName": "system-node-critical",
        "tolerations": EVERYWHERE,
        "securityContext": {"seccompProfile": {"type": "RuntimeDefault"}},
        "containers": [
            {
                "name": "collector",
                "image": image,
                "args": [f"--config={_CONFIG}/config.yaml"],
                "resources": {
                    "requests": {"cpu": "50m", "memory": "128Mi"},
                    "limits": {"memory": f"{_MEMORY_MIB}Mi"},
                },
                "livenessProbe": probe,
                "readinessProbe": probe,
                "securityContext": {
                    "runAsUser": 0,  # the files are root's, and nobody else may read them
                    "allowPrivilegeEscalation": False,
                    "readOnlyRootFilesystem": True,
                    "capabilities": {"drop": ["ALL"]},
                },
                "volumeMounts": [
                    {"name": "logs", "mountPath": _LOGS, "readOnly": True},
                    {"name": "place", "mountPath": _PLACE},
                    {"name": "config", "mountPath": _CONFIG, "readOnly": True},
                ],
            }
        ],
        "volumes": [
            {"name": "logs", "hostPath": {"path": _LOGS, "type": "Directory"}},
            {"name": "place", "hostPath": {"path": _PLACE, "type": "DirectoryOrCreate"}},
            {"name": "config", "configMap": {"name": _NAME}},
        ],
    }
