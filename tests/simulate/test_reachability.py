"""Programs that put objects into a cluster which they create: does the run that does so reach the cluster?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pulumi
import pulumi_kubernetes
import pytest
from pulumi_aws import ec2, eks
from pulumi_gcp import compute, container

from penstock.core.findings import Finding
from penstock.graph.graph import Graph
from penstock.rules.judge import Report, judge
from penstock.rules.levels import RuleKind
from penstock.rules.settings import Settings
from penstock.simulate.run import rehearse

RULE = "k8s-endpoint-unreachable"
FIRST_RUN = "k8s-endpoint-first-run"
CONFIG = {"aws:region": "us-east-1", "gcp:project": "p", "gcp:region": "us-central1"}


def judged(program: Callable[[], None], *, preview: bool = False) -> Report:
    graph = rehearse(program, config=CONFIG, preview=preview).graph
    return judge(graph, Settings(), RuleKind.PROVIDER)


def reported(program: Callable[[], None], *, preview: bool = False) -> list[str]:
    return [finding.code for finding in judged(program, preview=preview).findings if finding.code.startswith("k8s")]


def undetermined(program: Callable[[], None], *, preview: bool = False) -> set[str]:
    return {answer.rule.id for answer in judged(program, preview=preview).undetermined}


def namespace(kubeconfig: pulumi.Input[str]) -> None:
    provider = pulumi_kubernetes.Provider("objects", kubeconfig=kubeconfig)
    pulumi_kubernetes.core.v1.Namespace("team", opts=pulumi.ResourceOptions(provider=provider))


def of_eks(*, vpc_id: str | None = None, way_in: bool = False, **endpoint: Any) -> Callable[[], None]:
    def program() -> None:
        vpc = vpc_id or ec2.Vpc("net", cidr_block="10.0.0.0/16").id
        subnets = [
            ec2.Subnet(f"net-{zone}", vpc_id=vpc, cidr_block=f"10.0.{block}.0/24", availability_zone=f"us-east-1{zone}")
            for block, zone in enumerate("ab")
        ]
        if way_in:
            ec2.VpnGateway("office", vpc_id=vpc)
        place: Any = {"subnet_ids": [subnet.id for subnet in subnets], **endpoint}
        cluster = eks.Cluster("main", role_arn="arn:aws:iam::123456789012:role/r", vpc_config=place)
        namespace(cluster.endpoint.apply(lambda server: f'{{"clusters": [{{"cluster": {{"server": "{server}"}}}}]}}'))

    return program


def of_gke(
    server: Callable[[container.Cluster], pulumi.Output[str]], *, way_in: bool = False, **inputs: Any
) -> Callable[[], None]:
    def program() -> None:
        network = compute.Network("net", auto_create_subnetworks=True)
        if way_in:
            compute.HaVpnGateway("office", network=network.id, region="us-central1")
        cluster = container.Cluster("main", location="us-central1", network=network.id, initial_node_count=1, **inputs)
        namespace(server(cluster).apply(lambda host: f"clusters: [{{cluster: {{server: 'https://{host}'}}}}]"))

    return program


def address(cluster: container.Cluster) -> pulumi.Output[str]:
    return cluster.endpoint


def name(cluster: container.Cluster) -> pulumi.Output[str]:
    return cluster.control_plane_endpoints_config.dns_endpoint_config.endpoint.apply(str)


CLOSED: Mapping[str, Any] = {"endpoint_public_access": False, "endpoint_private_access": True}
CLOSED_ON_GOOGLE: Mapping[str, Any] = {
    "private_cluster_config": {"enable_private_endpoint": True, "enable_private_nodes": True},
    "master_authorized_networks_config": {},
    "control_plane_endpoints_config": {"dns_endpoint_config": {"allow_external_traffic": True}},
}


@pytest.mark.parametrize("preview", [False, True], ids=["up", "preview"])
def test_a_private_endpoint_in_a_network_of_the_same_run_is_reached_by_nobody(*, preview: bool) -> None:
    assert RULE in reported(of_eks(**CLOSED), preview=preview)
    assert RULE not in reported(of_eks(), preview=preview)
    assert RULE not in reported(
        of_eks(endpoint_public_access=True, public_access_cidrs=["203.0.113.0/24"]), preview=preview
    )


def test_a_way_in_of_the_same_program_is_of_use_from_the_second_run_on() -> None:
    found = reported(of_eks(way_in=True, **CLOSED))

    assert FIRST_RUN in found
    assert RULE not in found


def test_the_run_that_closes_an_existing_cluster_is_not_called_the_first() -> None:
    opened = rehearse(of_eks(endpoint_public_access=True), config=CONFIG).graph

    (finding,) = first_runs(of_eks(way_in=True, **CLOSED), before=opened)

    assert finding.message.startswith("this run closes the API of main to all but net")
    assert finding.hint.startswith("From the next run on, run Pulumi through office.")


@pytest.mark.parametrize("way_in_before", [False, True])
def test_the_run_that_closes_the_name_of_a_cluster_closes_it(*, way_in_before: bool) -> None:
    named = rehearse(of_gke(name, way_in=way_in_before, **CLOSED_ON_GOOGLE), config=CONFIG).graph
    unnamed = {"dns_endpoint_config": {"allow_external_traffic": False}}
    closing = of_gke(address, way_in=True, **{**CLOSED_ON_GOOGLE, "control_plane_endpoints_config": unnamed})

    found = first_runs(closing, before=named)

    said = "this run closes the API of main to all but net"
    assert [each.message.startswith(said) for each in found] == ([] if way_in_before else [True])
    assert not first_runs(closing, before=rehearse(closing, config=CONFIG).graph)


def test_a_way_in_or_a_closed_cluster_that_exists_is_no_first_run() -> None:
    closed = rehearse(of_eks(**CLOSED), config=CONFIG).graph
    with_way_in = rehearse(of_eks(way_in=True, endpoint_public_access=True), config=CONFIG).graph

    assert not first_runs(of_eks(way_in=True, **CLOSED), before=closed)
    assert not first_runs(of_eks(way_in=True, **CLOSED), before=with_way_in)
    assert not first_runs(of_eks(way_in=True, **CLOSED), before=rehearse(of_eks(way_in=True, **CLOSED)).graph)


def test_a_cluster_that_a_stack_gains_has_its_first_run() -> None:
    nothing = rehearse(lambda: None, config=CONFIG).graph

    (finding,) = first_runs(of_eks(way_in=True, **CLOSED), before=nothing)

    assert finding.hint.startswith("For the first run, ")


def first_runs(program: Callable[[], None], *, before: Graph) -> list[Finding]:
    found = rehearse(program, config=CONFIG, before=before).findings
    return [finding for finding in found if finding.code == FIRST_RUN]


def test_a_network_that_was_there_before_may_have_somebody_in_it() -> None:
    program = of_eks(vpc_id="vpc-0123456789abcdef0", **CLOSED)

    assert RULE not in reported(program)
    assert RULE in undetermined(program)


def test_a_name_with_iam_is_a_way_to_a_closed_cluster_for_a_kubeconfig_that_has_it() -> None:
    assert RULE not in reported(of_gke(name, **CLOSED_ON_GOOGLE))
    assert RULE in reported(of_gke(address, **CLOSED_ON_GOOGLE))
    assert RULE in undetermined(of_gke(name, **CLOSED_ON_GOOGLE), preview=True)


def test_a_kubeconfig_from_elsewhere_says_nothing_of_the_cluster() -> None:
    def program() -> None:
        of_eks(**CLOSED)()
        provider = pulumi_kubernetes.Provider("other", kubeconfig="apiVersion: v1")
        pulumi_kubernetes.core.v1.Namespace("thing", opts=pulumi.ResourceOptions(provider=provider))

    (finding,) = [each for each in judged(program).findings if each.code == RULE]

    assert "1 object goes there through objects" in finding.message


def test_a_machine_is_placed_by_the_id_of_its_zone() -> None:
    """p5en is sold in use1-az2 and use1-az6, whatever an account calls them."""

    def program(zone_id: str) -> None:
        vpc = ec2.Vpc("net", cidr_block="10.0.0.0/16")
        subnet = ec2.Subnet("net", vpc_id=vpc.id, cidr_block="10.0.0.0/24", availability_zone_id=zone_id)
        ec2.Instance("it", ami="ami-0123456789abcdef0", instance_type="p5en.48xlarge", subnet_id=subnet.id)

    def found(zone_id: str) -> set[str]:
        return {finding.code for finding in judged(lambda: program(zone_id)).findings}

    assert "aws-instance-type-in-zone" in found("use1-az1")
    assert "aws-instance-type-in-zone" not in found("use1-az2")
