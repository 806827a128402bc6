"""What the monitor keeps of a program, and what it answers."""

from __future__ import annotations

import asyncio
import json
from linecache import getline

import pulumi
import pulumi_kubernetes as kubernetes
import pytest
from pulumi_aws import ec2, eks, s3
from pulumi_gcp import filestore

from penstock.app.assess import overview_of
from penstock.core.errors import ProgramFailed
from penstock.graph.graph import Graph, Resource
from penstock.graph.values import UNKNOWN, Secret
from penstock.report.json import render
from penstock.simulate.run import Rehearsal, rehearse


class Pair(pulumi.ComponentResource):
    def __init__(self, name: str) -> None:
        super().__init__("test:index:Pair", name)
        self.vpc = ec2.Vpc(f"{name}-vpc", cidr_block="10.0.0.0/16", opts=pulumi.ResourceOptions(parent=self))
        self.subnet = ec2.Subnet(
            f"{name}-subnet",
            vpc_id=self.vpc.id,
            cidr_block="10.0.1.0/24",
            opts=pulumi.ResourceOptions(parent=self, depends_on=[self.vpc], protect=True, ignore_changes=["tags"]),
        )
        self.register_outputs({"subnet": self.subnet.id})


def pair() -> None:
    pulumi.export("subnet", Pair("a").subnet.id)


def named(graph: Graph, name: str) -> Resource:
    (found,) = (resource for resource in graph if resource.name == name)
    return found


def test_a_dependency_is_kept_with_the_property_that_caused_it() -> None:
    graph = rehearse(pair).graph
    vpc, subnet = named(graph, "a-vpc"), named(graph, "a-subnet")

    assert subnet.inputs["vpcId"] == vpc.id
    assert subnet.dependencies == (vpc.urn,)
    assert subnet.property_dependencies == {"vpcId": (vpc.urn,)}


def test_a_urn_names_all_component_types_above_as_the_real_engine_does() -> None:
    graph = rehearse(pair, project="p", stack="s").graph

    assert named(graph, "a-subnet").urn == "urn:pulumi:s::p::test:index:Pair$aws:ec2/subnet:Subnet::a-subnet"
    assert named(graph, "a").urn == "urn:pulumi:s::p::test:index:Pair::a"


def test_options_and_outputs_of_components_and_stack_are_kept() -> None:
    graph = rehearse(pair).graph
    subnet = named(graph, "a-subnet")

    assert subnet.options.protect
    assert subnet.options.ignore_changes == ("tags",)
    assert named(graph, "a").outputs == {"subnet": subnet.id}
    assert graph.exports == {"subnet": subnet.id}


def test_the_place_is_the_line_of_the_program() -> None:
    place = named(rehearse(pair).graph, "a-vpc").place

    assert place is not None
    assert place.file == "tests/simulate/monitor/test_monitor.py"
    assert "ec2.Vpc(" in getline(place.file, place.line)


def test_a_run_is_the_same_each_time_and_leaves_nothing_behind() -> None:
    first, second = rehearse(pair).graph, rehearse(pair).graph

    assert list(first) == list(second)
    assert first.exports == second.exports


def test_a_preview_leaves_computed_values_unknown_and_given_ones_known() -> None:
    seen: list[str] = []

    def program() -> None:
        vpc = ec2.Vpc("v", cidr_block="10.0.0.0/16")
        vpc.arn.apply(seen.append)
        vpc.cidr_block.apply(seen.append)
        ec2.Subnet("s", vpc_id=vpc.id)

    graph = rehearse(program, preview=True).graph

    assert seen == ["10.0.0.0/16"]
    assert named(graph, "s").inputs["vpcId"] is UNKNOWN
    assert named(graph, "s").dependencies == (named(graph, "v").urn,)


