"""What the roles of workloads promise: each pod reaches what the description gives it, and nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.handles import CLUSTER

from penstock.aws.components.handles import BucketHandle, KeyHandle
from penstock.aws.components.workload_roles import BucketUse, WorkloadRoles
from penstock.description.block import ComponentSpec
from penstock.graph.graph import Graph
from penstock.testing import rehearse

ROLE = "aws:iam/role:Role"
RIGHTS = "aws:iam/rolePolicy:RolePolicy"
BINDING = "aws:eks/podIdentityAssociation:PodIdentityAssociation"
DATA = BucketHandle(name="data", arn="arn:aws:s3:::data")
RUNS = BucketHandle(name="runs", arn="arn:aws:s3:::runs")
TOKEN = "arn:aws:secretsmanager:us-east-1:123456789012:secret:token-abcdef"
TRAINER = "research/trainer"


@pytest.fixture
def graph(key: KeyHandle) -> Graph:
    buckets = [
        BucketUse(bucket=DATA, readers=(TRAINER, "serving/api"), writers=()),
        BucketUse(bucket=RUNS, readers=(TRAINER,), writers=(TRAINER,)),
    ]
    return rehearse(
        lambda: WorkloadRoles(
            "work",
            ComponentSpec(),
            cluster=CLUSTER,
            region="us-east-1",
            key=key,
            buckets=buckets,
            secrets=[TOKEN],
            secret_readers=[TRAINER],
        )
    ).graph


def rights(graph: Graph, account: str) -> dict[str, list[dict[str, Any]]]:
    """What an account may do, by the first resource of each statement."""
    (policy,) = (each for each in graph.of_type(RIGHTS) if each.name == f"work-{account.replace('/', '-')}")
    by_resource: dict[str, list[dict[str, Any]]] = {}
    for statement in json.loads(policy.inputs["policy"])["Statement"]:
        resources = statement["Resource"]
        by_resource.setdefault(resources if isinstance(resources, str) else resources[0], []).append(statement)
    return by_resource


def test_a_service_account_has_one_role_for_all_it_uses(graph: Graph) -> None:
    bound = {(each.inputs["namespace"], each.inputs["serviceAccount"]) for each in graph.of_type(BINDING)}

    assert bound == {("research", "trainer"), ("serving", "api")}
    assert len(graph.of_type(ROLE, BINDING)) == 4


def test_only_its_own_pods_take_a_role(graph: Graph) -> None:
    (role,) = (each for each in graph.of_type(ROLE) if each.name == "work-serving-api")
    (trust,) = json.loads(role.inputs["assumeRolePolicy"])["Statement"]

    assert trust["Principal"] == {"Service": "pods.eks.amazonaws.com"}
    assert trust["Condition"]["StringEquals"] == {
        "aws:RequestTag/eks-cluster-name": CLUSTER.name,
        "aws:RequestTag/kubernetes-namespace": "serving",
        "aws:RequestTag/kubernetes-service-account": ["api"],
    }


def test_readers_read_and_writers_write(graph: Graph) -> None:
    api, trainer = rights(graph, "serving/api"), rights(graph, TRAINER)

    (reads,) = api[f"{DATA.arn}/*"]
    (writes,) = trainer[f"{RUNS.arn}/*"]
    assert reads["Action"] == ["s3:GetObject"]
    assert {"s3:GetObject", "s3:PutObject", "s3:DeleteObject"} <= set(writes["Action"])
    assert not any(place.startswith(str(RUNS.arn)) for place in api)


def test_the_key_opens_objects_and_the_named_secrets_only(graph: Graph, key: KeyHandle) -> None:
    for account in ("serving/api", TRAINER):
        assert all("Condition" in statement for statement in rights(graph, account)[str(key.arn)])
    assert TOKEN in rights(graph, TRAINER)
    assert TOKEN not in rights(graph, "serving/api")
