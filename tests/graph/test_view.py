"""How rules read resources: typed, with paths, and with references followed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.programs import Program, Ref, graph_of

from penstock.graph.values import UNKNOWN, Secret
from penstock.graph.verdict import (
    NOT_APPLICABLE,
    PASS,
    NotKnown,
    Outcome,
    TypeMismatch,
    Verdict,
    allow,
    each,
    fail,
    together,
)
from penstock.graph.verdict import UNKNOWN as CANNOT_TELL
from penstock.graph.view import Block, Site, View

VPC = "aws:ec2/vpc:Vpc"
SUBNET = "aws:ec2/subnet:Subnet"
ENDPOINT = "azure-native:network:PrivateEndpoint"
GROUP = "aws:eks/nodeGroup:NodeGroup"


def view(program: Program, name: str, *, preview: bool = False) -> View:
    """The resource of that name."""
    graph = graph_of(program, preview=preview)
    (resource,) = (resource for resource in graph if resource.name == name)
    return View(resource, Site(graph))


def it(**inputs: object) -> View:
    """A resource with these inputs."""
    return view({"it": (GROUP, inputs)}, "it")


def test_what_is_not_given_reads_as_nothing() -> None:
    block = it()

    assert (block.text("a"), block.number("a"), block.flag("a"), block.block("a")) == (None, None, None, None)
    assert (block.texts("a"), block.blocks("a"), block.count("a")) == ([], [], 0)
    assert "a" not in block


@pytest.mark.parametrize("hidden", [UNKNOWN, Secret("s3cret")])
@pytest.mark.parametrize("read", [Block.text, Block.number, Block.flag, Block.block, Block.texts, Block.blocks])
def test_what_is_unknown_or_secret_cannot_be_read(read: Callable[[Block, str], object], hidden: object) -> None:
    block = it(a=hidden)

    assert "a" in block
    with pytest.raises(NotKnown):
        read(block, "a")


@pytest.mark.parametrize(
    ("read", "value"),
    [
        (Block.text, True),
        (Block.text, [1]),
        (Block.number, "many"),
        (Block.number, True),
        (Block.integer, 1.5),
        (Block.flag, 1),
        (Block.block, []),
        (Block.texts, "x"),
        (Block.texts, [1]),
        (Block.texts, [None]),
        (Block.blocks, ["x"]),
    ],
)
def test_a_value_of_another_type_is_a_misfit(read: Callable[[Block, str], object], value: object) -> None:
    with pytest.raises(TypeMismatch):
        read(it(a=value), "a")


def test_numbers_and_flags_may_be_text_and_text_a_number_as_providers_allow() -> None:
    assert it(a=5).text("a") == "5"
    assert it(a="5").integer("a") == 5
    assert it(a="true").flag("a") is True


def test_a_path_reads_the_property_of_an_object_as_rows_do() -> None:
    group = view(
        {"group": (GROUP, {"scalingConfig": {"maxSize": 3}, "tags": {"a.b": "c"}, "labels": UNKNOWN})}, "group"
    )

    assert group.number("scalingConfig.maxSize") == 3
    assert group.number("scalingConfig.minSize") is None
    assert group.number("updateConfig.maxUnavailable") is None
    assert group.text("tags.a.b") == "c"
    tags = group.block("tags")
    assert tags is not None
    assert tags.text("a.b") == "c"
    with pytest.raises(NotKnown):
        group.text("labels.team")


def test_a_path_into_a_list_is_refused_with_what_reads_it() -> None:
    group = view({"group": (GROUP, {"taints": [{"key": "a"}]})}, "group")

    with pytest.raises(ValueError, match=r"blocks_at\('taints\[\]'\)"):
        group.text("taints[].key")


def test_paths_lead_through_blocks_and_lists() -> None:
    (interface,) = it(networkInterfaces=[{"card": {"index": 1}}]).blocks("networkInterfaces")
    card = interface.block("card")

    assert card is not None
    assert card.at("index") == "networkInterfaces[0].card.index"


NETWORK: Program = {
    "vpc": (VPC, {}),
    "other": (VPC, {}),
    "a": (SUBNET, {"vpcId": Ref("vpc")}),
    "b": (SUBNET, {"vpcId": Ref("vpc")}),
    "c": (SUBNET, {"vpcId": Ref("other")}),
    "it": (GROUP, {"subnetIds": [Ref("a"), Ref("b")]}),
}


@pytest.mark.parametrize("preview", [False, True])
def test_references_are_followed_whether_or_not_ids_are_known(preview: bool) -> None:
    group, vpc = view(NETWORK, "it", preview=preview), view(NETWORK, "vpc", preview=preview)

    assert {subnet.name for subnet in group.many("subnetIds", SUBNET)} == {"a", "b"}
    assert {subnet.name for subnet in vpc.referrers(SUBNET, "vpcId")} == {"a", "b"}


def test_a_resource_is_found_by_its_arn_and_its_name() -> None:
    program: Program = {
        "vpc": (VPC, {"name": "main"}),
        "a": (SUBNET, {"vpcId": Ref("vpc", "arn")}),
        "b": (SUBNET, {"vpcId": Ref("vpc", "name")}),
    }

    assert [subnet.name for subnet in view(program, "vpc").referrers(SUBNET, "vpcId")] == ["a", "b"]


def test_referrers_are_those_of_the_resource_whatever_types_were_asked_of_before() -> None:
    program: Program = {
        **NETWORK,
        "to-vpc": (ENDPOINT, {"target": {"id": Ref("vpc")}}),
        "to-group": (ENDPOINT, {"target": {"id": Ref("it")}}),
    }
    site = view(program, "vpc").site

    leading = {
        name: [each.name for each in site.of_type(type_)[0].referrers(ENDPOINT, "target.id")]
        for name, type_ in (("vpc", VPC), ("it", GROUP))
    }

    assert leading == {"vpc": ["to-vpc"], "it": ["to-group"]}


def test_what_lies_outside_the_program_cannot_be_reported() -> None:
    program: Program = {**NETWORK, "it": (GROUP, {"subnetIds": [Ref("a"), "subnet-0123456789abcdef0"]})}

    with pytest.raises(NotKnown):
        view(program, "it").many("subnetIds", SUBNET)
    assert [subnet.name for subnet in view(program, "it").found("subnetIds", SUBNET)] == ["a"]


def test_a_value_that_is_no_name_is_followed_to_its_source() -> None:
    program: Program = {**NETWORK, "it": (GROUP, {"subnet": Ref("a", "zone")})}
    graph = graph_of(program)
    (group,) = graph.of_type(GROUP)
    group.inputs["subnet"] = "known-and-no-name"  # type: ignore[index]

    assert [subnet.name for subnet in View(group, Site(graph)).many("subnet", SUBNET)] == ["a"]


def test_one_unknown_pointer_leaves_all_lists_of_referrers_in_doubt() -> None:
    program: Program = {**NETWORK, "d": (SUBNET, {"vpcId": UNKNOWN})}

    with pytest.raises(NotKnown):
        view(program, "vpc").referrers(SUBNET, "vpcId")


def test_an_unknown_item_does_not_hide_the_failure_of_another() -> None:
    def positive(number: object) -> Verdict:
        if number is UNKNOWN:
            raise NotKnown
        return allow(isinstance(number, int) and number > 0, f"{number} is not positive")

    assert each([1, 2], positive) is PASS
    assert each([1, UNKNOWN], positive) is CANNOT_TELL
    assert [failure.message for failure in each([-1, UNKNOWN, -2], positive).failures] == [
        "-1 is not positive",
        "-2 is not positive",
    ]


def test_a_verdict_over_nothing_does_not_apply() -> None:
    assert together([]) is NOT_APPLICABLE
    assert together([NOT_APPLICABLE, PASS]) is PASS
    assert together([PASS, fail("no")]).outcome is Outcome.FAIL


GCP_NETWORK = "gcp:compute/network:Network"
GCP_SUBNETWORK = "gcp:compute/subnetwork:Subnetwork"
GCP_PATH = "projects/acme/global/networks/train"


@pytest.mark.parametrize(
    ("own", "named"),
    [
        (f"https://www.googleapis.com/compute/v1/{GCP_PATH}", GCP_PATH),
        (GCP_PATH, f"https://www.googleapis.com/compute/v1/{GCP_PATH}"),
        (GCP_PATH, f"https://compute.googleapis.com/compute/beta/{GCP_PATH}"),
        (GCP_PATH, GCP_PATH),
    ],
)
def test_a_resource_of_google_is_found_by_its_path_and_by_its_link(own: str, named: str) -> None:
    site = Site(graph_of({"net": (GCP_NETWORK, {"selfLink": own})}))

    found = site.named(GCP_NETWORK, named)

    assert found is not None
    assert found.name == "net"


def test_a_name_that_two_resources_have_finds_neither() -> None:
    site = Site(graph_of({region: (GCP_SUBNETWORK, {"name": "nodes", "region": region}) for region in ("a", "b")}))

    assert site.named(GCP_SUBNETWORK, "nodes") is None
    assert site.named(GCP_SUBNETWORK, "a-id") is not None
