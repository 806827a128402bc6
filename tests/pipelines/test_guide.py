"""The guide on pipelines: its workflows pass the linters, and what it names is in the files that are written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.pipelines import linters, pins
from tests.pipelines.runner import CLOUDS, write_pipeline

GUIDE = (Path(__file__).parents[2] / "docs" / "guides" / "pipelines.md").read_text(encoding="utf-8")


def workflows() -> Mapping[str, str]:
    return dict(re.findall(r"^```yaml\n# (\.github/workflows/\S+)\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE))


@pytest.mark.slow
def test_workflows_of_the_guide_pass_actionlint_and_pin_actions(tmp_path: Path) -> None:
    write_pipeline("github", "aws", tmp_path)
    (tmp_path / ".git").mkdir()
    files = [tmp_path / name for name in workflows()]
    for file, text in zip(files, workflows().values(), strict=True):
        file.write_text(text, encoding="utf-8")

    assert len(files) == 2
    assert linters.actionlint(files, tmp_path) == ""
    assert linters.schema_errors("vendor.github-workflows", *files) == ""
    used = {use for text in workflows().values() for use in re.findall(r"uses: (\S+@\S+ # \S+)", text)}
    assert {use.partition("@")[2] for use in used} <= {pin for found in pins.pinned().values() for pin in found}


@pytest.mark.parametrize("cloud", CLOUDS)
@pytest.mark.parametrize("system", ["github", "gitlab", "jenkins"])
def test_the_guide_names_every_setting_that_a_pipeline_reads(system: str, cloud: str, tmp_path: Path) -> None:
    written = write_pipeline(system, cloud, tmp_path)
    text = "".join(file.read_text(encoding="utf-8") for file in written.rglob("*") if file.is_file())
    settings = re.findall(r"\b(?:vars|secrets|fromJSON\(inputs\.variables\))\.(\w+)|credentialsId: '([\w-]+)'", text)

    assert {name for found in settings for name in found if name and f"`{name}`" not in GUIDE} == set()
