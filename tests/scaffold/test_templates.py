"""Templates: their delimiters, paths and variables."""

from __future__ import annotations

from pathlib import Path

import pytest
from jinja2 import UndefinedError

from penstock.scaffold.templates import rendered


def test_curly_braces_of_a_pipeline_stay_and_square_brackets_are_rendered(tmp_path: Path) -> None:
    template = "a: ${{ github.sha }} [[ stack ]]\n[# unread #]\n[% if cloud == 'aws' %]\nb\n[% endif %]\n"
    (tmp_path / "ci.yml").write_text(template)

    files = rendered(tmp_path, {"stack": "dev", "cloud": "aws"})

    assert files == {Path("ci.yml"): "a: ${{ github.sha }} dev\nb\n"}


def test_paths_are_rendered_hidden_and_lose_their_suffix(tmp_path: Path) -> None:
    (tmp_path / "dot_github" / "workflows").mkdir(parents=True)
    (tmp_path / "dot_github" / "workflows" / "[[ stack ]].yml.jinja").write_text("x\n")

    assert list(rendered(tmp_path, {"stack": "dev"})) == [Path(".github/workflows/dev.yml")]


def test_a_file_without_content_is_not_written(tmp_path: Path) -> None:
    (tmp_path / "aws.yml").write_text("[% if cloud == 'aws' %]\nx\n[% endif %]\n")

    assert rendered(tmp_path, {"cloud": "gcp"}) == {}


def test_an_unknown_variable_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "ci.yml").write_text("[[ stak ]]\n")

    with pytest.raises(UndefinedError, match="stak"):
        rendered(tmp_path, {"stack": "dev"})
