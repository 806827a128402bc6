"""A description that is not a block of the stack file: in the project, or as text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from penstock.core.errors import InvalidDescription
from penstock.simulate.environment import find_environment


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    return tmp_path


DESCRIPTION = {
    "environment": "dev",
    "cloud": {"provider": "aws", "region": "us-east-1"},
    "cluster": {
        "admins": ["arn:aws:iam::123456789012:role/platform"],
        "deployer_cidrs": ["203.0.113.0/24"],
    },
}


@pytest.mark.parametrize("place", ["project", "text"])
def test_a_description_may_come_from_the_project_or_be_text(folder: Path, place: str) -> None:
    if place == "project":
        description = {"name": "shop", "runtime": "python", "config": {"penstock:platform": {"value": DESCRIPTION}}}
        (folder / "Pulumi.yaml").write_text(json.dumps(description))
    else:
        stack = {"config": {"penstock:platform": json.dumps(DESCRIPTION)}}
        (folder / "Pulumi.dev.yaml").write_text(json.dumps(stack))

    assert find_environment(str(folder), "dev").cloud == "aws"


@pytest.mark.parametrize("text", ["[1]", "nothing"])
def test_a_description_that_is_none_is_reported_so(folder: Path, text: str) -> None:
    (folder / "Pulumi.dev.yaml").write_text(json.dumps({"config": {"penstock:platform": text}}))

    with pytest.raises(InvalidDescription, match="holds no description") as refused:
        find_environment(str(folder), "dev")

    (found,) = refused.value.findings
    assert (Path(found.file or "").name, found.line, found.column) == ("Pulumi.dev.yaml", 1, 13)
    assert found.path == "penstock:platform"
