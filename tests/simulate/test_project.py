"""Projects and stacks are found as the Pulumi CLI finds them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from penstock.core.errors import InvalidDescription, NotAProject
from penstock.simulate.environment import find_environment
from penstock.simulate.project import config_of, locate, project_at

PROGRAM = """
import pulumi
config = pulumi.Config()
pulumi.export("size", config.require_int("size"))
pulumi.export("token", config.require_secret("token"))
pulumi.export("region", pulumi.Config("aws").get("region"))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "Pulumi.yaml").write_text(
        "name: shop\nruntime: python\nconfig:\n  size: {type: integer, default: 3}\n  aws:region: {value: eu-west-1}\n"
    )
    (tmp_path / "Pulumi.dev.yaml").write_text("config:\n  shop:token: {secure: v1:abc:def}\n")
    (tmp_path / "Pulumi.big.yaml").write_text("config:\n  size: 30\n  shop:token: {secure: v1:abc:def}\n")
    (tmp_path / "__main__.py").write_text(PROGRAM)
    return tmp_path


def test_defaults_of_the_project_lie_beneath_the_configuration_of_the_stack(folder: Path) -> None:
    assert find_environment(str(folder), "dev").rehearse().graph.exports["size"] == 3
    assert find_environment(str(folder), "big").rehearse().graph.exports["size"] == 30


def test_an_encrypted_value_is_a_secret_that_is_not_decrypted(folder: Path) -> None:
    config = config_of(project_at(folder), "dev")
    exports = find_environment(str(folder), "dev").rehearse().graph.exports

    assert config.secret_keys == ("shop:token",)
    assert "v1:abc" not in json.dumps(dict(config.values))
    assert repr(exports["token"]) == "[secret]"


def test_a_stack_is_named_by_its_file_too(folder: Path) -> None:
    project, stack = locate(str(folder / "Pulumi.big.yaml"))

    assert (project.name, stack) == ("shop", "big")


def test_a_stack_file_elsewhere_is_the_one_that_is_read(folder: Path) -> None:
    (folder / "drafts").mkdir()
    draft = folder / "drafts" / "Pulumi.big.yaml"
    draft.write_text("config:\n  shop:size: 77\n")

    project, stack = locate(str(draft))

    assert project.stack_file(stack) == draft.resolve()
    assert config_of(project, stack).values["shop:size"] == "77"
    assert project.root == folder.resolve()


def test_a_stack_may_be_named_with_its_organization_and_project(folder: Path) -> None:
    assert locate(str(folder), "acme/shop/big")[1] == "big"


def test_a_stack_without_a_file_has_the_defaults(folder: Path) -> None:
    assert config_of(project_at(folder), "new").values == {"shop:size": "3", "aws:region": "eu-west-1"}


def test_the_nearest_project_above_is_the_one(folder: Path) -> None:
    (folder / "a" / "b").mkdir(parents=True)

    assert project_at(folder / "a" / "b").root == folder


@pytest.mark.parametrize(
    ("project", "message"),
    [
        ("name: shop\n", "has no runtime"),
        ("runtime: python\n", "has no name"),
        ("- a\n", "has no name"),
    ],
)
def test_what_is_no_python_project_is_refused_in_words(tmp_path: Path, project: str, message: str) -> None:
    (tmp_path / "Pulumi.yaml").write_text(project)

    with pytest.raises(NotAProject, match=message):
        project_at(tmp_path)


def test_a_broken_project_file_is_reported_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "Pulumi.yaml").write_text("name: shop\n  runtime: [python\n")

    with pytest.raises(InvalidDescription) as refused:
        project_at(tmp_path)

    assert refused.value.findings[0].line == 2


def test_a_misspelt_stack_is_reported_what_there_is(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)

    with pytest.raises(NotAProject, match=r"no stack 'bug'. Did you mean big\? Its stacks: big, dev"):
        locate("bug")


def test_a_folder_needs_the_name_of_a_stack(folder: Path) -> None:
    with pytest.raises(NotAProject, match="--stack"):
        locate(str(folder))


def test_a_folder_without_a_project_says_so(tmp_path: Path) -> None:
    with pytest.raises(NotAProject, match=r"no Pulumi\.yaml"):
        locate(str(tmp_path), "dev")


def test_a_program_runs_in_its_own_folder_and_imports_its_own_modules(tmp_path: Path) -> None:
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "Pulumi.yaml").write_text(f"name: {name}\nruntime: python\n")
        (folder / "colours.py").write_text(f"COLOUR = {name!r}\n")
        (folder / "size.txt").write_text(name)
        (folder / "__main__.py").write_text(
            "import pathlib, pulumi, colours\n"
            "pulumi.export('colour', colours.COLOUR)\n"
            "pulumi.export('size', pathlib.Path('size.txt').read_text())\n"
        )

    for name in ("one", "two"):
        assert find_environment(str(tmp_path / name), "dev").rehearse().graph.exports == {"colour": name, "size": name}
