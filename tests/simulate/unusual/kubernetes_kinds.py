"""Kinds, texts, charts and services that are right by the documentation of Kubernetes and seldom seen."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import pulumi
import pulumi_kubernetes as k8s


def a_kind_and_its_objects_in_one_program() -> None:
    """<https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/>."""
    kind = k8s.apiextensions.v1.CustomResourceDefinition(
        "crontabs",
        metadata={"name": "crontabs.stable.example.com"},
        spec={
            "group": "stable.example.com",
            "scope": "Namespaced",
            "names": {
                "plural": "crontabs",
                "singular": "crontab",
                "kind": "CronTab",
                "short_names": ["ct"],
                "categories": ["all"],
            },
            "versions": [
                {
                    "name": "v1",
                    "served": True,
                    "storage": True,
                    "subresources": {
                        "status": {},
                        "scale": {"spec_replicas_path": ".spec.replicas", "status_replicas_path": ".status.replicas"},
                    },
                    "schema": {
                        "open_apiv3_schema": {
                            "type": "object",
                            "properties": {
                                "spec": {
                                    "type": "object",
                                    "x-kubernetes-preserve-unknown-fields": True,
                                    "properties": {"port": {"x-kubernetes-int-or-string": True}},
                                }
                            },
                        }
                    },
                },
                {
                    "name": "v1beta1",
                    "served": False,
                    "storage": False,
                    "deprecated": True,
                    "schema": {"open_apiv3_schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}},
                },
            ],
        },
    )
    k8s.apiextensions.CustomResource(
        "mine",
        api_version="stable.example.com/v1",
        kind="CronTab",
        spec={"cronSpec": "* * * * */5", "replicas": 1, "port": "http"},
        opts=pulumi.ResourceOptions(depends_on=[kind]),
    )


def objects_of_well_known_kinds() -> None:
    """<https://cert-manager.io/docs/configuration/acme/>."""
    k8s.apiextensions.CustomResource(
        "issuer",
        api_version="cert-manager.io/v1",
        kind="ClusterIssuer",
        metadata={"name": "letsencrypt"},
        spec={
            "acme": {
                "server": "https://acme-v02.api.letsencrypt.org/directory",
                "privateKeySecretRef": {"name": "k"},
                "solvers": [{"http01": {"ingress": {"ingressClassName": "nginx"}}}],
            }
        },
    )
    k8s.apiextensions.CustomResource(
        "pool",
        api_version="karpenter.sh/v1",
        kind="NodePool",
        spec={
            "template": {
                "spec": {
                    "nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"},
                    "expireAfter": "Never",
                    "requirements": [
                        {"key": "karpenter.k8s.aws/instance-generation", "operator": "Gt", "values": ["2"]}
                    ],
                }
            },
            "disruption": {
                "consolidationPolicy": "WhenEmpty",
                "consolidateAfter": "0s",
                "budgets": [{"nodes": "0", "schedule": "@daily", "duration": "10m"}],
            },
            "limits": {"cpu": 1000, "memory": "1000Gi"},
        },
    )
    k8s.apiextensions.CustomResource(
        "queue",
        api_version="kueue.x-k8s.io/v1beta1",
        kind="ClusterQueue",
        metadata={"name": "team"},
        spec={
            "namespaceSelector": {},
            "resourceGroups": [
                {
                    "coveredResources": ["cpu", "memory"],
                    "flavors": [
                        {
                            "name": "default",
                            "resources": [
                                {"name": "cpu", "nominalQuota": 9},
                                {"name": "memory", "nominalQuota": "36Gi"},
                            ],
                        }
                    ],
                }
            ],
        },
    )


