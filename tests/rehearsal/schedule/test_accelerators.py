"""Which resources of any program bring accelerators."""

from __future__ import annotations

from typing import Any

import pytest
from tests.graphs import graph_of, resource

from penstock.rehearsal.graph import Graph
from penstock.rehearsal.schedule.accelerators import INSTANCE, NODE_GROUP, SCALING_GROUP, are_in, started
from penstock.rehearsal.values import UNKNOWN

TWO = {"scalingConfig": {"desiredSize": 2, "minSize": 0, "maxSize": 2}}
NONE = {"scalingConfig": {"desiredSize": 0, "minSize": 0, "maxSize": 2}}


def with_template(type_: str, machine_type: str, **inputs: Any) -> Graph:
    template = resource("aws:ec2/launchTemplate:LaunchTemplate", "t", inputs={"instanceType": machine_type})
    return graph_of(template, resource(type_, "it", using={"launchTemplate": [template]}, inputs=inputs))


STARTED = {
    "an image for GPUs": graph_of(resource(NODE_GROUP, "it", inputs={**TWO, "amiType": "AL2023_x86_64_NVIDIA"})),
    "an image for Neuron": graph_of(resource(NODE_GROUP, "it", inputs={**TWO, "amiType": "AL2023_x86_64_NEURON"})),
    "machine types": graph_of(resource(NODE_GROUP, "it", inputs={**TWO, "instanceTypes": ["m7i.large", "g6.xlarge"]})),
    "a launch template": with_template(NODE_GROUP, "p5.48xlarge", **TWO),
    "a machine by itself": graph_of(resource(INSTANCE, "it", inputs={"instanceType": "trn2.48xlarge"})),
    "a machine by its template": with_template(INSTANCE, "p5.48xlarge"),
    "a scaling group": with_template(SCALING_GROUP, "g6.xlarge", minSize=0, maxSize=3, desiredCapacity=1),
}
NOT_STARTED = {
    "processors": graph_of(resource(NODE_GROUP, "it", inputs={**TWO, "instanceTypes": ["m7i.large"]})),
    "a group that starts empty": graph_of(resource(NODE_GROUP, "it", inputs={**NONE, "instanceTypes": ["g6.xlarge"]})),
    "an empty scaling group": with_template(SCALING_GROUP, "g6.xlarge", minSize=0, maxSize=3),
    "a machine type that nobody knows": graph_of(resource(INSTANCE, "it", inputs={"instanceType": "x99.large"})),
    "a machine type that is not known yet": graph_of(resource(INSTANCE, "it", inputs={"instanceType": UNKNOWN})),
    "a machine that is only looked up": graph_of(
        resource(INSTANCE, "it", inputs={"instanceType": "p5.48xlarge"}, external=True)
    ),
    "something else": graph_of(resource("aws:s3/bucket:Bucket", "it", inputs={"instanceType": "p5.48xlarge"})),
}


@pytest.mark.parametrize("graph", STARTED.values(), ids=STARTED)
def test_machines_with_accelerators_are_seen(graph: Graph) -> None:
    assert [graph[urn].name for urn in started(graph)] == ["it"]


@pytest.mark.parametrize("graph", NOT_STARTED.values(), ids=NOT_STARTED)
def test_nothing_else_counts(graph: Graph) -> None:
    assert not list(started(graph))


def test_an_empty_group_still_has_machines_with_accelerators() -> None:
    group = resource(NODE_GROUP, "g", inputs={**NONE, "instanceTypes": ["g6.xlarge"]})

    assert are_in(group, graph_of(group))
