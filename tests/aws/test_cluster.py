"""What a cluster promises: private, encrypted, audited, and open to its admins alone."""

from __future__ import annotations

import json
from functools import partial
from ipaddress import IPv4Network

import pytest

from penstock.aws.components.cluster import Cluster, adopt
from penstock.aws.components.handles import ClusterHandle, KeyHandle, NetworkHandle
from penstock.changes.diff import diff
from penstock.description.cluster import ClusterSpec, ExistingCluster
from penstock.graph.graph import Graph, Resource
from penstock.testing import rehearse

CLUSTER = "aws:eks/cluster:Cluster"
ADDON = "aws:eks/addon:Addon"
ADMIN = "arn:aws:iam::123456789012:role/platform"
LOGS_KEY = KeyHandle(arn="arn:aws:kms:us-east-1:123456789012:key/99999999-8888-7777-6666-555555555555")


@pytest.fixture
def graph(network: NetworkHandle, key: KeyHandle) -> Graph:
    return built(network, key, ClusterSpec(admins=(ADMIN,), tags={"owner": "ml"}))


def built(
    network: NetworkHandle,
    key: KeyHandle,
    spec: ClusterSpec,
    *,
    allowed_cidrs: tuple[IPv4Network, ...] = (),
    mtu: int | None = None,
    handles: list[ClusterHandle] | None = None,
) -> Graph:
    def program() -> None:
        cluster = Cluster(
            "main", spec, network=network, key=key, logs_key=LOGS_KEY, allowed_cidrs=allowed_cidrs, mtu=mtu
        )
        if handles is not None:
            handles.append(cluster.handle)

    return rehearse(program).graph


def the_cluster(graph: Graph) -> Resource:
    (cluster,) = graph.of_type(CLUSTER)
    return cluster


def addon(graph: Graph, name: str) -> Resource:
    (found,) = (one for one in graph.of_type(ADDON) if one.inputs["addonName"] == name)
    return found


def test_the_api_answers_inside_the_network_only(graph: Graph, network: NetworkHandle) -> None:
    place = the_cluster(graph).inputs["vpcConfig"]
    (rule,) = graph.of_type("aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule")

    assert place["endpointPrivateAccess"] is True
    assert place["endpointPublicAccess"] is False
    assert place["securityGroupIds"] == [rule.inputs["securityGroupId"]]
    assert (rule.inputs["cidrIpv4"], rule.inputs["fromPort"], rule.inputs["toPort"]) == (network.cidr, 443, 443)


def test_restricted_access_opens_the_api_to_the_named_ranges_only(network: NetworkHandle, key: KeyHandle) -> None:
    office = IPv4Network("203.0.113.0/24")

    place = the_cluster(built(network, key, ClusterSpec(access="restricted"), allowed_cidrs=(office,))).inputs[
        "vpcConfig"
    ]

    assert place["endpointPrivateAccess"] is True
    assert place["endpointPublicAccess"] is True
    assert place["publicAccessCidrs"] == [str(office)]


def test_ranges_open_nothing_while_access_is_private(network: NetworkHandle, key: KeyHandle) -> None:
    graph = built(network, key, ClusterSpec(), allowed_cidrs=(IPv4Network("203.0.113.0/24"),))

    assert the_cluster(graph).inputs["vpcConfig"]["endpointPublicAccess"] is False


def test_a_private_cluster_opens_to_whoever_runs_pulumi_while_they_are_named(
    network: NetworkHandle, key: KeyHandle
) -> None:
    laptop, peered = IPv4Network("203.0.113.7/32"), IPv4Network("10.9.0.0/16")

    graph = built(network, key, ClusterSpec(deployer_cidrs=(laptop,)), allowed_cidrs=(peered,))

    place = the_cluster(graph).inputs["vpcConfig"]
    assert (place["endpointPrivateAccess"], place["endpointPublicAccess"]) == (True, True)
    assert place["publicAccessCidrs"] == [str(laptop)]


def test_deployers_and_users_of_a_restricted_cluster_are_let_in_once_each(
    network: NetworkHandle, key: KeyHandle
) -> None:
    laptop, office = IPv4Network("203.0.113.7/32"), IPv4Network("198.51.100.0/24")
    spec = ClusterSpec(access="restricted", deployer_cidrs=(laptop, office))

    place = the_cluster(built(network, key, spec, allowed_cidrs=(office,))).inputs["vpcConfig"]

    assert place["publicAccessCidrs"] == [str(laptop), str(office)]


