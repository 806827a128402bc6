"""The mistakes that newcomers make first: each is met with a sentence that helps."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from penstock.core.errors import ProgramFailed
from penstock.testing import rehearse

Run = Callable[..., tuple[int, str, str]]
STACKS = Path(__file__).parents[1] / "stacks"


def test_a_zone_that_a_network_does_not_have_is_named_with_those_it_has() -> None:
    from penstock.aws import KeyHandle, Lustre, NetworkHandle
    from penstock.description import LustreSpec

    def program() -> None:
        network = NetworkHandle(
            vpc_id="vpc-0123456789abcdef0",
            subnets={"us-east-1a": "subnet-0123456789abcdef0"},
            fabric_group_id="sg-0123456789abcdef0",
            cidr="10.0.0.0/16",
        )
        spec = LustreSpec(name="scratch", capacity_tib=4.8, throughput_mbps_per_tib=500)
        Lustre("scratch", spec, network=network, zone="us-east-1b", key=KeyHandle(arn="arn:aws:kms:us-east-1:1:key/k"))

    with pytest.raises(ProgramFailed, match=r"no subnet in zone 'us-east-1b'\. .*Its zones: us-east-1a"):
        rehearse(program)


def test_a_wrong_field_of_a_spec_is_refused_in_the_words_of_a_description() -> None:
    from penstock.description import NodePoolSpec

    def program() -> None:
        NodePoolSpec(name="train", acelerator="h100", nodes=-1, capacity="spott")  # type: ignore[call-arg, arg-type]

    with pytest.raises(ProgramFailed) as failed:
        rehearse(program)

    reported = str(failed.value)
    assert "NodePoolSpec cannot be built" in reported
    assert "acelerator: There is no field 'acelerator' here. Did you mean accelerator?" in reported
    assert "capacity: 'spott' is not allowed here. Did you mean spot?" in reported
    assert "pydantic" not in reported


def test_other_models_of_the_program_speak_for_themselves() -> None:
    from pydantic import BaseModel

    class Mine(BaseModel):
        size: int

    with pytest.raises(ProgramFailed, match="ValidationError: 1 validation error for Mine"):
        rehearse(lambda: Mine(size="large"))  # type: ignore[arg-type]


def test_a_program_that_creates_nothing_is_said_to(penstock: Run, tmp_path: Path) -> None:
    (tmp_path / "Pulumi.yaml").write_text("name: empty\nruntime: python\n")
    (tmp_path / "__main__.py").write_text("")

    for form in ("text", "markdown"):
        status, out, _ = penstock("rehearse", tmp_path, "--stack", "dev", "--format", form)

        assert status == 0
        assert "The program creates no resources." in out
        assert "Best case" not in out


def test_a_comment_on_a_pull_request_has_size_time_and_cost(penstock: Run, tmp_path: Path) -> None:
    (tmp_path / "Pulumi.yaml").write_text("name: small\nruntime: python\n")
    (tmp_path / "__main__.py").write_text(
        "from pulumi_aws import ebs\nebs.Volume('v', availability_zone='us-east-1a', size=1)\n"
    )

    _, out, _ = penstock("rehearse", tmp_path, "--stack", "dev", "--format", "markdown")

    assert "| Creates | 1 resource in 0 components. |" in out
    assert "| Time | Everything after " in out
    assert "| Cost | About " in out


STACK = "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev"


def test_an_export_is_read_from_standard_input(penstock: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    resources = [{"urn": STACK, "type": "pulumi:pulumi:Stack", "custom": False}]
    export = {"version": 3, "deployment": {"secrets_providers": {"type": "awskms"}, "resources": resources}}
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(export)))

    status, out, _ = penstock("audit", "-")

    assert status == 0
    assert "of stack dev of project shop" in out


def test_a_resource_without_a_urn_is_named_by_what_it_has(penstock: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    resources = [{"urn": STACK, "type": "pulumi:pulumi:Stack"}, {"type": "aws:ebs/volume:Volume", "id": "vol-1"}]
    export = {"version": 3, "deployment": {"resources": resources}}
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(export)))

    status, _, err = penstock("audit", "-")

    assert status == 2
    assert "resource 2 (type aws:ebs/volume:Volume, id vol-1) has no URN" in err


def test_a_missing_kind_offers_no_kind_that_is_refused() -> None:
    from penstock.core.errors import InvalidDescription
    from penstock.description import parse

    description = {
        "environment": "dev",
        "cloud": {"provider": "aws", "region": "us-east-1"},
        "cluster": {
            "admins": ["arn:aws:iam::123456789012:role/platform"],
            "deployer_cidrs": ["203.0.113.0/24"],
        },
        "node_pools": [{"name": "train", "accelerator": "l4", "nodes": 1}],
        "storage": [{"name": "data"}, {"name": "more", "kind": "blok"}],
    }

    with pytest.raises(InvalidDescription) as refused:
        parse(description)

    hints = [each.hint for each in refused.value.findings if each.path and each.path.endswith("kind")]
    assert hints == [
        "Allowed: beegfs, bucket, lustre, nfs, postgres, scale.",
        "Allowed: beegfs, bucket, lustre, nfs, postgres, scale.",
    ]


def test_no_cluster_is_asked_by_a_kubeconfig_that_is_not_here(penstock: Run, tmp_path: Path) -> None:
    (tmp_path / "Pulumi.yaml").write_text(f"name: penstock\nruntime: python\nmain: {json.dumps(str(STACKS))}\n")
    text = (STACKS / "Pulumi.edge.yaml").read_text(encoding="utf-8")
    (tmp_path / "Pulumi.edge.yaml").write_text(text.replace("kubeconfig: edge", "kubeconfig: /none/edge.yaml"))

    status, _, err = penstock("preflight", str(tmp_path), "--stack", "edge")

    assert status == 2
    assert "There is no kubeconfig at /none/edge.yaml" in err


def test_a_list_where_a_mapping_belongs_is_told_with_its_line(penstock: Run, tmp_path: Path) -> None:
    (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    (tmp_path / "__main__.py").write_text(
        "from pulumi_azure_native import containerregistry, resources\n"
        "group = resources.ResourceGroup('group', location='eastus')\n"
        "containerregistry.Registry('images', resource_group_name=group.name, sku={'name': 'Premium'},\n"
        "    identity={'type': 'UserAssigned', 'user_assigned_identities': [group.id]})\n"
    )

    status, out, _ = penstock("check", str(tmp_path), "--stack", "dev", "--format", "json")

    (found,) = json.loads(out)["findings"]
    assert (status, found["file"], found["line"]) == (2, "__main__.py", 3)
    assert "'images' has a list in identity where its SDK takes a mapping" in found["message"]
