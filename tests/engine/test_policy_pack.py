"""The policy pack under the real Pulumi CLI: `pulumi preview --policy-pack policies`."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from pulumi.automation.errors import CommandError

from penstock.pack import servicer
from penstock.simulate.engine.scratch import Scratch, scratch
from penstock.simulate.environment import find_environment

pytestmark = pytest.mark.skipif(shutil.which("pulumi") is None, reason="the Pulumi CLI is not on the PATH")

PACK = Path(servicer.__file__).with_name("policy_pack")

FOREIGN = """
import pulumi
import pulumi_aws as aws

token = pulumi.Output.secret("a-token-that-nobody-may-read")
key = aws.kms.Key("key", enable_key_rotation=True)
aws.efs.FileSystem("good", encrypted=True, kms_key_id=key.arn)
aws.efs.FileSystem("bare", tags={"token": token}, opts=pulumi.ResourceOptions(depends_on=[key]))
"""

BROKEN = "aws-efs-encrypted  (aws:efs:FileSystem: bare)"


class Said(NamedTuple):
    """Whether a command of the CLI succeeded, and all that it printed."""

    ok: bool
    text: str


class Cli:
    """The CLI in a scratch project, with the pack."""

    def __init__(self, folder: Scratch, pack: Path) -> None:
        self._folder, self._pack = folder, pack
        folder.order()

    def __call__(self, command: str, config: Mapping[str, Any] | None = None) -> Said:
        arguments = ["--policy-pack", str(self._pack), "--non-interactive", "--color", "never"]
        if command == "up":
            arguments += ["--yes", "--skip-preview"]
        if config is not None:
            file = self._folder.folder / "policies.json"
            file.write_text(json.dumps(config))
            arguments += ["--policy-pack-config", str(file)]
        stack = self._folder.stack
        variables = {**stack.workspace.env_vars, "PULUMI_HOME": str(stack.workspace.pulumi_home)}
        try:
            result = stack.workspace.pulumi_command.run(
                [command, *arguments, "--stack", stack.name], str(self._folder.folder), variables
            )
        except CommandError as error:
            return Said(False, str(error))
        return Said(True, result.stdout + result.stderr)

    def made(self) -> set[str]:
        return {resource["urn"].rpartition("::")[2] for resource in self._folder.resources()}


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """The pack as it is, but in the environment of these tests instead of one of its own."""
    folder = tmp_path / "pack"
    folder.mkdir()
    (folder / "__main__.py").symlink_to(PACK / "__main__.py")
    description = yaml.safe_load((PACK / "PulumiPolicy.yaml").read_text())
    description["runtime"] = {"name": "python", "options": {"toolchain": "pip", "virtualenv": sys.prefix}}
    (folder / "PulumiPolicy.yaml").write_text(yaml.safe_dump(description))
    return folder


@pytest.fixture
def foreign(project: Callable[..., Path], pack: Path) -> Iterator[Cli]:
    """A program that never saw Penstock, with one file system as it should be and one that is not encrypted."""
    with scratch(find_environment(str(project(FOREIGN)), "dev")) as folder:
        yield Cli(folder, pack)


def test_an_environment_of_ours_keeps_the_rules(pack: Path) -> None:
    with scratch(find_environment("aws-dev")) as folder:
        cli = Cli(folder, pack)

        for command in ("preview", "up", "preview"):
            said = cli(command)
            assert said.ok, said.text
            assert "penstock@v" in said.text
            assert "[severity" not in said.text


def test_a_stack_that_has_turned_nothing_on_has_the_baseline_which_advises_of_high_severity(foreign: Cli) -> None:
    said = foreign("preview")

    assert said.ok, said.text
    assert f"[advisory] [severity: high]  {BROKEN}" in said.text
    assert "encrypted is not set" in said.text
    assert "Set encrypted to true" in said.text
    assert "FileSystem: good" not in said.text
    assert "a-token" not in said.text


def test_what_must_not_be_is_refused_before_it_is_made(foreign: Cli) -> None:
    everything = {"all": "mandatory"}

    preview, up = foreign("preview", everything), foreign("up", everything)

    for said in (preview, up):
        assert not said.ok
        assert f"[mandatory] [severity: high]  {BROKEN}" in said.text
    assert "key" in foreign.made()
    assert "bare" not in foreign.made()


def test_the_configuration_of_policies_sets_levels_and_settings(foreign: Cli) -> None:
    off = foreign("preview", {"aws-efs-encrypted": "disabled"})
    # The engine does not show who set a level that is the published one, so it is set below `penstock`.
    rules = {"aws-efs-encrypted": "advisory"}
    regulated = foreign("preview", {"penstock": {"packs": ["regulated"], "unknown": "advisory", "rules": rules}})

    assert off.ok, off.text
    assert BROKEN not in off.text
    assert regulated.ok, regulated.text
    assert f"[advisory] [severity: high]  {BROKEN}" in regulated.text
    assert "aws-efs-cmk  (aws:efs:FileSystem: bare)" in regulated.text
    assert "aws-efs-cmk  (aws:efs:FileSystem: good)" not in regulated.text  # its key has no ARN yet, but is a key


ELSEWHERE = """
config:
  aws:region: us-east-1
  gcp:region: us-central1
  gcp:project: p
  penstock:policies: {packs: [], residency: eu}
"""


def test_the_regions_of_default_providers_are_judged(project: Callable[..., Path], pack: Path) -> None:
    program = (
        "import pulumi_aws, pulumi_gcp\n\n"
        "pulumi_aws.sqs.Queue('jobs')\n"
        "pulumi_gcp.redis.Instance('cache', memory_size_gb=1)\n"
    )
    with scratch(find_environment(str(project(program, ELSEWHERE)), "dev")) as folder:
        said = Cli(folder, pack)("preview")

    assert not said.ok
    assert "region is us-east-1, which does not lie in eu" in said.text
    assert "region is not set, so it is us-central1, which does not lie in eu" in said.text


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"aws-efs-encryption": "disabled"}, "Did you mean aws-efs-encrypted"),
        ({"penstock": {"parameters": {"colour": "red"}}}, "colour"),
        ({"penstock": {"packs": ["basic"]}}, "must be one of"),
    ],
    ids=str,
)
def test_a_mistake_in_the_configuration_is_reported_in_words(
    foreign: Cli, config: Mapping[str, Any], words: str
) -> None:
    said = foreign("preview", config)

    assert not said.ok
    assert words in said.text
    assert "penstock.policies" not in said.text  # as it would stand in a traceback
