"""Rehearsals under the real Pulumi CLI, which must agree with the embedded ones."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from pulumi.automation import EngineEvent

from penstock.core.errors import UnusableEngine
from penstock.graph.source_block import take
from penstock.graph.values import REDACTED, Secret
from penstock.simulate.engine import automation
from penstock.simulate.engine.automation import Run
from penstock.simulate.engine.scratch import scratch
from penstock.simulate.environment import find_environment
from penstock.simulate.wire import from_state
from penstock.timeline.faults import parse_faults
from penstock.timeline.outcome import play

pytestmark = pytest.mark.skipif(shutil.which("pulumi") is None, reason="the Pulumi CLI is not on the PATH")

STACKS = sorted((Path(__file__).parents[2] / "stacks").glob("Pulumi.*.yaml"))
WHOLE_LIFE = ["preview", "up", "second up", "refresh", "destroy"]

PREVIEWED = "aws-train"

MANY = """
import asyncio

import pulumi
import pulumi_aws as aws
import pulumi_kubernetes as kubernetes
import pulumi_random as random

config = pulumi.Config()


class Box(pulumi.ComponentResource):
    def __init__(self, name, opts=None):
        super().__init__("many:index:Box", name, {"given": 1}, opts)
        tags = {"password": config.require_secret("password")}
        child = pulumi.ResourceOptions(parent=self, protect=True)
        self.bucket = aws.s3.Bucket(f"{name}-bucket", force_destroy=True, tags=tags, opts=child)
        self.register_outputs({"arn": self.bucket.arn})


async def later():
    await asyncio.sleep(0.01)
    return "10.9.0.0/16"


box = Box("box", pulumi.ResourceOptions(aliases=[pulumi.Alias(name="old-box")]))
elsewhere = aws.Provider("elsewhere", region="us-east-1", default_tags={"tags": {"a": "b"}})
there = pulumi.ResourceOptions(provider=elsewhere)
vpc = aws.ec2.Vpc(
    "net",
    cidr_block="10.0.0.0/16",
    opts=pulumi.ResourceOptions(
        provider=elsewhere,
        retain_on_delete=True,
        ignore_changes=["tags"],
        custom_timeouts=pulumi.CustomTimeouts(create="30m"),
    ),
)
zones = aws.get_availability_zones(opts=pulumi.InvokeOptions(provider=elsewhere))
for number in range(config.require_int("size")):
    zone = zones.names[number % len(zones.names)]
    cidr = f"10.0.{number}.0/24"
    aws.ec2.Subnet(f"subnet-{number}", vpc_id=vpc.id, cidr_block=cidr, availability_zone=zone, opts=there)
found = aws.ec2.Vpc.get("found", "vpc-0123456789abcdef0")
aws.s3.Bucket("imported", bucket="imported", opts=pulumi.ResourceOptions(import_="imported"))
password = random.RandomPassword("password", length=20)
secret = aws.secretsmanager.Secret("secret")
aws.secretsmanager.SecretVersion(
    "version", secret_id=secret.id, secret_string=pulumi.Output.json_dumps({"password": password.result})
)
trust = aws.iam.get_policy_document_output(
    statements=[
        {"actions": ["sts:AssumeRole"], "principals": [{"type": "Service", "identifiers": ["ec2.amazonaws.com"]}]}
    ]
)
role = aws.iam.Role("role", assume_role_policy=trust.json)
space = kubernetes.core.v1.Namespace("space")
kubernetes.core.v1.ConfigMap(
    "settings",
    metadata={"namespace": space.metadata.name},
    data={"a": "1"},
    opts=pulumi.ResourceOptions(depends_on=[role]),
)
kubernetes.core.v1.Secret(
    "hidden", string_data={"password": password.result}, opts=pulumi.ResourceOptions(deleted_with=space)
)
aws.s3.BucketObject("object", bucket=box.bucket.id, source=pulumi.StringAsset("hello"))
aws.lambda_.Function(
    "function",
    role=role.arn,
    runtime="python3.12",
    handler="main.run",
    code=pulumi.AssetArchive({"main.py": pulumi.StringAsset("run = print")}),
    opts=pulumi.ResourceOptions(additional_secret_outputs=["arn"]),
)
aws.ec2.Vpc("late", cidr_block=pulumi.Output.from_input(later()))
pulumi.export("password", password.result)
pulumi.export("account", aws.get_caller_identity().account_id)
pulumi.export("tree", config.require_secret_object("tree"))
pulumi.export("found", found.cidr_block)
pulumi.export("plain", {"nothing": None, "number": 1.5, "yes": True})
"""

MANY_CONFIG = """
config:
  aws:region: eu-west-1
  aws:allowedAccountIds: ["123456789012"]
  many:password: {secure: AAABAKxxxx}
  many:tree: {a: [1, {b: true}], c: {secure: AAAB}}
