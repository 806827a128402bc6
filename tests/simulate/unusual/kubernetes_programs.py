"""Charts, texts, components and transforms of Kubernetes that are right and seldom seen."""

from __future__ import annotations

import json
from textwrap import dedent

import pulumi
import pulumi_kubernetes as k8s


def namespaces_made_by_others() -> None:
    """<https://www.pulumi.com/registry/packages/kubernetes/api-docs/helm/v3/release/>."""
    release = k8s.helm.v3.Release(
        "stack",
        chart="kube-prometheus-stack",
        namespace="monitoring",
        create_namespace=True,
        repository_opts={"repo": "https://prometheus-community.github.io/helm-charts"},
        skip_crds=False,
        values={"grafana": {"enabled": False}},
    )
    k8s.apiextensions.CustomResource(
        "rule",
        api_version="monitoring.coreos.com/v1",
        kind="PrometheusRule",
        metadata={"namespace": "monitoring", "labels": {"release": release.name}},
        spec={"groups": [{"name": "g", "rules": [{"alert": "A", "expr": "up == 0", "for": "5m"}]}]},
        opts=pulumi.ResourceOptions(depends_on=[release]),
    )
    k8s.core.v1.ConfigMap(
        "board",
        metadata={"namespace": release.status.namespace, "labels": {"grafana_dashboard": "1"}},
        data={"b.json": "{}"},
    )
    k8s.core.v1.ConfigMap("made", metadata={"namespace": "kube-node-lease"}, data={})


def texts_of_several_files_at_once() -> None:
    """<https://www.pulumi.com/registry/packages/kubernetes/api-docs/yaml/configgroup/>."""
    text = dedent("""\
        ---
        apiVersion: v1
        kind: Service
        metadata: {name: plain, annotations: {port: "8080", enabled: "yes"}}
        spec: {ports: [{port: 80, targetPort: http, protocol: TCP}], selector: {app: plain}, clusterIP: None}
        ---
        apiVersion: apps/v1
        kind: StatefulSet
        metadata: {name: plain}
        spec:
          serviceName: plain
          selector: {matchLabels: {app: plain}}
          template:
            metadata: {labels: {app: plain}}
            spec:
              containers:
              - name: a
                image: nginx@sha256:0000000000000000000000000000000000000000000000000000000000000000
                command: [/bin/sh, -c]
                args:
                - |
                  exec nginx -g "daemon off;" $(EXTRA)
                ports: [{name: http, containerPort: 80}]
        ...
        """)
    k8s.yaml.ConfigGroup(
        "v1",
        yaml=[text, ""],
        transformations=[lambda made, _: made["metadata"].setdefault("labels", {}).update(by="hand")],
    )
    k8s.yaml.v2.ConfigGroup("v2", yaml=text.replace("plain", "other"), opts=pulumi.ResourceOptions(depends_on=[]))


def transformations_that_add_a_namespace() -> None:
    """<https://www.pulumi.com/docs/iac/concepts/options/transforms/>."""

    def placed(args: pulumi.ResourceTransformArgs) -> pulumi.ResourceTransformResult:
        return pulumi.ResourceTransformResult(
            {**args.props, "metadata": {**args.props.get("metadata", {}), "namespace": "team"}}, args.opts
        )

    k8s.core.v1.Namespace("team", metadata={"name": "team"})
    k8s.core.v1.ConfigMap("placed", data={"a": "b"}, opts=pulumi.ResourceOptions(transforms=[placed]))
    k8s.core.v1.ServiceAccount("placed", metadata={"name": "app"}, opts=pulumi.ResourceOptions(transforms=[placed]))


