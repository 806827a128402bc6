"""What our environments ask of Google Cloud is what its discovery documents say that the APIs take."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests import gcpdiscovery
from tests.environments import rehearsed

from penstock.graph.graph import Graph
from penstock.simulate.project import project_at

PROJECT = project_at(Path(__file__).parents[2])
ENVIRONMENTS = [name for name in PROJECT.stacks() if name.startswith("gcp-")]

NETWORK = "gcp:compute/network:Network"
CLUSTER = "gcp:container/cluster:Cluster"
NODE_POOL = "gcp:container/nodePool:NodePool"
BUCKET = "gcp:storage/bucket:Bucket"

WITHOUT_DOCUMENT = {
    "gcp:lustre/instance:Instance": "the client library has no document of Managed Lustre",
    "gcp:projects/iAMAuditConfig:IAMAuditConfig": "the document has audit configs only inside a whole policy",
    "gcp:projects/service:Service": "the request has an address and no body",
    "gcp:projects/serviceIdentity:ServiceIdentity": "the request has an address and no body",
    "gcp:storage/bucketIAMMember:BucketIAMMember": "the document has bindings only inside a whole policy",
}
"""The types that no document tells of, and why."""


@cache
def graph(environment: str) -> Graph:
    """What an environment builds."""
    return rehearsed(environment).graph


def asked(environment: str) -> list[tuple[str, str, dict[str, Any]]]:
    """The type, name and inputs of all that an environment asks of Google Cloud."""
    return [
        (each.type, each.name, dict(each.inputs))
        for each in graph(environment)
        if each.custom and not each.external and each.type.startswith("gcp:")
    ]


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_every_request_has_the_fields_words_and_types_of_its_api(environment: str) -> None:
    found = [
        f"{name} ({type_}) {complaint}"
        for type_, name, inputs in asked(environment)
        for complaint in gcpdiscovery.complaints(type_, inputs)
    ]

    assert found == []


def test_documents_cover_all_types_but_those_that_are_listed() -> None:
    types = {type_ for environment in ENVIRONMENTS for type_, _, _ in asked(environment)}

    assert {type_ for type_ in types if not gcpdiscovery.is_covered(type_)} == set(WITHOUT_DOCUMENT)
    assert len(types) > 2 * len(WITHOUT_DOCUMENT)


@pytest.mark.parametrize(
    ("type_", "inputs", "says"),
    [
        (NETWORK, {"routingMode": "global"}, "routingMode: compute.v1 knows no 'global', but GLOBAL, REGIONAL"),
        (NETWORK, {"mtuBytes": 8896}, "mtuBytes: compute.v1 has no such field"),
        (NETWORK, {"mtu": "large"}, "mtu: compute.v1 wants integer, not str"),
        (NETWORK, {"autoCreateSubnetworks": 1}, "autoCreateSubnetworks: compute.v1 wants boolean, not int"),
        ("gcp:billing/budget:Budget", {"billingAccount": "0-0-0"}, "amount: the request needs it"),
        (CLUSTER, {"datapathProvider": "CILIUM"}, "datapathProvider: container.v1 knows no 'CILIUM'"),
        (
            NODE_POOL,
            {"nodeConfig": {"guestAccelerators": [{"type": "nvidia-l4", "count": 1, "driver": "LATEST"}]}},
            "nodeConfig.guestAccelerators[].driver: container.v1 has no such field",
        ),
        (
            NODE_POOL,
            {"nodeConfig": {"taints": [{"key": "a", "value": "b", "effect": "NoSchedule"}]}},
            "nodeConfig.taints[].effect: container.v1 knows no 'NoSchedule'",
        ),
    ],
)
def test_the_judge_tells_what_an_api_would_refuse(type_: str, inputs: dict[str, Any], says: str) -> None:
    assert [reported for reported in gcpdiscovery.complaints(type_, inputs) if reported.startswith(says)]


@pytest.mark.parametrize(
    ("type_", "inputs"),
    [
        (NETWORK, {"mtu": 8896, "routingMode": "GLOBAL", "autoCreateSubnetworks": False, "project": "p"}),
        (NODE_POOL, {"cluster": "c", "nodeConfig": {"guestAccelerators": [{"type": "nvidia-l4", "count": 1}]}}),
        (BUCKET, {"location": "US", "uniformBucketLevelAccess": True, "publicAccessPrevention": "enforced"}),
    ],
)
def test_the_judge_takes_what_the_provider_translates(type_: str, inputs: dict[str, Any]) -> None:
    assert gcpdiscovery.complaints(type_, inputs) == []
