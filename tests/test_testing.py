"""What users' own tests import."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pulumi
import pytest
from pulumi_aws import ebs, ec2, fsx
from tests.descriptions import TRAINING, changed

from penstock import description
from penstock.core.errors import InvalidDescription, NotAProject, ProgramFailed, UnusableFaults
from penstock.graph.graph import SourceLocation
from penstock.testing import diff, rehearse, violations

PROGRAM = """\
import pulumi
from pulumi_aws import s3
s3.Bucket("archive", tags={"team": pulumi.Config("data").require("team")})
"""


def platform(nodes: int = 2, accelerator: str = "l4") -> Mapping[str, Any]:
    """A small platform."""
    return {
        "environment": "dev",
        "cloud": {"provider": "aws", "region": "us-east-1"},
        "cluster": {"admins": ["arn:aws:iam::123456789012:role/platform"], "deployer_cidrs": ["203.0.113.0/24"]},
        "node_pools": [{"name": "train", "accelerator": accelerator, "nodes": nodes}],
    }


def volume(zone: str = "us-east-1a") -> None:
    ebs.Volume("v", availability_zone=zone, size=8)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a program and two stacks."""
    (tmp_path / "Pulumi.yaml").write_text("name: acme\nruntime: python\n")
    (tmp_path / "Pulumi.dev.yaml").write_text("config:\n  data:team: vision\n")
    (tmp_path / "Pulumi.prod.yaml").write_text("config:\n  data:team: nlp\n  penstock:policies: {packs: [regulated]}\n")
    (tmp_path / "__main__.py").write_text(PROGRAM)
    return tmp_path


def test_a_description_a_spec_and_a_function_can_be_rehearsed() -> None:
    by_mapping, by_spec = rehearse(TRAINING), rehearse(description.parse(TRAINING))

    assert list(by_mapping.graph) == list(by_spec.graph)
    assert rehearse(lambda: ec2.Vpc("v", cidr_block="10.0.0.0/16")).graph.of_type("aws:ec2/vpc:Vpc")


