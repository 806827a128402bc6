"""Measures the policy pack over its protocol, and all rules in one process; asserts nothing about time.

The aims: the pack starts within a second; it judges a resource with 5.6 KB of properties within 6 ms over the protocol,
and within 1 ms in one process. On a whole platform, on 4,000 resources and on Kubernetes objects of all kinds, all
policies take at most 0.5 ms of CPU for an object.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from tests.benchmarks.judgement import PLATFORM_RESOURCES, platforms, seconds
from tests.pack import engine
from tests.pack.engine import Engine, with_providers
from tests.programs import IT, graph_of
from tests.rules.cases import policy_cases

from penstock.app.judge import judge_policies
from penstock.graph.graph import Graph
from penstock.rules import registry
from penstock.rules.settings import Settings
from penstock.simulate.environment import find_environment
from penstock.simulate.project import project_at
from penstock.simulate.run import rehearse
from penstock.simulate.wire import to_wire

ASKED = 200
ALIKE = 20
SIZES = (1_000, 5_600, 23_000)
RESOURCES = 4_000
TEMPLATE = "aws:ec2/launchTemplate:LaunchTemplate"
FIREWALL = "aws:ec2/securityGroup:SecurityGroup"
SCRIPT = """\
set -euo pipefail
export NCCL_DEBUG=warn FI_PROVIDER=efa DATA="/scratch/data" # for every job of this pool
token=$(curl -sX PUT -H 'X-aws-ec2-metadata-token-ttl-seconds: 60' http://169.254.169.254/latest/api/token)
systemctl enable --now nvidia-persistenced && mount /dev/nvme1n1 /scratch
kubelet --node-labels=penstock.dev/pool=train --max-pods 110 --config /etc/kubernetes/kubelet.yaml
"""
EVERYTHING: dict[str, Any] = {"packs": ("regulated", "cost", "sovereign"), "environment": "prod"}


def main() -> None:
    print(f"{len(registry.policies())} rules")
    print(f"start of the pack {seconds(start):.3f} s, asked for: 1 s")
    print(f"{'':36}{'over the protocol':>20}{'in process':>14}")
    print(f"{'asked for at 5600 bytes':36}{'6 ms':>20}{'1 ms':>14}")
    settings = Settings.model_validate(EVERYTHING)
    with engine.started() as pack:
        pack.stack(**EVERYTHING)
        pack.configure()
        for size in SIZES:
            of_size(f"a launch template of {size} bytes", TEMPLATE, template(size), pack, settings)
        for size in SIZES:
            of_size(f"a firewall of {size} bytes", FIREWALL, firewall(size), pack, settings)
    stack = find_environment(str(project_at(Path(__file__).parents[2]).stack_file("aws-train")))
    report("aws-train", stack.rehearse().graph, settings)
    count = RESOURCES // PLATFORM_RESOURCES
    report(f"P5 × {count}", rehearse(partial(platforms, count, {})).graph, settings)
    report("Kubernetes", kubernetes_objects(), settings)


def kubernetes_objects() -> Graph:
    """The objects that the cases of all policies show, in one program: every kind, right and wrong."""
    shown = [dict(case.program) for case in policy_cases() if case.program[IT][0].startswith("kubernetes:")]
    graphs = [graph_of(program) for program in shown]
    resources = {f"{urn}{number}": each for number, graph in enumerate(graphs) for urn, each in graph.resources.items()}
    return replace(graphs[0], resources={urn: replace(each, urn=urn) for urn, each in resources.items()})


def start() -> None:
    """Starts the pack, and asks which policies it has."""
    with engine.started() as pack:
        pack.info()


def of_size(name: str, type_: str, inputs: dict[str, Any], pack: Engine, settings: Settings) -> None:
    """What it takes to judge one resource: alone over the protocol, and as one of some in one process."""
    graph = with_providers(graph_of({f"it{number}": (type_, inputs) for number in range(ALIKE)}))
    reported = engine.request(graph.of_type(type_)[0], graph)
    times = (
        seconds(lambda: [pack.pack.Analyze(reported) for _ in range(ASKED)]) / ASKED,
        seconds(lambda: [judge_policies(graph, settings) for _ in range(ASKED // ALIKE)]) / ASKED,
    )
    print(f"{name:36}{times[0] * 1000:17.2f} ms{times[1] * 1000:11.2f} ms", flush=True)


def template(size: int) -> dict[str, Any]:
    """How machines of a pool start: most of it is the text that they run, which is searched for secrets."""
    disk = {"deviceName": "/dev/xvda", "ebs": {"encrypted": "true", "volumeSize": 200, "volumeType": "gp3"}}
    tags = [{"resourceType": kind, "tags": {"environment": "prod", "owner": "ml"}} for kind in ("instance", "volume")]
    inputs = {"blockDeviceMappings": [disk], "metadataOptions": {"httpTokens": "required"}, "tagSpecifications": tags}
    return {**inputs, "userData": (SCRIPT * size)[: size - to_wire(inputs).ByteSize()]}


def firewall(size: int) -> dict[str, Any]:
    """The worst there is: several rules look at each of its many rules, all of which have a range of their own."""
    rule = {"protocol": "tcp", "fromPort": 443, "toPort": 443, "description": "internal"}
    ingress: list[dict[str, Any]] = []
    while to_wire({"ingress": ingress}).ByteSize() < size:
        ingress.append({**rule, "cidrBlocks": [f"10.0.{len(ingress)}.0/24"]})
    return {"description": "a group of rules", "ingress": ingress}


def report(name: str, graph: Graph, settings: Settings) -> None:
    judge_policies(graph, settings)  # the first turn reads data and compiles patterns
    whole = seconds(lambda: judge_policies(graph, settings))
    size = sum(to_wire(each.inputs).ByteSize() for each in graph) / len(graph)
    each = f"{whole / len(graph) * 1000:.3f} ms each, of {size:.0f} bytes"
    print(f"{name:12} {len(graph):5} resources {whole:12.3f} s, {each}", flush=True)


if __name__ == "__main__":
    main()
