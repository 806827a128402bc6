"""What an editor offers at a cursor is what the description takes there."""

from __future__ import annotations

import pytest
from tests.editor.stackfiles import BLOCKS, TRAIN, with_cursor

from penstock.editor.completion import proposals
from penstock.editor.diagnosis import description_of


def offered(text: str) -> list[str]:
    return [each.text for each in proposals(*with_cursor(text))[1]]


def test_accelerators_are_those_that_the_region_sells_and_each_is_accepted() -> None:
    text = BLOCKS.replace("accelerator: h100", "accelerator: |")
    words = offered(text)

    assert "h100" in words
    for word in words:
        codes = {each.code for each in description_of(text.replace("|", word), "Pulumi.dev.yaml")[1]}
        assert not codes & {"SPEC-061", "SPEC-063"}, word
    elsewhere = offered(text.replace("us-east-1", "eu-west-3"))
    assert set(elsewhere) < set(words)


@pytest.mark.parametrize(
    ("before", "after", "word"),
    [
        ("region: us-east-1", "region: us|", "us-west-2"),
        ("capacity: spot", "capacity: |", "capacity_block"),
        ("kind: bucket", "kind: |", "lustre"),
        ("kind: bucket", "kind: lus|", "postgres"),
        ("machine_type: m7i.2xlarge", "machine_type: m|", "m7i.4xlarge"),
        ("environment: prod", "environment: |", "staging"),
        ("network: {cidr: 10.40.0.0/16}", "network: {cidr: 10.40.0.0/16, private_endpoints: |}", "false"),
        ("network: {cidr: 10.40.0.0/16}", "network: {cidr: 10.40.0.0/16, |}", "egress"),
        ("network: {cidr: 10.40.0.0/16}", "network: {cidr: 10.40.0.0/16, eg|", "egress"),
        ("    network:", "    addons:\n      |\n    network:", "observability"),
        ("    network:", "    add|\n    network:", "addons"),
        ("        capacity: spot", "        fab|", "fabric"),
        ('account: "123456789012"', "zones: [us-east-1a, |]", "us-east-1b"),
        ('account: "123456789012"', "zones: [us-east-1a, |", "us-east-1b"),
        ("      - name: system\n", "      - |\n", "name"),
    ],
)
def test_a_place_takes_its_fields_words_and_names(before: str, after: str, word: str) -> None:
    assert word in offered(BLOCKS.replace(before, after, 1))


def test_a_field_that_is_given_is_not_offered_again_and_required_ones_come_first() -> None:
    words = offered(BLOCKS.replace("{name: datasets, kind: bucket}", "{name: datasets, |}"))

    assert "name" not in words
    assert words[0] == "kind"


def test_an_accelerator_is_offered_with_the_machines_that_have_it() -> None:
    _, found = proposals(*with_cursor(BLOCKS.replace("accelerator: h100", "accelerator: |")))

    assert "8 × in p5.48xlarge" in next(each.detail for each in found if each.text == "h100")


def test_what_is_typed_is_replaced_as_a_whole() -> None:
    text, line, character = with_cursor(TRAIN.replace("accelerator: h100", "accelerator: h2|0"))
    span, _ = proposals(text, line, character)

    assert span is not None
    assert text.split("\n")[line][span.start : span.end] == "h20"


@pytest.mark.parametrize("text", ["con|", "config:\n  aws:reg|: us-east-1\n", "{|", "\tx: |", "config: [|"])
def test_nothing_is_offered_outside_a_description(text: str) -> None:
    assert offered(text) == []
