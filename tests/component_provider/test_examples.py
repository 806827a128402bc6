"""The examples in other languages, and the guide that shows them."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from penstock.component_provider.schema import package_schema

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs" / "guides" / "other-languages.md"


@pytest.mark.parametrize("file", ["yaml/Pulumi.yaml", "typescript/index.ts", "go/main.go"])
def test_the_guide_shows_the_examples_that_are_run(file: str) -> None:
    assert (ROOT / "examples" / file).read_text(encoding="utf-8") in GUIDE.read_text(encoding="utf-8")


def test_the_guide_names_every_component() -> None:
    guide = GUIDE.read_text(encoding="utf-8")

    assert [token for token in package_schema()["resources"] if f"`{token}`" not in guide] == []


def test_the_plugin_folder_is_a_plugin_of_python_that_installs_this_clone() -> None:
    plugin = ROOT / "plugin"

    assert yaml.safe_load((plugin / "PulumiPlugin.yaml").read_text()) == {"name": "penstock", "runtime": "python"}
    assert (plugin / "requirements.txt").read_text().strip().endswith("@ file:..")
    assert (plugin / "__main__.py").is_file()
