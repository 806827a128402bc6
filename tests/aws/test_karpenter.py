"""Karpenter keeps what a pool describes, evicts no job, and reaches nothing but its own machines."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from tests.descriptions import GCP_TRAINING, GONE, ONPREM_TRAINING, TRAINING, changed, complaints, findings

from penstock.aws.description.pools import machine as machine_of
from penstock.aws.facts import efa
from penstock.aws.facts.machines import AwsMachine
from penstock.description import parse
from penstock.description.nodes import nodes_of
from penstock.graph.graph import Graph, Resource
from penstock.testing import RehearsalResult, rehearse

NODE_CLASS = "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass"
NODE_POOL = "kubernetes:karpenter.sh/v1:NodePool"
OVERLAY = "kubernetes:karpenter.sh/v1alpha1:NodeOverlay"
RELEASE = "kubernetes:helm.sh/v3:Release"
GROUP = "aws:eks/nodeGroup:NodeGroup"

KARPENTER = changed("cluster.autoscaling", "karpenter")


@cache
def training() -> RehearsalResult:
    """The platform of the tests with Karpenter, rehearsed once; none may change it."""
    return rehearse(KARPENTER)


def one(graph: Graph, type_: str, ending: str = "") -> Resource:
    (found,) = (each for each in graph.of_type(type_) if each.name.endswith(ending))
    return found


def spec_of(description: dict[str, Any], type_: str) -> Any:
    return one(rehearse(description).graph, type_).inputs["spec"]


def test_pools_that_may_be_empty_are_karpenters_and_the_others_stay_node_groups() -> None:
    graph = training().graph

    assert [each.name for each in graph.of_type(GROUP)] == ["platform-prod-system"]
    assert [each.inputs["metadata"]["name"] for each in graph.of_type(NODE_POOL)] == ["train"]
    assert not [each for each in graph.of_type(RELEASE) if each.inputs["chart"] == "cluster-autoscaler"]
    assert training().findings == ()


def test_without_being_chosen_the_cluster_autoscaler_stays() -> None:
    graph = rehearse(changed("name", "other")).graph

    assert len(graph.of_type(GROUP)) == 2
    assert graph.of_type(NODE_POOL) == ()


def test_machines_have_the_interfaces_reservation_and_zone_of_the_description() -> None:
    made = one(training().graph, NODE_CLASS).inputs["spec"]
    pool = parse(KARPENTER).node_pools[1]
    its: AwsMachine = machine_of(pool)

    assert [
        (each["networkCardIndex"], each["deviceIndex"], each["interfaceType"]) for each in made["networkInterfaces"]
    ] == [(each.card, each.device, each.kind) for each in efa.interfaces(its, "ip_optimized")]
    assert made["capacityReservationSelectorTerms"] == [{"id": "cr-0123456789abcdef0"}]
    assert len(made["subnetSelectorTerms"]) == 1
    assert made["instanceStorePolicy"] == "RAID0"
    assert made["kubelet"] == {"maxPods": its.pods_efa_only}
    assert made["metadataOptions"]["httpPutResponseHopLimit"] == 1
    assert made["blockDeviceMappings"][0]["ebs"]["encrypted"] is True


def test_a_reservation_of_our_own_lies_in_the_placement_group_of_the_pool() -> None:
    graph = rehearse(changed("node_pools.1.reservation", GONE, KARPENTER)).graph

    made = one(graph, NODE_CLASS).inputs["spec"]
    group = one(graph, "aws:ec2/placementGroup:PlacementGroup")
    reservation = one(graph, "aws:ec2/capacityReservation:CapacityReservation")
    assert made["placementGroupSelector"] == {"name": group.id}
    assert made["capacityReservationSelectorTerms"] == [{"id": reservation.id}]
    assert reservation.inputs["placementGroupArn"] == group.outputs["arn"]


@pytest.mark.parametrize(
    ("capacity", "bought"), [("on_demand", "on-demand"), ("spot", "spot"), ("reserved", "reserved")]
)
def test_nodes_are_bought_and_labelled_as_pods_are_told(capacity: str, bought: str) -> None:
    description = changed("node_pools.1.reservation", GONE, changed("node_pools.1.capacity", capacity, KARPENTER))

    made = spec_of(description, NODE_POOL)["template"]

    requirements = {each["key"]: each["values"] for each in made["spec"]["requirements"]}
    (nodes,) = (each for each in nodes_of(parse(description)) if each.pool == "train")
    given = {key: values[0] for key, values in requirements.items()} | made["metadata"]["labels"]
    assert requirements["karpenter.sh/capacity-type"] == [bought]
    assert {key: value for key, value in nodes.labels.items() if key in given}.items() <= given.items()
    assert nodes.labels.keys() - given.keys() == {"karpenter.sh/nodepool", "kubernetes.io/arch"}
    assert [taint["key"] for taint in made["spec"]["taints"]] == [taint.key for taint in nodes.taints]


def test_no_machine_with_accelerators_is_taken_from_a_job() -> None:
    made = one(training().graph, NODE_POOL).inputs["spec"]

    assert made["disruption"]["consolidationPolicy"] == "WhenEmpty"
    assert {"nodes": "0", "reasons": ["Drifted", "Underutilized"]} in made["disruption"]["budgets"]
    assert made["template"]["spec"]["expireAfter"] == "Never"
    assert made["limits"] == {"nodes": "16", "nvidia.com/gpu": "128"}


def test_plain_machines_are_moved_together_and_renewed() -> None:
    pools = [TRAINING["node_pools"][0], {"name": "batch", "machine_type": "m7i.2xlarge", "nodes": {"min": 0, "max": 4}}]
    description = changed("node_pools", pools, changed("storage.1.fabric", GONE, changed("budget", GONE, KARPENTER)))

    graph = rehearse(description).graph

    made = one(graph, NODE_POOL).inputs["spec"]
    assert made["disruption"]["consolidationPolicy"] == "WhenEmptyOrUnderutilized"
    assert "expireAfter" not in made["template"]["spec"]
    assert graph.of_type(OVERLAY) == ()


def test_pods_that_take_huge_pages_for_efa_get_a_node() -> None:
    graph = training().graph

    assert one(graph, OVERLAY).inputs["spec"]["capacity"] == {"hugepages-2Mi": "10256Mi"}
    assert one(graph, RELEASE, "karpenter").inputs["values"]["settings"]["featureGates"] == {"nodeOverlay": True}


def test_karpenter_comes_before_its_pools_and_with_its_rights() -> None:
    graph = training().graph

    pool, controller = one(graph, NODE_POOL), one(graph, RELEASE, "karpenter")
    assert {controller.urn, one(graph, RELEASE, "karpenter-crd").urn} <= {*pool.dependencies}
    assert (
        one(graph, "aws:eks/podIdentityAssociation:PodIdentityAssociation", "karpenter").urn in controller.dependencies
    )


def test_karpenter_starts_and_stops_machines_of_its_cluster_alone() -> None:
    policy = json.loads(one(training().graph, "aws:iam/rolePolicy:RolePolicy", "karpenter").inputs["policy"])

    owned = "kubernetes.io/cluster/platform-prod"
    for statement in policy["Statement"]:
        actions = [statement["Action"]] if isinstance(statement["Action"], str) else statement["Action"]
        if {"ec2:TerminateInstances", "ec2:CreateTags"} & {*actions}:
            assert owned in json.dumps(statement["Condition"])
        if not any(action.partition(":")[2].startswith(("Describe", "List", "Get")) for action in actions):
            assert statement["Resource"] != "*"
    (passed,) = (each for each in policy["Statement"] if each["Action"] == "iam:PassRole")
    assert passed["Resource"] == one(training().graph, "aws:iam/role:Role", "karpenter-nodes").outputs["arn"]


def test_only_its_rules_write_news_of_interruptions() -> None:
    graph = training().graph

    policy = json.loads(one(graph, "aws:sqs/queuePolicy:QueuePolicy").inputs["policy"])
    rules = graph.of_type("aws:cloudwatch/eventRule:EventRule")
    sources = policy["Statement"][0]["Condition"]["ArnEquals"]["aws:SourceArn"]
    kinds = {json.loads(each.inputs["eventPattern"])["detail-type"][0] for each in rules}
    assert sorted(sources) == sorted(each.outputs["arn"] for each in rules)
    assert "EC2 Spot Instance Interruption Warning" in kinds
    assert one(graph, "aws:sqs/queue:Queue").inputs["sqsManagedSseEnabled"] is True


def test_a_pinned_release_of_the_image_is_kept() -> None:
    description = changed(
        "cluster.version", "1.35", changed("node_pools.1.aws", {"release": "1.35.2-20261105"}, KARPENTER)
    )

    assert spec_of(description, NODE_CLASS)["amiSelectorTerms"] == [{"alias": "al2023@v20261105"}]


def test_a_pool_that_nobody_would_scale_is_reported_with_both_ways_out() -> None:
    (found,) = findings(changed("node_pools.1.nodes", {"min": 2, "max": 16}, KARPENTER))

    assert "Karpenter keeps no minimum" in found.message
    assert "nodes: {min: 0, max: 16}" in found.hint
    assert "nodes: 16" in found.hint


def test_the_pool_of_the_clusters_own_pods_is_not_told_to_be_empty() -> None:
    (found,) = findings(changed("node_pools.0.nodes", {"min": 2, "max": 6}, KARPENTER))

    assert found.path == "node_pools[0].nodes"
    assert "min: 0" not in found.hint
    assert "nodes: 6" in found.hint


@pytest.mark.parametrize(
    ("description", "code"), [(GCP_TRAINING, "SPEC-022"), (ONPREM_TRAINING, "SPEC-150")], ids=["gcp", "kubernetes"]
)
def test_elsewhere_karpenter_is_not_a_choice(description: dict[str, Any], code: str) -> None:
    assert complaints(changed("cluster.autoscaling", "karpenter", description)) == [(code, "cluster.autoscaling")]


def test_a_cluster_that_exists_keeps_who_scales_it() -> None:
    found = findings(changed("cluster", {"existing": {"name": "ours"}, "autoscaling": "karpenter"}))

    assert ("SPEC-177", "cluster.autoscaling") in [(each.code, each.path) for each in found]
