"""Rules of one's own: found beside the stacks and in packages, evaluated like ours, and named where they fail."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from penstock.rules import custom, registry

RUN = Callable[..., tuple[int, str, str]]

RULE = """
from penstock.rules.authoring import HIGH, Category, Is, RuleSet, Settings, Verdict, View, allow

RULES = RuleSet(Category.RESILIENCE)
RULES.row(
    "acme-topic-fifo",
    "A topic keeps the order of its messages.",
    on="aws:sns/topic:Topic",
    check=Is("fifoTopic", value=True),
    severity=HIGH,
    rationale="Billing reads events in order.",
    fix="Set fifoTopic to true.",
)
"""
FUNCTION = """
@RULES.rule(
    on="aws:sns/topic:Topic",
    severity=HIGH,
    rationale="So.",
    fix="Set it.",
)
def acme_topic_{name}(topic: View, settings: Settings) -> Verdict:
    \"\"\"A topic is right.\"\"\"
    {body}
"""


@pytest.fixture(autouse=True)
def none_left() -> Iterator[None]:
    """No test leaves its rules to the next."""
    yield
    registry.use_custom_rules(())


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program with one topic, and a folder for rules beside its stack file."""
    (tmp_path / "Pulumi.yaml").write_text("name: acme\nruntime: python\n", encoding="utf-8")
    (tmp_path / "Pulumi.dev.yaml").write_text("config:\n  penstock:policies: {packs: [baseline]}\n", encoding="utf-8")
    (tmp_path / "__main__.py").write_text('import pulumi_aws\npulumi_aws.sns.Topic("events")\n', encoding="utf-8")
    (tmp_path / custom.FOLDER).mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(project: Path, text: str, name: str = "topics.py") -> None:
    (project / custom.FOLDER / name).write_text(text, encoding="utf-8")


def findings(penstock: RUN, command: str = "check") -> tuple[int, dict[str, dict[str, Any]]]:
    status, out, _ = penstock(command, "dev", "--format", "json")
    return status, {finding["code"]: finding for finding in json.loads(out)["findings"]}


@pytest.mark.parametrize("command", ["check", "rehearse"])
def test_a_rule_beside_the_stacks_is_evaluated_like_ours(project: Path, penstock: RUN, command: str) -> None:
    written(project, RULE)

    status, found = findings(penstock, command)

    assert status == 1
    assert found["acme-topic-fifo"]["path"] == "fifoTopic"
    assert found["acme-topic-fifo"]["hint"] == "Set fifoTopic to true."


def test_it_can_be_lowered_and_waived(project: Path, penstock: RUN) -> None:
    written(project, RULE)
    stack = "config:\n  penstock:policies: {rules: {acme-topic-fifo: advisory}}\n"
    (project / "Pulumi.dev.yaml").write_text(stack, encoding="utf-8")

    status, found = findings(penstock)

    assert status == 0
    assert found["acme-topic-fifo"]["severity"] == "warning"


