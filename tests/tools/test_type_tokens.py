"""Each cloud writes its type tokens once, under names that follow from them."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from tools.type_tokens import file_of, text_of, tokens_of

from penstock.providers import Provider, all_providers

NAMED = [provider for provider in all_providers() if file_of(provider).is_file()]


def literals(file: Path) -> set[str]:
    """The texts of a module."""
    nodes = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


@pytest.mark.parametrize("provider", NAMED, ids=lambda provider: provider.name)
def test_the_file_is_as_the_tool_writes_it(provider: Provider) -> None:
    assert file_of(provider).read_text(encoding="utf-8") == text_of(provider, tokens_of(provider))


@pytest.mark.parametrize("provider", NAMED, ids=lambda provider: provider.name)
def test_a_token_that_several_modules_use_has_a_name(provider: Provider) -> None:
    own = file_of(provider)
    found: dict[str, list[str]] = {}
    for file in own.parent.rglob("*.py"):
        for text in literals(file) if file not in (own, own.parent / "record.py") else ():
            if re.fullmatch(rf"{provider.package}:[^:]+:[A-Z]\w*", text):
                found.setdefault(text, []).append(file.name)

    assert {text: files for text, files in found.items() if len(files) > 1 or text in tokens_of(provider)} == {}
