"""Health: sick nodes are found, and nodes are tested before they take work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pulumi
from pulumi_kubernetes.apps import v1 as apps
from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.meta import v1 as meta
from pulumi_kubernetes.resource import v1 as resource

from penstock.addons.health import monitors, node_check, node_mark, smoke, storage
from penstock.addons.health.block import HealthSpec
from penstock.addons.health.node_check import NodeCheck, node_checks
from penstock.addons.health.node_check_account import node_check_account
from penstock.addons.health.smoke import NAMESPACE, SmokeTest, smoke_tests
from penstock.addons.health.storage import StorageTest, storage_tests
from penstock.core.yaml_text import yaml_text
from penstock.kubernetes.components.claim_templates import claim_template
from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.components.mirrored import from_mirror
from penstock.kubernetes.components.nccl import topologies
from penstock.kubernetes.components.release import EVERYWHERE, image, release

_CHART = "node-problem-detector"

Test = SmokeTest | StorageTest
"""Tests that people start."""


class Health(pulumi.ComponentResource):
    """A detector of sick nodes where no cloud has one, and a test for the nodes of each pool with GPUs of NVIDIA.

    GKE detects and repairs by itself, and so does EKS with the node monitoring agent of every cluster of ours. `offers`
    has the command that starts each test of several nodes, and of storage, which are a load on what others use. With
    `gate` each new node is tested alone before it takes work, and that starts by itself.
    """

    offers: Mapping[str, pulumi.Input[Any]]

    def __init__(
        self, name: str, spec: HealthSpec, *, cluster: InCluster, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        """Install the detector, and write the tests into the cluster."""
        super().__init__("penstock:kubernetes:Health", name, spec.inputs(), opts)
        if cluster.provider == "kubernetes":
            self._detect(f"{name}-detector", cluster)
        of_nodes, of_storage = smoke_tests(cluster, spec.line_rate_gbps), storage_tests(cluster)
        self.offers = {each.pool.pool: _command(each) for each in of_nodes} | {
            each.name: _command(each) for each in of_storage
        }
        if of_nodes:
            self._scripts(name, smoke.SCRIPTS, {smoke.SCRIPT: smoke.script()})
            topologies(name, [each.pool for each in of_nodes], NAMESPACE, pulumi.ResourceOptions(parent=self))
        tests: list[Test] = [*of_nodes, *of_storage]
        for each in tests:
            self._write(name, each, cluster.image_mirror)
        checks = node_checks(cluster)
        if checks:
            self._gate(f"{name}-check", checks, cluster)
        self.register_outputs(dict(self.offers))

    def _detect(self, name: str, cluster: InCluster) -> None:
        linked = any(pool.fabric is not None for pool in cluster.pools)
        definitions = {monitors.GPU: monitors.gpu_monitor()}
        if linked:
            definitions |= {monitors.FABRIC: monitors.fabric_monitor(), monitors.LINKS: monitors.links_script()}
        watched = cluster.addons.has("observability")
        release(
            name,
            _CHART,
            values={
                "image": {"repository": image(_CHART, cluster.image_mirror)},
                "settings": {
                    # Without the chart's monitor of Docker, which no node runs.
                    "log_monitors": [
                        "/config/kernel-monitor.json",
                        "/config/readonly-monitor.json",
                        f"/custom-config/{monitors.GPU}",
                    ],
                    "custom_plugin_monitors": [f"/custom-config/{monitors.FABRIC}"] if linked else [],
                    "custom_monitor_definitions": definitions,
                },
                "tolerations": EVERYWHERE,
                "resources": {
                    "requests": {"cpu": "20m", "memory": "64Mi"},
                    "limits": {"memory": "128Mi"},
                },
                "metrics": {"enabled": watched, "serviceMonitor": {"enabled": watched}},
            },
            mirrored=cluster.image_mirror is not None,
            opts=pulumi.ResourceOptions(parent=self),
        )

    def _scripts(self, name: str, called: str, scripts: Mapping[str, str]) -> pulumi.Resource:
        return core.ConfigMap(
            f"{name}-script",
            metadata=meta.ObjectMetaArgs(name=called, namespace=NAMESPACE),
            data=dict(scripts),
            opts=pulumi.ResourceOptions(parent=self),
        )

    def _write(self, name: str, test: Test, mirror: pulumi.Input[str] | None) -> None:
        of_nodes = isinstance(test, SmokeTest)
        core.ConfigMap(
            f"{name}-{test.pool.pool if of_nodes else test.name}",
            metadata=meta.ObjectMetaArgs(name=test.name, namespace=NAMESPACE),
            data={"manifests.yaml": _text(test, mirror)},
            opts=pulumi.ResourceOptions(parent=self),
        )

    def _gate(self, name: str, checks: list[NodeCheck], cluster: InCluster) -> None:
        """Test each new node of some pools, and let work onto those that pass."""
        scripts = {node_check.SCRIPT: node_check.script(), smoke.SCRIPT: smoke.script()}
        marked = cluster.provider == "gcp"
        if marked:
            scripts[node_mark.SCRIPT] = node_mark.script()
        child = pulumi.ResourceOptions(parent=self)
        first = [
            self._scripts(name, node_check.SCRIPTS, scripts),
            node_check_account(name, {each.taint.key for each in checks}, child),
        ]
        for each in checks:
            before = [*first, *self._claimed(f"{name}-{each.pool.pool}", each)]
            once_bounded = pulumi.ResourceOptions.merge(child, pulumi.ResourceOptions(depends_on=before))
            image = from_mirror(each.image, cluster.image_mirror)
            pod = each.pod(image, from_mirror(storage.image(), cluster.image_mirror))
            _daemon_set(f"{name}-{each.pool.pool}", each.name, pod, once_bounded)
            if marked:
                mark = node_mark.pod(each, image)
                _daemon_set(f"{name}-{each.pool.pool}-mark", node_mark.name_of(each), mark, once_bounded)

    def _claimed(self, name: str, check: NodeCheck) -> list[pulumi.Resource]:
        """The template of what the pods of a test claim, called as the test; none where they request it."""
        if check.claim is None:
            return []
        template = claim_template(check.claim, name=check.name, namespace=NAMESPACE)
        return [
            resource.ResourceClaimTemplate(
                name,
                metadata=meta.ObjectMetaArgs(**template["metadata"]),
                spec=template["spec"],
                opts=pulumi.ResourceOptions(parent=self),
            )
        ]


def _daemon_set(name: str, called: str, pod: Any, opts: pulumi.ResourceOptions) -> None:
    labels = {"app.kubernetes.io/name": called}
    template: Any = {"metadata": {"labels": labels}, "spec": pod}
    apps.DaemonSet(
        name,
        metadata=meta.ObjectMetaArgs(name=called, namespace=NAMESPACE, labels=labels),
        spec=apps.DaemonSetSpecArgs(selector=meta.LabelSelectorArgs(match_labels=labels), template=template),
        opts=opts,
    )


def _text(test: Test, mirror: pulumi.Input[str] | None) -> pulumi.Output[str]:
    def with_image(image: str) -> str:
        return yaml_text(*replace(test, image=image).manifests())

    return pulumi.Output.concat(from_mirror(test.image, mirror)).apply(with_image)


def _command(test: Test) -> str:
    manifests = f"kubectl -n {NAMESPACE} get configmap {test.name} -o jsonpath='{{.data.manifests\\.yaml}}'"
    return f"{manifests} | kubectl create -f -"
