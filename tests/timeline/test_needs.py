"""Which waits the cloud would insist on, and which are only written down."""

from __future__ import annotations

import pulumi
import pytest
from hypothesis import given
from tests.environments import rehearsed
from tests.graphs import CLUSTER, graph_of, graphs, resource

from penstock.graph.graph import Graph, Resource
from penstock.testing import rehearse
from penstock.timeline.needs import true_needs, waits
from penstock.timeline.timeline import schedule

pytestmark = pytest.mark.slow

ROLE = "aws:iam/role:Role"
ATTACHMENT = "aws:iam/rolePolicyAttachment:RolePolicyAttachment"
NODE_GROUP = "aws:eks/nodeGroup:NodeGroup"
ADDON = "aws:eks/addon:Addon"


def beyond(graph: Graph) -> set[tuple[str, str]]:
    """The waits that no need explains, by name."""
    return {(graph[each.waiting].name, graph[each.dependency].name) for each in schedule(graph).excess}


def test_a_value_that_is_handed_over_is_a_need() -> None:
    role = resource(ROLE, "role")

    assert not beyond(graph_of(role, resource(CLUSTER, "c", using={"roleArn": [role]})))


def test_a_dependency_that_is_only_written_down_is_none() -> None:
    role = resource(ROLE, "role")

    assert beyond(graph_of(role, resource(CLUSTER, "c", after=[role]))) == {("c", "role")}


def test_a_cluster_needs_the_rights_of_its_own_role_and_of_no_other() -> None:
    own, other = resource(ROLE, "own"), resource(ROLE, "other")
    rights = resource(ATTACHMENT, "rights", using={"role": [own]})
    others = resource(ATTACHMENT, "others", using={"role": [other]})
    cluster = resource(CLUSTER, "c", using={"roleArn": [own]}, after=[rights, others])

    assert beyond(graph_of(own, other, rights, others, cluster)) == {("c", "others")}


def test_a_need_is_seen_through_names_that_are_written_out() -> None:
    cluster = resource(CLUSTER, "c", inputs={"name": "main"})
    network = resource(ADDON, "cni", after=[cluster], inputs={"clusterName": "main", "addonName": "vpc-cni"})
    names = resource(ADDON, "dns", after=[cluster], inputs={"clusterName": "main", "addonName": "coredns"})
    group = resource(NODE_GROUP, "g", after=[network, names], inputs={"clusterName": "main"})

    assert beyond(graph_of(cluster, network, names, group)) == {("g", "dns")}


def test_an_addon_that_runs_on_nodes_needs_them() -> None:
    cluster = resource(CLUSTER, "c")
    group = resource(NODE_GROUP, "g", using={"clusterName": [cluster]})
    names = resource(ADDON, "dns", using={"clusterName": [cluster]}, after=[group], inputs={"addonName": "coredns"})

    assert not beyond(graph_of(cluster, group, names))


def test_nodes_need_the_way_out_of_their_own_subnets() -> None:
    def table(name: str) -> list[Resource]:
        subnet = resource("aws:ec2/subnet:Subnet", f"subnet-{name}")
        routes = resource("aws:ec2/routeTable:RouteTable", f"table-{name}")
        joined = resource(
            "aws:ec2/routeTableAssociation:RouteTableAssociation",
            f"joined-{name}",
            using={"subnetId": [subnet], "routeTableId": [routes]},
        )
        way_out = resource("aws:ec2/route:Route", f"route-{name}", using={"routeTableId": [routes]})
        return [subnet, routes, joined, way_out]

    own, other = table("own"), table("other")
    group = resource(NODE_GROUP, "g", using={"subnetIds": own[:1]}, after=[own[3], other[3]])

    assert beyond(graph_of(*own, *other, group)) == {("g", "route-other")}


def test_a_parent_that_is_a_resource_of_a_cloud_is_no_need_by_itself() -> None:
    parent = resource(CLUSTER, "c")

    assert beyond(graph_of(parent, resource(ROLE, "r", parent=parent))) == {("r", "c")}


def test_what_a_component_depends_on_is_none_of_its_childrens_needs() -> None:
    slow = resource(CLUSTER, "slow")
    component = resource("my:index:Pool", "pool", custom=False, after=[slow])
    child = resource(CLUSTER, "child", parent=component)
    timeline = schedule(graph_of(slow, component, child))

    assert timeline.bound_s == timeline.makespan_s / 2
    assert [each.saves_s for each in timeline.excess] == [timeline.bound_s]


def test_objects_of_a_cluster_may_need_each_other_without_a_value() -> None:
    chart = resource("kubernetes:helm.sh/v3:Release", "operator")

    assert not beyond(graph_of(chart, resource("kubernetes:example.org/v1:Thing", "t", after=[chart])))


