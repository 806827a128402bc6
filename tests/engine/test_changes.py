"""What `penstock diff` says of a change, the real Pulumi CLI does, resource by resource."""

from __future__ import annotations

import json
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from pulumi.automation import ConfigValue, EngineEvent
from pulumi.automation.errors import CommandError
from tests.engine import azurechanges

from penstock.changes.diff import Changes, diff
from penstock.changes.diff_findings import findings_of
from penstock.graph.graph import Graph
from penstock.simulate.engine.scratch import Scratch, scratch
from penstock.simulate.environment import Environment, find_environment
from penstock.simulate.lifecycle import Operation

pytestmark = pytest.mark.skipif(shutil.which("pulumi") is None, reason="the Pulumi CLI is not on the PATH")

HEAD = """
import pulumi
import pulumi_kubernetes as kubernetes
import pulumi_random as random
from pulumi_aws import Provider, ec2, eks, fsx, iam, s3

CHANGED = False
Options = pulumi.ResourceOptions


def either(before, after):
    return after if CHANGED else before
"""

PROPERTIES = """
ec2.Vpc("updated", cidr_block="10.0.0.0/16", tags={"team": either("a", "b")})
ec2.SecurityGroup("replaced", description=either("a", "b"))
ports = either([1, 2], [2, 1, 3])
ec2.SecurityGroup("rules", ingress=[{"protocol": "tcp", "from_port": port, "to_port": port} for port in ports])
ec2.Vpc("ignoring", cidr_block=either("10.0.0.0/16", "10.5.0.0/16"), opts=Options(ignore_changes=["cidrBlock"]))
tags = {"a": either("1", "2")}
forced = ec2.Vpc("forced", cidr_block="10.0.0.0/16", tags=tags, opts=Options(replace_on_changes=["tags"]))
ec2.Subnet("in-forced", vpc_id=forced.id, cidr_block="10.0.0.0/24")
ec2.Vpc("not-forced", cidr_block="10.0.0.0/16", tags=tags, opts=Options(replace_on_changes=["cidrBlock"]))
s3.BucketObject("hidden", bucket="b", key="k", content=pulumi.Output.secret(either("one", "two")))
s3.BucketObject("now-hidden", bucket="b", key="k", content=either("one", pulumi.Output.secret("one")))
password = random.RandomPassword("password", length=either(20, 24))
ec2.Vpc("uses", cidr_block="10.0.0.0/16", tags={"password": password.result})
kubernetes.core.v1.ConfigMap("settings", metadata={"name": "settings"}, data={"a": either("1", "2")})
"""

OPTIONS = """
vpc = ec2.Vpc("net", cidr_block="10.0.0.0/16", opts=Options(protect=either(False, True)))
ec2.Vpc("unprotected", cidr_block=either("10.0.0.0/16", "10.1.0.0/16"), opts=Options(protect=either(True, False)))
ec2.Vpc("waits", cidr_block="10.0.0.0/16", opts=Options(depends_on=either([], [vpc])))
if not CHANGED:
    ec2.Vpc("retained", cidr_block="10.0.0.0/16", opts=Options(retain_on_delete=True))
"""

CASCADES = """
vpc = ec2.Vpc("net", cidr_block="10.0.0.0/16")
zone = either("us-east-1a", "us-east-1b")
subnet = ec2.Subnet("private", vpc_id=vpc.id, cidr_block="10.0.1.0/24", availability_zone=zone)
lustre = fsx.LustreFileSystem(
    "scratch",
    subnet_ids=subnet.id,
    storage_capacity=1200,
    deployment_type="PERSISTENT_2",
    per_unit_storage_throughput=125,
)
ec2.Subnet("beside", vpc_id=vpc.id, cidr_block="10.0.2.0/24", tags={"mounts": lustre.dns_name})
cidr = either("10.0.0.0/16", "10.4.0.0/16")
first = ec2.Vpc("first", cidr_block=cidr, opts=Options(delete_before_replace=True))
ec2.Subnet("in-first", vpc_id=first.id, cidr_block="10.4.0.0/24")
for name, order in {"named": None, "asked": True, "kept": False}.items():
    role = iam.Role(
        f"{name}-role",
        name=f"the-{name}-role",
        path=either("/a/", "/b/"),
        assume_role_policy="{}",
        opts=Options(delete_before_replace=order),
    )
    iam.RolePolicy(f"{name}-policy", role=role.name, policy="{}")
"""

