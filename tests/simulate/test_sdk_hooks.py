"""Hooks into the SDK only save time: each can be turned off, and the result stays the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from tests.environments_of_programs import project_with_environment, rehearse

from penstock.core.errors import UnknownHook
from penstock.simulate import sdk_shortcuts
from penstock.simulate.sdk_hooks import HOOKS, IMPORTS, VARIABLE, imports_on_demand, turned_off

STACKS = Path(__file__).parents[2] / "stacks"
PARTS = ("resources", "findings", "cost", "timeline", "preconditions")
PROGRAM = """
import pulumi
from pulumi_aws import ec2, s3

vpc = ec2.Vpc("v", cidr_block="10.0.0.0/16", enable_dns_hostnames="yes")
ec2.Subnet("s", vpc_id=vpc.id, cidr_block="10.0.1.0/24", opts=pulumi.ResourceOptions(protect=True))
s3.Bucket("b", tags={"vpc": vpc.arn.apply(lambda arn: arn[-4:])})
pulumi.export("zones", ec2.get_vpc(default=True).cidr_block)
"""


@pytest.mark.parametrize(
    ("words", "off"),
    [
        ("", ()),
        ("none", HOOKS),
        ("-imports", ("imports",)),
        ("-imports, -_copy,", ("imports", "_copy")),
    ],
)
def test_the_variable_turns_hooks_off(words: str, off: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, words)

    assert turned_off() == frozenset(off)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("-import", "PENSTOCK_SDK_HOOKS has '-import'. Did you mean -imports? Allowed: none, -imports, -_copy, "),
        ("merge", "PENSTOCK_SDK_HOOKS has 'merge'. Did you mean -merge?"),
        ("none,-merge", "PENSTOCK_SDK_HOOKS has 'none'. "),
    ],
)
def test_an_unknown_hook_is_refused(words: str, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, words)

    with pytest.raises(UnknownHook) as refused:
        turned_off()
    assert str(refused.value).startswith(says)


@pytest.mark.parametrize("options", [("--stack", "edge"), ("--all",)])
def test_a_command_refuses_an_unknown_hook_with_status_2(
    penstock: Callable[..., tuple[int, str, str]], options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "-impots")

    status, result, errors = penstock("rehearse", STACKS, *options)

    assert (status, result) == (2, "")
    assert "'-impots'. Did you mean -imports? Allowed: none, " in errors


def test_each_shortcut_has_a_name_that_turns_it_off() -> None:
    names = {name for _, name, _ in sdk_shortcuts.shortcuts()}

    assert names | {IMPORTS} == set(HOOKS)
    assert {name for _, name, _ in sdk_shortcuts.shortcuts(("merge", "debug"))} == names - {"merge", "debug"}


def test_imports_are_those_of_python_without_their_hook(monkeypatch: pytest.MonkeyPatch) -> None:
    finders = list(sys.meta_path)
    monkeypatch.setenv(VARIABLE, "-imports")

    with imports_on_demand():
        assert sys.meta_path == finders
    monkeypatch.setenv(VARIABLE, "-merge")
    with imports_on_demand():
        assert sys.meta_path != finders


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("words", "stack"),
    [
        *(("none", stack) for stack in ("aws-train", "azure-train", "gcp-train", "onprem-train")),
        *((f"-{hook}", "aws-train") for hook in HOOKS),
    ],
)
def test_a_rehearsal_has_the_same_result_without_a_hook(words: str, stack: str) -> None:
    without, with_all = rehearsed(stack, words), rehearsed(stack, "")

    for part in PARTS:
        assert without[part] == with_all[part], part


@cache
def rehearsed(stack: str, words: str) -> dict[str, object]:
    """The JSON of a rehearsal in a process of its own, which has imported no SDK before."""
    command = [sys.executable, "-m", "penstock", "rehearse", str(STACKS), "--stack", stack, "--format", "json"]
    environment = {**os.environ, VARIABLE: words}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    found: dict[str, object] = json.loads(done.stdout)
    assert found["resources"]
    return found


@pytest.mark.nightly
@pytest.mark.parametrize("words", ["none", *(f"-{hook}" for hook in HOOKS)])
def test_so_has_one_in_an_interpreter_of_its_own(words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = project_with_environment(tmp_path)
    with_all = rehearse(folder, PROGRAM)
    monkeypatch.setenv(VARIABLE, words)
    without = rehearse(folder, PROGRAM)

    assert without.graph == with_all.graph
    assert without.findings == with_all.findings
    assert {each.code for each in without.findings} >= {"TYPE-003"}
