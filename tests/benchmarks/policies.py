"""Measures the policy pack over its protocol, and all rules in one process; asserts nothing about time."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from tests.benchmarks.judgement import PLATFORM_RESOURCES, platforms
from tests.pack import engine
from tests.pack.engine import Engine
from tests.rulecases import graph_of

from penstock.rehearsal.environment import find
from penstock.rehearsal.project import project_at
from penstock.rehearsal.run import rehearse
from penstock.rehearsal.wire import to_wire
from penstock.resources.graph import Graph
from penstock_policies import rules
from penstock_policies.judge import judge
from penstock_policies.settings import Settings

TURNS = 5
ASKED = 200
SIZES = (1_000, 5_600, 23_000)
RESOURCES = 4_000
TEMPLATE = "aws:ec2/launchTemplate:LaunchTemplate"
FIREWALL = "aws:ec2/securityGroup:SecurityGroup"
EVERYTHING: dict[str, Any] = {"packs": ("regulated", "cost", "sovereign"), "environment": "prod"}


def main() -> None:
    print(f"{len(rules.catalogue())} rules")
    print(f"start of the pack                  {seconds(start):8.3f} s")
    settings = Settings.model_validate(EVERYTHING)
    with engine.started() as pack:
        pack.stack(**EVERYTHING)
        pack.configure()
        for size in SIZES:
            of_size(f"a launch template of {size} bytes", TEMPLATE, template(size), pack, settings)
        for size in SIZES:
            of_size(f"a firewall of {size} bytes", FIREWALL, firewall(size), pack, settings)
    stack = find(str(project_at(Path(__file__).parents[2]).stack_file("aws-train")))
    report("aws-train", stack.rehearse().graph, settings)
    count = RESOURCES // PLATFORM_RESOURCES
    report(f"P5 × {count}", rehearse(partial(platforms, count)).graph, settings)


def start() -> None:
    """Starts the pack, and asks which policies it has."""
    with engine.started() as pack:
        pack.info()


def of_size(name: str, type_: str, inputs: dict[str, Any], pack: Engine, settings: Settings) -> None:
    """What it takes to judge one resource."""
    graph = graph_of({"it": (type_, inputs)})
    (it,) = graph
    told = engine.request(it, graph)
    times = (
        seconds(lambda: [pack.pack.Analyze(told) for _ in range(ASKED)]) / ASKED,
        seconds(lambda: [judge(graph, settings) for _ in range(ASKED)]) / ASKED,
    )
    print(f"{name:34} {times[0] * 1000:6.2f} ms over the protocol, {times[1] * 1000:.2f} ms in process", flush=True)


def template(size: int) -> dict[str, Any]:
    """How machines of a pool start: most of it is the text that they run."""
    disk = {"deviceName": "/dev/xvda", "ebs": {"encrypted": "true", "volumeSize": 200, "volumeType": "gp3"}}
    tags = [{"resourceType": kind, "tags": {"environment": "prod", "owner": "ml"}} for kind in ("instance", "volume")]
    inputs = {"blockDeviceMappings": [disk], "metadataOptions": {"httpTokens": "required"}, "tagSpecifications": tags}
    script = "systemctl enable --now nvidia-persistenced && mount /dev/nvme1n1 /scratch\n" * size
    return {**inputs, "userData": script[: size - to_wire(inputs).ByteSize()]}


def firewall(size: int) -> dict[str, Any]:
    """The worst there is: several rules look at each of its many rules."""
    rule = {"protocol": "tcp", "fromPort": 443, "toPort": 443, "cidrBlocks": ["10.0.0.0/8"], "description": "internal"}
    ingress: list[dict[str, Any]] = []
    while to_wire({"ingress": ingress}).ByteSize() < size:
        ingress.append(rule)
    return {"description": "a group of rules", "ingress": ingress}


def report(name: str, graph: Graph, settings: Settings) -> None:
    judge(graph, settings)  # the first turn reads data and compiles patterns
    whole = seconds(lambda: judge(graph, settings))
    size = sum(to_wire(each.inputs).ByteSize() for each in graph) / len(graph)
    each = f"{whole / len(graph) * 1000:.3f} ms each, of {size:.0f} bytes"
    print(f"{name:12} {len(graph):5} resources {whole:12.3f} s, {each}", flush=True)


def seconds(work: Callable[[], object]) -> float:
    """The median of some turns."""
    turns = []
    for _ in range(TURNS):
        started = time.perf_counter()
        work()
        turns.append(time.perf_counter() - started)
    return statistics.median(turns)


if __name__ == "__main__":
    main()