def test_a_secret_stays_marked_and_is_never_shown() -> None:
    def program() -> None:
        token = pulumi.Output.secret("hunter2-hunter2")
        vpc = ec2.Vpc("v", cidr_block="10.0.0.0/16", tags={"token": token, "deep": "plain"})
        pulumi.export("token", vpc.tags.apply(lambda tags: (tags or {})["token"]))

    rehearsal = rehearse(program)
    tags = named(rehearsal.graph, "v").inputs["tags"]

    assert tags == Secret({"token": "hunter2-hunter2", "deep": "plain"}) or tags["token"] == Secret("hunter2-hunter2")
    assert "hunter2" not in repr(list(rehearsal.graph))
    assert "hunter2" not in render(overview_of(rehearsal, environment="e", cloud="aws"))


def test_two_resources_of_one_urn_are_a_finding() -> None:
    def program() -> None:
        ec2.Vpc("v", cidr_block="10.0.0.0/16")
        ec2.Vpc("v", cidr_block="10.1.0.0/16")

    assert [finding.code for finding in rehearse(program).findings] == ["URN-001"]


def test_a_program_that_raises_is_reported_with_its_line() -> None:
    def program() -> None:
        message = "no such thing"
        raise ValueError(message)

    with pytest.raises(
        ProgramFailed, match=r"tests/simulate/monitor/test_monitor\.py:\d+\n.*ValueError: no such thing"
    ):
        rehearse(program)


def test_an_error_inside_apply_is_reported_too() -> None:
    def program() -> None:
        pulumi.export("x", ec2.Vpc("v", cidr_block="10.0.0.0/16").cidr_block.apply(lambda _: {}["absent"]))  # type: ignore[index]

    with pytest.raises(ProgramFailed, match="KeyError"):
        rehearse(program)


def test_an_async_program_runs_to_its_end() -> None:
    async def main() -> dict[str, pulumi.Output[str]]:
        return {"id": ec2.Vpc("v", cidr_block="10.0.0.0/16").id}

    graph = rehearse(lambda: pulumi.run(main)).graph

    assert graph.exports["id"].startswith("vpc-")


def test_an_existing_resource_is_read_by_its_id() -> None:
    graph = rehearse(lambda: pulumi.export("cidr", ec2.Vpc.get("v", "vpc-0123").id)).graph

    assert named(graph, "v").options.import_id == "vpc-0123"
    assert graph.exports == {"cidr": "vpc-0123"}


def test_json_is_json_and_holds_every_resource() -> None:
    rehearsal: Rehearsal = rehearse(pair)
    document = json.loads(render(overview_of(rehearsal, environment="dev", cloud="aws")))

    assert document["ok"] is True
    assert [resource["urn"] for resource in document["resources"]] == list(rehearsal.graph.resources)


def test_an_alias_is_kept_as_the_urn_that_it_means() -> None:
    def program() -> None:
        by_name, by_type = pulumi.Alias(name="old"), pulumi.Alias(type_="aws:ec2/old:Old")
        ec2.Vpc("v", cidr_block="10.0.0.0/16", opts=pulumi.ResourceOptions(aliases=[by_name, by_type]))

    aliases = named(rehearse(program, project="p", stack="s").graph, "v").options.aliases

    assert aliases == ("urn:pulumi:s::p::aws:ec2/vpc:Vpc::old", "urn:pulumi:s::p::aws:ec2/old:Old::v")


@pytest.mark.parametrize("preview", [False, True])
def test_outputs_that_are_declared_secret_stay_so(preview: bool) -> None:
    def program() -> None:
        options = pulumi.ResourceOptions(additional_secret_outputs=["arn"])
        pulumi.export("arn", ec2.Vpc("v", cidr_block="10.0.0.0/16", opts=options).arn)

    graph = rehearse(program, preview=preview).graph

    assert isinstance(named(graph, "v").outputs["arn"], Secret)
    assert isinstance(graph.exports["arn"], Secret)


