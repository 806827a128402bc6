"""The command as a person meets it: what it prints, and the status it ends with."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from tests.descriptions import TRAINING, changed

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def stack(tmp_path: Path) -> Callable[[bytes], Path]:
    """Writes the stack file of a project whose program would leave a trace if it ran."""
    (tmp_path / "Pulumi.yaml").write_text("name: penstock\nruntime: python\n")
    (tmp_path / "__main__.py").write_text(
        "import pathlib, pulumi\n"
        "pulumi.Config('penstock').require_object('platform')\n"
        "pathlib.Path(__file__).with_name('ran').touch()\n"
    )

    def write(content: bytes) -> Path:
        file = tmp_path / "Pulumi.wrong.yaml"
        file.write_bytes(content)
        return file

    return write


def described(path: str, value: object) -> bytes:
    """A right description but for one value, as a stack file."""
    return yaml.safe_dump({"config": {"penstock:platform": changed(path, value)}}).encode()


BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{new}: &{new} [{','.join([f'*{old}'] * 9)}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
BATCH = {"name": "batch", "accelerator": "a100", "nodes": 1}

WRONG = {
    "misspelt field": (described("node_pools.1.acelerator", "h100"), "SPEC-010", "Did you mean accelerator?"),
    "unknown accelerator": (described("node_pools.1.accelerator", "h1000"), "SPEC-061", "Did you mean h100?"),
    "unknown region": (described("cloud.region", "us-est-1"), "SPEC-030", "us-east-1"),
    "unknown zone": (described("cloud.zones", ["us-east-1a", "us-east-1z"]), "SPEC-031", "us-east-1z"),
    "overlapping range": (described("network.cidr", "172.20.0.0/16"), "SPEC-041", "overlaps"),
    "small range": (described("network.cidr", "10.0.0.0/26"), "SPEC-040", "too small"),
    "EFA without EFA": (
        described("node_pools.2", {"name": "serve", "accelerator": "l4", "nodes": 1, "fabric": "efa"}),
        "SPEC-076",
        "does not support EFA",
    ),
    "reservation on demand": (described("node_pools.1.capacity", "on_demand"), "SPEC-069", "reserved"),
    "two pools of one name": (described("node_pools.2", {**BATCH, "name": "train"}), "SPEC-100", "train"),
    "min above max": (described("node_pools.1.nodes", {"min": 9, "max": 2}), "SPEC-066", "min 9 is above max 2"),
    "capacity no step": (described("storage.1.capacity_tib", 20), "SPEC-091", "19.2"),
    "group over zones": (
        described(
            "node_pools",
            [
                TRAINING["node_pools"][0],
                {**BATCH, "placement": "mine", "zone": "us-east-1a"},
                {**BATCH, "name": "more", "placement": "mine", "zone": "us-east-1b"},
            ],
        ),
        "SPEC-080",
        "us-east-1a",
    ),
    "arm64 image on x86": (
        described("node_pools.1.aws", {"ami_type": "AL2023_ARM_64_NVIDIA"}),
        "SPEC-086",
        "AL2023_x86_64_NVIDIA",
    ),
    "secret in clear": (described("tags", {"token": "hf_" + "aB3" * 12}), "SPEC-016", "secret"),
    "add-on that does not exist yet": (described("addons", {"vllm": {}}), "SPEC-010", "no add-on for serving yet"),
    "misspelt add-on": (described("addons", {"helth": {}}), "SPEC-010", "Did you mean health?"),
    "empty file": (b"", "SPEC-007", "empty"),
    "not YAML": (b"config: {a: [\n", "SPEC-004", ""),
    "alias bomb": (BOMB.encode(), "SPEC-005", ""),
    "10 MB": (b"# " + b"x" * 10_000_000, "SPEC-002", "1 MiB"),
}


@pytest.mark.parametrize(("content", "code", "words"), WRONG.values(), ids=WRONG)
def test_bad_input_is_reported_in_words_and_nothing_is_run(
    penstock: Run, stack: Callable[[bytes], Path], content: bytes, code: str, words: str
) -> None:
    file = stack(content)

    status, out, err = penstock("rehearse", file)

    assert status == 2
    assert not out
    assert f"[{code}]" in err
    assert words in err
    assert "Traceback" not in err
    assert "Nothing was created." in err
    assert not file.with_name("ran").exists()


def test_a_secret_in_clear_is_not_repeated(penstock: Run, stack: Callable[[bytes], Path]) -> None:
    _, _, err = penstock("rehearse", stack(described("tags", {"token": "hf_" + "aB3" * 12})))

    assert "aB3" not in err


def test_all_that_is_wrong_is_reported_at_once_with_file_line_and_column(
    penstock: Run, stack: Callable[[bytes], Path]
) -> None:
    whole = changed("node_pools.0.nodes", {"min": 5, "max": 2}, changed("network.cidr", "10.0.0.0/26"))
    file = stack(yaml.safe_dump({"config": {"penstock:platform": whole}}).encode())

    _, _, err = penstock("rehearse", file)

    places = re.findall(rf"^{re.escape(str(file))}:(\d+):\d+", err, re.MULTILINE)
    assert len(places) == 2
    assert [int(line) for line in places] == sorted(int(line) for line in places)
    assert "2 problems. Nothing was created." in err


def test_what_is_wrong_is_there_for_machines_too(penstock: Run, stack: Callable[[bytes], Path]) -> None:
    status, out, _ = penstock("rehearse", stack(described("cloud.region", "us-est-1")), "--format", "json")
    document = json.loads(out)

    assert status == 2
    assert document["ok"] is False
    assert document["resources"] == []
    assert {finding["code"] for finding in document["findings"]} >= {"SPEC-030"}


def test_a_finding_that_blocks_ends_with_status_1(penstock: Run, tmp_path: Path) -> None:
    (tmp_path / "Pulumi.yaml").write_text("name: p\nruntime: python\n")
    (tmp_path / "__main__.py").write_text("from pulumi_aws import ec2\nec2.Vpc('v', cidr_block=10)\n")

    status, out, _ = penstock("rehearse", tmp_path, "--stack", "dev")

    assert status == 1
    assert "__main__.py:2  cidrBlock  [aws-vpc-cidr-size]" in out
    assert "1 error, 1 warning." in out


def test_a_program_that_raises_ends_with_status_2_and_its_own_words(penstock: Run, tmp_path: Path) -> None:
    (tmp_path / "Pulumi.yaml").write_text("name: p\nruntime: python\n")
    (tmp_path / "__main__.py").write_text("import pulumi\npulumi.Config().require('colour')\n")

    status, _, err = penstock("rehearse", tmp_path, "--stack", "dev")

    assert status == 2
    assert err.startswith("__main__.py:2\n")
    assert "p:colour" in err
    assert "Traceback" not in err


@pytest.mark.parametrize("command", ["rehearse", "check", "cost"])
def test_what_kept_a_program_from_its_end_is_in_the_file_that_was_asked_for(
    penstock: Run, tmp_path: Path, command: str
) -> None:
    (tmp_path / "Pulumi.yaml").write_text("name: p\nruntime: python\n")
    (tmp_path / "__main__.py").write_text("raise RuntimeError('no')\n")

    status, out, err = penstock(command, tmp_path, "--stack", "dev", "--out", tmp_path / "report.txt")

    assert (status, out) == (2, "")
    assert (tmp_path / "report.txt").read_text("utf-8") == err
    assert "RuntimeError" in err


def test_what_kept_a_program_from_its_end_is_there_for_machines_too(penstock: Run, tmp_path: Path) -> None:
    (tmp_path / "Pulumi.yaml").write_text("name: p\nruntime: python\n")
    (tmp_path / "__main__.py").write_text("raise RuntimeError('no')\n")

    status, out, _ = penstock("rehearse", tmp_path, "--stack", "dev", "--format", "json")
    document = json.loads(out)

    assert status == 2
    assert document["ok"] is False
    assert [finding["code"] for finding in document["findings"]] == ["RUN-002"]


def test_what_a_program_prints_does_not_get_into_the_report(penstock: Run, tmp_path: Path) -> None:
    (tmp_path / "Pulumi.yaml").write_text("name: p\nruntime: python\n")
    (tmp_path / "__main__.py").write_text("print('hello')\nimport pulumi\npulumi.export('x', float('nan'))\n")

    status, out, err = penstock("rehearse", tmp_path, "--stack", "dev", "--format", "json")

    assert status == 0
    assert json.loads(out, parse_constant=pytest.fail)["ok"] is True
    assert "hello" in err


@pytest.mark.parametrize("content", ["config: hello\n", "config: [a]\n", "config: 5\n", "[a]\n"])
def test_a_configuration_that_is_none_is_refused(penstock: Run, stack: Callable[[bytes], Path], content: str) -> None:
    status, _, err = penstock("rehearse", stack(content.encode()))

    assert status == 2
    assert "[SPEC-007]" in err


@pytest.mark.parametrize("options", [(), ("--format", "json")])
def test_a_report_that_cannot_be_written_says_so(
    penstock: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, options: tuple[str, ...]
) -> None:
    monkeypatch.chdir(ROOT)

    status, _, err = penstock("rehearse", "aws-adopt", "--out", tmp_path / "absent" / "report", *options)

    assert status == 2
    assert "cannot be written" in err


@pytest.mark.slow
def test_a_terminal_that_knows_few_characters_still_gets_a_report() -> None:
    command = [sys.executable, "-c", "from penstock.cli import main; main()", "rehearse", "aws-adopt"]
    env = {**os.environ, "PYTHONIOENCODING": "ascii"}

    result = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, check=True)

    assert b"no findings" in result.stdout


def test_a_report_can_be_written_to_a_file(penstock: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(ROOT)

    status, out, _ = penstock("rehearse", "aws-adopt", "--out", tmp_path / "report.txt")

    assert (status, out) == (0, "")
    assert "no findings" in (tmp_path / "report.txt").read_text(encoding="utf-8")


def test_a_rehearsal_reads_well_without_colour(penstock: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)

    _, out, _ = penstock("rehearse", "aws-train")

    assert "\x1b" not in out
    assert "16 × p5.48xlarge, reserved, EFA, us-east-1a" in out
    assert re.search(
        r"\d+ resources in \d+ components; no findings\. Rehearsed in [\d.]+ s; nothing was created\.", out
    )


@pytest.mark.parametrize("rule", ["no_capacity:*-system", "crash:eks/cluster", "denied:aws:ec2/vpc:Vpc"])
def test_a_rehearsal_with_faults_ends_with_status_1(penstock: Run, monkeypatch: pytest.MonkeyPatch, rule: str) -> None:
    monkeypatch.chdir(ROOT)

    status, out, _ = penstock("rehearse", "aws-dev", "--faults", rule)

    assert status == 1
    assert "[FAULT-00" in out
    assert "A second run has" in out


def test_faults_that_the_provider_overcomes_do_not_block(penstock: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)

    status, out, _ = penstock("rehearse", "aws-dev", "--faults", "throttling:aws:ec2/*")

    assert status == 0
    assert "No second run is needed" in out


@pytest.mark.parametrize("rule", ["quake:*", "crash:no-such-thing", "crash", "seed=x"])
def test_a_fault_that_cannot_happen_is_reported_in_words(
    penstock: Run, monkeypatch: pytest.MonkeyPatch, rule: str
) -> None:
    monkeypatch.chdir(ROOT)

    status, out, err = penstock("rehearse", "aws-dev", "--faults", rule, "--format", "json")
    document = json.loads(out)

    assert status == 2
    assert [finding["code"] for finding in document["findings"]] == ["FAULT-001"]
    assert "Traceback" not in err


def test_faults_are_there_for_machines_only_when_asked_for(penstock: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)

    calm = json.loads(penstock("rehearse", "aws-dev", "--format", "json")[1])
    stormy = json.loads(penstock("rehearse", "aws-dev", "--format", "json", "--faults", "seed=42")[1])

    assert "faults" not in calm
    assert {each["urn"] for each in stormy["faults"]["resources"]} == {each["urn"] for each in stormy["resources"]}


def test_the_timeline_is_drawn(penstock: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)

    _, out, _ = penstock("rehearse", "aws-train")

    chart = out.partition("Creation, by median latencies")[2].partition("\n\n")[0].splitlines()
    assert any("(LustreFileSystem)" in line and "#" in line for line in chart)
    assert all(len(line) <= 120 for line in chart[1:])
    assert re.search(r"Best case \d+ min and \d+ min, 95th percentile \d+ min and \d+ min\.\nLower bound", out)


def test_the_timeline_is_there_for_machines(penstock: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)

    timeline = json.loads(penstock("rehearse", "aws-dev", "--format", "json")[1])["timeline"]

    assert timeline["min"]["makespan_s"] <= timeline["makespan_s"] <= timeline["p95"]["makespan_s"]
    assert timeline["bound_s"] <= timeline["makespan_s"]
    assert max(each["end_s"] for each in timeline["resources"]) == timeline["makespan_s"]


def test_the_schema_is_a_schema(penstock: Run) -> None:
    status, out, _ = penstock("schema")

    assert status == 0
    assert json.loads(out)["$defs"]["Spec"]["properties"].keys() >= {"cloud", "node_pools", "storage"}


def test_json_stays_json_whatever_the_program_prints_and_runs(tmp_path: Path) -> None:
    (tmp_path / "Pulumi.yaml").write_text("name: noisy\nruntime: python\n")
    (tmp_path / "__main__.py").write_text(
        "import os, subprocess, sys\n"
        "print('printed')\n"
        "sys.__stdout__.write('written\\n')\n"
        "os.write(1, b'raw\\n')\n"
        "subprocess.run([sys.executable, '-c', 'print(5)'], check=True)\n"
    )

    command = [sys.executable, "-c", "from penstock.cli import main; main()"]
    done = subprocess.run(
        [*command, "rehearse", str(tmp_path), "--stack", "dev", "--format", "json"],
        capture_output=True,
        check=True,
    )

    assert json.loads(done.stdout)["ok"]
    assert sorted(done.stderr.decode().split()) == ["5", "printed", "raw", "written"]


def test_components_nested_deeper_than_python_may_recurse_are_shown(penstock: Run, tmp_path: Path) -> None:
    (tmp_path / "Pulumi.yaml").write_text("name: deep\nruntime: python\n")
    (tmp_path / "__main__.py").write_text(
        "import pulumi\n"
        "parent = None\n"
        "for level in range(1100):\n"
        "    options = pulumi.ResourceOptions(parent=parent)\n"
        "    parent = pulumi.ComponentResource('deep:index:Level', f'level-{level}', None, options)\n"
    )

    status, said, _ = penstock("rehearse", tmp_path, "--stack", "dev")

    assert status == 0
    assert "1100 components" in said