"""


@pytest.fixture(autouse=True)
def _kubeconfig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kubeconfig with the contexts of the environments, as whoever runs Pulumi has one; nothing answers there."""
    names = ("coreweave", "dgx", "edge")
    content = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": name, "cluster": {"server": "https://127.0.0.1:1"}} for name in names],
        "users": [{"name": name, "user": {}} for name in names],
        "contexts": [{"name": name, "context": {"cluster": name, "user": name}} for name in names],
        "current-context": names[0],
    }
    file = tmp_path / "kubeconfig"
    file.write_text(json.dumps(content), encoding="utf-8")
    monkeypatch.setenv("KUBECONFIG", str(file))


def lived(target: Path | str, *faults: str) -> Run:
    path = Path(target)
    environment = find_environment(str(path), "dev" if path.is_dir() else None)
    return automation.run_engine(environment, environment.rehearse(), faults=parse_faults(faults) if faults else None)


def engine_findings(run: Run) -> list[str]:
    return [str(finding) for finding in run.rehearsal.findings if finding.code.startswith("ENGINE-")]


@pytest.mark.parametrize("stack", STACKS, ids=lambda file: file.stem.removeprefix("Pulumi."))
def test_the_engine_agrees_on_every_environment(stack: Path) -> None:
    run = lived(stack)

    count = sum(not each.is_default_provider for each in run.rehearsal.graph)  # which the CLI makes by itself
    assert not engine_findings(run)
    assert [step.name for step in run.steps] == WHOLE_LIFE
    assert all(step.ok for step in run.steps)
    assert [dict(step.changes) for step in run.steps[:3]] == [{"create": count}, {"create": count}, {"same": count}]


def test_a_preview_knows_what_the_embedded_one_knows() -> None:
    environment = find_environment(PREVIEWED)
    known: dict[str, Any] = {}

    def hear(event: EngineEvent) -> None:
        reported = event.resource_pre_event
        if reported is not None and reported.metadata.new is not None:
            inputs = from_state(reported.metadata.new.inputs or {})
            take(inputs)  # which only a rehearsal registers, and no Graph has
            known[reported.metadata.urn] = as_reported(inputs)

    with scratch(environment) as folder:
        folder.order(judges=True)
        folder.stack.preview(on_event=hear)

    assert known == {each.urn: as_reported(each.inputs) for each in environment.rehearse(preview=True).graph}


def as_reported(value: Any) -> Any:
    """As the CLI's events tell a value: without secrets and nulls."""
    if isinstance(value, Secret):
        return REDACTED
    if isinstance(value, Mapping):
        return {key: as_reported(item) for key, item in value.items() if item is not None}
    return [as_reported(item) for item in value] if isinstance(value, list) else value


def test_the_engine_agrees_on_all_that_a_program_may_do(project: Callable[..., Path]) -> None:
    """Components, aliases, secrets, explicit providers, look-ups, imports, assets, functions, and every option."""
    run = lived(project(MANY, MANY_CONFIG))

    assert not engine_findings(run)
    assert [step.name for step in run.steps] == WHOLE_LIFE


def test_nothing_is_left_behind_and_the_project_stays_as_it_is(
    project: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = project("import pulumi_random\n\npulumi_random.RandomPet('pet')\n")
    before = {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))

    lived(folder)

    assert {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()} == before
    assert not list(temporary.iterdir())


def test_a_defect_is_refused_in_the_preview_and_nothing_is_created(project: Callable[..., Path]) -> None:
    run = lived(project("from pulumi_aws import ec2\n\nec2.Vpc('net', enable_dns_support='perhaps')\n"))

    (preview,) = run.steps
    assert not preview.ok
    assert any("TYPE-003" in problem and "is wanted" in problem for problem in preview.problems)
    assert "TYPE-003" in {finding.code for finding in run.rehearsal.findings if finding.blocks}