def test_a_preview_knows_nothing_of_what_is_in_a_cluster_that_is_not_there_yet() -> None:
    def program() -> None:
        cluster = eks.Cluster("c", role_arn="arn", vpc_config={"subnet_ids": ["subnet-1"]})
        kubeconfig = pulumi.Output.format("server: {0}", cluster.endpoint)
        inside = pulumi.ResourceOptions(provider=kubernetes.Provider("k", kubeconfig=kubeconfig))
        settings = kubernetes.core.v1.ConfigMap("settings", metadata={"name": "settings"}, opts=inside)
        pulumi.export("name", settings.metadata.name)

    assert rehearse(program, preview=True).graph.exports["name"] is UNKNOWN
    assert rehearse(program).graph.exports["name"] == "settings"


def test_what_the_cloud_adds_to_an_object_is_unknown_in_a_preview_and_the_rest_known() -> None:
    def program() -> None:
        cluster = eks.Cluster("c", role_arn="r", vpc_config={"subnet_ids": ["s"], "endpoint_private_access": True})
        pulumi.export("group", cluster.vpc_config.cluster_security_group_id)
        pulumi.export("private", cluster.vpc_config.endpoint_private_access)

    assert rehearse(program, preview=True).graph.exports == {"group": UNKNOWN, "private": True}


def test_what_the_cloud_adds_to_an_item_of_a_list_is_unknown_in_a_preview_and_the_rest_known() -> None:
    def program() -> None:
        files = filestore.Instance(
            "files",
            tier="ZONAL",
            file_shares={"name": "share", "capacity_gb": 1024},
            networks=[{"network": "default", "modes": ["MODE_IPV4"]}],
        )
        pulumi.export("address", files.networks[0].ip_addresses)
        pulumi.export("network", files.networks[0].network)

    assert rehearse(program, preview=True).graph.exports == {"address": UNKNOWN, "network": "default"}


def test_a_program_that_ends_itself_well_has_ended() -> None:
    def program() -> None:
        ec2.Vpc("v", cidr_block="10.0.0.0/16")
        raise SystemExit(0)

    assert named(rehearse(program).graph, "v").id


def test_a_program_that_ends_itself_badly_has_failed() -> None:
    def program() -> None:
        raise SystemExit(3)

    with pytest.raises(ProgramFailed, match="status 3"):
        rehearse(program)


def test_the_callers_event_loop_is_left_alone() -> None:
    async def caller() -> int:
        return len(rehearse(pair).graph)

    assert asyncio.run(caller()) == len(rehearse(pair).graph)


def test_what_another_stack_offers_is_unknown() -> None:
    seen: list[str] = []

    def program() -> None:
        other = pulumi.StackReference("org/other/dev")
        other.get_output("vpc").apply(seen.append)
        ec2.Subnet("s", vpc_id=other.get_output("vpc"), cidr_block="10.0.0.0/24")

    graph = rehearse(program).graph

    assert not seen
    assert named(graph, "s").inputs["vpcId"] is UNKNOWN


def test_what_a_rehearsal_cannot_do_is_reported_as_such() -> None:
    def program() -> None:
        ec2.Vpc("v", cidr_block="10.0.0.0/16", opts=pulumi.ResourceOptions(state_migrations=[lambda _: None]))

    with pytest.raises(ProgramFailed, match="A rehearsal does not support state migrations"):
        rehearse(program)


def test_an_existing_resource_answers_for_the_id_that_it_is_read_by() -> None:
    graph = rehearse(lambda: pulumi.export("arn", s3.Bucket.get("theirs", "their-bucket").arn)).graph

    assert graph.exports == {"arn": "arn:aws:s3:::their-bucket"}


def test_an_imported_resource_keeps_its_id() -> None:
    options = pulumi.ResourceOptions(import_="vpc-0123456789abcdef0")
    vpc = named(rehearse(lambda: ec2.Vpc("v", cidr_block="10.0.0.0/16", opts=options)).graph, "v")

    assert vpc.id == "vpc-0123456789abcdef0"
    assert vpc.outputs["arn"].endswith(":vpc/vpc-0123456789abcdef0")
