"""Commands that rehearse report programs in other languages with what can judge them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.mark.parametrize("command", ["rehearse", "check", "cost"])
def test_a_program_in_another_language_is_refused_with_what_can_judge_it(
    command: str, penstock: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: nodejs\n")
    (tmp_path / "Pulumi.dev.yaml").write_text("config: {}\n")

    status, _, problem = penstock(command, tmp_path)

    assert status == 2
    assert "runs nodejs" in problem
    for way in ("--engine pulumi", "penstock check preview.json", "policy-pack", "penstock audit EXPORT"):
        assert way in problem
