"""Health: sick nodes are found, and nodes are tested before they take work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pulumi
import yaml
from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.meta import v1 as meta

from penstock.kubernetes.health import monitors
from penstock.kubernetes.health.smoke import NAMESPACE, SCRIPT, SCRIPTS, SmokeTest, script, smoke_tests
from penstock.kubernetes.in_cluster import InCluster
from penstock.kubernetes.mirrored import from_mirror
from penstock.kubernetes.release import EVERYWHERE, image, release
from penstock.spec.addon_blocks.health import HealthSpec

_CHART = "node-problem-detector"


class Health(pulumi.ComponentResource):
    """A detector of sick nodes where no cloud has one, and a test for the nodes of each pool with GPUs of NVIDIA.

    GKE detects and repairs by itself, and so does EKS with the node monitoring agent of every cluster of ours. The
    tests do not start by themselves: they take whole nodes. `offers` has the command that starts each.
    """

    offers: Mapping[str, pulumi.Input[Any]]

    def __init__(
        self, name: str, spec: HealthSpec, *, cluster: InCluster, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        """Install the detector, and write the tests into the cluster."""
        super().__init__("penstock:kubernetes:Health", name, spec.inputs(), opts)
        if cluster.provider == "kubernetes":
            self._detect(f"{name}-detector", cluster)
        tests = smoke_tests(cluster, spec.line_rate_gbps)
        self.offers = {each.pool.pool: _command(each) for each in tests}
        if tests:
            self._write(name, tests, cluster.image_mirror)
        self.register_outputs(dict(self.offers))

    def _detect(self, name: str, cluster: InCluster) -> None:
        linked = any(pool.fabric is not None for pool in cluster.pools)
        definitions = {monitors.GPU: monitors.gpu_monitor()}
        if linked:
            definitions |= {monitors.FABRIC: monitors.fabric_monitor(), monitors.LINKS: monitors.links_script()}
        watched = cluster.addons.observability is not None
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

    def _write(self, name: str, tests: list[SmokeTest], mirror: pulumi.Input[str] | None) -> None:
        child = pulumi.ResourceOptions(parent=self)
        core.ConfigMap(
            f"{name}-script",
            metadata=meta.ObjectMetaArgs(name=SCRIPTS, namespace=NAMESPACE),
            data={SCRIPT: script()},
            opts=child,
        )
        for each in tests:
            core.ConfigMap(
                f"{name}-{each.pool.pool}",
                metadata=meta.ObjectMetaArgs(name=each.name, namespace=NAMESPACE),
                data={"manifests.yaml": _text(each, mirror)},
                opts=child,
            )


def _text(test: SmokeTest, mirror: pulumi.Input[str] | None) -> pulumi.Output[str]:
    def with_image(image: str) -> str:
        return yaml.safe_dump_all(replace(test, image=image).manifests(), sort_keys=False)

    return pulumi.Output.concat(from_mirror(test.image, mirror)).apply(with_image)


def _command(test: SmokeTest) -> str:
    manifests = f"kubectl -n {NAMESPACE} get configmap {test.name} -o jsonpath='{{.data.manifests\\.yaml}}'"
    return f"{manifests} | kubectl create -f -"
