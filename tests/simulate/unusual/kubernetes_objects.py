"""Objects that are right by the documentation of Kubernetes and seldom seen."""

from __future__ import annotations

import base64
import json

import pulumi
import pulumi_kubernetes as k8s


def scaling_in_both_directions() -> None:
    """<https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale-walkthrough/>."""
    k8s.autoscaling.v2.HorizontalPodAutoscaler(
        "many",
        spec={
            "scale_target_ref": {"api_version": "apps/v1", "kind": "Deployment", "name": "php"},
            "min_replicas": 1,
            "max_replicas": 10,
            "metrics": [
                {
                    "type": "Resource",
                    "resource": {"name": "cpu", "target": {"type": "Utilization", "average_utilization": 150}},
                },
                {
                    "type": "Pods",
                    "pods": {
                        "metric": {"name": "packets-per-second"},
                        "target": {"type": "AverageValue", "average_value": "1k"},
                    },
                },
                {
                    "type": "Object",
                    "object": {
                        "metric": {"name": "rps"},
                        "described_object": {"api_version": "networking.k8s.io/v1", "kind": "Ingress", "name": "main"},
                        "target": {"type": "Value", "value": "10k"},
                    },
                },
                {
                    "type": "External",
                    "external": {
                        "metric": {"name": "queue", "selector": {"match_labels": {"q": "w"}}},
                        "target": {"type": "AverageValue", "average_value": 30},
                    },
                },
                {
                    "type": "ContainerResource",
                    "container_resource": {
                        "name": "memory",
                        "container": "a",
                        "target": {"type": "AverageValue", "average_value": "500Mi"},
                    },
                },
            ],
            "behavior": {
                "scale_down": {"stabilization_window_seconds": 0, "select_policy": "Disabled"},
                "scale_up": {"policies": [{"type": "Percent", "value": 900, "period_seconds": 1800}]},
            },
        },
    )
    k8s.autoscaling.v1.HorizontalPodAutoscaler(
        "one",
        spec={
            "scale_target_ref": {"api_version": "stable.example.com/v1", "kind": "CronTab", "name": "x"},
            "max_replicas": 1,
            "target_cpu_utilization_percentage": 80,
        },
    )


def volumes_and_classes() -> None:
    """<https://kubernetes.io/docs/concepts/storage/persistent-volumes/>."""
    volume = k8s.core.v1.PersistentVolume(
        "local",
        spec={
            "capacity": {"storage": "5000000000"},
            "access_modes": ["ReadWriteOnce"],
            "persistent_volume_reclaim_policy": "Retain",
            "storage_class_name": "local",
            "local": {"path": "/mnt/d"},
            "node_affinity": {
                "required": {
                    "node_selector_terms": [
                        {"match_expressions": [{"key": "kubernetes.io/hostname", "operator": "In", "values": ["n"]}]}
                    ]
                }
            },
            "claim_ref": {"name": "c", "namespace": "default"},
        },
    )
    k8s.core.v1.PersistentVolumeClaim(
        "c",
        metadata={"name": "c", "annotations": {"pulumi.com/skipAwait": "true"}},
        spec={
            "access_modes": ["ReadWriteOnce"],
            "storage_class_name": "local",
            "volume_name": volume.metadata.name,
            "resources": {"requests": {"storage": "4.5G"}},
        },
    )
    k8s.core.v1.PersistentVolume(
        "csi",
        spec={
            "capacity": {"storage": "1Pi"},
            "volume_mode": "Block",
            "access_modes": ["ReadOnlyMany", "ReadWriteMany"],
            "csi": {"driver": "fsx.csi.aws.com", "volume_handle": "fs-1", "volume_attributes": {"dnsname": "d"}},
            "mount_options": ["hard", "nfsvers=4.1"],
        },
    )
    k8s.storage.v1.StorageClass(
        "late",
        metadata={"annotations": {"storageclass.kubernetes.io/is-default-class": "true"}},
        provisioner="kubernetes.io/no-provisioner",
        volume_binding_mode="WaitForFirstConsumer",
        reclaim_policy="Retain",
        allow_volume_expansion=False,
    )
    k8s.storage.v1.StorageClass(
        "placed",
        provisioner="ebs.csi.aws.com",
        parameters={"type": "io2", "iopsPerGB": "50", "csi.storage.k8s.io/fstype": "xfs"},
        allowed_topologies=[
            {"match_label_expressions": [{"key": "topology.kubernetes.io/zone", "values": ["us-east-1a"]}]}
        ],
    )
    k8s.core.v1.PersistentVolumeClaim(
        "clone",
        spec={
            "access_modes": ["ReadWriteMany"],
            "data_source_ref": {"api_group": "snapshot.storage.k8s.io", "kind": "VolumeSnapshot", "name": "s"},
            "resources": {"requests": {"storage": "1Ti"}},
        },
    )


