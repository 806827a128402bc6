"""Measures `penstock rehearse` of an AWS environment beside `terraform plan` of the same bodies; asserts nothing.

    python tests/benchmarks/terraform.py FOLDER [ENVIRONMENT]

FOLDER is a mirror of providers that has hashicorp/aws (`terraform providers mirror` writes one). What the rehearsal
registers of AWS is written as Terraform's JSON, with the values of the rehearsal where a program has references, so
that both have the same resources to read. Resources that this provider knows by other names or fields are left out of
the plan, and counted. Nothing is asked of a cloud: the plan only creates. Both take turns.
"""

from __future__ import annotations

import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from penstock.graph.graph import Graph
from penstock.graph.values import Secret, Unknown
from penstock.simulate.environment import find_environment
from penstock.simulate.project import project_at

ROOT = Path(__file__).parents[2]
TURNS = 5
Schema = Mapping[str, Any]
PROVIDER = {
    "region": "us-east-1",
    "access_key": "none",
    "secret_key": "none",
    "skip_credentials_validation": True,
    "skip_requesting_account_id": True,
    "skip_metadata_api_check": True,
    "skip_region_validation": True,
}
SOURCE = {"required_providers": {"aws": {"source": "hashicorp/aws"}}}


def main(mirror: str, environment: str = "aws-train") -> None:
    graph = find_environment(str(project_at(ROOT).stack_file(environment))).rehearse().graph
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder) / "terraform.rc"
        settings.write_text(f'provider_installation {{\n  filesystem_mirror {{ path = "{mirror}" }}\n}}\n')
        os.environ["TF_CLI_CONFIG_FILE"] = str(settings)
        os.environ["CHECKPOINT_DISABLE"] = "1"
        home = Path(folder) / "home"
        home.mkdir()
        written = write_bodies(graph, home)
        plan = ["terraform", f"-chdir={home}", "plan", "-refresh=false", "-lock=false", "-out=plan", "-no-color"]
        rehearse = [str(Path(sys.executable).with_name("penstock")), "rehearse", environment, "--out", os.devnull]
        os.chdir(ROOT)
        turns = [(seconds(rehearse), seconds(plan)) for _ in range(TURNS)]
    ours, theirs = zip(*turns, strict=True)
    print(f"{environment}: {len(graph)} resources of all providers rehearsed, {written} of AWS planned")
    for name, side in (("penstock rehearse", ours), ("terraform plan", theirs)):
        walls, processors = zip(*side, strict=True)
        print(
            f"{name:18} {statistics.median(walls):6.2f} s by the clock, {min(processors):6.2f} s of processors at least"
        )
    ratios = (
        statistics.median(a[0] / b[0] for a, b in turns),
        min(a[1] for a, _ in turns) / min(b[1] for _, b in turns),
    )
    print(f"{'ratio':18} {ratios[0]:6.2f} by the clock, {ratios[1]:6.2f} of processors")


def seconds(command: list[str]) -> tuple[float, float]:
    """The time of a command by the clock, and that of its processors."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wall, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def write_bodies(graph: Graph, home: Path) -> int:
    """Write what Terraform accepts of a Graph, and return how many resources that is."""
    (home / "main.tf.json").write_text(json.dumps({"terraform": SOURCE, "provider": {"aws": PROVIDER}}))
    terraform(home, "init", "-no-color")
    schemas = json.loads(terraform(home, "providers", "schema", "-json"))["provider_schemas"]
    types: Schema = next(iter(schemas.values()))["resource_schemas"]
    for number, each in enumerate(graph):
        name = terraform_type(each.type, types) if each.type.startswith("aws:") else None
        if name is not None:
            written = {name: {f"it{number}": body(plain(each.inputs), types[name]["block"])}}
            (home / f"it{number}.tf.json").write_text(json.dumps({"resource": written}))
    while refused := refused_files(home):
        for file in refused:
            (home / file).unlink()
    return len(list(home.glob("it*.tf.json")))


def refused_files(home: Path) -> set[str]:
    """The files with a resource that the provider does not take as it is."""
    report = json.loads(terraform(home, "validate", "-json", check=False))
    return {each["range"]["filename"] for each in report["diagnostics"] if each["severity"] == "error"}


def terraform(home: Path, *arguments: str, check: bool = True) -> str:
    done = subprocess.run(["terraform", f"-chdir={home}", *arguments], capture_output=True, text=True, check=False)
    if check and done.returncode:
        sys.exit(f"terraform {' '.join(arguments)}\n{done.stdout}{done.stderr}")
    return done.stdout


def terraform_type(token: str, types: Schema) -> str | None:
    """The name of a type in the provider that the SDK's types are made from, if it has one by the rule."""
    module, name = token.split(":")[1].split("/", maxsplit=1)[0], snake(token.rpartition(":")[2])
    return next((each for each in (f"aws_{module}_{name}", f"aws_{name}") if each in types), None)


def body(values: Any, block: Schema) -> dict[str, Any]:
    """What a block takes of some properties, by its schema: objects that stand alone are lists of one there."""
    found: dict[str, Any] = {}
    for key, value in values.items():
        name = next((each for each in (snake(key), snake(key).removesuffix("s")) if known(each, block)), None)
        if name is None:
            continue
        if name in block.get("attributes", {}):
            if not is_computed(block["attributes"][name]):
                is_several = block["attributes"][name].get("type", [""])[0] in ("list", "set")
                found[name] = [value] if is_several and not isinstance(value, list) else value
            continue
        inner = block["block_types"][name]["block"]
        items = value if isinstance(value, list) else [value]
        found[name] = [body(item, inner) for item in items if isinstance(item, Mapping)]
    return found


def known(name: str, block: Schema) -> bool:
    return name in block.get("attributes", {}) or name in block.get("block_types", {})


def is_computed(attribute: Schema) -> bool:
    return bool(attribute.get("computed")) and not attribute.get("optional")


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def plain(value: Any) -> Any:
    """Values as JSON has them; `${` would begin an expression of Terraform's."""
    if isinstance(value, Secret):
        return plain(value.value)
    if isinstance(value, Unknown):
        return None
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items() if item is not None}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value.replace("${", "$${").replace("%{", "%%{") if isinstance(value, str) else value


if __name__ == "__main__":
    main(*sys.argv[1:])