def test_a_stack_is_named_by_its_name_its_file_or_the_folder_of_its_project(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    by_name = rehearse("dev")

    assert by_name.resource("aws:s3/bucket:Bucket").inputs["tags"] == {"team": "vision"}
    assert list(rehearse(project / "Pulumi.dev.yaml").graph) == list(by_name.graph)
    assert list(rehearse(project, stack="dev").graph) == list(by_name.graph)


def test_a_stack_is_judged_by_its_own_policies(project: Path) -> None:
    assert rehearse(project, stack="dev").findings == ()
    assert "aws-s3-sse-cmk" in {finding.code for finding in rehearse(project, stack="prod").findings}


def test_the_file_of_a_program_can_be_rehearsed_without_a_project(tmp_path: Path) -> None:
    file = tmp_path / "archive.py"
    file.write_text(PROGRAM)

    bucket = rehearse(file, config={"data:team": "audio"}).resource("aws:s3/bucket:Bucket")

    assert bucket.inputs["tags"] == {"team": "audio"}
    assert bucket.place == SourceLocation("archive.py", 3)


@pytest.mark.parametrize("what", [42, None, ["dev"]])
def test_anything_else_is_refused(what: object) -> None:
    with pytest.raises(TypeError, match=rf"a description or a function .* got {type(what).__name__}"):
        rehearse(what)  # type: ignore[arg-type]


def test_a_stack_takes_its_configuration_from_its_file(project: Path) -> None:
    with pytest.raises(TypeError, match="config goes with a description or a program"):
        rehearse(project, stack="dev", config={"data:team": "audio"})


def test_an_unknown_stack_and_a_missing_program_are_named(project: Path) -> None:
    with pytest.raises(NotAProject, match=r"has no stack 'dve'. Did you mean dev?"):
        rehearse(project, stack="dve")
    with pytest.raises(ProgramFailed, match=r"no program at .*nowhere.py"):
        rehearse(project / "nowhere.py")


def test_an_async_function_runs_to_its_end() -> None:
    async def program() -> None:
        ec2.Vpc("v", cidr_block="10.0.0.0/16")

    assert rehearse(program).graph.of_type("aws:ec2/vpc:Vpc")


def test_a_wrong_description_is_refused_before_anything_is_built() -> None:
    with pytest.raises(InvalidDescription):
        rehearse(changed("cloud.region", "nowhere"))


def test_policies_tell_what_a_function_breaks_and_what_they_are_asked_for() -> None:
    rehearsal = rehearse(volume)

    assert [finding.code for finding in violations(rehearsal)] == ["aws-ebs-encrypted"]
    assert "aws-ebs-cmk" in {finding.code for finding in violations(rehearsal, {"packs": ["regulated"]})}
    assert violations(rehearsal, {"packs": ["cost"]}) == ()


def test_wrong_settings_of_policies_are_refused() -> None:
    with pytest.raises(InvalidDescription):
        violations(rehearse(lambda: None), {"packs": ["everything"]})


def test_a_platform_has_a_cost_and_a_time_to_the_first_accelerator() -> None:
    result = rehearse(platform())

    assert result.cost.monthly_usd == pytest.approx(sum(line.monthly_usd for line in result.cost.lines))
    assert result.cost.monthly_usd > 0
    assert 0 < (result.timeline.time_to_first_accelerator_s or 0) <= result.timeline.makespan_s


def test_a_platform_is_encrypted_and_a_plain_volume_is_not() -> None:
    rehearse(TRAINING).assert_encrypted()
    with pytest.raises(AssertionError, match="aws-ebs-encrypted"):
        rehearse(volume).assert_encrypted()


def test_findings_may_be_allowed_by_code() -> None:
    result = rehearse(lambda: ebs.Volume("v", availability_zone="us-east-1a", size=0))

    with pytest.raises(AssertionError, match=r"expected no findings, found 1:\n.*aws-ebs-size-range"):
        result.assert_no_findings()
    result.assert_no_findings(allow={"aws-ebs-size-range"})


def test_an_injected_fault_is_a_finding_and_stops_what_waits_for_it() -> None:
    result = rehearse(platform(), faults=["no_capacity:*-train"])

    assert result.faults is not None
    assert [urn.rpartition("::")[2] for urn in result.faults.failed] == ["platform-dev-train"]
    assert {finding.code for finding in result.findings} == {"FAULT-002"}
    with pytest.raises(UnusableFaults, match="kind of fault"):
        rehearse(platform(), faults=["nocapacity:*"])


def test_a_resource_is_found_by_its_type_and_name() -> None:
    result = rehearse(lambda: [ebs.Volume(name, availability_zone="us-east-1a", size=8) for name in "vw"])

    assert result.resource("aws:ebs/volume:Volume", "w").name == "w"
    with pytest.raises(AssertionError, match=r"found 2: v, w. Give a name"):
        result.resource("aws:ebs/volume:Volume")
    with pytest.raises(AssertionError, match=r"Did you mean aws:ebs/volume:Volume?"):
        result.resource("aws:ebs/volume:Volum")


def test_a_change_shows_lost_data_and_replaced_machines() -> None:
    before = rehearse(platform())
    more, other = diff(before, rehearse(platform(nodes=3))), diff(before, rehearse(platform(accelerator="l40s")))
    moved = diff(rehearse(volume), rehearse(lambda: volume("us-east-1b")))

    more.assert_no_data_lost()
    more.assert_no_machines_replaced()
    with pytest.raises(AssertionError, match="expected no replaced machines, found 1:\n  pool "):
        other.assert_no_machines_replaced()
    with pytest.raises(AssertionError, match=r"v \(Volume\) at .* is replaced\n    Lost: .*\n    Changed: avail"):
        moved.assert_no_data_lost()
    assert not moved.ok


def test_a_secret_of_the_configuration_is_in_no_finding(tmp_path: Path) -> None:
    (tmp_path / "Pulumi.yaml").write_text(
        "name: acme\nruntime: python\nconfig:\n  token: {value: s3cr3t-of-acme, secret: true}\n"
    )
    (tmp_path / "Pulumi.dev.yaml").write_text("config: {}\n")
    (tmp_path / "__main__.py").write_text(
        "import pulumi\nfrom pulumi_aws import ebs\n"
        'ebs.Volume("v", availability_zone="us-east-1a", size=8, type=pulumi.Config().require("token"))\n'
    )

    with pytest.raises(AssertionError) as failed:
        rehearse(tmp_path, stack="dev").assert_no_findings()

    assert "aws-ebs" in str(failed.value)
    assert "s3cr3t" not in str(failed.value)


def test_mocks_of_pulumi_work_in_the_same_process() -> None:
    asyncio.set_event_loop(asyncio.new_event_loop())  # other tests of this process may have ended theirs

    class Mocks(pulumi.runtime.Mocks):
        def new_resource(self, args: pulumi.runtime.MockResourceArgs) -> tuple[str | None, dict[object, object]]:
            return "mocked", dict(args.inputs)

        def call(self, args: pulumi.runtime.MockCallArgs) -> tuple[dict[Any, Any], list[tuple[str, str]] | None]:
            raise AssertionError(args.token)

    seen: list[str] = []
    mocked = pulumi.runtime.test(  # type: ignore[no-untyped-call]
        lambda: ebs.Volume("v", availability_zone="us-east-1a", size=8).id.apply(seen.append)
    )
    pulumi.runtime.set_mocks(Mocks())

    mocked()
    assert len(rehearse(volume).graph.of_type("aws:ebs/volume:Volume")) == 1
    mocked()

    assert seen == ["mocked", "mocked"]


def test_things_show_themselves_in_a_line() -> None:
    result = rehearse(lambda: fsx.LustreFileSystem("scratch", storage_capacity=2000, subnet_ids="subnet-1"))

    assert (
        max(map(len, map(repr, (result, result.graph, result.cost, result.timeline, *result.graph, *result.findings))))
        < 300
    )
