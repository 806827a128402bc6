"""Selectors, ports and devices that are right by the documentation of Kubernetes and seldom seen."""

from __future__ import annotations

import json
from typing import Any

import pulumi_kubernetes as k8s


def a_selector_by_expressions_alone() -> None:
    """<https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#resources-that-support-set-based-requirements>."""
    labels = {"app": "web", "tier": "front", "track": ""}
    k8s.apps.v1.Deployment(
        "web",
        spec={
            "selector": {
                "match_labels": {"app": "web"},
                "match_expressions": [
                    {"key": "tier", "operator": "In", "values": ["front", "back"]},
                    {"key": "environment", "operator": "NotIn", "values": ["dev"]},
                    {"key": "old", "operator": "DoesNotExist"},
                ],
            },
            "template": {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "a", "image": "nginx"}]}},
        },
    )
    k8s.core.v1.Service("web", spec={"selector": {"tier": "front", "track": ""}, "ports": [{"port": 80}]})


def typed_classes_instead_of_dictionaries() -> None:
    """<https://www.pulumi.com/registry/packages/kubernetes/api-docs/apps/v1/deployment/>."""
    labels = {"app": "typed"}
    k8s.apps.v1.Deployment(
        "typed",
        spec=k8s.apps.v1.DeploymentSpecArgs(
            replicas=2,
            selector=k8s.meta.v1.LabelSelectorArgs(match_labels=labels),
            template=k8s.core.v1.PodTemplateSpecArgs(
                metadata=k8s.meta.v1.ObjectMetaArgs(labels=labels),
                spec=k8s.core.v1.PodSpecArgs(
                    containers=[
                        k8s.core.v1.ContainerArgs(
                            name="a",
                            image="nginx:1.27",
                            ports=[k8s.core.v1.ContainerPortArgs(container_port=80, name="http")],
                            readiness_probe=k8s.core.v1.ProbeArgs(
                                http_get=k8s.core.v1.HTTPGetActionArgs(port="http", scheme="HTTP")
                            ),
                            resources=k8s.core.v1.ResourceRequirementsArgs(
                                limits={"memory": "64Mi"}, requests={"cpu": "10m"}
                            ),
                        )
                    ]
                ),
            ),
        ),
    )


def one_port_of_two_protocols() -> None:
    """<https://kubernetes.io/docs/concepts/services-networking/service/#load-balancers-with-mixed-protocol-types>."""
    ports: list[Any] = [
        {"name": "dns", "container_port": 53, "protocol": "UDP"},
        {"name": "dns-tcp", "container_port": 53, "protocol": "TCP"},
        {"name": "metrics", "container_port": 9153},
    ]
    k8s.apps.v1.Deployment(
        "dns",
        spec={
            "selector": {"match_labels": {"k8s-app": "dns"}},
            "template": {
                "metadata": {"labels": {"k8s-app": "dns"}},
                "spec": {"containers": [{"name": "dns", "image": "coredns/coredns:1.11.3", "ports": ports}]},
            },
        },
    )
    k8s.core.v1.Service(
        "dns",
        spec={
            "type": "LoadBalancer",
            "selector": {"k8s-app": "dns"},
            "ports": [
                {"name": "dns", "port": 53, "protocol": "UDP", "target_port": "dns"},
                {"name": "dns-tcp", "port": 53, "protocol": "TCP", "target_port": "dns-tcp"},
            ],
        },
    )


def names_of_ports_that_differ_by_pod() -> None:
    """<https://kubernetes.io/docs/concepts/services-networking/service/#field-spec-ports>."""
    for version, port in (("v1", 8080), ("v2", 9090)):
        k8s.apps.v1.Deployment(
            version,
            spec={
                "selector": {"match_labels": {"app": "api", "version": version}},
                "template": {
                    "metadata": {"labels": {"app": "api", "version": version}},
                    "spec": {
                        "containers": [
                            {
                                "name": "a",
                                "image": f"acme/api:{version}",
                                "ports": [{"name": "web", "container_port": port}],
                            }
                        ]
                    },
                },
            },
        )
    k8s.core.v1.Service("api", spec={"selector": {"app": "api"}, "ports": [{"port": 80, "target_port": "web"}]})
    k8s.core.v1.Service(
        "number", spec={"selector": {"app": "api", "version": "v2"}, "ports": [{"port": 80, "target_port": 9999}]}
    )


def a_port_of_a_sidecar() -> None:
    """<https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/>."""
    k8s.apps.v1.StatefulSet(
        "db",
        spec={
            "service_name": "db",
            "selector": {"match_labels": {"app": "db"}},
            "template": {
                "metadata": {"labels": {"app": "db"}},
                "spec": {
                    "init_containers": [
                        {
                            "name": "proxy",
                            "image": "envoyproxy/envoy:v1.32.1",
                            "restart_policy": "Always",
                            "ports": [{"name": "proxied", "container_port": 15432}],
                            "startup_probe": {"tcp_socket": {"port": "proxied"}},
                        }
                    ],
                    "containers": [
                        {
                            "name": "db",
                            "image": "postgres:17",
                            "env_from": [
                                {"config_map_ref": {"name": "settings", "optional": True}},
                                {"prefix": "DB_", "secret_ref": {"name": "db"}},
                            ],
                            "readiness_probe": {"exec_": {"command": ["pg_isready", "-U", "$(PGUSER)"]}},
                        }
                    ],
                },
            },
        },
    )
    k8s.core.v1.Service(
        "db",
        metadata={"name": "db"},
        spec={"cluster_ip": "None", "selector": {"app": "db"}, "ports": [{"port": 5432, "target_port": "proxied"}]},
    )