def test_whoever_runs_pulumi_gets_no_access_by_doing_so(graph: Graph) -> None:
    assert the_cluster(graph).inputs["accessConfig"] == {
        "authenticationMode": "API",
        "bootstrapClusterCreatorAdminPermissions": False,
    }


def test_admins_administer_the_whole_cluster(graph: Graph) -> None:
    (entry,) = graph.of_type("aws:eks/accessEntry:AccessEntry")
    (right,) = graph.of_type("aws:eks/accessPolicyAssociation:AccessPolicyAssociation")

    assert entry.inputs["principalArn"] == right.inputs["principalArn"] == ADMIN
    assert right.inputs["policyArn"] == "arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy"
    assert right.inputs["accessScope"] == {"type": "cluster"}


def test_without_admins_whoever_creates_the_cluster_administers_it_and_stays(
    network: NetworkHandle, key: KeyHandle
) -> None:
    graph = built(network, key, ClusterSpec())
    (entry,) = graph.of_type("aws:eks/accessEntry:AccessEntry")
    (right,) = graph.of_type("aws:eks/accessPolicyAssociation:AccessPolicyAssociation")

    assert entry.inputs["principalArn"] == right.inputs["principalArn"]
    assert {entry.options.ignore_changes, right.options.ignore_changes} == {("principalArn",)}
    assert the_cluster(graph).inputs["accessConfig"]["bootstrapClusterCreatorAdminPermissions"] is False


def test_adding_an_admin_leaves_the_others_alone(network: NetworkHandle, key: KeyHandle) -> None:
    others = ("arn:aws:iam::123456789012:user/platform", ADMIN)

    before = built(network, key, ClusterSpec(admins=(ADMIN,)))
    after = built(network, key, ClusterSpec(admins=others))

    entries = {one.urn for one in after.of_type("aws:eks/accessEntry:AccessEntry")}
    assert len(entries) == 2
    assert {one.urn for one in before.of_type("aws:eks/accessEntry:AccessEntry")} < entries


def test_secrets_are_encrypted_with_the_given_key(graph: Graph, key: KeyHandle) -> None:
    assert the_cluster(graph).inputs["encryptionConfig"] == {
        "provider": {"keyArn": key.arn},
        "resources": ["secrets"],
    }


def test_every_log_goes_to_an_encrypted_group_that_is_there_first(graph: Graph) -> None:
    (group,) = graph.of_type("aws:cloudwatch/logGroup:LogGroup")
    cluster = the_cluster(graph)

    assert group.inputs["name"] == f"/aws/eks/{cluster.inputs['name']}/cluster"
    assert group.inputs["kmsKeyId"] == LOGS_KEY.arn
    assert group.urn in cluster.dependencies
    assert set(cluster.inputs["enabledClusterLogTypes"]) == {
        "api",
        "audit",
        "authenticator",
        "controllerManager",
        "scheduler",
    }


def test_nodes_wait_for_what_makes_them_ready_and_for_no_other_addon(network: NetworkHandle, key: KeyHandle) -> None:
    handles: list[ClusterHandle] = []
    graph = built(network, key, ClusterSpec(), handles=handles)

    waits_for = {resource.pulumi_resource_name for resource in handles[0].ready}

    assert waits_for == {"main-vpc-cni", "main-kube-proxy", "main-eks-pod-identity-agent"}
    assert {one.inputs["addonName"] for one in graph.of_type(ADDON)} > {"coredns", "aws-ebs-csi-driver"}


def test_an_addon_calls_aws_by_a_role_that_only_its_own_pods_can_take(graph: Graph) -> None:
    (association,) = addon(graph, "vpc-cni").inputs["podIdentityAssociations"]
    (role,) = (one for one in graph.of_type("aws:iam/role:Role") if one.outputs["arn"] == association["roleArn"])
    (trust,) = json.loads(role.inputs["assumeRolePolicy"])["Statement"]

    assert association["serviceAccount"] == "aws-node"
    assert trust["Principal"] == {"Service": "pods.eks.amazonaws.com"}
    assert trust["Condition"]["StringEquals"] == {
        "aws:RequestTag/eks-cluster-name": "main",
        "aws:RequestTag/kubernetes-namespace": "kube-system",
        "aws:RequestTag/kubernetes-service-account": ["aws-node"],
    }


