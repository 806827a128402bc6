"""What components for Kubernetes import is there where their extra is installed."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]


def test_every_provider_of_the_components_comes_with_the_extra() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = [*project["dependencies"], *project["optional-dependencies"]["kubernetes"]]
    imported: set[str] = set()
    package = REPOSITORY / "components/penstock"
    for file in (*(package / "kubernetes").rglob("*.py"), *(package / "addons").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported.update(each.name for each in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module is not None:
                imported.add(node.module)
    providers = {name.partition(".")[0].replace("_", "-") for name in imported if name.startswith("pulumi_")}

    assert providers >= {"pulumi-kubernetes", "pulumi-random"}
    assert {each for each in providers if not any(text.startswith(each) for text in declared)} == set()