def a_component_that_makes_its_children() -> None:
    """<https://www.pulumi.com/docs/iac/concepts/components/>."""

    class App(pulumi.ComponentResource):
        def __init__(self, name: str, opts: pulumi.ResourceOptions | None = None) -> None:
            super().__init__("acme:index:App", name, None, opts)
            child = pulumi.ResourceOptions(
                parent=self, aliases=[pulumi.Alias(name=f"old-{name}", parent=pulumi.ROOT_STACK_RESOURCE)]
            )
            self.space = k8s.core.v1.Namespace(name, opts=child)
            k8s.core.v1.ResourceQuota(
                name,
                metadata={"namespace": self.space.metadata.name},
                spec={"hard": {"count/jobs.batch": "10", "requests.memory": "1Ti"}},
                opts=child,
            )
            self.register_outputs({"space": self.space.metadata.name})

    cluster = k8s.Provider("other", kubeconfig="{}", cluster_identifier="c-1")
    apps = [App(name, pulumi.ResourceOptions(providers=[cluster])) for name in ("one", "two")]
    pulumi.export("spaces", [app.space.metadata.name for app in apps])


def names_that_a_stack_gives() -> None:
    """<https://www.pulumi.com/docs/iac/concepts/stacks/#stackreferences>."""
    base = pulumi.StackReference("organization/cluster/prod")
    provider = k8s.Provider("late", kubeconfig=base.require_output("kubeconfig").apply(json.dumps))
    inside = pulumi.ResourceOptions(provider=provider)
    k8s.apps.v1.Deployment(
        "late",
        metadata={"namespace": base.get_output("namespace")},
        spec={
            "replicas": base.get_output("replicas"),
            "selector": {"match_labels": {"app": base.get_output("app")}},
            "template": {
                "metadata": {"labels": {"app": base.get_output("app")}},
                "spec": {
                    "containers": [
                        {
                            "name": "a",
                            "image": pulumi.Output.concat(base.get_output("registry"), "/app:", base.get_output("tag")),
                        }
                    ]
                },
            },
        },
        opts=inside,
    )
    k8s.core.v1.Secret(
        "late",
        string_data={"url": base.get_output("database").apply(lambda host: f"postgres://{host}/app")},
        opts=inside,
    )


def a_budget_and_a_scaler_of_a_thing_elsewhere() -> None:
    """<https://kubernetes.io/docs/concepts/workloads/pods/disruptions/>."""
    k8s.policy.v1.PodDisruptionBudget(
        "other",
        metadata={"namespace": "team"},
        spec={"min_available": "0%", "selector": {"match_labels": {"app": "made-by-helm"}}},
    )
    k8s.autoscaling.v2.HorizontalPodAutoscaler(
        "other",
        metadata={"namespace": "team"},
        spec={
            "scale_target_ref": {"api_version": "argoproj.io/v1alpha1", "kind": "Rollout", "name": "elsewhere"},
            "min_replicas": 3,
            "max_replicas": 3,
            "metrics": [
                {
                    "type": "Resource",
                    "resource": {"name": "memory", "target": {"type": "AverageValue", "average_value": "0.5Gi"}},
                }
            ],
        },
    )
    k8s.core.v1.Service(
        "other",
        metadata={"namespace": "team"},
        spec={"selector": {"app": "made-by-helm"}, "ports": [{"port": 65535, "target_port": "any-name"}]},
    )
    k8s.networking.v1.Ingress(
        "other",
        metadata={"namespace": "team"},
        spec={
            "rules": [
                {
                    "host": "a.example.com",
                    "http": {
                        "paths": [
                            {
                                "path": "/",
                                "path_type": "Prefix",
                                "backend": {"service": {"name": "made-by-helm", "port": {"number": 80}}},
                            }
                        ]
                    },
                }
            ]
        },
    )