def test_roles_of_addons_are_made_while_the_cluster_is(graph: Graph) -> None:
    cluster = the_cluster(graph)
    roles = graph.of_type("aws:iam/role:Role", "aws:iam/rolePolicyAttachment:RolePolicyAttachment")

    assert not [role.name for role in roles if cluster.urn in role.dependencies]
    assert all(cluster.urn in one.dependencies for one in graph.of_type(ADDON))


def test_an_addon_has_its_rights_before_it_starts(graph: Graph) -> None:
    (right,) = (
        one
        for one in graph.of_type("aws:iam/rolePolicyAttachment:RolePolicyAttachment")
        if one.inputs["policyArn"].endswith("/AmazonEKS_CNI_Policy")
    )

    assert right.urn in addon(graph, "vpc-cni").dependencies


def test_the_mtu_of_the_network_reaches_the_pods(network: NetworkHandle, key: KeyHandle) -> None:
    graph = built(network, key, ClusterSpec(), mtu=1500)

    assert json.loads(addon(graph, "vpc-cni").inputs["configurationValues"])["env"] == {"AWS_VPC_ENI_MTU": "1500"}


def test_a_protected_cluster_refuses_to_be_deleted_by_pulumi_and_by_aws(network: NetworkHandle, key: KeyHandle) -> None:
    cluster = the_cluster(built(network, key, ClusterSpec(protect=True)))

    assert cluster.options.protect
    assert cluster.inputs["deletionProtection"] is True


def test_an_adopted_cluster_is_left_as_it_is() -> None:
    graph = rehearse(lambda: adopt(ExistingCluster(name="theirs"), version="1.33")).graph

    assert not [one for one in graph if one.type.startswith("aws:")]


def test_a_new_default_version_upgrades_no_cluster(
    network: NetworkHandle, key: KeyHandle, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = built(network, key, ClusterSpec())
    monkeypatch.setattr("penstock.aws.components.cluster.version_of", lambda *_: "1.36")

    assert not diff(before, built(network, key, ClusterSpec()))


def test_an_upgrade_takes_nodes_and_addons_along(network: NetworkHandle, key: KeyHandle) -> None:
    before, after = (built(network, key, ClusterSpec(version=version)) for version in ("1.34", "1.35"))

    moved = {change.resource.type for change in diff(before, after).updated}

    assert moved == {CLUSTER, ADDON}
    assert addon(after, "vpc-cni").inputs["addonVersion"] != addon(before, "vpc-cni").inputs["addonVersion"]


def test_aws_upgrades_when_the_description_lets_it(network: NetworkHandle, key: KeyHandle) -> None:
    late = the_cluster(built(network, key, ClusterSpec(upgrade_policy="extended")))

    assert the_cluster(built(network, key, ClusterSpec())).inputs["upgradePolicy"] == {"supportType": "STANDARD"}
    assert late.inputs["upgradePolicy"] == {"supportType": "EXTENDED"}


def test_pods_use_every_card_where_cards_carry_their_traffic(network: NetworkHandle, key: KeyHandle) -> None:
    graph = rehearse(
        lambda: Cluster("main", ClusterSpec(), network=network, key=key, logs_key=LOGS_KEY, multi_nic=True)
    ).graph

    assert json.loads(addon(graph, "vpc-cni").inputs["configurationValues"])["env"] == {"ENABLE_MULTI_NIC": "true"}


def test_the_cni_enforces_network_policies_whatever_else_is_set(network: NetworkHandle, key: KeyHandle) -> None:
    def cluster(mtu: int | None) -> None:
        Cluster("main", ClusterSpec(), network=network, key=key, logs_key=LOGS_KEY, mtu=mtu, multi_nic=mtu is not None)

    plain, tuned = (rehearse(partial(cluster, mtu)).graph for mtu in (None, 1500))

    for graph in (plain, tuned):
        assert json.loads(addon(graph, "vpc-cni").inputs["configurationValues"])["enableNetworkPolicy"] == "true"
