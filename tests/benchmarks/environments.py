"""Measures `penstock rehearse` of each environment as a whole process, beside the import of the SDKs alone.

Both sides import the same modules of the SDKs, and take turns. Prints medians and what is left; asserts nothing.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
TURNS = 5
SDKS = ("google", "grpc", "pulumi", "pulumi_aws", "pulumi_gcp", "pulumi_kubernetes")

IMPORT = """
import json, sys
from contextlib import suppress
from importlib import import_module
from penstock.rehearsal.sdk_imports import on_demand

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


def main() -> None:
    """Prints a row for each environment of stacks/."""
    print("| environment | whole command | SDKs alone | beyond them |\n|---|---|---|---|")
    penstock = str(Path(sys.executable).with_name("penstock"))
    with tempfile.TemporaryDirectory() as folder:
        for stack in sorted((ROOT / "stacks").glob("Pulumi.*.yaml")):
            environment = stack.stem.removeprefix("Pulumi.")
            rehearse = [penstock, "rehearse", environment, "--out", f"{folder}/report.txt"]
            alone = [sys.executable, "-c", IMPORT, json.dumps(modules_of_sdks(rehearse))]
            turns = [(seconds(rehearse), seconds(alone)) for _ in range(TURNS)]
            whole, sdks = (statistics.median(side) for side in zip(*turns, strict=True))
            print(f"| {environment} | {whole:.2f} s | {sdks:.2f} s | {whole - sdks:.2f} s |", flush=True)


if __name__ == "__main__":
    main()
