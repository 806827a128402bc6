"""`penstock import` as a person meets it: the file that it writes, what it prints, and the status it ends with."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pulumi
import pytest
import yaml
from pulumi_aws import ec2, eks, s3
from tests.conversion import sources
from tests.environments import environment, rehearsed
from tests.simulate.test_exported_state import exported

from penstock import description
from penstock.simulate.run import rehearse

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in which the command runs."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def platform_in(file: Path) -> dict[str, Any]:
    """The description that was written; it is valid."""
    description.load(file)
    platform: dict[str, Any] = yaml.safe_load(file.read_text())["config"]["penstock:platform"]
    return platform


def note(out: str, place: str) -> str:
    """The text of the note at a place."""
    lines = out.splitlines()
    (index,) = (index for index, line in enumerate(lines) if line.strip() == place)
    return lines[index + 1].strip()


def test_an_eksctl_config_keeps_its_pools_network_and_administrators(penstock: Run, here: Path) -> None:
    (here / "cluster.yaml").write_text(sources.EKSCTL)

    status, out, err = penstock("import", "cluster.yaml")
    platform = platform_in(here / "Pulumi.research.yaml")

    assert (status, err) == (0, "")
    assert platform["cloud"] == {
        "provider": "aws",
        "region": "us-east-1",
        "zones": ["us-east-1a", "us-east-1b"],
        "account": "123456789012",
    }
    assert platform["network"] == {"cidr": "10.20.0.0/16", "nat": "single", "allowed_cidrs": ["203.0.113.0/24"]}
    assert platform["cluster"]["admins"] == ["arn:aws:iam::123456789012:role/platform"]
    assert platform["node_pools"] == [
        {"name": "system", "machine_type": "m7i.2xlarge", "nodes": {"min": 2, "max": 4}},
        {
            "name": "gpu-h100",
            "machine_type": "p5.48xlarge",
            "nodes": 2,
            "capacity": "capacity_block",
            "reservation": "cr-0123456789abcdef0",
            "zone": "us-east-1a",
            "disk": {"size_gib": 500},
            "labels": {"role": "train"},
            "taints": [{"key": "example.com/team", "value": "a", "effect": "NoExecute"}],
        },
        {
            "name": "spot",
            "machine_type": "g6.12xlarge",
            "nodes": {"min": 0, "max": 8},
            "capacity": "spot",
            "taints": [{"key": "example.com/spot", "value": "true", "effect": "NoSchedule"}],
        },
    ]
    assert "no SSH access" in note(out, "cluster.yaml:31  managedNodeGroups[1].ssh")
    assert "addons.observability" in note(out, "cluster.yaml:47  addons[1]")
    assert "not opened to every address" in note(out, "cluster.yaml:13  vpc.publicAccessCIDRs")


def test_secrets_of_a_source_are_neither_copied_nor_printed(penstock: Run, here: Path) -> None:
    (here / "cluster.yaml").write_text(sources.EKSCTL)

    _, out, err = penstock("import", "cluster.yaml")

    assert "metadata.tags.api_key" in out
    assert "hunter2" not in out + err + (here / "Pulumi.research.yaml").read_text()
    assert "ghp_" not in out + err + (here / "Pulumi.research.yaml").read_text()


def test_a_blueprint_keeps_its_pools_and_storage_and_names_variables_without_a_value(penstock: Run, here: Path) -> None:
    (here / "blueprint.yaml").write_text(sources.BLUEPRINT)

    status, out, _ = penstock("import", "blueprint.yaml", "--out", "Pulumi.a3.yaml")
    platform = platform_in(here / "Pulumi.a3.yaml")

    assert status == 0
    assert platform["cloud"] == {"provider": "gcp", "region": "us-central1", "account": "acme-ai"}
    assert platform["node_pools"][1] == {
        "name": "a3-pool",
        "machine_type": "a3-ultragpu-8g",
        "nodes": 4,
        "capacity": "reserved",
        "reservation": "acme-reservation",
        "zone": "us-central1-b",
    }
    assert [(each["kind"], each["name"], each.get("capacity_tib")) for each in platform["storage"]] == [
        ("bucket", "training-bucket", None),
        ("nfs", "home", 2.5),
        ("lustre", "scratch", 36),
    ]
    assert "vars.authorized_cidr" in out
    assert "vars.zone is taken as 'us-central1-b'" in out
    assert "addons.slurm" in note(out, "blueprint.yaml:49  deployment_groups[0].modules[7]")


def test_a_pool_of_a_reservation_without_a_name_is_kept_with_an_example(penstock: Run, here: Path) -> None:
    text = sources.BLUEPRINT.replace("  reservation: acme-reservation\n", "  reservation:\n")
    (here / "blueprint.yaml").write_text(text)

    status, out, _ = penstock("import", "blueprint.yaml")
    pool = platform_in(here / "Pulumi.ultra.yaml")["node_pools"][1]

    assert (status, pool["name"], pool["capacity"]) == (0, "a3-pool", "reserved")
    assert "Put in the id or name" in note(out, "node_pools[1].reservation")


def test_a_pool_with_flex_start_begins_without_nodes_and_long_names_are_shortened(penstock: Run, here: Path) -> None:
    text = sources.BLUEPRINT.replace("deployment_name: ultra", "deployment_name: research-department-training")
    pool, _, rest = text.partition("      reservation_affinity:")
    after = rest[rest.index("      additional_networks") :]
    (here / "blueprint.yaml").write_text(f"{pool}      enable_flex_start: true\n{after}")

    status, out, _ = penstock("import", "blueprint.yaml", "--out", "Pulumi.flex.yaml")
    platform = platform_in(here / "Pulumi.flex.yaml")

    assert status == 0
    assert platform["name"] == "research-dep"
    assert platform["node_pools"][1]["nodes"] == {"min": 0, "max": 4}
    assert platform["node_pools"][1]["capacity"] == "flex_start"
    assert "name is shortened: The full name research-department-training" in out


def test_terraform_takes_variables_from_the_files_beside_it(penstock: Run, here: Path) -> None:
    (here / "main.tf").write_text(sources.TERRAFORM)
    (here / "variables.tf").write_text(sources.VARIABLES)

    status, out, _ = penstock("import", "main.tf")
    platform = platform_in(here / "Pulumi.acme-ml.yaml")

    assert status == 0
    assert platform["cloud"]["region"] == "us-west-2"
    assert platform["network"] == {"cidr": "10.30.0.0/16", "nat": "single"}
    gpu = platform["node_pools"][1]
    assert (gpu["machine_type"], gpu["nodes"], gpu["capacity"]) == ("p5.48xlarge", 2, "capacity_block")
    assert (gpu["zone"], "node_pools[1].zone" in out) == ("us-west-2a", True)
    assert gpu["disk"] == {"size_gib": 400}
    assert gpu["taints"] == [{"key": "example.com/team", "value": "a", "effect": "NoSchedule"}]
    reservation = "module.eks[0].eks_managed_node_groups.gpu.capacity_reservation_specification"
    place = f"main.tf:39  {reservation}.capacity_reservation_target.capacity_reservation_id"
    assert "var.reservation" in note(out, place)
    assert "not translated" in note(out, "main.tf:46  resource.aws_iam_role.jobs")


@pytest.mark.parametrize("stack", ["aws-train", "aws-adopt", "gcp-serve", "azure-serve", "edge"])
def test_the_state_of_a_platform_restores_its_description(penstock: Run, here: Path, stack: str) -> None:
    (here / "export.json").write_text(json.dumps(exported(rehearsed(stack).graph)))

    status, out, _ = penstock("import", "export.json", "--out", "Pulumi.again.yaml")

    assert status == 0
    assert description.load(here / "Pulumi.again.yaml") == environment(stack).description
    assert "kept, 0 updated, 0 replaced, 0 created, 0 deleted" in out


def test_an_unknown_region_of_a_state_is_named(penstock: Run, here: Path) -> None:
    text = json.dumps(exported(rehearsed("aws-adopt").graph))
    described = environment("aws-adopt").description
    assert described is not None
    (here / "export.json").write_text(text.replace(str(described.cloud.region), "us-mars-2"))

    status, _, err = penstock("import", "export.json", "--out", "Pulumi.again.yaml")

    assert status == 2
    assert "'us-mars-2' is not a region of AWS" in err
    assert not (here / "Pulumi.again.yaml").exists()


def by_hand() -> None:
    """A platform by the SDK alone, with a setting that looks like a secret."""
    vpc = ec2.Vpc("net", cidr_block="10.50.0.0/16")
    zones = ("us-east-1a", "us-east-1b")
    subnets = [
        ec2.Subnet(f"s{index}", vpc_id=vpc.id, cidr_block=f"10.50.{index}.0/24", availability_zone=zone)
        for index, zone in enumerate(zones)
    ]
    arn = "arn:aws:iam::123456789012:role/nodes"
    cluster = eks.Cluster(
        "ml", name="ml", role_arn=arn, version="1.35", vpc_config={"subnet_ids": [each.id for each in subnets]}
    )
    eks.NodeGroup(
        "gpu",
        cluster_name=cluster.name,
        node_role_arn=arn,
        subnet_ids=[subnets[0].id],
        instance_types=["g6.12xlarge"],
        capacity_type="SPOT",
        scaling_config={"min_size": 0, "max_size": 4, "desired_size": 1},
        labels={"role": "serve", "api_key": "hunter2hunter2"},
    )
    s3.Bucket("models", tags={"key": pulumi.Output.secret("hunter2")})
    ec2.SecurityGroup("open", vpc_id=vpc.id)


def test_a_platform_built_by_hand_is_described_and_its_changes_are_shown(penstock: Run, here: Path) -> None:
    graph = rehearse(by_hand, project="old", stack="prod", config={"aws:region": "us-east-1"}).graph
    (here / "export.json").write_text(json.dumps(exported(graph)))

    status, out, _ = penstock("import", "export.json")
    platform = platform_in(here / "Pulumi.prod.yaml")

    assert status == 0
    assert platform["cloud"]["region"] == "us-east-1"
    assert platform["network"]["cidr"] == "10.50.0.0/16"
    assert platform["node_pools"] == [
        {
            "name": "gpu",
            "machine_type": "g6.12xlarge",
            "nodes": {"min": 0, "max": 4},
            "capacity": "spot",
            "zone": "us-east-1a",
            "labels": {"role": "serve"},
        }
    ]
    assert platform["storage"] == [{"kind": "bucket", "name": "models"}]
    assert f"network.existing: {{id: {graph.of_type('aws:ec2/vpc:Vpc')[0].id}" in out
    assert "Penstock creates its own in place of" in out
    assert "Data would be lost: models" in out
    assert "hunter2" not in out + (here / "Pulumi.prod.yaml").read_text()


def test_pools_keep_their_own_names_without_that_of_the_platform(penstock: Run, here: Path) -> None:
    content = exported(rehearsed("gcp-mega").graph)
    for each in content["deployment"]["resources"]:
        each["outputs"].pop("description", None)
    (here / "export.json").write_text(json.dumps(content))

    penstock("import", "export.json", "--out", "Pulumi.hand.yaml")
    platform = platform_in(here / "Pulumi.hand.yaml")

    described = environment("gcp-mega").description
    assert described is not None
    assert {pool["name"] for pool in platform["node_pools"]} == {pool.name for pool in described.node_pools}
    assert {item["name"] for item in platform["storage"]} >= {item.name for item in described.storage}
    assert platform["network"]["cidr"] == str(described.network.cidr)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.yaml", "", "is empty"),
        ("a.yaml", "apiVersion: [", "a.yaml:2:1  [SPEC-004]"),
        ("a.yaml", "\tx: 1", "not YAML"),
        ("a.yaml", "apiVersion: v1\nkind: Pod\n", "a Kubernetes manifest"),
        ("a.yaml", "Resources: {Q: {Type: AWS::SQS::Queue}}\n", "a CloudFormation template"),
        ("a.yaml", "config: {penstock:platform: {environment: dev}}\n", "a stack file with a description already"),
        ("a.json", '{"version": 4, "terraform_version": "1.9.0", "serial": 3}', "a Terraform state"),
        ("a.json", '{"version": 3, "deployment": ', "not JSON"),
        ("a.json", '{"version": 3, "deployment": {"resources": []}}', "no resources of aws, gcp, azure"),
        ("a.tf", 'module "eks" {\n  source = \n}\n', "a.tf:2"),
        ("a.tf", 'module "x" {\n  source = "./x"\n}\n', "calls no module that is understood"),
        ("a.txt", "hello\n", "Understood formats: output of `pulumi stack export`"),
    ],
)
def test_a_source_that_cannot_be_read_says_what_it_is_and_writes_nothing(
    penstock: Run, here: Path, name: str, text: str, said: str
) -> None:
    (here / name).write_text(text)

    status, out, err = penstock("import", name, "--out", "Pulumi.new.yaml")

    assert (status, out) == (2, "")
    assert said in err
    assert sorted(each.name for each in here.iterdir()) == [name]


def test_a_stack_file_that_exists_is_not_overwritten(penstock: Run, here: Path) -> None:
    (here / "cluster.yaml").write_text(sources.EKSCTL)
    (here / "Pulumi.research.yaml").write_text("config: {}\n")

    status, _, err = penstock("import", "cluster.yaml")

    assert status == 2
    assert "exists, and is not overwritten" in err
    assert (here / "Pulumi.research.yaml").read_text() == "config: {}\n"


def test_what_the_description_refuses_is_left_out_with_the_reason(penstock: Run, here: Path) -> None:
    text = sources.EKSCTL.replace("g6.12xlarge, ", "g6.1000xlarge, ").replace('"1.35"', "latest")
    (here / "cluster.yaml").write_text(text)

    status, out, _ = penstock("import", "cluster.yaml")

    assert status == 0
    assert [pool["name"] for pool in platform_in(here / "Pulumi.research.yaml")["node_pools"]] == ["system", "gpu-h100"]
    assert "is left out" in note(out, "cluster.yaml:6  metadata.version")
    assert "node_pools[2] (spot) is left out" in out
