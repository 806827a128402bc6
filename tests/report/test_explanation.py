"""Every code that a finding can carry is explained, and so is what people mistype."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from penstock.core.errors import UnknownFact
from penstock.description import rules as description_rules
from penstock.description.codes import Code
from penstock.preconditions.find import all_kinds
from penstock.report import codes, explanation
from penstock.rules import registry
from penstock.rules.levels import RuleKind

Run = Callable[..., tuple[int, str, str]]
ROOT = Path(__file__).parents[2]
LITERAL = re.compile(r'"([A-Z]{3,}-\d{3})"')


def test_every_code_in_the_program_is_explained() -> None:
    written = {
        code for file in (ROOT / "components").rglob("*.py") for code in LITERAL.findall(file.read_text("utf-8"))
    }

    assert len(written) > 100
    assert {"SIZE-001", "USAGE-001", "BUDGET-001"} < written
    for code in sorted(written):
        found = explanation.explain(code)
        assert found.code == code
        assert found.title.endswith((".", "*"))


def literal_severities() -> Iterator[tuple[str, str]]:
    """Each code that is written in a call beside its severity, and that severity."""
    for file in (ROOT / "components").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            given = [*node.args, *(each.value for each in node.keywords)]
            found = [each.value for each in given if isinstance(each, ast.Constant) and isinstance(each.value, str)]
            weights = [
                part.attr
                for each in given
                if isinstance(each, ast.Attribute | ast.IfExp)
                for part in ast.walk(each)
                if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == "Severity"
            ]
            for code in found:
                if LITERAL.fullmatch(f'"{code}"'):
                    yield from ((code, weight) for weight in weights)


def test_every_code_is_explained_with_the_severities_of_its_findings() -> None:
    pairs = set(literal_severities())

    assert {("BUDGET-001", "ERROR"), ("BUDGET-001", "WARNING"), ("DIFF-002", "ERROR"), ("BUDGET-002", "INFO")} < pairs
    for code, weight in pairs:
        severity = explanation.explain(code).severity
        assert re.search({"ERROR": "^error", "WARNING": "warning", "INFO": "info|note"}[weight], severity), code
        if severity.startswith("error") and weight == "ERROR":
            assert "blocks nothing" not in severity
    for code, possible in codes.SEVERITIES.items():
        literal = {weight for each, weight in pairs if each == code}
        assert literal <= {each.name for each in possible}, code


@pytest.mark.parametrize(
    ("code", "severity"),
    [
        ("BUDGET-001", "error: the exit status is 1; a warning for a budget that is not that of a description"),
        ("BUDGET-002", "info: blocks nothing"),
        ("USAGE-001", "warning: blocks nothing"),
        ("SIZE-001", "error: the exit status is 2, and there is no result"),
        ("QUOTA-001", "error: the exit status is 2, and there is no result"),
        ("TYPE-004", "warning or info: blocks nothing"),
        ("PROGRAM-001", "info: blocks nothing"),
    ],
)
def test_a_code_has_the_severity_and_status_of_its_findings(code: str, severity: str) -> None:
    assert explanation.explain(code).severity == severity


def test_what_a_preflight_asks_is_explained() -> None:
    kinds = list(all_kinds())

    assert kinds
    for kind in kinds:
        found = explanation.explain(kind.id)
        assert (found.code, found.title) == (kind.id, kind.title)
    assert not {kind.id for kind in kinds} & {rule.id for rule in registry.all_rules()}


@pytest.mark.slow
def test_every_rule_is_explained_with_its_reason_and_fix() -> None:
    for rule in registry.all_rules():
        found = explanation.explain(rule.id)
        assert (found.code, found.title, found.rationale, found.fix) == (rule.id, rule.title, rule.rationale, rule.fix)
        assert found.on or rule.category.kind is RuleKind.POLICY


def test_a_policy_has_its_packs_and_controls_and_a_rule_its_sources() -> None:
    policy, rule = explanation.explain("aws-ebs-encrypted"), explanation.explain("aws-eks-addon-name")

    assert "baseline" in policy.packs
    assert "HIPAA" in policy.controls
    assert policy.peers
    assert "blocks" in policy.severity
    assert rule.sources[0][1].startswith("https://docs.aws.amazon.com/")


@pytest.mark.parametrize(
    ("typed", "near"), [("aws-ebs-encrypt", "aws-ebs-encrypted"), ("spec-06", "SPEC-0"), ("DIFF-02", "DIFF-02")]
)
def test_a_mistyped_code_has_a_proposal(typed: str, near: str) -> None:
    with pytest.raises(UnknownFact, match=rf"is not a code.*Did you mean {near}"):
        explanation.explain(typed)


def test_the_case_of_letters_does_not_matter() -> None:
    assert explanation.explain("diff-002").code == "DIFF-002"
    assert explanation.explain(" Budget-001 ").code == "BUDGET-001"


def test_sentences_have_no_links_of_a_page() -> None:
    assert any("](" in sentence for sentence in codes.RULE_CODES.values())
    assert "](" not in explanation.explain("RULE-001").title


def test_codes_of_the_form_and_of_rules_on_descriptions_end_with_status_2() -> None:
    for code in (Code.NOT_YAML.value, description_rules.all_rules()[0].code, "RUN-001"):
        assert "status is 2" in explanation.explain(code).severity


def test_the_command_prints_and_refuses(penstock: Run) -> None:
    status, out, _ = penstock("explain", "aws-ebs-encrypted")
    assert status == 0
    assert "A volume is encrypted." in out
    assert "Fix\n" in out

    status, out, _ = penstock("explain", "aws-ebs-encrypted", "--format", "json")
    assert json.loads(out)["category"] == "encryption-at-rest"

    status, out, err = penstock("explain", "nonsense-" + "x" * 80)
    assert status == 2
    assert not out
    assert "is not a code" in err


def test_rules_of_ones_own_are_explained_where_they_are(
    penstock: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "Pulumi.yaml").write_text("name: p\nruntime: python\n")

    status, _, err = penstock("explain", "acme-no-such")

    assert status == 2
    assert "is not a code" in err