def test_rules_of_packages_are_found_by_their_entry_point(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "acme_rules.py").write_text(RULE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    offered = EntryPoint("acme", "acme_rules", custom.ENTRY_POINTS)
    monkeypatch.setattr(custom, "entry_points", lambda group: [offered] if group == custom.ENTRY_POINTS else [])

    assert custom.load_custom_rules(tmp_path) == ()
    assert [rule.id for rule in registry.custom_rules()] == ["acme-topic-fifo"]


TOKEN = "ghp_" + "aB3" * 12
BAD = [
    ("raises", "raise KeyError(topic.urn)", "raised KeyError"),
    ("compares", "return allow(topic.number('size') > 2, '')", "raised TypeError: '>' not supported between"),
    ("blurts", f"raise ValueError('no {TOKEN}')", "raised ValueError: no"),
    ("nonsense", 'return "fine"', "answered str in place of a verdict"),
    ("nothing", "topic.text('name')", "answered NoneType in place of a verdict"),
    ("word", 'return Verdict("pass")', "answered an ill-formed Verdict"),
    ("texts", "return Verdict(allow(False, '').outcome, ('wrong',))", "answered an ill-formed Verdict"),
    ("ends", "raise SystemExit(0)", "raised SystemExit"),
    ("loops", "while True: pass", "took longer than"),
    ("waits", "__import__('time').sleep(30)", "took longer than"),
]


@pytest.mark.parametrize("bad", BAD, ids=[bad[0] for bad in BAD])
def test_a_rule_that_does_wrong_is_named_with_its_file_and_the_rest_of_the_report_stands(
    project: Path, penstock: RUN, monkeypatch: pytest.MonkeyPatch, bad: tuple[str, str, str]
) -> None:
    name, body, said = bad
    if said == "took longer than":
        monkeypatch.setattr("penstock.rules.judge._CUSTOM_RULE_S", 1.0)
    written(project, RULE + FUNCTION.format(name=name, body=body))

    status, found = findings(penstock)

    assert status == 1
    assert f"rule acme-topic-{name} {said}" in found["INTERNAL"]["message"]
    assert found["INTERNAL"]["file"].endswith("topics.py")
    assert TOKEN not in found["INTERNAL"]["message"]
    if said.startswith("raised"):
        lines = (project / custom.FOLDER / "topics.py").read_text(encoding="utf-8").splitlines()
        assert found["INTERNAL"]["line"] == lines.index(f"    {body}") + 1
    assert "acme-topic-fifo" in found


def test_a_path_that_no_sdk_declares_is_named_with_the_rule_and_its_file(project: Path, penstock: RUN) -> None:
    written(project, RULE + FUNCTION.format(name="typo", body="return allow(not topic.flag('fifo_topic'), '')"))

    status, found = findings(penstock)

    assert status == 1
    assert "acme-topic-typo reads fifo_topic" in found["RULE-002"]["message"]
    assert found["RULE-002"]["file"].endswith("topics.py")


READS = [
    ("topic.number('sise')", "sise"),
    ("topic.text('colour')", "colour"),
    ("topic.block('colours')", "colours"),
    ("topic.number('archive.sise')", "archive"),
]


@pytest.mark.parametrize(("read", "path"), READS)
def test_a_property_that_no_type_of_a_rule_has_is_named(project: Path, penstock: RUN, read: str, path: str) -> None:
    written(project, RULE + FUNCTION.format(name="typo", body=f"return allow(not {read}, '')"))

    _, found = findings(penstock)

    assert f"acme-topic-typo reads {path} of" in found["RULE-002"]["message"]


def test_a_property_that_another_type_of_the_rule_has_is_right(project: Path, penstock: RUN) -> None:
    types = """("aws:sns/topic:Topic", "aws:ebs/volume:Volume", "gcp:compute/disk:Disk")"""
    body = "return allow(not topic.number('size'), '')"
    written(project, RULE + FUNCTION.format(name="size", body=body).replace('"aws:sns/topic:Topic"', types))

    assert "RULE-002" not in findings(penstock)[1]


UNUSABLE = [
    ("x = ", "SyntaxError"),
    ("import nothing_of_that_name", "ModuleNotFoundError"),
    ("raise SystemExit(0)", "SystemExit"),
    ("", "it has no RULES"),
    ("RULES = 7", "it has no RULES"),
    (RULE.replace("acme-topic-fifo", "Topic"), "'Topic' is not an id"),
    (RULE.replace("acme-topic-fifo", "aws-ebs-encrypted"), "is the id of a rule of Penstock"),
    (RULE.replace("-fifo", "-any").replace('"aws:sns/topic:Topic"', "()"), "judges no type"),
]


@pytest.mark.parametrize(("text", "said"), UNUSABLE, ids=[said for _, said in UNUSABLE])
def test_a_file_that_cannot_be_used_is_named_and_the_others_count(
    project: Path, penstock: RUN, text: str, said: str
) -> None:
    written(project, RULE)
    written(project, text, "wrong.py")

    status, found = findings(penstock)

    assert status == 1
    assert said in found["RULE-001"]["message"]
    assert found["RULE-001"]["file"] == "penstock_rules/wrong.py"
    assert "acme-topic-fifo" in found


def test_a_file_that_loads_for_ever_is_named(project: Path, penstock: RUN, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(custom, "_LOADING_S", 0.2)
    written(project, "while True: pass")

    status, found = findings(penstock)

    assert status == 1
    assert "was not loaded within" in found["RULE-001"]["message"]


def test_what_a_rule_prints_is_no_part_of_a_report(project: Path, penstock: RUN) -> None:
    written(project, 'print("loading")\n' + RULE + FUNCTION.format(name="talks", body='print("hello")'))

    status, found = findings(penstock)

    assert status == 1
    assert "acme-topic-fifo" in found