def limits_of_namespaces() -> None:
    """<https://kubernetes.io/docs/concepts/policy/resource-quotas/>."""
    k8s.core.v1.ResourceQuota(
        "q",
        spec={
            "hard": {
                "requests.cpu": "1",
                "limits.memory": "2Gi",
                "requests.nvidia.com/gpu": 4,
                "count/deployments.apps": "2",
                "services.loadbalancers": "0",
                "gold.storageclass.storage.k8s.io/requests.storage": "500Gi",
                "pods": "4",
            }
        },
    )
    k8s.core.v1.ResourceQuota(
        "s",
        spec={
            "hard": {"pods": "10"},
            "scope_selector": {
                "match_expressions": [{"operator": "In", "scope_name": "PriorityClass", "values": ["high"]}]
            },
            "scopes": ["NotTerminating"],
        },
    )
    k8s.core.v1.LimitRange(
        "l",
        spec={
            "limits": [
                {
                    "type": "Container",
                    "default": {"cpu": "500m"},
                    "default_request": {"cpu": "0.5"},
                    "max": {"cpu": "1"},
                    "min": {"cpu": "100m"},
                },
                {"type": "PersistentVolumeClaim", "min": {"storage": "1Gi"}},
                {"type": "Pod", "max_limit_request_ratio": {"memory": "2"}},
            ]
        },
    )
    k8s.scheduling.v1.PriorityClass(
        "p", value=-1000000000, preemption_policy="Never", global_default=False, description="last"
    )
    k8s.scheduling.v1.PriorityClass("high", value=1000000000)


def secrets_of_every_type() -> None:
    """<https://kubernetes.io/docs/concepts/configuration/secret/#secret-types>."""
    encoded = base64.b64encode(b"x").decode()
    k8s.core.v1.Secret("basic", type="kubernetes.io/basic-auth", string_data={"username": "admin"})
    k8s.core.v1.Secret("ssh", type="kubernetes.io/ssh-auth", data={"ssh-privatekey": encoded})
    k8s.core.v1.Secret("tls", type="kubernetes.io/tls", data={"tls.crt": encoded, "tls.key": encoded, "ca.crt": ""})
    k8s.core.v1.Secret(
        "pull",
        type="kubernetes.io/dockerconfigjson",
        string_data={".dockerconfigjson": json.dumps({"auths": {"https://index.docker.io/v1/": {"auth": encoded}}})},
    )
    k8s.core.v1.Secret(
        "token",
        type="kubernetes.io/service-account-token",
        metadata={"annotations": {"kubernetes.io/service-account.name": "default"}},
    )
    k8s.core.v1.Secret(
        "boot",
        metadata={"name": "bootstrap-token-5emitj", "namespace": "kube-system"},
        type="bootstrap.kubernetes.io/token",
        string_data={"token-id": "5emitj", "token-secret": "kq4gihvszzgn1p0r", "usage-bootstrap-signing": "true"},
    )
    k8s.core.v1.ConfigMap("binary", binary_data={"b": encoded}, data={"keys": "color.good=purple\n"}, immutable=True)


