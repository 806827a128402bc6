"""Measures `penstock rehearse` of each environment as a whole process, beside the import of the SDKs alone.

Both sides import the same modules of the SDKs, and take turns. Prints medians and what is left; then what all add-ons
of a provider together add to a platform without any: processor time and memory, the least of some turns, because other
work on the machine adds to them and takes nothing away. Asserts nothing.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from tests.addon_cases import together
from tests.descriptions import changed

ROOT = Path(__file__).parents[2]
PENSTOCK = str(Path(sys.executable).with_name("penstock"))
TURNS = 5
TURNS_OF_ADDONS = 7
SDKS = ("google", "grpc", "pulumi", "pulumi_aws", "pulumi_azure_native", "pulumi_gcp", "pulumi_kubernetes")

IMPORT = """
import json, sys
from contextlib import suppress
from importlib import import_module
from penstock.simulate.sdk_imports import on_demand

with on_demand():
    for name in json.loads(sys.argv[1]):
        with suppress(ImportError):
            import_module(name)
"""


def seconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def modules_of_sdks(rehearse: list[str]) -> list[str]:
    """The modules of the SDKs that a rehearsal imports, in its order."""
    reported = subprocess.run(
        [sys.executable, "-X", "importtime", *rehearse], cwd=ROOT, capture_output=True, text=True, check=True
    )
    lines = [line for line in reported.stderr.splitlines() if line.startswith("import time:")]
    names = [line.rpartition("|")[2].strip() for line in lines]
    return [name for name in names if name.partition(".")[0] in SDKS]


MOCKED = """
import asyncio, sys
import pulumi
from pulumi.runtime import mocks
from pulumi.runtime.stack import run_pulumi_func
from pulumi_kubernetes.core.v1 import ConfigMap

class Echo(mocks.Mocks):
    def new_resource(self, args):
        return args.name, args.inputs

    def call(self, args):
        return {}

def program():
    for number in range(int(sys.argv[1])):
        ConfigMap(f"c{number}", metadata={"name": f"c{number}", "namespace": "default"}, data={"key": "value"})

loop = asyncio.new_event_loop()
asyncio.set_event_loop(loop)
mocks.set_mocks(Echo())
loop.run_until_complete(run_pulumi_func(program))
"""
"""What the SDK itself takes under its own mocks, which answer nothing and judge nothing, to register small objects."""


class Cost(NamedTuple):
    """What a process and its children took: processor time in seconds, and memory at its peak in MB."""

    cpu_s: float
    peak_mb: float


def cost(command: list[str], folder: Path) -> Cost:
    """Run a command to its end, with compiled modules as a user has them."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def project(folder: Path, name: str, description: Any) -> list[str]:
    """Write a description into a project, and return the command that rehearses it."""
    text = yaml.safe_dump({"config": {"penstock:platform": description}}, sort_keys=False)
    (folder / f"Pulumi.{name}.yaml").write_text(text, encoding="utf-8")
    return [PENSTOCK, "rehearse", name, "--out", str(folder / "report.txt")]


def resources(rehearse: list[str], folder: Path) -> int:
    """The resources that a rehearsal makes."""
    subprocess.run([*rehearse, "--format", "json"], cwd=folder, check=True)
    return len(json.loads(Path(rehearse[-1]).read_text(encoding="utf-8"))["resources"])


def addons() -> None:
    """Prints a row for each provider: a platform without add-ons, with every one built there, and what that adds.

    Beside it is what the SDK takes alone to register as many objects.
    """
    print("\n| provider | without add-ons | with every add-on | adds | resources | SDK's mocks |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        program = json.dumps(str(ROOT / "stacks"))
        (folder / "Pulumi.yaml").write_text(f"name: penstock\nruntime: python\nmain: {program}\n", encoding="utf-8")
        for case in together():
            sides = [
                project(folder, f"{case.provider}-{name}", changed("addons", blocks, case.platform))
                for name, blocks in (("without", {}), ("with", case.addons))
            ]
            few, many = (resources(side, folder) for side in sides)
            sides += [[sys.executable, "-c", MOCKED, str(count)] for count in (0, many - few)]
            turns = [[cost(side, folder) for side in sides] for _ in range(TURNS_OF_ADDONS)]
            without, all_, none, mocked = (
                Cost(*map(min, zip(*side, strict=True))) for side in zip(*turns, strict=True)
            )
            figures = [without, all_, Cost(all_.cpu_s - without.cpu_s, all_.peak_mb - without.peak_mb)]
            print(
                f"| {case.provider} | {' | '.join(f'{e.cpu_s:.2f} s, {e.peak_mb:.0f} MB' for e in figures)} "
                f"| {many - few} | {mocked.cpu_s - none.cpu_s:.2f} s |",
                flush=True,
            )


def main() -> None:
    """Prints a row for each environment of stacks/, and one for the add-ons of each provider."""
    print("| environment | whole command | SDKs alone | beyond them |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for stack in sorted((ROOT / "stacks").glob("Pulumi.*.yaml")):
            environment = stack.stem.removeprefix("Pulumi.")
            rehearse = [PENSTOCK, "rehearse", environment, "--out", f"{folder}/report.txt"]
            alone = [sys.executable, "-c", IMPORT, json.dumps(modules_of_sdks(rehearse))]
            turns = [(seconds(rehearse), seconds(alone)) for _ in range(TURNS)]
            whole, sdks = (statistics.median(side) for side in zip(*turns, strict=True))
            print(f"| {environment} | {whole:.2f} s | {sdks:.2f} s | {whole - sdks:.2f} s |", flush=True)
    addons()


if __name__ == "__main__":
    main()