def groups_of_workers() -> None:
    """<https://lws.sigs.k8s.io/docs/examples/vllm/>."""
    pod = {
        "containers": [
            {
                "name": "vllm",
                "image": "vllm/vllm-openai:v0.8.5",
                "command": ["sh", "-c"],
                "args": ["python3 -m vllm --node $(LWS_LEADER_ADDRESS)"],
                "resources": {
                    "limits": {"nvidia.com/gpu": "8", "memory": "1124Gi", "ephemeral-storage": "800Gi"},
                    "requests": {"cpu": 125, "ephemeral-storage": "800Gi"},
                },
                "volumeMounts": [{"mountPath": "/dev/shm", "name": "dshm"}],
            }
        ],
        "volumes": [{"name": "dshm", "emptyDir": {"medium": "Memory", "sizeLimit": "15Gi"}}],
    }
    k8s.apiextensions.CustomResource(
        "lws",
        api_version="leaderworkerset.x-k8s.io/v1",
        kind="LeaderWorkerSet",
        spec={
            "replicas": 2,
            "leaderWorkerTemplate": {
                "size": 2,
                "restartPolicy": "RecreateGroupOnPodRestart",
                "workerTemplate": {"spec": pod},
            },
        },
    )
    k8s.apiextensions.CustomResource(
        "ray",
        api_version="ray.io/v1",
        kind="RayCluster",
        spec={
            "rayVersion": "2.46.0",
            "headGroupSpec": {
                "rayStartParams": {},
                "template": {"spec": {"containers": [{"name": "ray-head", "image": "rayproject/ray:2.46.0"}]}},
            },
            "workerGroupSpecs": [
                {
                    "groupName": "g",
                    "replicas": 0,
                    "minReplicas": 0,
                    "maxReplicas": 5,
                    "rayStartParams": {},
                    "template": {"spec": {"containers": [{"name": "w", "image": "rayproject/ray:2.46.0"}]}},
                }
            ],
        },
    )
    k8s.apiextensions.CustomResource(
        "torch",
        api_version="kubeflow.org/v1",
        kind="PyTorchJob",
        spec={
            "nprocPerNode": "auto",
            "pytorchReplicaSpecs": {
                "Master": {
                    "replicas": 1,
                    "restartPolicy": "OnFailure",
                    "template": {"spec": {"containers": [{"name": "pytorch", "image": "acme/train:1"}]}},
                }
            },
        },
    )
    k8s.apiextensions.CustomResource(
        "jobs",
        api_version="jobset.x-k8s.io/v1alpha2",
        kind="JobSet",
        metadata={"annotations": {"alpha.jobset.sigs.k8s.io/exclusive-topology": "cloud.google.com/gke-nodepool"}},
        spec={
            "failurePolicy": {"maxRestarts": 4},
            "replicatedJobs": [
                {
                    "name": "slice",
                    "replicas": 2,
                    "template": {
                        "spec": {
                            "parallelism": 2,
                            "completions": 2,
                            "backoffLimit": 0,
                            "template": {
                                "spec": {"restartPolicy": "Never", "containers": [{"name": "a", "image": "busybox"}]}
                            },
                        }
                    },
                }
            ],
        },
    )


def annotations_that_the_provider_reads() -> None:
    """<https://www.pulumi.com/registry/packages/kubernetes/installation-configuration/#pulumi-kubernetes-annotations>."""
    k8s.core.v1.Service(
        "fast",
        metadata={
            "annotations": {
                "pulumi.com/skipAwait": "true",
                "pulumi.com/timeoutSeconds": "10",
                "pulumi.com/waitFor": "jsonpath={.status.phase}=Ready",
                "pulumi.com/replaceUnready": "true",
            }
        },
        spec={"type": "LoadBalancer", "ports": [{"port": 80}]},
        opts=pulumi.ResourceOptions(custom_timeouts=pulumi.CustomTimeouts(create="30s")),
    )
    k8s.apps.v1.Deployment(
        "none",
        metadata={"annotations": {"pulumi.com/patchFieldManager": "me"}},
        spec={
            "replicas": 0,
            "selector": {"match_labels": {"a": "b"}},
            "template": {
                "metadata": {
                    "labels": {"a": "b"},
                    "annotations": {"checksum/config": "0" * 64, "linkerd.io/inject": "enabled"},
                },
                "spec": {"containers": [{"name": "a", "image": "pause"}]},
            },
        },
        opts=pulumi.ResourceOptions(
            ignore_changes=["spec.replicas", "spec.template.metadata.annotations"],
            replace_on_changes=["metadata.namespace"],
        ),
    )