def checks_of_requests() -> None:
    """<https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/>."""
    k8s.admissionregistration.v1.ValidatingAdmissionPolicy(
        "v",
        metadata={"name": "demo.example.com"},
        spec={
            "failure_policy": "Fail",
            "param_kind": {"api_version": "v1", "kind": "ConfigMap"},
            "match_constraints": {
                "resource_rules": [
                    {
                        "api_groups": ["apps"],
                        "api_versions": ["v1"],
                        "operations": ["CREATE", "UPDATE"],
                        "resources": ["deployments"],
                    }
                ]
            },
            "validations": [{"expression": "object.spec.replicas <= 5"}],
        },
    )
    k8s.admissionregistration.v1.ValidatingAdmissionPolicyBinding(
        "v",
        spec={
            "policy_name": "demo.example.com",
            "validation_actions": ["Warn", "Audit"],
            "match_resources": {"namespace_selector": {}},
        },
    )
    k8s.admissionregistration.v1.MutatingWebhookConfiguration(
        "m",
        webhooks=[
            {
                "name": "m.example.com",
                "admission_review_versions": ["v1", "v1beta1"],
                "side_effects": "NoneOnDryRun",
                "timeout_seconds": 30,
                "client_config": {"url": "https://hooks.example.com:9443/m"},
                "match_conditions": [{"name": "a", "expression": "true"}],
                "rules": [
                    {
                        "operations": ["*"],
                        "api_groups": ["*"],
                        "api_versions": ["*"],
                        "resources": ["*/*"],
                        "scope": "*",
                    }
                ],
            }
        ],
    )
    k8s.admissionregistration.v1.ValidatingWebhookConfiguration(
        "w",
        webhooks=[
            {
                "name": "w.example.com",
                "admission_review_versions": ["v1"],
                "side_effects": "None",
                "client_config": {
                    "service": {"name": "s", "namespace": "n", "path": "/p", "port": 8443},
                    "ca_bundle": "Cg==",
                },
                "object_selector": {"match_labels": {"a": "b"}},
            }
        ],
    )


def devices_claimed() -> None:
    """<https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/>."""
    k8s.core.v1.Pod(
        "claims",
        spec={
            "containers": [
                {"name": "a", "image": "ubuntu:24.04", "resources": {"claims": [{"name": "gpu", "request": "r"}]}}
            ],
            "resource_claims": [{"name": "gpu", "resource_claim_template_name": "t"}],
        },
    )
    k8s.core.v1.Pod(
        "whole",
        spec={
            "resources": {"requests": {"cpu": "1"}, "limits": {"memory": "1Gi"}},
            "containers": [
                {
                    "name": "a",
                    "image": "busybox",
                    "resize_policy": [{"resource_name": "cpu", "restart_policy": "NotRequired"}],
                }
            ],
        },
    )
    k8s.node.v1.RuntimeClass(
        "gvisor",
        handler="runsc",
        overhead={"pod_fixed": {"cpu": "250m"}},
        scheduling={"node_selector": {"r": "g"}, "tolerations": []},
    )


def clusters_by_other_providers() -> None:
    """<https://www.pulumi.com/registry/packages/kubernetes/installation-configuration/>."""
    kubeconfig = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "c",
        "clusters": [{"name": "c", "cluster": {"server": "https://10.0.0.1:6443"}}],
        "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
        "users": [
            {
                "name": "u",
                "user": {
                    "exec": {
                        "apiVersion": "client.authentication.k8s.io/v1beta1",
                        "command": "aws",
                        "args": ["eks", "get-token"],
                    }
                },
            }
        ],
    }
    by_text = k8s.Provider(
        "text",
        kubeconfig=pulumi.Output.secret(json.dumps(kubeconfig)),
        namespace="team",
        enable_server_side_apply=True,
        delete_unreachable=True,
    )
    by_file = k8s.Provider("file", kubeconfig="~/.kube/config", context="prod", suppress_deprecation_warnings=True)
    rendered = k8s.Provider("rendered", render_yaml_to_directory="out")
    for n, provider in enumerate((by_text, by_file, rendered)):
        k8s.core.v1.ConfigMap(
            f"same-{n}",
            metadata={"name": "same", "annotations": {"a.b/c": "true", "long": "x" * 1000}},
            data={},
            opts=pulumi.ResourceOptions(provider=provider, delete_before_replace=True),
        )
    space = k8s.core.v1.Namespace(
        "first", metadata={"name": "first"}, opts=pulumi.ResourceOptions(provider=by_text, import_="first")
    )
    k8s.core.v1.ConfigMap(
        "in", metadata={"namespace": "first"}, opts=pulumi.ResourceOptions(provider=by_file, parent=space)
    )


