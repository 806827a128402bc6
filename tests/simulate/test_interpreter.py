"""The Python of a program is found where Pulumi finds it, and one that is missing or broken is reported."""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.environments_of_programs import VERSION, environment, exports, project_with_environment, rehearse

from penstock.core.errors import UnusablePython
from penstock.simulate import in_program, marked_values, raised, sdk_imports
from penstock.simulate.host import bootstrap


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project whose environment is not the one of the tests."""
    return project_with_environment(tmp_path)


def test_an_environment_that_is_named_has_to_be_there(tmp_path: Path) -> None:
    (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime:\n  name: python\n  options:\n    virtualenv: env\n")
    (tmp_path / "requirements.txt").write_text("pulumi\n")
    told = (
        r"(?s)Pulumi.yaml:5\n.*virtual environment env {}. Create it: "
        "python3 -m venv env && env/bin/python -m pip install -r requirements.txt"
    )

    with pytest.raises(UnusablePython, match=told.format("does not exist")):
        rehearse(tmp_path, "")
    (tmp_path / "env").mkdir()
    with pytest.raises(UnusablePython, match=told.format("is not a virtual environment: it has no env/bin/python")):
        rehearse(tmp_path, "")
    packages = environment(tmp_path / "env")
    (packages / "of_the_tests.pth").unlink()
    with pytest.raises(UnusablePython, match=told.format("has no Pulumi SDK")):
        rehearse(tmp_path, "")
    (packages / "_virtualenv.pth").write_text("# of other tools\nimport this\n/nowhere\n")
    with pytest.raises(UnusablePython, match=told.format("has no Pulumi SDK")):
        rehearse(tmp_path, "")


def test_an_environment_that_is_broken_is_reported(folder: Path) -> None:
    packages = folder / ".venv" / "lib" / VERSION / "site-packages"
    (packages / "of_the_tests.pth").unlink()
    (packages / "pulumi").mkdir()
    (packages / "pulumi" / "__init__.py").write_text("import grpc_that_is_not_there\n")
    with pytest.raises(UnusablePython, match=r"bin/python cannot import the Pulumi SDK: .*grpc_that_is_not_there"):
        rehearse(folder, "")
    python = folder / ".venv" / "bin" / "python"
    python.unlink()
    python.write_text("broken")
    with pytest.raises(UnusablePython, match=r"bin/python does not start"):
        rehearse(folder, "")
    python.write_text("#!/bin/sh\nexit 1\n")
    python.chmod(0o755)
    with pytest.raises(UnusablePython, match=r"bin/python does not start"):
        rehearse(folder, "")


def test_an_environment_of_other_tools_is_not_the_one_of_the_program(folder: Path) -> None:
    (folder / ".venv" / "lib" / VERSION / "site-packages" / "of_the_tests.pth").unlink()

    assert exports(folder, "import os, pulumi\npulumi.export('process', os.getpid())\n") == {"process": os.getpid()}


@pytest.mark.parametrize(("toolchain", "command"), [("uv", "uv sync"), ("poetry", "poetry install")])
def test_a_toolchain_that_is_named_has_to_have_made_its_environment(
    tmp_path: Path, toolchain: str, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    (tmp_path / "Pulumi.yaml").write_text(
        f"name: shop\nruntime: {{name: python, options: {{toolchain: {toolchain}}}}}\n"
    )

    with pytest.raises(UnusablePython, match=f"Pulumi.yaml:2\n.* .venv does not exist. Create it: {command}$"):
        rehearse(tmp_path, "")


def of_uv(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (root / "uv.lock").touch()
    monkeypatch.setenv("UV_PROJECT_ENVIRONMENT", "made-by-uv")
    return root / "made-by-uv"


def of_poetry(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """In Poetry's cache, by the name that Poetry makes: `poetry env info --path` shows it."""
    import base64
    import hashlib

    (root / "pyproject.toml").write_text('[project]\nname = "My Shop"\n')
    (root / "poetry.lock").touch()
    monkeypatch.setenv("POETRY_VIRTUALENVS_PATH", str(root / "cache"))
    code = base64.urlsafe_b64encode(hashlib.sha256(str(root.resolve()).encode()).digest()).decode()[:8]
    return root / "cache" / f"my_shop-{code}-py{sys.version_info.major}.{sys.version_info.minor}"


def of_an_active_environment(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VIRTUAL_ENV", str(root / "active"))
    return root / "active"


def of_an_option(root: Path, _: pytest.MonkeyPatch) -> Path:
    (root / "Pulumi.yaml").write_text(
        "name: shop\nruntime: {name: python, options: {toolchain: pip, virtualenv: ../named}}\n"
    )
    return root.parent / "named"


@pytest.mark.parametrize("choose", [of_uv, of_poetry, of_an_active_environment, of_an_option])
def test_an_environment_is_found_where_pulumi_finds_it(
    folder: Path, choose: Callable[[Path, pytest.MonkeyPatch], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before one that is only in a usual place."""
    if choose is of_poetry:
        (folder / ".venv").rename(folder / "elsewhere")
    home = choose(folder, monkeypatch)
    environment(home)

    (found,) = exports(folder, "import sys, pulumi\npulumi.export('home', sys.prefix)\n").values()

    assert Path(str(found)).resolve() == home.resolve()


def test_the_environment_of_penstock_needs_no_other_process(tmp_path: Path) -> None:
    options = f"{{toolchain: pip, virtualenv: {sys.prefix}}}"
    (tmp_path / "Pulumi.yaml").write_text(f"name: shop\nruntime: {{name: python, options: {options}}}\n")

    assert exports(tmp_path, "import os, pulumi\npulumi.export('process', os.getpid())\n") == {"process": os.getpid()}


@pytest.mark.parametrize("module", [bootstrap, raised, marked_values, sdk_imports, in_program])
def test_what_runs_in_the_python_of_a_program_is_understood_by_old_ones(module: object) -> None:
    text = Path(str(module.__file__)).read_text(encoding="utf-8")  # type: ignore[attr-defined]
    tree = ast.parse(text, feature_version=(3, 8))
    names = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    names |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}

    assert {str(name).partition(".")[0] for name in names} <= {*sys.stdlib_module_names, "pulumi"}
