"""Measures `penstock rehearse` beside a bare run of the Pulumi SDK under its own mocks, as whole processes.

Both sides register the same number of plain resources from the same SDK modules. They take turns, so that a machine
that slows down slows both. Prints medians and their ratio; asserts nothing.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
TURNS = 5
SIZES = (1, 10, 100, 4000)

# One plain resource of each SDK module that stacks/Pulumi.aws-train.yaml uses.
PLATFORM_RESOURCES = """
import pulumi_aws as aws
from pulumi_kubernetes.helm import v3 as helm

def make(i):
    name, kind = f"it-{i}", i % 11
    if kind == 0: aws.kms.Key(name, description=name)
    elif kind == 1: aws.iam.Role(name, assume_role_policy="{}")
    elif kind == 2: aws.eks.AccessEntry(name, cluster_name="c", principal_arn="p")
    elif kind == 3: aws.s3.Bucket(name)
    elif kind == 4: aws.fsx.LustreFileSystem(name, subnet_ids="s")
    elif kind == 5: aws.ecr.Repository(name)
    elif kind == 6: aws.secretsmanager.Secret(name)
    elif kind == 7: aws.cloudwatch.LogGroup(name)
    elif kind == 8: aws.vpc.SecurityGroupEgressRule(name, security_group_id="sg", ip_protocol="-1")
    elif kind == 9: helm.Release(name, chart="c")
    elif kind == 10: aws.budgets.Budget(name, budget_type="COST", time_unit="MONTHLY")
    aws.ec2.SecurityGroup
"""

PLAIN_RESOURCES = """
import pulumi_aws as aws

def make(i):
    aws.ec2.SecurityGroup(f"it-{i}", description="plain", tags={"index": str(i)})
"""

BARE = """
import asyncio
import pulumi
from pulumi.runtime.stack import run_pulumi_func

class Mocks(pulumi.runtime.Mocks):
    def new_resource(self, args): return f"{args.name}-id", args.inputs
    def call(self, args): return {}

LOOP = asyncio.new_event_loop()
asyncio.set_event_loop(LOOP)
pulumi.runtime.set_mocks(Mocks(), project="p", stack="s")
"""


@dataclass(frozen=True)
class Cost:
    seconds: float
    mib: float


def main() -> None:
    print(f"{'program':24} {'resources':>9}  {'rehearse':>16}  {'SDK mocks':>16}  {'time':>5} {'memory':>6}")
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            report(f"plain × {size}", size, synthetic(Path(folder) / str(size), size), PLAIN_RESOURCES, Path(folder))
        size = platform_size()
        report("stacks/aws-train", size, ["aws-train"], PLATFORM_RESOURCES, Path(folder))


def report(name: str, size: int, target: list[str], resources: str, folder: Path) -> None:
    bare = folder / "bare.py"
    loop = f"def program():\n    for i in range({size}): make(i)\n"
    bare.write_text(f"{BARE}{resources}{loop}LOOP.run_until_complete(run_pulumi_func(program))\nLOOP.close()\n")
    ours_command = [str(Path(sys.executable).with_name("penstock")), "rehearse", *target]
    bare_command = [sys.executable, str(bare)]
    cost(ours_command), cost(bare_command)  # the first run of each warms the machine's caches
    turns = [(cost(ours_command), cost(bare_command)) for _ in range(TURNS)]
    ours, sdk = ([turn[side] for turn in turns] for side in (0, 1))
    time_ratio = statistics.median(a.seconds / b.seconds for a, b in turns)
    memory_ratio = statistics.median(a.mib / b.mib for a, b in turns)
    print(f"{name:24} {size:9}  {median(ours)}  {median(sdk)}  {time_ratio:5.2f} {memory_ratio:6.2f}", flush=True)


def median(costs: list[Cost]) -> str:
    seconds, mib = (statistics.median(getattr(each, field) for each in costs) for field in ("seconds", "mib"))
    return f"{seconds:6.2f} s {mib:4.0f} MiB"


def cost(command: list[str]) -> Cost:
    """The time and peak memory of one process, as the operating system accounts for them."""
    started = time.perf_counter()
    quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    os.chdir(ROOT)
    process = os.posix_spawn(command[0], command, os.environ, file_actions=quiet)
    _, status, usage = os.wait4(process, 0)
    if status:
        sys.exit(f"{' '.join(command)} failed")
    return Cost(time.perf_counter() - started, usage.ru_maxrss / 1024)


def synthetic(folder: Path, size: int) -> list[str]:
    """A Pulumi project of so many plain resources; how to rehearse it."""
    folder.mkdir()
    (folder / "Pulumi.yaml").write_text("name: plain\nruntime: python\n")
    (folder / "__main__.py").write_text(f"{PLAIN_RESOURCES}\nfor i in range({size}): make(i)\n")
    return [str(folder), "--stack", "dev"]


def platform_size() -> int:
    import json
    import subprocess

    command = [str(Path(sys.executable).with_name("penstock")), "rehearse", "aws-train", "--format", "json"]
    output = subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout
    return len(json.loads(output)["resources"])


if __name__ == "__main__":
    main()
