"""Outputs of other stacks are those that are supplied; what is missing is unknown, and reported by its name."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pulumi
import pytest
from pulumi import StackReference
from pulumi_aws import ec2

from penstock.core.errors import ProgramFailed, UnusableStackOutputs
from penstock.core.findings import Severity
from penstock.graph.values import UNKNOWN, Secret
from penstock.simulate.environment import find_environment
from penstock.simulate.run import Rehearsal, rehearse
from penstock.simulate.stack_outputs import find_outputs, read

SUPPLIED = {"acme/network/prod": {"vpcId": "vpc-1", "dbPassword": Secret("hunter22")}}
Run = Callable[..., tuple[int, str, str]]


def missed(rehearsal: Rehearsal) -> list[str]:
    return [each.message for each in rehearsal.findings if each.code == "PROGRAM-007"]


@pytest.mark.parametrize("preview", [False, True])
def test_supplied_outputs_are_those_of_the_stack(preview: bool) -> None:
    details: list[Any] = []

    async def program() -> None:
        other = StackReference("net", "acme/network/prod")
        details.append(await other.get_output_details("vpcId"))
        details.append(await other.get_output_details("dbPassword"))
        ec2.Subnet("s", vpc_id=other.require_output("vpcId"), cidr_block="10.0.0.0/24")
        pulumi.export("password", other.get_output("dbPassword"))
        other.get_output("absent").apply(details.append)

    rehearsal = rehearse(program, stack_outputs=SUPPLIED, preview=preview)

    (subnet,) = rehearsal.graph.of_type("aws:ec2/subnet:Subnet")
    assert subnet.inputs["vpcId"] == "vpc-1"
    assert rehearsal.graph.exports["password"] == Secret("hunter22")
    assert (details[0].value, details[1].secret_value, details[2]) == ("vpc-1", "hunter22", None)
    assert missed(rehearsal) == []


def test_each_output_that_is_missed_is_named_once_with_its_stack() -> None:
    async def program() -> None:
        other = StackReference("net", "acme/network/prod")
        for _ in range(2):
            other.get_output("vpcId")
        pulumi.export("zone", other.require_output(pulumi.Output.from_input("zone")))
        details = await other.get_output_details("key")
        ec2.Subnet.get("s", id=cast("Any", details.value)["deep"])
        pulumi.export("port", other.outputs["port"])

    rehearsal = rehearse(program)

    for name, message in zip(("key", "port", "vpcId", "zone"), sorted(missed(rehearsal)), strict=True):
        assert message.startswith(f"the output {name!r} of the stack acme/network/prod")
    assert {each.severity for each in rehearsal.findings} == {Severity.INFO}
    assert rehearsal.graph.exports["zone"] is UNKNOWN


def test_a_required_output_that_a_supplied_stack_lacks_fails_the_program() -> None:
    with pytest.raises(ProgramFailed, match="KeyError: 'zone'"):
        rehearse(lambda: StackReference("prod").outputs["zone"] and None, stack_outputs=SUPPLIED)


@pytest.mark.parametrize("name", ["acme/network/prod", "network/prod", "prod"])
def test_a_name_may_leave_out_what_pulumi_fills_in(name: str) -> None:
    assert find_outputs("acme/network/prod", {name: {"a": 1}}) == {"a": 1}
    assert find_outputs(name, {"acme/network/prod": {"a": 1}}) == {"a": 1}
    assert find_outputs("acme/network/dev", {name: {"a": 1}}) is None


PROGRAM = """
import pulumi
other = pulumi.StackReference("acme/network/prod")
pulumi.export("vpc", other.require_output("vpc"))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "Pulumi.yaml").write_text("name: p\nruntime: python\n")
    (tmp_path / "__main__.py").write_text(PROGRAM)
    return tmp_path


def test_they_come_from_the_stack_file_or_from_a_file_of_their_own_which_goes_first(folder: Path) -> None:
    stack_file = "config:\n  penstock:stackOutputs:\n    acme/network/prod: {vpc: vpc-file}\n"
    (folder / "Pulumi.dev.yaml").write_text(stack_file)
    given = folder / "outputs.json"
    given.write_text(json.dumps({"vpc": "vpc-given", "apiToken": "[secret]"}))

    assert find_environment(str(folder), "dev").rehearse().graph.exports == {"vpc": "vpc-file"}
    own = find_environment(str(folder), "dev", stack_outputs=read([f"acme/network/prod={given}"]))
    assert own.rehearse().graph.exports == {"vpc": "vpc-given"}


@pytest.mark.parametrize("command", ["rehearse", "check"])
def test_the_command_line_takes_them(penstock: Run, folder: Path, command: str) -> None:
    (folder / "o.json").write_text('{"vpc": "vpc-1"}')

    _, without, _ = penstock(command, str(folder), "--stack", "dev")
    _, supplied, _ = penstock(command, str(folder), "--stack", "dev", "--stack-output", f"prod={folder / 'o.json'}")

    assert "[PROGRAM-007]" in without
    assert "[PROGRAM-007]" not in supplied


@pytest.mark.parametrize(
    ("option", "says"),
    [("prod", "NAME=FILE"), ("prod=absent.json", "cannot be read"), ("prod={}", "not a JSON object")],
)
def test_what_cannot_be_read_is_refused_in_words(tmp_path: Path, option: str, says: str) -> None:
    (tmp_path / "list.json").write_text("[1]")

    with pytest.raises(UnusableStackOutputs, match=says):
        read([option.format(tmp_path / "list.json")])


@pytest.mark.parametrize("text", ["[]", '{"prod": 3}', "no JSON"])
def test_a_block_of_another_form_is_refused(text: str) -> None:
    with pytest.raises(UnusableStackOutputs, match="penstock:stackOutputs"):
        rehearse(lambda: None, config={"penstock:stackOutputs": text})
