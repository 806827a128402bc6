"""Shared code asks the record of a provider, and names none."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from penstock.providers import all_providers

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "components" / "penstock"
CLOUDS = tuple(provider for provider in all_providers() if provider.name != "kubernetes")
NAMES = {word for provider in CLOUDS for word in (provider.name, provider.package)}

FOLDERS = [*(provider.folder for provider in all_providers()), PACKAGE / "addons"]
"""Code that is not shared: an add-on may run on some providers only."""

_FORMS = "|".join(provider.name for provider in CLOUDS)
_CAMEL = re.compile(rf"^_?({_FORMS.title()})[A-Z]")
_SNAKE = re.compile(rf"(^|_)({_FORMS}|eks|gke)(_|$)", re.IGNORECASE)
_TYPE = re.compile(rf"({'|'.join(provider.package for provider in CLOUDS)}):[a-z]\w*[/:]")


def shared_files() -> list[Path]:
    files = [file for file in PACKAGE.rglob("*.py") if not any(folder in file.parents for folder in FOLDERS)]
    return [*files, *(ROOT / "docs").glob("*.py")]


def words(tree: ast.AST) -> Iterator[str]:
    """The identifiers of a module, and the texts that are no more than a word."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=word) | ast.Attribute(attr=word) | ast.arg(arg=word) | ast.alias(name=word):
                yield from word.split(".")
            case ast.FunctionDef(name=word) | ast.ClassDef(name=word):
                yield word
            case ast.ImportFrom(module=str(word)):
                yield from word.split(".")
            case ast.Constant(value=str(word)) if not {".", " "} & {*word}:
                yield word


def names_a_provider(file: Path) -> bool:
    """Return whether code chooses by a provider's name, or has the type of one of its resources."""
    return any(
        word.rstrip(":") in NAMES or _CAMEL.match(word) or _SNAKE.search(word) or _TYPE.match(word)
        for word in words(ast.parse(file.read_text(encoding="utf-8")))
    )


def test_shared_code_names_no_provider() -> None:
    naming = {file.relative_to(ROOT).as_posix() for file in shared_files() if names_a_provider(file)}

    assert naming == set()


def test_no_signature_defaults_to_a_cloud() -> None:
    for file in [file for file in PACKAGE.rglob("*.py") if "catalog" not in file.parts]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                defaults = [*node.args.defaults, *filter(None, node.args.kw_defaults)]
                assert not [each for each in defaults if isinstance(each, ast.Constant) and each.value in NAMES], (
                    node.name
                )
