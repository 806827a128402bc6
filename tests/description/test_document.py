"""Forms of a stack file, and the refusal of every other file."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.core.errors import InvalidDescription
from penstock.core.findings import Finding
from penstock.description import composer, document, load

START = "config:\n  penstock:platform:\n"


@pytest.fixture
def stack_file(tmp_path: Path) -> Path:
    return tmp_path / "Pulumi.dev.yaml"


def refused(path: Path) -> tuple[Finding, ...]:
    with pytest.raises(InvalidDescription) as caught:
        document.read(path)
    return caught.value.findings


@pytest.mark.parametrize(
    ("content", "code", "line"),
    [
        (b"", "SPEC-007", 1),
        (b"# nothing but a comment\n", "SPEC-007", 1),
        (b"just text", "SPEC-007", 1),
        (b"- a\n- b\n", "SPEC-007", 1),
        (b"environment: dev\n", "SPEC-007", 1),
        (b"config:\n  aws:region: us-east-1\n", "SPEC-007", 1),
        (b"config:\n  penstock:platform:\n", "SPEC-007", 2),
        (b"config:\n  penstock:platform: later\n", "SPEC-007", 2),
        (b"config: [\n", "SPEC-004", 2),
        (b"config:\n\tpenstock:platform: {}\n", "SPEC-004", 2),
        (b"config: {a: 'open}\n", "SPEC-004", 2),
        (b"config:\n  a: \x07\n", "SPEC-004", 2),
        (b"a: 1\n---\nb: 2\n", "SPEC-004", 2),
        (b"a: *nowhere\n", "SPEC-004", 1),
        (b"? [a]\n: b\n", "SPEC-004", 1),
        (b"a: 1\nb: \xff\xfe\n", "SPEC-003", 2),
        ("config: {}\n".encode("utf-16"), "SPEC-003", 1),
        (b"a: &a [*a]\n", "SPEC-005", 1),
        (b"[" * 100_000, "SPEC-005", 1),
        (b"config:\n" + b"x" * (1 << 20), "SPEC-002", None),
    ],
    ids=lambda value: repr(value[:20]) if isinstance(value, bytes) else None,
)
def test_a_file_that_is_no_stack_file_is_refused_at_its_line(
    stack_file: Path, content: bytes, code: str, line: int | None
) -> None:
    stack_file.write_bytes(content)

    (finding,) = refused(stack_file)

    assert (finding.code, finding.line, finding.file) == (code, line, str(stack_file))


@pytest.mark.parametrize(
    ("content", "hint"),
    [
        ("config:\n\tpenstock:platform: {}\n", "spaces, not tabs"),
        ("config:\n  a: {region: ${AWS_REGION}}\n", "expands no `${...}`"),
        ("config:\n  a: 1\n   b: 2\n", "Check the indentation"),
        ("config:\n  a:\n    b: 1\n   c: 2\n", "Check the indentation"),
    ],
)
def test_common_mistakes_in_yaml_have_a_hint(stack_file: Path, content: str, hint: str) -> None:
    stack_file.write_text(content, encoding="utf-8")

    (finding,) = refused(stack_file)

    assert finding.code == "SPEC-004"
    assert hint in finding.hint


@given(st.text(alphabet="ab:-[]{}&*<!|>'\"#? \n", max_size=40))
def test_no_text_raises_anything_but_trouble(text: str) -> None:
    with contextlib.suppress(composer.Trouble):
        composer.compose(text)


def test_aliases_of_aliases_are_counted_and_not_followed(stack_file: Path) -> None:
    levels = "\n".join(f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 10)}]" for level in range(1, 12))
    stack_file.write_text(f"a0: &a0 [x, x]\n{levels}\n", encoding="utf-8")

    (finding,) = refused(stack_file)

    assert finding.code == "SPEC-005"


def test_a_file_that_is_not_there_is_refused_with_its_neighbour(stack_file: Path) -> None:
    stack_file.touch()

    (finding,) = refused(stack_file.with_name("Pulumi.dve.yaml"))

    assert finding.code == "SPEC-001"
    assert "Pulumi.dev.yaml" in finding.hint


def test_a_directory_is_refused(tmp_path: Path) -> None:
    (finding,) = refused(tmp_path)

    assert finding.code == "SPEC-001"


def test_all_repeated_keys_are_reported_at_once(stack_file: Path) -> None:
    stack_file.write_text(START + "    name: a\n    name: b\n    tags: {x: '1', x: '2'}\n", encoding="utf-8")

    first, second = refused(stack_file)

    assert (first.code, first.path, first.line, first.column) == ("SPEC-006", "name", 4, 5)
    assert (second.code, second.path, second.line, second.column) == ("SPEC-006", "tags.x", 5, 20)


def test_values_are_read_as_pulumi_reads_them(stack_file: Path) -> None:
    values = "{a: no, b: true, c: 1.33, d: 0x1, e: '1', f: ~, g: 12, h: 2024-01-01, i: !!str 5, j: .5}"
    stack_file.write_text(START + f"    {values}\n", encoding="utf-8")

    description = document.read(stack_file).description

    assert list(description.values()) == ["no", True, 1.33, "0x1", "1", None, 12, "2024-01-01", "5", 0.5]


def test_blocks_can_be_merged_and_reused(stack_file: Path) -> None:
    text = START + "    a: &a {x: 1, y: 2}\n    b: {<<: *a, y: 3}\n    c: {<<: [*a, {z: 4}]}\n    d: *a\n"
    stack_file.write_text(text, encoding="utf-8")

    description = document.read(stack_file).description

    assert description["b"] == {"x": 1, "y": 3}
    assert description["c"] == {"x": 1, "y": 2, "z": 4}
    assert description["d"] == {"x": 1, "y": 2}


def test_a_byte_order_mark_is_no_part_of_the_text(stack_file: Path) -> None:
    stack_file.write_bytes(b"\xef\xbb\xbf" + START.encode() + b"    name: a\n")

    assert document.read(stack_file).description == {"name": "a"}


def test_a_finding_stands_at_the_line_and_column_of_its_key(stack_file: Path) -> None:
    text = (
        "# the training platform\n"
        + START
        + "    environment: dev\n"
        + "    cloud: {provider: aws, region: us-east-1}\n"
        + "    cluster:\n"
        + '      admins: ["arn:aws:iam::123456789012:role/platform"]\n'
        + "      deployer_cidrs: [203.0.113.0/24]\n"
        + "    node_pools:\n"
        + "      - name: train\n"
        + "        accelerator: h1000\n"
        + "        nodes: 2\n"
        + "      - {name: serve, accelerator: l4, nodes: {min: 3, max: 2}}\n"
    )
    stack_file.write_text(text, encoding="utf-8")

    with pytest.raises(InvalidDescription) as caught:
        load(stack_file)

    where = [(finding.path, finding.line, finding.column) for finding in caught.value.findings]
    assert where == [("node_pools[0].accelerator", 11, 9), ("node_pools[1].nodes.min", 13, 48)]


def test_a_missing_field_stands_at_the_block_that_misses_it(stack_file: Path) -> None:
    stack_file.write_text(START + "    environment: dev\n    cloud:\n      region: us-east-1\n", encoding="utf-8")

    with pytest.raises(InvalidDescription) as caught:
        load(stack_file)

    (finding,) = caught.value.findings
    assert (finding.path, finding.line) == ("cloud.provider", 4)
