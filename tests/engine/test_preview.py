"""What the real `pulumi preview --json` prints is what `penstock check` reads."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from penstock.simulate.engine.scratch import scratch
from penstock.simulate.environment import find_environment

pytestmark = pytest.mark.skipif(shutil.which("pulumi") is None, reason="the Pulumi CLI is not on the PATH")

Run = Callable[..., tuple[int, str, str]]

PROGRAM = """
import pulumi
import pulumi_aws as aws

vpc = aws.ec2.Vpc("net", cidr_block="10.0.0.0/16")
aws.ec2.Subnet("private", vpc_id=vpc.id, cidr_block="10.0.0.0/24", availability_zone="eu-west-1a")
aws.docdb.Cluster("db", master_password=pulumi.Output.secret("hunter2!"))
"""


def test_a_preview_of_the_real_engine_is_judged(project: Callable[..., Path], penstock: Run, tmp_path: Path) -> None:
    folder = project(PROGRAM, "config: {aws:region: us-east-1}")
    file = tmp_path / "preview.json"
    with scratch(find_environment(str(folder), "dev")) as engine:
        engine.order()
        workspace = engine.stack.workspace
        variables = {**workspace.env_vars, "PULUMI_HOME": str(workspace.pulumi_home)}
        command = ["preview", "--json", "--show-sames", "--stack", "dev"]
        file.write_text(workspace.pulumi_command.run(command, str(engine.folder), variables).stdout)

    status, out, _ = penstock("check", file, "--format", "json")

    found = {each["code"]: each for each in json.loads(out)["findings"]}
    assert status == 1
    assert found["aws-subnet-zone-in-region"]["urn"].endswith("::private")
    assert "state-secret-in-properties" not in found
