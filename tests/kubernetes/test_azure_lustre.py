"""The driver of Azure's Lustre: on nodes of each system that has a client, without rights in the cluster."""

from __future__ import annotations

from typing import Any

import pulumi
import pytest

from penstock.azure import AzureLustreDriver
from penstock.graph.graph import Graph
from penstock.testing import rehearse


def built(**arguments: Any) -> Graph:
    def program() -> None:
        import pulumi_kubernetes

        provider = pulumi_kubernetes.Provider("k8s", kubeconfig="{}")
        AzureLustreDriver("lustre", opts=pulumi.ResourceOptions(providers=[provider]), **arguments)

    return rehearse(program).graph


def pods(graph: Graph) -> list[Any]:
    return [each.inputs["spec"]["template"]["spec"] for each in graph.of_type("kubernetes:apps/v1:DaemonSet")]


def test_each_system_gets_its_own_client() -> None:
    clients = {
        pod["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"][0][
            "matchExpressions"
        ][0]["values"][0]: pod["containers"][0]["image"].rpartition("-")[2]
        for pod in pods(built())
    }

    assert clients == {"Ubuntu2204": "jammy", "Ubuntu2404": "noble"}


def test_the_driver_has_no_rights_in_the_cluster() -> None:
    graph = built()

    assert not [each for each in graph if "rbac" in each.type]
    assert all(pod["automountServiceAccountToken"] is False for pod in pods(graph))


@pytest.mark.parametrize("index", range(3))
def test_images_come_from_the_mirror(index: int) -> None:
    for pod in pods(built(image_mirror="registry.example.com/mirror")):
        assert pod["containers"][index]["image"].startswith("registry.example.com/mirror/oss/")