def objects_of_the_whole_cluster_with_long_names() -> None:
    """<https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#path-segment-names>."""
    k8s.rbac.v1.Role(
        "path",
        metadata={"name": "System:Node_Reader@v1", "namespace": "default"},
        rules=[{"api_groups": [""], "resources": ["pods"], "verbs": ["get"]}],
    )
    k8s.rbac.v1.RoleBinding(
        "path",
        metadata={"name": "a:B", "namespace": "default"},
        role_ref={"api_group": "rbac.authorization.k8s.io", "kind": "Role", "name": "System:Node_Reader@v1"},
        subjects=[{"kind": "ServiceAccount", "name": "a.b.c", "namespace": "other"}],
    )
    k8s.storage.v1.CSIDriver(
        "d",
        metadata={"name": "csi.example.com"},
        spec={
            "attach_required": False,
            "pod_info_on_mount": True,
            "volume_lifecycle_modes": ["Persistent", "Ephemeral"],
            "fs_group_policy": "None",
            "token_requests": [{"audience": "", "expiration_seconds": 600}],
        },
    )
    k8s.core.v1.ConfigMap("long", metadata={"name": ("a" * 63 + ".") * 3 + "a" * 61}, data={})
    k8s.core.v1.Node(
        "fake",
        metadata={"name": "virtual-1.example.com", "labels": {"kubernetes.io/arch": "arm64"}},
        spec={"taints": [{"key": "virtual", "effect": "NoSchedule"}], "unschedulable": True},
    )


def a_pod_of_a_namespace_that_forbids_nothing() -> None:
    """<https://kubernetes.io/docs/concepts/security/pod-security-admission/>."""
    space = k8s.core.v1.Namespace(
        "open",
        metadata={
            "name": "open",
            "labels": {
                "pod-security.kubernetes.io/enforce": "restricted",
                "pod-security.kubernetes.io/enforce-version": "latest",
                "pod-security.kubernetes.io/warn": "privileged",
            },
        },
    )
    k8s.core.v1.Pod(
        "strict",
        metadata={"namespace": space.metadata.name},
        spec={
            "security_context": {"run_as_non_root": True, "seccomp_profile": {"type": "RuntimeDefault"}},
            "containers": [
                {
                    "name": "a",
                    "image": "busybox",
                    "security_context": {
                        "allow_privilege_escalation": False,
                        "capabilities": {"drop": ["ALL"], "add": ["NET_BIND_SERVICE"]},
                    },
                }
            ],
        },
    )
    k8s.core.v1.Namespace(
        "system",
        metadata={
            "name": "system",
            "labels": {"pod-security.kubernetes.io/audit": "baseline", "istio-injection": "enabled"},
        },
    )
    k8s.apps.v1.DaemonSet(
        "driver",
        metadata={"namespace": "system"},
        spec={
            "selector": {"match_labels": {"app": "driver"}},
            "template": {
                "metadata": {"labels": {"app": "driver"}},
                "spec": {
                    "host_pid": True,
                    "host_ipc": True,
                    "containers": [
                        {
                            "name": "a",
                            "image": "acme/driver:1",
                            "security_context": {"privileged": True},
                            "volume_mounts": [
                                {"name": "dev", "mount_path": "/dev", "mount_propagation": "Bidirectional"}
                            ],
                        }
                    ],
                    "volumes": [{"name": "dev", "host_path": {"path": "/dev", "type": "Directory"}}],
                },
            },
        },
    )