def objects_read_and_written_back() -> None:
    """<https://www.pulumi.com/docs/iac/concepts/resources/get/>."""
    service = k8s.core.v1.Service.get("dns", "kube-system/kube-dns")
    data = k8s.core.v1.ConfigMap.get("auth", pulumi.Output.concat("kube-system/", "aws-auth"))
    k8s.core.v1.ConfigMap(
        "copy",
        data={"ip": service.spec.cluster_ip, "keys": data.data.apply(lambda all_: json.dumps(sorted(all_ or {})))},
    )
    k8s.core.v1.ConfigMap(
        "named",
        metadata={
            "name": "named",
            "labels": {"app.kubernetes.io/managed-by": "pulumi", "v": "1.0_x-Y"},
            "finalizers": ["example.com/f"],
        },
        data={"n": data.metadata.apply(lambda meta: meta.name or "")},
    )


def gateways_and_their_routes() -> None:
    """<https://gateway-api.sigs.k8s.io/guides/http-routing/>."""
    k8s.apiextensions.CustomResource(
        "gateway",
        api_version="gateway.networking.k8s.io/v1",
        kind="Gateway",
        metadata={"name": "prod"},
        spec={
            "gatewayClassName": "example",
            "listeners": [
                {
                    "name": "http",
                    "port": 80,
                    "protocol": "HTTP",
                    "hostname": "*.example.com",
                    "allowedRoutes": {"namespaces": {"from": "All"}},
                }
            ],
        },
    )
    k8s.apiextensions.CustomResource(
        "route",
        api_version="gateway.networking.k8s.io/v1",
        kind="HTTPRoute",
        spec={
            "parentRefs": [{"name": "prod", "sectionName": "http"}],
            "rules": [{"backendRefs": [{"name": "a", "port": 8080, "weight": 0}, {"name": "b", "port": 8080}]}],
        },
    )
    k8s.apiextensions.CustomResourcePatch(
        "patch",
        api_version="gateway.networking.k8s.io/v1",
        kind="Gateway",
        metadata={"name": "prod", "labels": {"x": "y"}},
    )


def kinds_that_programs_seldom_write() -> None:
    """<https://kubernetes.io/docs/reference/using-api/deprecation-guide/>."""
    k8s.flowcontrol.v1.PriorityLevelConfiguration(
        "p",
        spec={"type": "Limited", "limited": {"nominal_concurrency_shares": 0, "limit_response": {"type": "Reject"}}},
    )
    k8s.coordination.v1.Lease(
        "l", spec={"holder_identity": "a", "lease_duration_seconds": 15, "renew_time": "2025-01-01T00:00:00.000000Z"}
    )
    k8s.certificates.v1.CertificateSigningRequest(
        "c",
        spec={
            "request": "LS0t",
            "signer_name": "kubernetes.io/kube-apiserver-client",
            "expiration_seconds": 600,
            "usages": ["client auth"],
        },
    )
    k8s.apiregistration.v1.APIService(
        "m",
        metadata={"name": "v1beta1.metrics.k8s.io"},
        spec={
            "group": "metrics.k8s.io",
            "version": "v1beta1",
            "group_priority_minimum": 100,
            "version_priority": 100,
            "insecure_skip_tls_verify": True,
            "service": {"name": "metrics-server", "namespace": "kube-system"},
        },
    )
    k8s.core.v1.ReplicationController(
        "r",
        spec={
            "replicas": 1,
            "selector": {"a": "b"},
            "template": {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "a", "image": "nginx"}]}},
        },
    )
    k8s.core.v1.Binding("b", metadata={"name": "pod-1"}, target={"kind": "Node", "name": "n"})


def a_policy_of_many_spaces_by_a_loop() -> None:
    """<https://kubernetes.io/docs/tasks/administer-cluster/namespaces/>."""
    for team in ("a", "b-1", "0c"):
        space = k8s.core.v1.Namespace(team, metadata={"name": team})
        inside = {"namespace": space.metadata.name, "name": "default"}
        k8s.networking.v1.NetworkPolicy(f"{team}-deny", metadata=inside, spec={"pod_selector": {}})
        k8s.core.v1.LimitRange(
            f"{team}-limits", metadata=inside, spec={"limits": [{"type": "Container", "default": {"memory": "512Mi"}}]}
        )
        k8s.core.v1.ConfigMap(
            f"{team}-settings",
            metadata=k8s.meta.v1.ObjectMetaArgs(namespace=space.metadata.name, name="default"),
            data={"team": team, "all": space.metadata.apply(lambda meta: f"{meta.name}")},
        )