NAMES = """
s3.Bucket(either("removed", "added"))
ec2.Vpc(either("old", "new"), cidr_block="10.1.0.0/16")
moved = ec2.Vpc(either("was", "is"), cidr_block="10.1.0.0/16", opts=Options(aliases=[pulumi.Alias(name="was")]))
ec2.Subnet("in-moved", vpc_id=moved.id, cidr_block="10.1.0.0/24")


class Box(pulumi.ComponentResource):
    def __init__(self, type_, names, cidr, parent=None):
        aliases = [pulumi.Alias(name=names[0], parent=pulumi.ROOT_STACK_RESOURCE)]
        name = either(*names)
        super().__init__(f"many:index:{type_}", name, None, Options(aliases=aliases, parent=parent))
        mine = Options(parent=self)
        vpc = ec2.Vpc(f"{name}-vpc", cidr_block=cidr, opts=mine)
        ec2.Subnet(f"{name}-subnet", vpc_id=vpc.id, cidr_block="10.2.0.0/24", opts=mine)
        s3.Bucket("logs", opts=mine)
        self.register_outputs({})


box = Box("Box", ("box", "crate"), "10.2.0.0/16")
Box("Changed", ("box", "crate"), either("10.2.0.0/16", "10.3.0.0/16"))
Box("Inner", ("inner", "inner"), "10.2.0.0/16", parent=either(None, box))
"""

PROVIDERS = """
there = Options(provider=Provider("there", region=either("us-east-1", "us-west-2")))
vpc = ec2.Vpc("moves", cidr_block="10.0.0.0/16", opts=there)
ec2.Subnet("in-moves", vpc_id=vpc.id, cidr_block="10.0.0.0/24", opts=there)
ec2.Vpc("stays", cidr_block="10.0.0.0/16", region="us-east-1", opts=there)
iam.Role("everywhere", assume_role_policy="{}", opts=there)
tagged = Options(provider=Provider("tagged", region="us-east-1", default_tags={"tags": {"a": either("1", "2")}}))
ec2.Vpc("tagged", cidr_block="10.0.0.0/16", opts=tagged)
explicit = Options(provider=either(None, Provider("explicit", region="us-east-1")))
ec2.Vpc("explicit", cidr_block="10.0.0.0/16", opts=explicit)
for name, user, services in [
    ("same", either("a", "b"), "10.100.0.0/16"),
    ("again", "a", either("10.100.0.0/16", "10.200.0.0/16")),
]:
    cluster = eks.Cluster(
        name,
        role_arn="arn:aws:iam::123456789012:role/eks",
        vpc_config={"subnet_ids": ["subnet-1", "subnet-2"]},
        kubernetes_network_config={"service_ipv4_cidr": services},
    )
    kubeconfig = pulumi.Output.json_dumps(
        {
            "current-context": "context",
            "contexts": [{"name": "context", "context": {"cluster": "cluster", "user": "user"}}],
            "clusters": [{"name": "cluster", "cluster": {"server": cluster.endpoint}}],
            "users": [{"name": "user", "user": {"token": user}}],
        }
    )
    inside = Options(provider=kubernetes.Provider(name, kubeconfig=kubeconfig))
    kubernetes.core.v1.ConfigMap(f"in-{name}", data={"a": "1"}, opts=inside)
"""

VERSIONS = """
def group(name, template):
    eks.NodeGroup(
        name,
        cluster_name="shared",
        node_role_arn="arn:aws:iam::123456789012:role/nodes",
        subnet_ids=["subnet-0123456789abcdef0"],
        launch_template={"id": template.id, "version": template.latest_version.apply(str)},
        scaling_config={"min_size": 1, "desired_size": 1, "max_size": 1},
    )


size = either(100, 200)
disks = [{"device_name": "/dev/xvda", "ebs": {"volume_size": size}}]
group("follows", ec2.LaunchTemplate("larger", block_device_mappings=disks, update_default_version=True))
group("stays", ec2.LaunchTemplate("tagged", tags={"team": either("a", "b")}))
"""

KINDS = {
    "properties": PROPERTIES,
    "options": OPTIONS,
    "cascades": CASCADES,
    "names": NAMES,
    "providers": PROVIDERS,
    "versions": VERSIONS,
}

_STEPS = {"create-replacement": "replace", "delete-replaced": "replace"}
_OF_CLOUD = {"same", "create", "update", "replace", "delete"}


