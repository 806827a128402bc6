"""Shared code asks the record of a provider; what names a provider itself is a short list, which a new cloud edits."""

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

# Files that an author of a cloud reads and edits, beside those in rooms of its own.
EDITED = {
    "components/penstock/catalog/machines.py",
    "components/penstock/policies/geography.py",
    "components/penstock/gcp/policies/protection.py",
    "components/penstock/aws/policies/relations.py",
    "components/penstock/policies/resilience/every.py",
    "components/penstock/policies/tags.py",
    "components/penstock/providers/registry.py",
    "components/penstock/graph/former_types.py",
    "components/penstock/description/node_pool.py",
    "docs/generate.py",
}
MOST = 10

# What speaks of one cloud alone, though its name does not say so: a new cloud has its own beside it.
OF_ONE_CLOUD = {
    "components/penstock/gcp/policies/bindings.py",
    "components/penstock/aws/policies/documents.py",
    "components/penstock/model/iam/statements.py",
    "components/penstock/model/pools/components.py",
    "components/penstock/aws/model/ec2.py",
    "components/penstock/gcp/model/gce.py",
    "components/penstock/kubernetes/policies/fabric_pods.py",
    "components/penstock/aws/policies/grants.py",
    "components/penstock/aws/policies/security_groups.py",
}

_ROOM = re.compile(r"(^|[/_.])(aws|gcp|azure|eks|gke|aks|google|gpudirect|kubernetes)([/_.]|$)")
"""Paths of what is a provider's own, or speaks of objects in a cluster, to which each cloud adds its drivers."""

_CAMEL = re.compile(r"^_?(Aws|Gcp|Azure)[A-Z]")
_SNAKE = re.compile(r"(^|_)(aws|gcp|azure|eks|gke)(_|$)", re.IGNORECASE)


def shared_files() -> list[Path]:
    files = [file for file in PACKAGE.rglob("*.py") if not _ROOM.search(file.relative_to(PACKAGE).as_posix())]
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
            case ast.Constant(value=str(word)) if "." not in word:
                yield word


def names_a_provider(file: Path) -> bool:
    """Return whether code chooses by a provider's name, or lists the types of several providers."""
    found = list(words(ast.parse(file.read_text(encoding="utf-8"))))
    packages = {
        provider.name for provider in CLOUDS for word in found if re.match(rf"{provider.package}:[a-z]\w*[/:]", word)
    }
    chosen = any(word.rstrip(":") in NAMES or _CAMEL.match(word) or _SNAKE.search(word) for word in found)
    return chosen or len(packages) > 1


def test_shared_code_names_no_provider() -> None:
    naming = {file.relative_to(ROOT).as_posix() for file in shared_files() if names_a_provider(file)}

    assert naming - OF_ONE_CLOUD == EDITED


def test_a_new_cloud_edits_few_shared_files() -> None:
    assert len(EDITED) <= MOST


def test_no_signature_defaults_to_a_cloud() -> None:
    for file in [file for file in PACKAGE.rglob("*.py") if "catalog" not in file.parts]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                defaults = [*node.args.defaults, *filter(None, node.args.kw_defaults)]
                assert not [each for each in defaults if isinstance(each, ast.Constant) and each.value in NAMES], (
                    node.name
                )
