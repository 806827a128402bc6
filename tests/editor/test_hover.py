"""At a cursor an editor shows what a field means, what follows from it, and its cost."""

from __future__ import annotations

import pytest
from tests.editor.stackfiles import TRAIN, with_cursor

from penstock.editor.diagnosis import description_of
from penstock.editor.hover import hover_text

FILE = "Pulumi.dev.yaml"
POOL_LINE, LUSTRE_LINE = (
    next(number for number, text in enumerate(TRAIN.split("\n"), start=1) if name in text)
    for name in ("name: train", "name: scratch")
)


def shown(text: str) -> str:
    plain, line, character = with_cursor(text)
    costs = {POOL_LINE: 1000.0, LUSTRE_LINE: 30.0}
    found = hover_text(plain, FILE, line, character, spec=description_of(TRAIN, FILE)[0], costs=costs)
    return found[1] if found is not None else ""


def test_a_pool_shows_what_is_derived_and_its_cost() -> None:
    text = shown(TRAIN.replace("name: train", "name: tr|ain"))

    assert "machine type: p5.48xlarge" in text
    assert "accelerators of a node: 8 × h100" in text
    assert "fabric: efa" in text
    assert "About 1,000 USD a month" in text


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("capacity: reserved", "capa|city: reserved", "One of `on_demand`, `spot`, `reserved`"),
        ("cidr: 10.40", "cid|r: 10.40", "Default: `10.0.0.0/16`"),
        ("kind: lustre", "kin|d: lustre", "`bucket`"),
        ("node_pools:", "node_po|ols:", "About 1,000 USD a month"),
        ("capacity_tib: 19.2", "capacity_tib: 1|9.2", "About 30 USD a month"),
        ("observability: {}", "observ|ability: {}", "Prometheus"),
    ],
)
def test_a_field_shows_its_meaning_its_words_and_what_its_block_costs(before: str, after: str, words: str) -> None:
    assert words in shown(TRAIN.replace(before, after, 1))


def test_nothing_is_shown_outside_the_description() -> None:
    assert not shown(f"|{TRAIN}")
    assert not shown("config: [\n|")