@dataclass(frozen=True)
class Performed:
    """What the CLI did to each resource, by URN, and what it complained of."""

    steps: dict[str, set[str]]
    problems: list[str]


def performed(command: Callable[..., object]) -> Performed:
    steps: dict[str, set[str]] = defaultdict(set)
    problems: list[str] = []

    def hear(event: EngineEvent) -> None:
        if event.resource_pre_event is not None:
            metadata: Any = event.resource_pre_event.metadata
            operation = str(getattr(metadata.op, "value", metadata.op))
            steps[metadata.urn].add(_STEPS.get(operation, operation))
        if event.diagnostic_event is not None and event.diagnostic_event.severity == "error":
            problems.append(event.diagnostic_event.message)

    try:
        command(on_event=hear)
    except CommandError:
        assert problems
    return Performed(dict(steps), problems)


@contextmanager
def standing(environment: Environment) -> Iterator[tuple[Scratch, Graph]]:
    """The environment's stack as the real engine built it, and the Graph of that."""
    with scratch(environment) as folder:
        folder.order()
        folder.stack.up()
        folder.settle()
        yield folder, folder.graph()


def agree(engine: Performed, changes: Changes) -> None:
    """The CLI took exactly the steps that the diff tells, for each resource that is in a cloud.

    It ends with an error at the first that is protected and would be deleted.
    """
    kept = {each.urn for each in changes if each.refused and each.operation is Operation.DELETE}
    reported = {each.urn: {each.operation.value} for each in changes if each.urn not in kept}
    unchanged = {each.urn: {Operation.SAME.value} for each in changes.after if _is_in_a_cloud(each)}
    replaced_there = {moved.old_urn for moved in changes.moved}  # reported under the URN that it has now
    done = {
        urn: steps
        for urn, steps in engine.steps.items()
        if steps <= _OF_CLOUD
        and urn not in replaced_there
        and urn not in kept
        and (urn in reported or urn in unchanged or steps != {"same"})
        if ":providers:" not in urn and "pulumi:pulumi:Stack::" not in urn and urn not in _components(changes)
    }

    assert done == {**unchanged, **reported}


def _is_in_a_cloud(resource: Any) -> bool:
    return resource.custom and not resource.external and not resource.type.startswith("pulumi:providers:")


def _components(changes: Changes) -> set[str]:
    return {each.urn for graph in (changes.before, changes.after) for each in graph if not each.custom}


@pytest.mark.parametrize(
    ("program", "config"),
    [
        *(pytest.param(HEAD + program, "aws:region: us-east-1", id=kind) for kind, program in KINDS.items()),
        *(
            pytest.param(azurechanges.HEAD + program, "azure-native:location: eastus", id=f"azure-{kind}")
            for kind, program in azurechanges.PROGRAMS.items()
        ),
    ],
)
def test_the_engine_does_what_the_diff_says(project: Callable[..., Path], program: str, config: str) -> None:
    folder = project(program, f"config: {{{config}}}")
    with standing(find_environment(str(folder), "dev")) as (engine, before):
        assert not diff(before, find_environment(str(folder), "dev").rehearse(before=before))
        (folder / "__main__.py").write_text(program.replace("CHANGED = False", "CHANGED = True"))
        changes = diff(before, find_environment(str(folder), "dev").rehearse(before=before))

        agree(performed(engine.stack.preview), changes)
        agree(performed(engine.stack.up), changes)
        engine.settle()
        assert not diff(engine.graph(), find_environment(str(folder), "dev").rehearse(before=engine.graph()))


REFUSED = {
    "replaced": "ec2.Vpc('net', cidr_block=either('10.0.0.0/16', '10.1.0.0/16'), opts=Options(protect=True))",
    "deleted": "if not CHANGED:\n    ec2.Vpc('net', cidr_block='10.0.0.0/16', opts=Options(protect=True))",
    "torn down": (
        "cidr = either('10.0.0.0/16', '10.1.0.0/16')\n"
        "vpc = ec2.Vpc('vpc', cidr_block=cidr, opts=Options(delete_before_replace=True))\n"
        "opts = Options(protect=either(True, False))\n"
        "ec2.Subnet('net', vpc_id=vpc.id, cidr_block='10.0.0.0/24', opts=opts)"
    ),
}


