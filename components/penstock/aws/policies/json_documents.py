"""Checks of JSON documents that resources of AWS carry as text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from typing_extensions import override

from penstock.aws.model.iam_documents import read_json
from penstock.graph.verdict import NOT_APPLICABLE, Verdict
from penstock.graph.view import Block
from penstock.rules.checks import AtPath, Check

if TYPE_CHECKING:
    from penstock.rules.settings import Settings


@dataclass(frozen=True, slots=True)
class InJson(AtPath):
    """The JSON object at a path fulfils a check of its own keys; without a document it does not apply."""

    check: Check

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        written = it.given(self.path)
        if written is None:
            return NOT_APPLICABLE
        return self.check.judge(Block(read_json(written), self.path, it.owner), settings)
