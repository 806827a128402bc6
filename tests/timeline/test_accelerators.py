"""Which resources of any program bring accelerators."""

from __future__ import annotations

from typing import Any

import pytest
from tests.graphs import graph_of, resource

from penstock.aws.types import AUTOSCALING_GROUP, EC2_INSTANCE, EKS_NODE_GROUP
from penstock.gcp.types import COMPUTE_INSTANCE, CONTAINER_NODE_POOL
from penstock.graph.graph import Graph
from penstock.graph.values import UNKNOWN
from penstock.graph.view import Site, View
from penstock.timeline.accelerators import are_in, started

TWO = {"scalingConfig": {"desiredSize": 2, "minSize": 0, "maxSize": 2}}
NONE = {"scalingConfig": {"desiredSize": 0, "minSize": 0, "maxSize": 2}}


def with_template(type_: str, machine_type: str, **inputs: Any) -> Graph:
    template = resource("aws:ec2/launchTemplate:LaunchTemplate", "t", inputs={"instanceType": machine_type})
    inputs = {"launchTemplate": {"id": template.id}, **inputs}
    return graph_of(template, resource(type_, "it", using={"launchTemplate": [template]}, inputs=inputs))


def pool(machine_type: object, **inputs: Any) -> Graph:
    return graph_of(resource(CONTAINER_NODE_POOL, "it", inputs={"nodeConfig": {"machineType": machine_type}, **inputs}))


STARTED = {
    "an image for GPUs": graph_of(resource(EKS_NODE_GROUP, "it", inputs={**TWO, "amiType": "AL2023_x86_64_NVIDIA"})),
    "an image for Neuron": graph_of(resource(EKS_NODE_GROUP, "it", inputs={**TWO, "amiType": "AL2023_x86_64_NEURON"})),
    "machine types": graph_of(
        resource(EKS_NODE_GROUP, "it", inputs={**TWO, "instanceTypes": ["m7i.large", "g6.xlarge"]})
    ),
    "a launch template": with_template(EKS_NODE_GROUP, "p5.48xlarge", **TWO),
    "a machine by itself": graph_of(resource(EC2_INSTANCE, "it", inputs={"instanceType": "trn2.48xlarge"})),
    "a machine by its template": with_template(EC2_INSTANCE, "p5.48xlarge"),
    "a scaling group": with_template(AUTOSCALING_GROUP, "g6.xlarge", minSize=0, maxSize=3, desiredCapacity=1),
    "a node pool of GPUs": pool("a3-ultragpu-8g", nodeCount=2),
    "a node pool of TPUs": pool("ct5p-hightpu-4t", initialNodeCount=16),
    "a node pool that scales from one": pool("g2-standard-8", autoscaling={"minNodeCount": 1, "maxNodeCount": 4}),
    "a node pool that scales from one in all": pool("g2-standard-8", autoscaling={"totalMinNodeCount": 1}),
    "a node pool that adds GPUs": graph_of(
        resource(
            CONTAINER_NODE_POOL,
            "it",
            inputs={
                "nodeCount": 1,
                "nodeConfig": {"machineType": "n1-standard-8", "guestAccelerators": [{"type": "nvidia-tesla-t4"}]},
            },
        )
    ),
    "a machine of Google by itself": graph_of(
        resource(COMPUTE_INSTANCE, "it", inputs={"machineType": "zones/us-central1-a/machineTypes/a2-highgpu-1g"})
    ),
}
NOT_STARTED = {
    "processors": graph_of(resource(EKS_NODE_GROUP, "it", inputs={**TWO, "instanceTypes": ["m7i.large"]})),
    "a group that starts empty": graph_of(
        resource(EKS_NODE_GROUP, "it", inputs={**NONE, "instanceTypes": ["g6.xlarge"]})
    ),
    "an empty scaling group": with_template(AUTOSCALING_GROUP, "g6.xlarge", minSize=0, maxSize=3),
    "a machine type that nobody knows": graph_of(resource(EC2_INSTANCE, "it", inputs={"instanceType": "x99.large"})),
    "a machine type that is not known yet": graph_of(resource(EC2_INSTANCE, "it", inputs={"instanceType": UNKNOWN})),
    "a machine that is only looked up": graph_of(
        resource(EC2_INSTANCE, "it", inputs={"instanceType": "p5.48xlarge"}, external=True)
    ),
    "a node pool of processors": pool("e2-standard-8", nodeCount=2),
    "a node pool that starts empty": pool("a3-ultragpu-8g", autoscaling={"minNodeCount": 0, "maxNodeCount": 4}),
    "a node pool whose machine type is not known yet": pool(UNKNOWN, nodeCount=2),
    "a node pool of machines of another cloud": pool("p5.48xlarge", nodeCount=2),
    "something else": graph_of(resource("aws:s3/bucket:Bucket", "it", inputs={"instanceType": "p5.48xlarge"})),
}


@pytest.mark.parametrize("graph", STARTED.values(), ids=STARTED)
def test_machines_with_accelerators_are_seen(graph: Graph) -> None:
    assert [graph[urn].name for urn in started(Site(graph))] == ["it"]


@pytest.mark.parametrize("graph", NOT_STARTED.values(), ids=NOT_STARTED)
def test_nothing_else_counts(graph: Graph) -> None:
    assert not list(started(Site(graph)))


def test_an_empty_group_still_has_machines_with_accelerators() -> None:
    group = resource(EKS_NODE_GROUP, "g", inputs={**NONE, "instanceTypes": ["g6.xlarge"]})

    assert are_in(View(group, Site(graph_of(group))))
