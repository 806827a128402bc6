"""Pods and budgets that are right by the documentation of Kubernetes and seldom seen."""

from __future__ import annotations

from typing import Any

import pulumi_kubernetes as k8s

_DIGEST = "sha256:" + "9f" * 32


def _pod(name: str, **spec: Any) -> None:
    given: Any = {"containers": [{"name": "a", "image": "busybox:1.37"}], **spec}
    k8s.core.v1.Pod(name, spec=given)


def quantities_in_every_spelling() -> None:
    """<https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/>."""
    for n, (cpu, memory) in enumerate(
        [
            ("100m", "1e3"),
            ("0.5", "129M"),
            ("1", "128974848"),
            ("1e-1", "1Ki"),
            (".5", "123Mi"),
            ("1.5", "1.5Gi"),
            ("+1", "1E"),
            ("0", "128974848000m"),
            ("2e0", "1G"),
        ]
    ):
        _pod(
            f"q{n}",
            containers=[
                {
                    "name": "a",
                    "image": "busybox",
                    "resources": {"requests": {"cpu": cpu, "memory": memory}, "limits": {"cpu": cpu, "memory": memory}},
                }
            ],
        )


def quantities_as_numbers() -> None:
    """<https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/>."""
    _pod(
        "n",
        containers=[
            {
                "name": "a",
                "image": "busybox",
                "resources": {
                    "requests": {"cpu": "1", "ephemeral-storage": "0.5Gi"},
                    "limits": {"cpu": "2000m", "memory": "1Gi", "hugepages-2Mi": "80Mi"},
                },
            }
        ],
        overhead={"cpu": "250m", "memory": "120Mi"},
        runtime_class_name="kata-fc",
    )


def quantities_in_several_units_that_agree() -> None:
    """<https://kubernetes.io/docs/tasks/manage-gpus/scheduling-gpus/>."""
    limits = {"cpu": "1000m", "memory": "1024Mi", "nvidia.com/gpu": "1", "example.com/dongle": "3"}
    _pod(
        "u",
        containers=[
            {
                "name": "a",
                "image": "nvidia/cuda:12.4.1-base-ubuntu22.04",
                "resources": {"requests": {"cpu": "1", "memory": "1Gi", "nvidia.com/gpu": "1"}, "limits": limits},
            }
        ],
        node_selector={"cloud.google.com/gke-accelerator": "nvidia-l4"},
        tolerations=[{"operator": "Exists"}],
    )


def arguments_out_of_variables() -> None:
    """<https://kubernetes.io/docs/tasks/inject-data-application/define-interdependent-environment-variables/>."""
    _pod(
        "vars",
        containers=[
            {
                "name": "a",
                "image": "busybox",
                "command": ["/bin/echo"],
                "args": ["$(MESSAGE)", "$$(NOT_ONE)", "$(UNDECLARED)"],
                "env": [
                    {"name": "PORT", "value": "80"},
                    {"name": "MESSAGE", "value": "http://$(KUBERNETES_SERVICE_HOST):$(PORT)/$$(X)"},
                    {"name": "my.var-1", "value": ""},
                    {
                        "name": "CPU",
                        "value_from": {
                            "resource_field_ref": {"container_name": "a", "resource": "limits.cpu", "divisor": "1m"}
                        },
                    },
                    {"name": "NODE", "value_from": {"field_ref": {"field_path": "spec.nodeName"}}},
                    {
                        "name": "L",
                        "value_from": {"field_ref": {"field_path": "metadata.labels['app.kubernetes.io/name']"}},
                    },
                ],
            }
        ],
    )


def images_named_in_every_way() -> None:
    """<https://kubernetes.io/docs/concepts/containers/images/>."""
    names = [
        "busybox",
        "busybox:1.37@" + _DIGEST,
        "registry.k8s.io/pause@" + _DIGEST,
        "localhost:5000/a/b",
        "myregistry.example.com:443/a__b/c-d.e:V1_x.y-z",
        "192.168.0.1/app",
        "nvcr.io/nvidia/pytorch:24.10-py3",
        "[2001:db8::1]:5000/app:1",
        "Registry.example.com/app",
    ]
    for n, name in enumerate(names):
        _pod(f"i{n}", containers=[{"name": "a", "image": name, "image_pull_policy": "Never"}])


def names_made_by_the_server() -> None:
    """<https://kubernetes.io/docs/reference/using-api/api-concepts/#generated-values>."""
    job = k8s.batch.v1.Job(
        "train",
        metadata={"generate_name": "train-"},
        spec={"template": {"spec": {"restart_policy": "Never", "containers": [{"name": "a", "image": "busybox"}]}}},
    )
    data = k8s.core.v1.ConfigMap(
        "made", metadata={"generate_name": "settings."}, data={"job": job.metadata.name, ".dot": "", "A_b-c.d": "x"}
    )
    _pod(
        "uses",
        volumes=[
            {
                "name": "v",
                "config_map": {
                    "name": data.metadata.name,
                    "default_mode": 256,
                    "items": [{"key": "job", "path": "deep/job"}],
                },
            }
        ],
    )


def a_patch_of_what_others_made() -> None:
    """<https://www.pulumi.com/registry/packages/kubernetes/how-to-guides/managing-resources-with-server-side-apply/>."""
    k8s.apps.v1.DeploymentPatch(
        "dns",
        metadata={"name": "coredns", "namespace": "kube-system", "annotations": {"pulumi.com/patchForce": "true"}},
        spec={
            "replicas": 3,
            "template": {"spec": {"containers": [{"name": "coredns", "resources": {"limits": {"memory": "300Mi"}}}]}},
        },
    )
    k8s.core.v1.NamespacePatch(
        "default", metadata={"name": "default", "labels": {"pod-security.kubernetes.io/enforce": "baseline"}}
    )
    k8s.core.v1.ServiceAccountPatch(
        "default", metadata={"name": "default", "namespace": "default"}, automount_service_account_token=False
    )


def budgets_in_percent() -> None:
    """<https://kubernetes.io/docs/tasks/run-application/configure-pdb/>."""
    k8s.policy.v1.PodDisruptionBudget(
        "percent", spec={"min_available": "50%", "selector": {"match_labels": {"app": "zookeeper"}}}
    )
    k8s.policy.v1.PodDisruptionBudget(
        "none", spec={"max_unavailable": 0, "selector": {}, "unhealthy_pod_eviction_policy": "AlwaysAllow"}
    )
    k8s.policy.v1.PodDisruptionBudget(
        "all",
        spec={
            "max_unavailable": "100%",
            "selector": {"match_expressions": [{"key": "tier", "operator": "NotIn", "values": ["x", ""]}]},
        },
    )


def rollouts_in_percent() -> None:
    """<https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#rolling-update-deployment>."""
    shares: list[tuple[Any, Any]] = [("25%", 0), (0, "10%"), (3, 0), ("0%", 1)]
    for n, (surge, unavailable) in enumerate(shares):
        k8s.apps.v1.Deployment(
            f"d{n}",
            spec={
                "replicas": 0,
                "revision_history_limit": 0,
                "min_ready_seconds": 0,
                "progress_deadline_seconds": 601,
                "paused": True,
                "strategy": {
                    "type": "RollingUpdate",
                    "rolling_update": {"max_surge": surge, "max_unavailable": unavailable},
                },
                "selector": {"match_labels": {"a/b": "c"}},
                "template": {
                    "metadata": {"labels": {"a/b": "c", "extra": ""}},
                    "spec": {"containers": [{"name": "a", "image": "busybox"}]},
                },
            },
        )
