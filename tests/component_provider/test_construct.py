"""Components that programs in other languages ask for."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pulumi
import pytest
from pulumi.errors import InputPropertiesError
from pulumi.provider.server import ProviderServicer

from penstock.aws import ClusterHandle, KeyHandle, NetworkHandle, NodePool
from penstock.component_provider.catalogue import packaged
from penstock.component_provider.inputs import ConstructorArguments, NotYetKnown, read
from penstock.component_provider.provider import ComponentProvider
from penstock.core.errors import InvalidDescription
from penstock.description.node_pool import NodePoolSpec, Nodes
from penstock.graph.values import UNKNOWN, Secret
from penstock.simulate.run import Rehearsal
from penstock.simulate.wire import to_wire
from penstock.testing import rehearse

NETWORK = {
    "vpcId": "vpc-0123456789abcdef0",
    "subnets": {"us-east-1a": "subnet-0123456789abcdef0"},
    "fabricGroupId": "sg-0123456789abcdef0",
    "cidr": "10.0.0.0/16",
}
CLUSTER = {
    "name": "shared",
    "securityGroupId": "sg-0123456789abcdef1",
    "endpoint": "https://0123456789.gr7.us-east-1.eks.amazonaws.com",
    "certificateAuthority": "LS0t",
    "version": "1.35",
}
KEY = {"arn": "arn:aws:kms:us-east-1:123456789012:key/01234567-89ab-cdef-0123-456789abcdef"}
POOL = {"accelerator": "h100", "nodes": {"min": 0, "max": 16}, "cluster": CLUSTER, "network": NETWORK, "key": KEY}
PLATFORM = {
    "environment": "dev",
    "cloud": {"provider": "aws", "region": "us-east-1"},
    "cluster": {"deployerCidrs": ["203.0.113.0/24"], "admins": ["arn:aws:iam::123456789012:role/platform"]},
    "nodePools": [{"name": "train", "accelerator": "l4", "nodes": 1, "labels": {"my_team": "nlp"}}],
}
PLACES = ("file", "line")


def constructed(token: str, inputs: Mapping[str, Any], name: str = "train") -> Rehearsal:
    return rehearse(lambda: ComponentProvider("1.0.0").construct(name, token, inputs))


def resources(rehearsal: Rehearsal) -> dict[str, Any]:
    return {each.urn: (each.type, dict(each.inputs), dict(each.outputs)) for each in rehearsal.graph}


def refused(token: str, inputs: Mapping[str, Any]) -> dict[str, str]:
    with pytest.raises(InputPropertiesError) as refusal:
        ComponentProvider("1.0.0").construct("train", token, inputs)
    return {each["property_path"]: each["reason"] for each in refusal.value.errors or ()}


def test_a_piece_is_what_the_component_in_python_builds() -> None:
    in_python = rehearse(
        lambda: NodePool(
            "train",
            NodePoolSpec(name="train", accelerator="h100", nodes=Nodes(min=0, max=16)),
            cluster=ClusterHandle(
                name="shared",
                security_group_id="sg-0123456789abcdef1",
                endpoint="https://0123456789.gr7.us-east-1.eks.amazonaws.com",
                certificate_authority="LS0t",
                version="1.35",
            ),
            network=NetworkHandle(
                vpc_id="vpc-0123456789abcdef0",
                subnets={"us-east-1a": "subnet-0123456789abcdef0"},
                fabric_group_id="sg-0123456789abcdef0",
                cidr="10.0.0.0/16",
            ),
            key=KeyHandle(arn=KEY["arn"]),
        )
    )

    assert resources(constructed("penstock:aws:NodePool", POOL)) == resources(in_python)


def test_a_platform_is_what_its_description_builds() -> None:
    description = {
        "name": "train",
        "environment": "dev",
        "cloud": {"provider": "aws", "region": "us-east-1"},
        "cluster": {"deployer_cidrs": ["203.0.113.0/24"], "admins": ["arn:aws:iam::123456789012:role/platform"]},
        "node_pools": [{"name": "train", "accelerator": "l4", "nodes": 1, "labels": {"my_team": "nlp"}}],
    }

    built = {urn: inputs for urn, (_, inputs, _) in resources(constructed("penstock:index:Platform", PLATFORM)).items()}

    assert built == {urn: inputs for urn, (_, inputs, _) in resources(rehearse(description)).items()}


def test_all_mistakes_are_reported_at_once_with_the_names_that_programs_write() -> None:
    problems = refused(
        "penstock:aws:NodePool",
        {"machineTyp": "p5.48xlarge", "nodes": {"min": -1, "max": "3"}, "cluster": {"name": 3}, "network": NETWORK},
    )

    assert {"machineTyp", "nodes.min", "nodes.max", "cluster.name", "cluster.securityGroupId", "key"} <= {*problems}
    assert "Did you mean machineType?" in problems["machineTyp"]
    assert problems["nodes.min"].startswith("-1 is out of bounds: at least 0.")
    assert problems["nodes.max"].startswith("A whole number belongs here, not '3'.")
    assert problems["cluster.securityGroupId"].startswith("securityGroupId is missing.")


def test_a_platform_is_held_to_the_rules_of_descriptions() -> None:
    problems = refused(
        "penstock:index:Platform",
        {
            **PLATFORM,
            "nodePools": [{"name": "train", "accelerator": "h1000", "nodes": {"min": 4, "max": 2}}],
            "storage": [{"name": "scratch", "kind": "lustre", "capacityTib": 20, "throughputMbpsPerTib": 250}],
        },
    )

    assert problems.keys() == {"nodePools[0].accelerator", "nodePools[0].nodes.min", "storage[0].capacityTib"}
    assert (
        "'h1000' is not an accelerator AWS offers in us-east-1. Did you mean h100?"
        in problems["nodePools[0].accelerator"]
    )
    assert problems["nodePools[0].accelerator"].endswith("[SPEC-061]")


def test_what_a_component_refuses_is_no_traceback() -> None:
    with pytest.raises(InputPropertiesError, match="no subnet in zone 'us-east-1b'"):
        rehearse_directly("penstock:aws:NodePool", {**POOL, "zone": "us-east-1b"})


def rehearse_directly(token: str, inputs: Mapping[str, Any]) -> None:
    """Construct a component in a rehearsal, and raise what it raises."""
    raised: list[Exception] = []

    def program() -> None:
        try:
            ComponentProvider("1.0.0").construct("train", token, inputs)
        except InputPropertiesError as error:
            raised.append(error)

    rehearse(program)
    for error in raised:
        raise error


def test_an_unknown_component_is_refused_with_its_neighbour() -> None:
    with pytest.raises(InputPropertiesError, match="Did you mean penstock:aws:NodePool"):
        ComponentProvider("1.0.0").construct("train", "penstock:aws:NodePol", {})


async def received(inputs: Mapping[str, Any]) -> Mapping[str, Any]:
    """Inputs as the SDK decodes them of a request of the engine."""
    return await ProviderServicer._construct_inputs(to_wire(inputs), {})  # noqa: SLF001


def over_the_wire(token: str, inputs: Mapping[str, Any]) -> ConstructorArguments:
    """What a constructor gets of inputs that the engine sends."""

    async def reading() -> ConstructorArguments:
        return read(packaged()[token], "train", await received(inputs))

    return asyncio.run(reading())


def test_a_reference_that_is_not_known_yet_leads_to_a_component() -> None:
    given = over_the_wire("penstock:aws:NodePool", {**POOL, "key": {"arn": UNKNOWN}})

    assert isinstance(given.arguments["key"].arn, pulumi.Output)
    assert given.arguments["network"].subnets.keys() == {"us-east-1a"}


def test_a_handle_of_references_need_not_be_known() -> None:
    """Such as that of a cluster or bucket which the same program creates."""
    given = over_the_wire("penstock:aws:NodePool", {**POOL, "cluster": UNKNOWN})

    assert isinstance(given.arguments["cluster"].endpoint, pulumi.Output)
    assert given.arguments["cluster"].moves is True


@pytest.mark.parametrize(
    ("inputs", "paths"),
    [
        ({**POOL, "network": UNKNOWN}, ["network"]),
        ({**POOL, "nodes": {"min": 0, "max": UNKNOWN}, "accelerator": UNKNOWN}, ["accelerator", "nodes.max"]),
    ],
    ids=["a handle", "parts of the description"],
)
def test_an_input_that_decides_on_resources_has_to_be_known(inputs: Mapping[str, Any], paths: list[str]) -> None:
    with pytest.raises(NotYetKnown) as unknown:
        over_the_wire("penstock:aws:NodePool", inputs)

    assert sorted(unknown.value.paths) == paths


def test_mistakes_beside_unknown_values_are_reported() -> None:
    with pytest.raises(InvalidDescription) as refusal:
        over_the_wire("penstock:aws:NodePool", {**POOL, "accelerator": UNKNOWN, "nodes": {"min": -1, "max": 2}})

    assert [each.path for each in refusal.value.findings] == ["nodes.min"]


def test_a_secret_is_no_part_of_a_description() -> None:
    with pytest.raises(InvalidDescription) as refusal:
        over_the_wire("penstock:aws:NodePool", {**POOL, "accelerator": Secret("h100-of-mine")})

    (found,) = refusal.value.findings
    assert (found.code, found.path) == ("SPEC-016", "accelerator")
    assert "h100-of-mine" not in str(found)


def test_a_secret_reference_stays_secret() -> None:
    async def is_secret() -> bool:
        inputs = await received({**POOL, "key": {"arn": Secret(KEY["arn"])}})
        arn = read(packaged()["penstock:aws:NodePool"], "train", inputs).arguments["key"].arn
        return bool(await arn.is_secret())

    assert asyncio.run(is_secret())


def test_a_wrong_secret_is_reported_without_its_property() -> None:
    """The engine prints the value of a property that an error names."""

    async def refusal() -> InputPropertiesError:
        inputs = await received({**POOL, "nodes": Secret("hunter2"), "disk": {"size_gib": 1}})
        with pytest.raises(InputPropertiesError) as refused:
            ComponentProvider("1.0.0").construct("train", "penstock:aws:NodePool", inputs)
        return refused.value

    error = asyncio.run(refusal())

    assert "nodes: " in error.message
    assert [each["property_path"] for each in error.errors or ()] == ["disk.sizeGib"]
    assert "hunter2" not in f"{error.message} {error.errors}"
