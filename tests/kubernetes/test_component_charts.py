"""The charts that components install: each value is one that its chart reads, and no insecure default is kept."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from penstock.addons.cert_manager.component import CertManager
from penstock.aws import EfaClaims, EfaDevicePlugin
from penstock.description.addons import AddonsSpec
from penstock.kubernetes import ClusterAutoscaler, ComputeDomains, GpuClaims, NeuronDevicePlugin, NvidiaDevicePlugin
from penstock.kubernetes.components.in_cluster import InCluster
from penstock.testing import rehearse, violations

MIRRORS = (None, "registry.example.com/mirror")


def cluster(mirror: str | None) -> InCluster:
    """A cluster that exists already."""
    return InCluster(
        platform="platform-dev",
        provider="kubernetes",
        region="",
        environment="dev",
        profile=None,
        version="1.35",
        pools=(),
        addons=AddonsSpec(),
        image_mirror=mirror,
    )


COMPONENTS: dict[str, Callable[[str | None], object]] = {
    "nvidia": lambda mirror: NvidiaDevicePlugin("label", image_mirror=mirror),
    "neuron": lambda mirror: NeuronDevicePlugin("label", image_mirror=mirror),
    "efa": lambda _: EfaDevicePlugin("label", region="us-east-1"),
    "efa-claims": lambda _: EfaClaims("label", region="us-east-1"),
    "gpu-claims": lambda mirror: GpuClaims("label", image_mirror=mirror),
    "autoscaler": lambda mirror: ClusterAutoscaler("label", cluster_name="c", region="us-east-1", image_mirror=mirror),
    "compute-domains": lambda mirror: ComputeDomains("label", image_mirror=mirror),
    "cert-manager": lambda mirror: CertManager("label", None, cluster=cluster(mirror)),
}


@pytest.mark.parametrize("mirror", MIRRORS, ids=["public", "mirrored"])
@pytest.mark.parametrize("component", COMPONENTS)
def test_a_chart_reads_what_a_component_sets(component: str, mirror: str | None) -> None:
    rehearsal = rehearse(lambda: COMPONENTS[component](mirror))

    assert rehearsal.graph.of_type("kubernetes:helm.sh/v3:Release")
    found = {each.code for each in (*rehearsal.findings, *violations(rehearsal)) if each.code.startswith("k8s-helm-")}
    assert found == set()