def settings_mounted_and_never_named() -> None:
    """<https://kubernetes.io/docs/tasks/configure-pod-container/configure-pod-configmap/>."""
    data = k8s.core.v1.ConfigMap(
        "app", data={"app.properties": "a=b\n", "ui.JSON": json.dumps({"a": [1, None]}), "1": "", "x" * 253: "long"}
    )
    k8s.core.v1.Pod(
        "app",
        spec={
            "containers": [
                {
                    "name": "a",
                    "image": "busybox",
                    "env": [
                        {"name": "A", "value_from": {"config_map_key_ref": {"name": data.metadata.name, "key": "1"}}},
                        {
                            "name": "B",
                            "value_from": {"secret_key_ref": {"name": "elsewhere", "key": "p", "optional": True}},
                        },
                    ],
                    "volume_mounts": [
                        {"name": "c", "mount_path": "/etc/app", "sub_path": ""},
                        {"name": "c", "mount_path": "/etc/one.json", "sub_path": "ui.JSON", "read_only": True},
                    ],
                    "env_from": [{"config_map_ref": {"name": data.metadata.name}}],
                }
            ],
            "volumes": [
                {
                    "name": "c",
                    "config_map": {
                        "name": data.metadata.apply(lambda meta: meta.name),
                        "optional": True,
                        "default_mode": 0o644,
                    },
                }
            ],
        },
    )


def a_job_that_needs_no_selector() -> None:
    """<https://kubernetes.io/docs/concepts/workloads/controllers/job/#specifying-your-own-pod-selector>."""
    k8s.batch.v1.Job(
        "own",
        spec={
            "manual_selector": True,
            "selector": {"match_labels": {"controller-uid": "a8f3d00d"}},
            "template": {
                "metadata": {"labels": {"controller-uid": "a8f3d00d"}},
                "spec": {"restart_policy": "Never", "containers": [{"name": "a", "image": "busybox"}]},
            },
        },
    )
    k8s.batch.v1.Job(
        "outside",
        spec={
            "managed_by": "kueue.x-k8s.io/multikueue",
            "suspend": True,
            "template": {
                "metadata": {"labels": {"kueue.x-k8s.io/queue-name": "q"}},
                "spec": {"restart_policy": "OnFailure", "containers": [{"name": "a", "image": "busybox"}]},
            },
            "parallelism": 0,
            "completions": 1,
        },
    )


def graphics_cards_in_parts() -> None:
    """<https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/gpu-operator-mig.html>."""
    for n, resource in enumerate(
        (
            "nvidia.com/mig-1g.5gb",
            "nvidia.com/gpu.shared",
            "amd.com/gpu",
            "aws.amazon.com/neuroncore",
            "google.com/tpu",
            "rdma/ib",
            "vpc.amazonaws.com/efa",
            "habana.ai/gaudi",
            "gpu.intel.com/i915",
        )
    ):
        k8s.core.v1.Pod(
            f"card{n}",
            spec={
                "containers": [{"name": "a", "image": "acme/train:1", "resources": {"limits": {resource: "1"}}}],
                "tolerations": [{"key": resource.split("/")[0], "operator": "Exists"}],
                "runtime_class_name": "nvidia" if "nvidia" in resource else None,
            },
        )


def memory_in_large_pages() -> None:
    """<https://kubernetes.io/docs/tasks/manage-hugepages/scheduling-hugepages/>."""
    k8s.core.v1.Pod(
        "pages",
        spec={
            "containers": [
                {
                    "name": "a",
                    "image": "fedora:latest",
                    "command": ["sleep", "inf"],
                    "volume_mounts": [
                        {"mount_path": "/hugepages-2Mi", "name": "h2"},
                        {"mount_path": "/dev/shm", "name": "shm"},
                    ],
                    "resources": {
                        "limits": {"hugepages-2Mi": "100Mi", "hugepages-1Gi": "2Gi", "memory": "100Mi"},
                        "requests": {"memory": "100Mi"},
                    },
                }
            ],
            "volumes": [
                {"name": "h2", "empty_dir": {"medium": "HugePages-2Mi"}},
                {"name": "shm", "empty_dir": {"medium": "Memory"}},
            ],
        },
    )


def machines_of_windows() -> None:
    """<https://kubernetes.io/docs/concepts/windows/user-guide/>."""
    k8s.apps.v1.Deployment(
        "iis",
        spec={
            "selector": {"match_labels": {"app": "iis"}},
            "template": {
                "metadata": {"labels": {"app": "iis"}},
                "spec": {
                    "os": {"name": "windows"},
                    "node_selector": {"kubernetes.io/os": "windows"},
                    "security_context": {
                        "windows_options": {"run_as_user_name": "NT AUTHORITY\\NETWORK SERVICE", "host_process": False}
                    },
                    "containers": [
                        {
                            "name": "iis",
                            "image": "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022",
                            "command": ["powershell.exe"],
                            "volume_mounts": [{"name": "d", "mount_path": "C:\\data"}],
                        }
                    ],
                    "volumes": [{"name": "d", "host_path": {"path": "C:\\ProgramData"}}],
                },
            },
        },
    )
