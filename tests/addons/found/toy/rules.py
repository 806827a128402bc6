"""The rule on the toy add-on."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules.rule import rule

from .block import ToySpec


@rule("SPEC-999", reads=("addons",))
def there_are_blocks(spec: Spec) -> Iterator[Problem]:
    """There is a block to play with."""
    toy = spec.addons.get(ToySpec)
    if toy is not None and toy.blocks < 1:
        yield Problem(("addons", "toy", "blocks"), "There are no blocks.", "Set blocks to 1 or more.")
