"""Delivery by pull: Argo CD follows one repository, and changes the namespaces of the description alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import pulumi
from pulumi_kubernetes.apiextensions import CustomResource
from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.meta import v1 as meta
from pulumi_kubernetes.rbac import v1 as rbac

from penstock.addons.gitops.block import GitOpsSpec
from penstock.kubernetes.components.egress_ports import url_ports
from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.components.mirrored import from_mirror
from penstock.kubernetes.components.monitored import to_monitoring
from penstock.kubernetes.components.namespace import Namespace
from penstock.kubernetes.components.release import image, release
from penstock.kubernetes.components.system_nodes import without_accelerators
from penstock.kubernetes.facts import charts

_CHART: Final = "argo-cd"
_OPERATOR: Final = "pulumi-kubernetes-operator"
_METRICS: Final = 8082
_API: Final = "argoproj.io/v1alpha1"
_SERVER: Final = "https://kubernetes.default.svc"
_PROJECT: Final = "platform"
_CONTROLLER: Final = "argocd-application-controller"

_SIZES: Final[Mapping[str, Mapping[str, Mapping[str, str]]]] = {
    "controller": {"requests": {"cpu": "250m", "memory": "512Mi"}, "limits": {"memory": "2Gi"}},
    "repoServer": {"requests": {"cpu": "100m", "memory": "256Mi"}, "limits": {"memory": "1Gi"}},
    "redis": {"requests": {"cpu": "50m", "memory": "64Mi"}, "limits": {"memory": "256Mi"}},
    "redisSecretInit": {"requests": {"cpu": "50m", "memory": "64Mi"}, "limits": {"memory": "256Mi"}},
}


class GitOps(pulumi.ComponentResource):
    """Argo CD without its server: nobody logs in to it, and it pulls from the repository.

    It has rights in the namespaces of the description alone, which are closed like those of teams, and its project
    takes objects from that repository only. What somebody changes by hand is set back, and what the repository no
    longer has is removed.
    """

    offers: Mapping[str, pulumi.Input[str]]

    def __init__(
        self, name: str, spec: GitOpsSpec, *, cluster: InCluster, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        """Install it."""
        super().__init__("penstock:kubernetes:GitOps", name, spec.inputs(), opts)
        home = charts.find_chart(_CHART).namespace
        namespace = Namespace(
            name,
            namespace=home,
            pod_security="restricted",
            openings=to_monitoring(cluster, _METRICS),
            ways_out=url_ports(spec.repository),
            opts=pulumi.ResourceOptions(parent=self),
        )
        inside = pulumi.ResourceOptions(parent=self, depends_on=[namespace])
        exists = charts.find_chart(_OPERATOR).namespace if cluster.addons.has("pulumi") else None
        targets = [self._target(name, each, home, exists=each == exists) for each in spec.namespaces]
        reached = self._cluster(name, spec, home, inside)
        installed = release(
            name,
            _CHART,
            values=_values(cluster),
            mirrored=cluster.image_mirror is not None,
            opts=pulumi.ResourceOptions.merge(inside, pulumi.ResourceOptions(depends_on=[*targets, reached])),
        )
        self._follow(name, spec, home, pulumi.ResourceOptions(parent=self, depends_on=[installed]))
        self.offers = {"status": f"kubectl -n {home} get application {_PROJECT}"}
        self.register_outputs(self.offers)

    def _target(self, name: str, target: str, home: str, *, exists: bool) -> pulumi.Resource:
        """A namespace that it delivers into, unless it `exists`, with its rights there."""
        called = f"{name}--{target}"
        before: list[pulumi.Resource] = []
        if not exists:
            namespace = Namespace(
                called,
                namespace=target,
                pod_security="baseline",
                ways_out=None,
                quota=None,
                opts=pulumi.ResourceOptions(parent=self),
            )
            before = [namespace]
        return rbac.RoleBinding(
            called,
            metadata=meta.ObjectMetaArgs(name="delivery", namespace=target),
            role_ref=rbac.RoleRefArgs(api_group="rbac.authorization.k8s.io", kind="ClusterRole", name="edit"),
            subjects=[rbac.SubjectArgs(kind="ServiceAccount", name=_CONTROLLER, namespace=home)],
            opts=pulumi.ResourceOptions(parent=self, depends_on=before),
        )

    def _cluster(self, name: str, spec: GitOpsSpec, home: str, opts: pulumi.ResourceOptions) -> pulumi.Resource:
        """This cluster as Argo CD reaches it: in some namespaces, by its own service account. No secret is in it."""
        return core.Secret(
            f"{name}-cluster",
            metadata=meta.ObjectMetaArgs(
                name="this-cluster", namespace=home, labels={"argocd.argoproj.io/secret-type": "cluster"}
            ),
            string_data={
                "name": "in-cluster",
                "server": _SERVER,
                "namespaces": ",".join(spec.namespaces),
                "clusterResources": "false",
                "config": '{"tlsClientConfig": {"insecure": false}}',
            },
            opts=opts,
        )

    def _follow(self, name: str, spec: GitOpsSpec, home: str, opts: pulumi.ResourceOptions) -> None:
        project = CustomResource(
            f"{name}-project",
            api_version=_API,
            kind="AppProject",
            metadata=meta.ObjectMetaArgs(name=_PROJECT, namespace=home),
            spec={
                "description": "What the repository of the platform delivers.",
                "sourceRepos": [spec.repository],
                "destinations": [{"server": _SERVER, "namespace": each} for each in spec.namespaces],
                "clusterResourceWhitelist": [],
            },
            opts=opts,
        )
        CustomResource(
            f"{name}-application",
            api_version=_API,
            kind="Application",
            metadata=meta.ObjectMetaArgs(name=_PROJECT, namespace=home),
            spec={
                "project": _PROJECT,
                "source": {"repoURL": spec.repository, "path": spec.path, "targetRevision": spec.revision},
                "destination": {"server": _SERVER, "namespace": spec.namespaces[0]},
                "syncPolicy": {
                    "automated": {"prune": True, "selfHeal": True},
                    "syncOptions": ["CreateNamespace=false"],
                    "retry": {"limit": 5, "backoff": {"duration": "30s", "factor": 2, "maxDuration": "10m"}},
                },
            },
            opts=pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(depends_on=[project])),
        )


def _values(cluster: InCluster) -> dict[str, Any]:
    affinity = without_accelerators(cluster.pools)
    monitored = {"enabled": True, "serviceMonitor": {"enabled": True}}
    metrics = {"metrics": monitored} if cluster.addons.has("observability") else {}
    redis = "ecr-public.aws.com/docker/library/redis"
    return {
        "global": {
            "image": {"repository": image(_CHART, cluster.image_mirror)},
            **({"affinity": affinity} if affinity else {}),
            "networkPolicy": {"create": False},  # the chart's own open ports to every namespace
        },
        "createClusterRoles": False,  # rights are given in each namespace that it delivers into
        "configs": {"cm": {"admin.enabled": False, "exec.enabled": False, "timeout.reconciliation": "180s"}},
        "controller": {"resources": _SIZES["controller"], **metrics},
        "repoServer": {"resources": _SIZES["repoServer"]},
        "redis": {
            "resources": _SIZES["redis"],
            **({"image": {"repository": from_mirror(redis, cluster.image_mirror)}} if cluster.image_mirror else {}),
        },
        "redisSecretInit": {"resources": _SIZES["redisSecretInit"]},
        # Nobody logs in, and nothing is sent.
        "server": {"replicas": 0},
        "applicationSet": {"replicas": 0},
        "dex": {"enabled": False},
        "notifications": {"enabled": False},
    }