def objects_out_of_text() -> None:
    """<https://www.pulumi.com/registry/packages/kubernetes/api-docs/yaml/v2/configgroup/>."""
    text = dedent("""
        apiVersion: v1
        kind: Namespace
        metadata: {name: yamlspace}
        ---
        # nothing here
        ---
        apiVersion: v1
        kind: List
        items:
          - apiVersion: v1
            kind: ConfigMap
            metadata: {name: c, namespace: yamlspace}
            data: {a: "1", b: "two\\nlines", "c": "on"}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: d, namespace: yamlspace}
        spec:
          selector: {matchLabels: &labels {app: d}}
          template:
            metadata: {labels: *labels}
            spec:
              containers:
                - {name: a, image: nginx, ports: [{containerPort: 0x50}], resources: {limits: {cpu: 1, memory: 1e9}}}
    """)
    k8s.yaml.v2.ConfigGroup("text", yaml=text)
    k8s.yaml.v2.ConfigGroup(
        "objects",
        objs=[{"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "builder"}}],
        resource_prefix="x",
    )


def objects_out_of_text_with_a_kind() -> None:
    """<https://www.pulumi.com/registry/packages/kubernetes/api-docs/yaml/v2/configgroup/>."""
    k8s.yaml.v2.ConfigGroup(
        "kind",
        yaml=dedent("""
        apiVersion: example.com/v1
        kind: Widget
        metadata: {name: w}
        spec: {size: 3}
        ---
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: widgets.example.com}
        spec:
          group: example.com
          scope: Cluster
          names: {plural: widgets, kind: Widget}
          versions:
            - name: v1
              served: true
              storage: true
              schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
    """),
    )


def charts_of_helm() -> None:
    """<https://www.pulumi.com/registry/packages/kubernetes/api-docs/helm/v3/release/>."""
    space = k8s.core.v1.Namespace("ingress")
    release = k8s.helm.v3.Release(
        "nginx",
        chart="ingress-nginx",
        version="4.11.3",
        namespace=space.metadata.name,
        repository_opts={"repo": "https://kubernetes.github.io/ingress-nginx"},
        values={"controller": {"replicaCount": 2, "service": {"annotations": {"a": "b"}}}},
        atomic=True,
        skip_await=False,
        timeout=0,
        create_namespace=False,
    )
    k8s.helm.v3.Release(
        "oci",
        chart="oci://ghcr.io/nginxinc/charts/nginx-ingress",
        namespace="other",
        create_namespace=True,
        name="own",
        value_yaml_files=[pulumi.StringAsset("a: 1")],
    )
    pulumi.export("status", release.status.status)


def services_of_every_kind() -> None:
    """<https://kubernetes.io/docs/concepts/services-networking/service/>."""
    k8s.core.v1.Service(
        "named",
        spec={
            "selector": {"a": "b"},
            "ports": [
                {"name": "http", "port": 80, "target_port": "http-web-svc"},
                {"name": "dns", "port": 53, "protocol": "UDP"},
                {"name": "dns-tcp", "port": 53, "app_protocol": "kubernetes.io/h2c"},
            ],
        },
    )
    k8s.core.v1.Service("external", spec={"type": "ExternalName", "external_name": "my.database.example.com"})
    k8s.core.v1.Service("headless", spec={"cluster_ip": "None", "cluster_ips": ["None"]})
    k8s.core.v1.Service(
        "dual",
        spec={
            "selector": {},
            "ip_family_policy": "PreferDualStack",
            "ip_families": ["IPv6", "IPv4"],
            "ports": [{"port": 1}],
            "internal_traffic_policy": "Local",
            "session_affinity": "ClientIP",
            "session_affinity_config": {"client_ip": {"timeout_seconds": 86400}},
        },
    )
    k8s.core.v1.Service(
        "balanced",
        spec={
            "type": "LoadBalancer",
            "load_balancer_class": "service.k8s.aws/nlb",
            "allocate_load_balancer_node_ports": False,
            "external_traffic_policy": "Local",
            "load_balancer_source_ranges": ["10.0.0.0/8"],
            "ports": [{"port": 443, "target_port": 8443, "node_port": 30007}],
            "selector": {"a": "b"},
        },
    )
    service = k8s.core.v1.Service(
        "none",
        metadata={"name": "no-selector"},
        spec={"ports": [{"port": 80, "target_port": 9376}], "external_ips": ["198.51.100.32"]},
    )
    k8s.discovery.v1.EndpointSlice(
        "none",
        metadata={"labels": {"kubernetes.io/service-name": service.metadata.name}},
        address_type="IPv4",
        ports=[{"name": "", "port": 9376, "app_protocol": "http"}],
        endpoints=[{"addresses": ["10.4.5.6"]}, {"addresses": ["10.1.2.3"]}],
    )
    k8s.core.v1.Endpoints(
        "old",
        metadata={"name": "no-selector-2"},
        subsets=[{"addresses": [{"ip": "192.0.2.42"}], "ports": [{"port": 9376}]}],
    )


def ways_in_from_outside() -> None:
    """<https://kubernetes.io/docs/concepts/services-networking/ingress/>."""
    back: dict[str, Any] = {"service": {"name": "s", "port": {"name": "http"}}}
    k8s.networking.v1.Ingress(
        "wild",
        metadata={"annotations": {"nginx.ingress.kubernetes.io/rewrite-target": "/$1"}},
        spec={
            "ingress_class_name": "nginx-example",
            "tls": [{"hosts": ["*.foo.com"], "secret_name": "t"}, {}],
            "rules": [
                {
                    "host": "*.foo.com",
                    "http": {
                        "paths": [
                            {"path": "/(.*)", "path_type": "ImplementationSpecific", "backend": back},
                            {"path_type": "ImplementationSpecific", "backend": back},
                            {"path": "/", "path_type": "Exact", "backend": back},
                        ]
                    },
                },
                {"http": {"paths": [{"path": "/a", "path_type": "Prefix", "backend": back}]}},
            ],
        },
    )
    k8s.networking.v1.Ingress(
        "default",
        spec={
            "default_backend": {
                "resource": {"api_group": "k8s.example.com", "kind": "StorageBucket", "name": "static-assets"}
            }
        },
    )
    k8s.networking.v1.IngressClass(
        "c",
        metadata={"annotations": {"ingressclass.kubernetes.io/is-default-class": "true"}},
        spec={
            "controller": "example.com/ingress-controller",
            "parameters": {
                "api_group": "k8s.example.com",
                "kind": "P",
                "name": "p",
                "scope": "Namespace",
                "namespace": "x",
            },
        },
    )


def rules_of_networks() -> None:
    """<https://kubernetes.io/docs/concepts/services-networking/network-policies/>."""
    k8s.networking.v1.NetworkPolicy("deny", spec={"pod_selector": {}, "policy_types": ["Ingress", "Egress"]})
    k8s.networking.v1.NetworkPolicy(
        "allow",
        spec={
            "pod_selector": {"match_labels": {"role": "db"}},
            "ingress": [{}],
            "egress": [
                {
                    "to": [{"ip_block": {"cidr": "2001:db8::/64", "except_": ["2001:db8::/96"]}}],
                    "ports": [
                        {"protocol": "TCP", "port": 32000, "end_port": 32768},
                        {"port": "metrics"},
                        {"protocol": "UDP"},
                    ],
                }
            ],
        },
    )
    k8s.networking.v1.NetworkPolicy(
        "spaces",
        spec={
            "pod_selector": {"match_expressions": [{"key": "a", "operator": "In", "values": ["b"]}]},
            "ingress": [
                {
                    "from_": [
                        {"namespace_selector": {"match_labels": {"user": "alice"}}, "pod_selector": {}},
                        {"pod_selector": {}},
                        {"ip_block": {"cidr": "172.17.0.0/16", "except_": ["172.17.1.0/24"]}},
                    ]
                }
            ],
        },
    )


def rights_of_every_kind() -> None:
    """<https://kubernetes.io/docs/reference/access-authn-authz/rbac/>."""
    k8s.rbac.v1.ClusterRole(
        "parts",
        metadata={"name": "a:b:c"},
        rules=[
            {"api_groups": [""], "resources": ["pods/log", "*/scale"], "verbs": ["get", "list"]},
            {"api_groups": ["*"], "resources": ["*"], "verbs": ["*"]},
            {"non_resource_urls": ["/healthz", "/healthz/*"], "verbs": ["get", "post"]},
            {
                "api_groups": ["rbac.authorization.k8s.io"],
                "resources": ["clusterroles"],
                "verbs": ["bind", "escalate"],
                "resource_names": ["admin"],
            },
            {"api_groups": [""], "resources": ["users", "groups"], "verbs": ["impersonate"]},
        ],
    )
    k8s.rbac.v1.ClusterRole(
        "sum", aggregation_rule={"cluster_role_selectors": [{"match_labels": {"x": "true"}}]}, rules=[]
    )
    k8s.rbac.v1.RoleBinding(
        "bind",
        metadata={"namespace": "default"},
        role_ref={"api_group": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "view"},
        subjects=[
            {"kind": "Group", "name": "system:serviceaccounts", "api_group": "rbac.authorization.k8s.io"},
            {"kind": "User", "name": "a@example.com", "api_group": "rbac.authorization.k8s.io"},
            {"kind": "ServiceAccount", "name": "default", "namespace": "kube-system"},
            {"kind": "Group", "name": "oidc:/team"},
        ],
    )
    k8s.rbac.v1.ClusterRoleBinding(
        "none", role_ref={"api_group": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "system:node"}
    )