def test_a_rule_of_the_cloud_refuses_in_the_preview(project: Callable[..., Path]) -> None:
    run = lived(
        project(
            "from pulumi_aws import fsx\n\n"
            "fsx.LustreFileSystem('scratch', deployment_type='PERSISTENT_2', per_unit_storage_throughput=250,\n"
            "    storage_capacity=5000, subnet_ids='subnet-1')\n"
        )
    )

    (preview,) = run.steps
    assert any("aws-fsx-capacity-step" in problem and "Use 4800 GiB" in problem for problem in preview.problems)


DYNAMIC = """
from pathlib import Path
from pulumi import dynamic


class Writer(dynamic.ResourceProvider):
    def create(self, props):
        Path(TRACE).write_text("called")
        return dynamic.CreateResult("id", {})


class Thing(dynamic.Resource):
    pass


Thing(Writer(), "thing", {})
"""


def test_a_provider_in_the_program_itself_is_never_called(project: Callable[..., Path], tmp_path: Path) -> None:
    trace = tmp_path / "trace"

    run = lived(project(DYNAMIC.replace("TRACE", repr(str(trace)))))

    assert any("does not call it" in problem for step in run.steps for problem in step.problems)
    assert not trace.exists()


CHAIN = """
import pulumi
from pulumi_aws import ec2, s3

vpc = ec2.Vpc("net", cidr_block="10.0.0.0/16")
subnets = [ec2.Subnet(f"subnet-{n}", vpc_id=vpc.id, cidr_block=f"10.0.{n}.0/24") for n in range(6)]
s3.Bucket("data", opts=pulumi.ResourceOptions(depends_on=subnets, protect=True))
"""


@pytest.mark.parametrize("where", ["net", "subnet-3", "data"])
def test_a_killed_and_repeated_up_converges(project: Callable[..., Path], where: str) -> None:
    """Nothing is orphaned and nothing is created twice: both would be findings."""
    run = lived(project(CHAIN), f"crash:{where}")

    crashed, again = run.steps[1:3]
    assert [step.name for step in run.steps] == ["preview", "up with faults", "up again", *WHOLE_LIFE[2:]]
    assert crashed.problems == ("the engine was killed",)
    assert again.ok
    assert not engine_findings(run)


def test_after_a_fault_a_second_up_makes_the_rest(project: Callable[..., Path]) -> None:
    run = lived(project(CHAIN), "denied:subnet-3")

    refused, again, second = run.steps[1:4]
    assert any("not authorized" in problem for problem in refused.problems)
    assert again.ok
    assert again.changes["create"] >= 2  # the refused subnet, and the bucket that waits for it
    assert second.changes == {"same": sum(again.changes.values())}
    assert not engine_findings(run)


def test_a_fault_is_reported_as_the_embedded_rehearsal_tells_it(project: Callable[..., Path]) -> None:
    """With the machine and the zone, of which no provider knows."""
    folder = project(
        "from pulumi_aws import ec2\n\n"
        "ec2.Instance('train', ami='ami-0123456789abcdef0', instance_type='p5.48xlarge',"
        " availability_zone='us-east-1a')\n"
    )
    graph = find_environment(str(folder), "dev").rehearse().graph
    outcome = play(graph, parse_faults(["no_capacity:train"]))

    refused = lived(folder, "no_capacity:train").steps[1]

    (fault,) = outcome.failed.values()
    assert "p5.48xlarge" in fault.message
    assert "us-east-1a" in fault.message
    assert any(fault.message in problem for problem in refused.problems)


def test_a_throttled_provider_asks_again_so_that_nothing_fails(project: Callable[..., Path]) -> None:
    run = lived(project(CHAIN), "throttling:subnet-*")

    assert all(step.ok for step in run.steps)
    assert not engine_findings(run)


def test_what_the_cli_refuses_is_reported_in_words(project: Callable[..., Path]) -> None:
    folder = project("")
    (folder / "Pulumi.dev.yaml").unlink()
    environment = find_environment(str(folder), "no such name!")

    with pytest.raises(UnusableEngine, match="stack name"):
        automation.run_engine(environment, environment.rehearse())


def test_the_command_tells_each_step(project: Callable[..., Path]) -> None:
    folder = project("import pulumi_random\n\npulumi_random.RandomPet('pet')\n")
    main = "from penstock.cli import main; main()"
    command = [sys.executable, "-c", main, "rehearse", str(folder), "--stack", "dev", "--engine", "pulumi"]

    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    document = json.loads(
        subprocess.run([*command, "--format", "json"], capture_output=True, text=True, check=True).stdout
    )

    assert [step["name"] for step in document["engine"]["steps"]] == WHOLE_LIFE
    assert document["ok"]
    for name in WHOLE_LIFE:
        assert name in text
