"""Queues: what Kueue is given of the pools, what each team has for certain, and what its members may do."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from tests.descriptions import GCP_TRAINING, ONPREM_TRAINING, TRAINING, changed

from penstock.addons.queueing.block import TeamSpec
from penstock.addons.queueing.flavors import flavors_of
from penstock.addons.queueing.quotas import apportion, share_out
from penstock.description import parse
from penstock.description.node_pool import Nodes, Taint
from penstock.description.nodes import PoolNodes
from penstock.graph.graph import Graph, Resource
from penstock.platform import Platform
from penstock.simulate.run import Rehearsal
from penstock.testing import rehearse

KUEUE = "kubernetes:kueue.x-k8s.io/v1beta2"
VISION: Mapping[str, Any] = {"name": "vision", "groups": ["ml-vision"]}
LANGUAGE: Mapping[str, Any] = {"name": "language", "users": ["ada@example.com"], "share": 3, "priority": "high"}


def performed(description: Mapping[str, Any], *teams: Mapping[str, Any]) -> Rehearsal:
    queued = changed("addons.queueing", {"teams": list(teams or (VISION, LANGUAGE))}, description)
    return rehearse(lambda: Platform(parse(queued)))


def built(description: Mapping[str, Any] = ONPREM_TRAINING, *teams: Mapping[str, Any]) -> Graph:
    return performed(description, *teams).graph


def named(graph: Graph, type_: str, name: str, namespace: str | None = None) -> Resource:
    (found,) = (
        each
        for each in graph.of_type(type_)
        if each.inputs["metadata"]["name"] == name and namespace in (None, each.inputs["metadata"].get("namespace"))
    )
    return found


def kueue(graph: Graph) -> Resource:
    """The release of Kueue, beside those of other add-ons."""
    (found,) = (each for each in graph.of_type("kubernetes:helm.sh/v3:Release") if each.inputs["name"] == "kueue")
    return found


def quota(queue: Resource, flavor: str) -> dict[str, int]:
    (group,) = queue.inputs["spec"]["resourceGroups"]
    (found,) = (each for each in group["flavors"] if each["name"] == flavor)
    return {each["name"]: int(each["nominalQuota"]) for each in found["resources"]}


def pool(name: str, **fields: Any) -> PoolNodes:
    known: dict[str, Any] = {
        "machine_type": None,
        "nodes": Nodes(min=4, max=4),
        "capacity": "on_demand",
        "selector": {"penstock.dev/pool": name},
        "labels": {"penstock.dev/pool": name, "gpu": "h100", **fields.pop("labels", {})},
        "taints": (),
        "accelerator": "h100",
        "accelerators": 8,
        "resource": "nvidia.com/gpu",
        "devices": {"nvidia.com/gpu": 8},
    }
    return PoolNodes(pool=name, **{**known, **fields})


@pytest.mark.parametrize("description", [TRAINING, GCP_TRAINING, ONPREM_TRAINING], ids=["aws", "gcp", "kubernetes"])
def test_queues_break_no_rule_on_any_provider(description: Mapping[str, Any]) -> None:
    assert performed(description).findings == ()


def test_pools_of_one_accelerator_and_capacity_type_are_one_flavor() -> None:
    (found,) = flavors_of([pool("east"), pool("west", nodes=Nodes(min=2, max=2))])

    assert found.name == "h100-on-demand"
    assert found.most == {"nvidia.com/gpu": 48}
    assert found.labels == {"gpu": "h100"}


def test_pools_that_share_no_label_of_their_own_are_flavors_of_their_own() -> None:
    plain = pool("system", accelerator=None, accelerators=0, resource=None, devices={})

    found = flavors_of([pool("east"), pool("west"), plain])

    assert [each.name for each in found] == ["h100-on-demand", "h100-on-demand-west"]
    assert [each.labels["penstock.dev/pool"] for each in found] == ["east", "west"]


def test_pools_are_one_flavor_only_where_no_pool_of_others_has_its_labels() -> None:
    pools = [pool("east"), pool("west")]

    found = flavors_of(pools, beside=[*pools, pool("batch")])

    assert [each.labels["penstock.dev/pool"] for each in found] == ["east", "west"]


def test_what_is_paid_for_comes_first_and_what_may_be_taken_away_last() -> None:
    pools = [pool("a", capacity="spot"), pool("b"), pool("c", capacity="reserved")]

    assert [each.name for each in flavors_of(pools)] == ["h100-reserved", "h100-on-demand", "h100-spot"]


def test_a_flavor_has_no_more_labels_than_kueue_takes() -> None:
    (found,) = flavors_of([pool("east", labels={f"label-{number}": "x" for number in range(12)})])

    assert len(found.labels) == 8
    assert found.labels["penstock.dev/pool"] == "east"


def test_jobs_are_placed_by_topology_only_on_nodes_that_stay() -> None:
    (alone,) = flavors_of([pool("a")])
    fixed, elastic = flavors_of([pool("a"), pool("b", capacity="spot", nodes=Nodes(min=0, max=8))])

    assert alone.topology == ("kubernetes.io/hostname",)
    assert (fixed.topology, elastic.topology) == (None, None)


def test_jobs_need_not_tolerate_what_keeps_others_off_accelerators_but_what_people_tainted() -> None:
    taints = (Taint(key="nvidia.com/gpu", value="present"), Taint(key="example.com/team", value="vision"))

    (found,) = flavors_of([pool("a", taints=taints)])

    assert found.taints == taints
    assert found.tolerated == taints[:1]


def test_devices_of_other_makers_are_queued_for_too() -> None:
    boards = pool("boards", accelerator=None, accelerators=0, resource=None, devices={"xilinx.com/fpga-u250": 2})

    (found,) = flavors_of([boards])

    assert (found.name, found.most) == ("boards-on-demand", {"xilinx.com/fpga-u250": 8})


@pytest.mark.parametrize(
    ("total", "weights", "parts"),
    [(10, [1, 1], [5, 5]), (10, [1, 2], [3, 7]), (1, [1, 1, 1], [1, 0, 0]), (5, [0, 1], [0, 5]), (5, [0, 0], [0, 0])],
)
def test_a_number_is_divided_by_weights(total: int, weights: Sequence[int], parts: Sequence[int]) -> None:
    assert apportion(total, weights) == parts


def test_teams_are_given_whole_nodes_and_nothing_is_given_twice() -> None:
    flavors = flavors_of([pool("a", capacity="reserved"), pool("b", nodes=Nodes(min=3, max=3))])
    teams = [TeamSpec(name="one", accelerators={"h100": 16}), TeamSpec(name="two"), TeamSpec(name="three", share=2)]

    found = share_out(teams, flavors)

    given = {team: {name: each["nvidia.com/gpu"] for name, each in of.items()} for team, of in found.of_teams.items()}
    assert [sum(of.values()) for of in given.values()] == [16, 16, 24]
    assert all(amount % 8 == 0 for of in given.values() for amount in of.values())
    for flavor in flavors:
        left = found.left[flavor.name]["nvidia.com/gpu"]
        assert left + sum(of[flavor.name] for of in given.values()) == flavor.most["nvidia.com/gpu"]


def test_what_no_team_has_for_certain_is_left_for_all() -> None:
    graph = built(ONPREM_TRAINING, {**VISION, "accelerators": {"h100": 64}})

    assert quota(named(graph, f"{KUEUE}:ClusterQueue", "vision"), "h100-on-demand")["nvidia.com/gpu"] == 64
    assert quota(named(graph, f"{KUEUE}:Cohort", "teams"), "h100-on-demand")["nvidia.com/gpu"] == 192


def test_the_fabric_goes_with_the_accelerators() -> None:
    graph = built(TRAINING)

    assert quota(named(graph, f"{KUEUE}:ClusterQueue", "vision"), "h100-reserved") == {
        "nvidia.com/gpu": 32,
        "vpc.amazonaws.com/efa": 128,
    }


def test_the_objects_of_kueue_wait_for_its_webhook_and_queues_for_what_they_name() -> None:
    graph = built()
    release = kueue(graph)

    for kind in ("Topology", "ResourceFlavor", "Cohort", "WorkloadPriorityClass", "ClusterQueue", "LocalQueue"):
        for each in graph.of_type(f"{KUEUE}:{kind}"):
            assert release.urn in _before(graph, each), each.name
    queue, flavor = (
        named(graph, f"{KUEUE}:ClusterQueue", "vision"),
        named(graph, f"{KUEUE}:ResourceFlavor", "h100-on-demand"),
    )
    assert flavor.urn in _before(graph, queue)
    assert queue.urn in _before(graph, named(graph, f"{KUEUE}:LocalQueue", "default", "vision"))


def test_kueue_holds_back_jobs_of_teams_alone_of_the_kinds_that_are_there() -> None:
    config = _config(built())

    assert config["managedJobsNamespaceSelector"]["matchExpressions"] == [
        {"key": "penstock.dev/team", "operator": "Exists"}
    ]
    assert config["integrations"]["frameworks"] == ["batch/job", "pod"]
    assert named(built(), "kubernetes:core/v1:Namespace", "vision").inputs["metadata"]["labels"]["penstock.dev/team"]
    assert (
        "penstock.dev/team"
        not in (named(built(), "kubernetes:core/v1:Namespace", "kueue-system").inputs["metadata"]["labels"])
    )


@pytest.mark.parametrize(("environment", "replicas"), [("prod", 2), ("dev", 1)])
def test_webhooks_that_refuse_jobs_while_they_are_away_are_there_twice_in_prod(environment: str, replicas: int) -> None:
    release = kueue(built(changed("environment", environment, ONPREM_TRAINING)))

    manager = release.inputs["values"]["controllerManager"]
    assert (manager["replicas"], manager["podDisruptionBudget"]["enabled"]) == (replicas, replicas > 1)


def test_kueue_runs_beside_no_accelerator_where_there_is_another_pool() -> None:
    plain = {"name": "plain", "nodes": 3, "labels": {"role": "system"}}
    release = kueue(built(changed("node_pools.1", plain, ONPREM_TRAINING)))

    assert release.inputs["values"]["controllerManager"]["nodeSelector"] == {"role": "system"}


def test_what_pods_on_racks_claim_needs_no_quota_and_is_theirs_to_describe() -> None:
    rack = [{"name": "rack", "accelerator": "gb200", "nodes": 18, "labels": {"rack": "1"}}]
    graph = built(changed("node_pools", rack, ONPREM_TRAINING))

    resources = json.loads(kueue(graph).inputs["values"]["managerConfig"]["controllerManagerConfigYaml"])["resources"]
    (mapped,) = resources["deviceClassMappings"]
    assert mapped["deviceClassNames"] == ["compute-domain-default-channel.nvidia.com"]
    assert mapped["name"] not in {
        name
        for queue in graph.of_type(f"{KUEUE}:ClusterQueue")
        for group in queue.inputs["spec"]["resourceGroups"]
        for name in group["coveredResources"]
    }
    role = named(graph, "kubernetes:rbac.authorization.k8s.io/v1:Role", "team-member", "vision")
    assert "computedomains" in {kind for rule in role.inputs["rules"] for kind in rule["resources"]}


def test_images_come_from_the_mirror() -> None:
    mirrored = changed("network.image_mirror", "registry.example.com/mirror", ONPREM_TRAINING)
    release = kueue(built(mirrored))

    repository = release.inputs["values"]["controllerManager"]["manager"]["image"]["repository"]
    assert repository == "registry.example.com/mirror/kueue/kueue"


def test_nodes_that_gke_starts_for_a_whole_job_are_waited_for() -> None:
    queued = {
        "name": "flex",
        "accelerator": "h200",
        "capacity": "flex_start",
        "nodes": {"min": 0, "max": 4},
        "zone": "us-central1-b",
        "gcp": {"queued": True},
    }
    graph = built(
        changed(
            "budget", {"monthly_usd": 9000000, "max_accelerators": 512}, changed("node_pools.2", queued, GCP_TRAINING)
        )
    )

    (check,) = graph.of_type(f"{KUEUE}:AdmissionCheck")
    (config,) = graph.of_type(f"{KUEUE}:ProvisioningRequestConfig")
    assert check.inputs["spec"]["parameters"]["name"] == config.inputs["metadata"]["name"]
    assert config.inputs["spec"]["managedResources"] == ["nvidia.com/gpu"]
    queue = named(graph, f"{KUEUE}:ClusterQueue", "vision").inputs["spec"]
    assert queue["admissionChecksStrategy"]["admissionChecks"] == [
        {"name": "queued-provisioning", "onFlavors": ["h200-flex-start"]}
    ]


def test_members_run_jobs_and_change_nothing_that_teams_share() -> None:
    graph = built()
    role = named(graph, "kubernetes:rbac.authorization.k8s.io/v1:Role", "team-member", "language")
    binding = named(graph, "kubernetes:rbac.authorization.k8s.io/v1:RoleBinding", "team-member", "language")

    may = {kind: set(rule["verbs"]) for rule in role.inputs["rules"] for kind in rule["resources"]}
    assert "create" in may["jobs"]
    assert may["pods/log"] == {"get"}
    assert may["localqueues"] == {"get", "list", "watch"}
    assert not may.keys() & {"secrets", "nodes", "clusterqueues", "resourceflavors", "pods/exec", "roles"}
    assert [(each["kind"], each["name"]) for each in binding.inputs["subjects"]] == [("User", "ada@example.com")]


def test_a_team_without_members_has_no_binding() -> None:
    graph = built(ONPREM_TRAINING, {"name": "vision"})

    assert not graph.of_type("kubernetes:rbac.authorization.k8s.io/v1:RoleBinding")


def test_a_namespace_is_bounded_by_what_the_platform_has() -> None:
    hard = named(built(), "kubernetes:core/v1:ResourceQuota", "quota", "vision").inputs["spec"]["hard"]

    assert hard == {
        "requests.nvidia.com/gpu": "256",
        "requests.rdma/roce": "256",
        "persistentvolumeclaims": "100",
        "services.loadbalancers": "0",
        "services.nodeports": "0",
    }


def test_a_team_names_no_higher_priority_than_its_own() -> None:
    type_ = "kubernetes:admissionregistration.k8s.io/v1:ValidatingAdmissionPolicy"

    policy = named(built(), type_, "penstock-priority-vision")
    assert "in ['low', 'normal']" in policy.inputs["spec"]["validations"][0]["expression"]


def test_another_team_changes_no_namespace_and_replaces_nothing() -> None:
    before, after = built(ONPREM_TRAINING, VISION), built(ONPREM_TRAINING, VISION, LANGUAGE)

    namespaces = "kubernetes:core/v1:Namespace"
    assert named(before, namespaces, "vision").inputs == named(after, namespaces, "vision").inputs
    assert {each.urn for each in before} <= {each.urn for each in after}


def _before(graph: Graph, resource: Resource) -> set[str]:
    found: set[str] = set()
    open_ = [*resource.dependencies]
    while open_:
        urn = open_.pop()
        if urn not in found:
            found.add(urn)
            open_ += graph[urn].dependencies
    return found


def _config(graph: Graph) -> dict[str, Any]:
    release = kueue(graph)
    found: dict[str, Any] = json.loads(release.inputs["values"]["managerConfig"]["controllerManagerConfigYaml"])
    return found


def test_no_pod_of_a_team_names_a_class_of_the_scheduler_or_of_the_system() -> None:
    graph = built()

    policy = named(
        graph, "kubernetes:admissionregistration.k8s.io/v1:ValidatingAdmissionPolicy", "penstock-pod-priority"
    )
    resources = [each["resources"] for each in policy.inputs["spec"]["matchConstraints"]["resourceRules"]]
    assert ["jobs"] in resources
    assert len(policy.inputs["spec"]["validations"]) == len(resources)
    volumes = named(
        graph, "kubernetes:admissionregistration.k8s.io/v1:ValidatingAdmissionPolicy", "penstock-pod-volumes"
    )
    assert "nfs" not in volumes.inputs["spec"]["validations"][0]["expression"]
    critical = named(graph, "kubernetes:core/v1:ResourceQuota", "critical-pods", "vision")
    assert critical.inputs["spec"]["hard"] == {"pods": "0"}


def test_the_variables_of_a_fabric_are_in_the_namespace_of_each_team() -> None:
    graph = performed(ONPREM_TRAINING).graph
    maps = [each.inputs["metadata"] for each in graph.of_type("kubernetes:core/v1:ConfigMap")]

    homes = {each["namespace"] for each in maps if each["name"].startswith("nccl-") and "topology" not in each["name"]}

    queues = graph.of_type("kubernetes:kueue.x-k8s.io/v1beta2:LocalQueue")
    teams = {each.inputs["metadata"]["namespace"] for each in queues}
    assert teams
    assert homes - {"default"} == teams