@pytest.mark.parametrize("why", REFUSED)
def test_the_engine_refuses_what_the_diff_says_it_will(project: Callable[..., Path], why: str) -> None:
    program = HEAD + REFUSED[why]
    folder = project(program)
    with standing(find_environment(str(folder), "dev")) as (engine, before):
        (folder / "__main__.py").write_text(program.replace("CHANGED = False", "CHANGED = True"))
        changes = diff(before, find_environment(str(folder), "dev").rehearse(before=before))

        for command in (engine.stack.preview, engine.stack.up):
            assert any("protect" in problem for problem in performed(command).problems)
        assert [each.resource.name for each in changes if each.refused] == ["net"]
        assert [finding.code for finding in findings_of(changes) if finding.blocks] == ["DIFF-002"]


def test_the_engine_stops_where_the_diff_says_it_will(project: Callable[..., Path]) -> None:
    """If this fails, the CLI has learnt to replace a named cluster with what is in it: then DIFF-005 goes."""
    program = HEAD + PROVIDERS.replace('role_arn="arn', 'name=name, role_arn="arn')
    folder = project(program, "config: {aws:region: us-east-1}")
    with standing(find_environment(str(folder), "dev")) as (engine, before):
        (folder / "__main__.py").write_text(program.replace("CHANGED = False", "CHANGED = True"))
        changes = diff(before, find_environment(str(folder), "dev").rehearse(before=before))

        agree(performed(engine.stack.preview), changes)
        assert any("closing" in problem for problem in performed(engine.stack.up).problems)
        assert "DIFF-005" in {finding.code for finding in findings_of(changes)}


def owner(described: dict[str, Any]) -> None:
    described["owner"] = "another-team"


def version(described: dict[str, Any]) -> None:
    described["cluster"]["version"] = "1.36"


def more(described: dict[str, Any]) -> None:
    described["node_pools"][1]["nodes"] = {"min": 1, "max": 6}
    described["budget"].pop("max_accelerators")


def disk(described: dict[str, Any]) -> None:
    described["node_pools"][1]["disk"] = {"size_gib": 600}


def on_demand(described: dict[str, Any]) -> None:
    described["node_pools"][1]["capacity"] = "on_demand"


def no_pool(described: dict[str, Any]) -> None:
    del described["node_pools"][1]


def no_files(described: dict[str, Any]) -> None:
    del described["storage"][1]


@pytest.mark.parametrize("name", ["aws-dev", "gcp-a2", "azure-legacy"])
def test_the_engine_previews_changes_of_a_description_as_the_diff_says(name: str) -> None:
    environment = find_environment(name)
    with standing(environment) as (engine, before):
        for change in (owner, version, more, disk, on_demand, no_pool, no_files):
            description = json.loads(environment.config.values["penstock:platform"])
            change(description)
            values = {**environment.config.values, "penstock:platform": json.dumps(description)}
            changed = replace(environment, config=replace(environment.config, values=values))
            engine.stack.set_config("penstock:platform", ConfigValue(values["penstock:platform"]))

            agree(performed(engine.stack.preview), diff(before, changed.rehearse(before=before)))


@pytest.mark.parametrize(
    ("name", "machine_type", "replaces"),
    [("aws-dev", "m7i.2xlarge", True), ("azure-legacy", "Standard_D8ds_v5", False)],
)
def test_the_engine_changes_a_platform_as_the_diff_says(name: str, machine_type: str, *, replaces: bool) -> None:
    """Another pool, other tags, and another network, which AWS replaces and Azure is asked to change in place."""
    environment = find_environment(name)
    description = json.loads(environment.config.values["penstock:platform"])
    description["tags"] = {**description.get("tags", {}), "cost-center": "research"}
    description["network"] = {**description.get("network", {}), "cidr": "10.77.0.0/16"}
    description["node_pools"] += [{"name": "more", "machine_type": machine_type, "nodes": 1}]
    values = {**environment.config.values, "penstock:platform": json.dumps(description)}
    changed = replace(environment, config=replace(environment.config, values=values))
    with standing(environment) as (engine, before):
        engine.stack.set_config("penstock:platform", ConfigValue(values["penstock:platform"]))
        changes = diff(before, changed.rehearse(before=before))

        assert changes.created
        assert changes.updated
        assert bool(changes.replaced) is replaces
        agree(performed(engine.stack.preview), changes)
        agree(performed(engine.stack.up), changes)