@pytest.mark.parametrize("environment", ["aws-train", "gcp-train", "gcp-mega", "gcp-tpu"])
def test_our_own_programs_wait_for_next_to_nothing_without_need(environment: str) -> None:
    timeline = schedule(rehearsed(environment).graph)

    assert not [each for each in timeline.excess if each.saves_s or each.saves_first_accelerator_s]


@pytest.mark.parametrize("environment", ["aws-train", "gcp-train"])
def test_a_preview_knows_the_same_needs(environment: str) -> None:
    up, preview = (rehearsed(environment, preview=unknown).graph for unknown in (False, True))

    assert beyond(up) == beyond(preview)


def test_a_provider_is_a_need() -> None:
    def program() -> None:
        from pulumi_aws import eks
        from pulumi_kubernetes import Provider
        from pulumi_kubernetes.core.v1 import Namespace

        cluster = eks.Cluster("c", role_arn="r", vpc_config={"subnet_ids": ["s"]})
        Namespace("n", opts=pulumi.ResourceOptions(provider=Provider("p", kubeconfig=cluster.endpoint)))

    assert not beyond(rehearse(program).graph)


@given(graphs())
def test_needs_that_the_schedule_does_not_keep_are_no_bound(graph: Graph) -> None:
    timeline = schedule(graph)
    needs = true_needs(graph, timeline.starts, timeline.ends)

    assert needs.keys() == waits(graph).keys()
    for urn, needed in needs.items():
        assert all(timeline.ends[need] <= timeline.starts[urn] for need in needed)


def service(api: str, project: str | None = None) -> Resource:
    named = {"project": project} if project else {}
    return resource("gcp:projects/service:Service", api, inputs={"service": f"{api}.googleapis.com", **named})


def test_an_api_of_google_is_needed_by_what_it_makes_and_by_nothing_else() -> None:
    lustre, sql = service("lustre"), service("sqladmin")
    scratch = resource("gcp:lustre/instance:Instance", "scratch", after=[lustre, sql])

    assert beyond(graph_of(lustre, sql, scratch)) == {("scratch", "sqladmin")}


def test_an_api_of_another_project_is_no_need() -> None:
    theirs = service("lustre", "their-project")
    scratch = resource("gcp:lustre/instance:Instance", "scratch", after=[theirs], inputs={"project": "my-project"})

    assert beyond(graph_of(theirs, scratch)) == {("scratch", "lustre")}


def test_what_google_encrypts_needs_the_right_to_its_own_key() -> None:
    own, other = (resource("gcp:kms/cryptoKey:CryptoKey", name) for name in ("own", "other"))
    grants = [
        resource("gcp:kms/cryptoKeyIAMMember:CryptoKeyIAMMember", f"{key.name}-grant", using={"cryptoKeyId": [key]})
        for key in (own, other)
    ]
    bucket = resource("gcp:storage/bucket:Bucket", "datasets", using={"encryption": [own]}, after=grants)

    assert beyond(graph_of(own, other, *grants, bucket)) == {("datasets", "other-grant")}


def test_what_google_reaches_by_peering_needs_the_peering_of_its_network() -> None:
    own, other = (resource("gcp:compute/network:Network", name) for name in ("own", "other"))
    peerings = [
        resource("gcp:servicenetworking/connection:Connection", f"{network.name}-peering", using={"network": [network]})
        for network in (own, other)
    ]
    files = resource("gcp:filestore/instance:Instance", "home", using={"networks": [own]}, after=peerings)

    assert beyond(graph_of(own, other, *peerings, files)) == {("home", "other-peering")}


def test_private_nodes_of_google_need_a_way_out_and_the_rights_of_their_account() -> None:
    network = resource("gcp:compute/network:Network", "network")
    router = resource("gcp:compute/router:Router", "router", using={"network": [network]})
    nat = resource("gcp:compute/routerNat:RouterNat", "nat", using={"router": [router]})
    account = resource("gcp:serviceaccount/account:Account", "nodes")
    rights = resource("gcp:projects/iAMMember:IAMMember", "rights", using={"member": [account]})
    others = resource("gcp:projects/iAMMember:IAMMember", "others")
    cluster = resource("gcp:container/cluster:Cluster", "cluster", using={"network": [network]})
    pool = resource(
        "gcp:container/nodePool:NodePool",
        "pool",
        using={"cluster": [cluster], "nodeConfig": [account]},
        after=[nat, rights, others],
    )

    assert beyond(graph_of(network, router, nat, account, rights, others, cluster, pool)) == {("pool", "others")}
