"""Finds the virtual environment of a project, by the rules of the Pulumi CLI's Python host.

https://github.com/pulumi/pulumi/tree/master/sdk/python/toolchain
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

_FOLDERS: Final = (".venv", "venv")
"""Where people put an environment that they do not name."""

_UNFIT: Final = re.compile(r'[ $`!*@"\\\r\n\t]')
_LONGEST: Final = 42
_HASH: Final = 8


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python that runs programs: the one of a virtual environment, or this one without an environment."""

    environment: Path | None

    @property
    def executable(self) -> Path:
        """The file to run."""
        return Path(sys.executable) if self.environment is None else python_in(self.environment)

    def variables(self) -> dict[str, str]:
        """The environment variables of a process that runs it, as those of an activated environment."""
        if self.environment is None:
            return dict(os.environ)
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONHOME"}
        path = os.pathsep.join(filter(None, (str(self.executable.parent), kept.get("PATH"))))
        return {**kept, "PATH": path, "VIRTUAL_ENV": str(self.environment)}


@dataclass(frozen=True, slots=True)
class PythonOptions:
    """What a project says of its Python: `runtime.options` of `Pulumi.yaml`."""

    toolchain: str | None = None
    virtualenv: str | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """The environment of a project. `option` names it in `Pulumi.yaml`, so that it has to be there."""

    environment: Path
    toolchain: str
    option: str | None = None

    def commands(self, root: Path) -> str:
        """What creates the environment, with what the program needs in it."""
        if self.toolchain in ("uv", "poetry"):
            return {"uv": "uv sync", "poetry": "poetry install"}[self.toolchain]
        folder = self.environment.relative_to(root) if self.environment.is_relative_to(root) else self.environment
        needs = "-r requirements.txt" if (root / "requirements.txt").is_file() else "pulumi"
        if not needs.startswith("-r") and (root / "pyproject.toml").is_file():
            needs = "."
        return f"python3 -m venv {folder} && {folder}/bin/python -m pip install {needs}"


def find(root: Path, folder: Path, options: PythonOptions) -> Found | None:
    """The environment of the project at `root` with its program in `folder`; None where it has none of its own."""
    toolchain = options.toolchain or _toolchain_of_lock(folder)
    found: Path | None
    if toolchain == "uv":
        found = root / options.virtualenv if options.virtualenv else _of_uv(folder)
    elif toolchain == "poetry":
        found = _of_poetry(folder)
    else:
        found = root / options.virtualenv if options.virtualenv else None
    named = "virtualenv" if options.virtualenv and toolchain != "poetry" else "toolchain"
    if found is not None and (options.virtualenv or options.toolchain in ("uv", "poetry")):
        return Found(found, toolchain or "pip", named)
    candidates = (found, _active(), *_usual(root, folder))
    return next((Found(each, "pip") for each in candidates if each is not None and _is_there(each)), None)


def problem(found: Found, root: Path) -> str | None:
    """Why an environment cannot run a program, with what creates it; None if it can."""
    environment = found.environment
    folder = environment.relative_to(root) if environment.is_relative_to(root) else environment
    if not environment.exists():
        what = "does not exist"
    elif not python_in(environment).exists():
        what = f"is not a virtual environment: it has no {python_in(Path(folder.name))}"
    elif not has_pulumi(environment):
        what = "has no Pulumi SDK"
    else:
        return None
    return f"the virtual environment {folder} {what}. Create it: {found.commands(root)}"


def is_this(environment: Path) -> bool:
    """Return whether Penstock itself runs in the environment."""
    return environment.resolve() == Path(sys.prefix).resolve()


def python_in(environment: Path) -> Path:
    """The interpreter of an environment."""
    return environment / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def site_packages(environment: Path) -> tuple[Path, ...]:
    """The folders that hold what is installed in an environment."""
    return (*environment.glob("lib*/python3*/site-packages"), *environment.glob("Lib/site-packages"))


def has_pulumi(environment: Path) -> bool:
    """Return whether Pulumi's SDK is there, also where Python's own packages or files that add folders bring it."""
    shared = "include-system-site-packages = true"
    settings = environment / "pyvenv.cfg"
    if settings.is_file() and shared in settings.read_text(encoding="utf-8", errors="replace").lower():
        return True
    homes = site_packages(environment)
    return any((folder / "pulumi").is_dir() for home in homes for folder in (home, *_added(home)))


def _added(home: Path) -> Iterator[Path]:
    """The folders that the `.pth` files of a folder add to it."""
    for file in home.glob("*.pth"):
        for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.strip() and not line.startswith(("#", "import ", "import\t")):
                yield home / line.strip()


def _is_there(environment: Path) -> bool:
    return python_in(environment).exists() and has_pulumi(environment)


def _toolchain_of_lock(folder: Path) -> str | None:
    return next((each for each in ("uv", "poetry") if _above(folder, f"{each}.lock") is not None), None)


def _above(folder: Path, file: str) -> Path | None:
    """The nearest folder, from this one on upwards, that has a file."""
    return next((each for each in (folder, *folder.parents) if (each / file).is_file()), None)


def _of_uv(folder: Path) -> Path:
    home = _above(folder, "uv.lock") or _above(folder, "pyproject.toml") or folder
    return home / (os.environ.get("UV_PROJECT_ENVIRONMENT") or ".venv")


def _of_poetry(folder: Path) -> Path:
    """Poetry's environment: the active one, the one in the project, or one in its cache."""
    home = _above(folder, "pyproject.toml") or folder
    inside = home / ".venv"
    return _active() or (inside if python_in(inside).exists() else None) or _in_cache(home) or _asked(home) or inside


def _active() -> Path | None:
    """The environment that a person has activated, unless it is the one that Penstock runs in."""
    active = os.environ.get("VIRTUAL_ENV")
    return Path(active) if active and not is_this(Path(active)) else None


def _usual(root: Path, folder: Path) -> Iterator[Path]:
    for home in dict.fromkeys((root, folder)):
        yield from (home / name for name in _FOLDERS)


def _in_cache(home: Path) -> Path | None:
    """The newest of the project's environments in Poetry's cache, whose names Poetry makes from folders."""
    name = _project_name(home)
    cache = os.environ.get("POETRY_VIRTUALENVS_PATH")
    root = Path(cache) if cache else _cache() / "virtualenvs"
    digest = hashlib.sha256(os.path.normcase(os.path.realpath(home)).encode()).digest()
    code = base64.urlsafe_b64encode(digest).decode()[:_HASH]
    prefix = f"{_UNFIT.sub('_', name.lower())[:_LONGEST]}-{code}-py"
    found = [each for each in root.glob(f"{prefix}*") if python_in(each).exists()]
    return max(found, key=lambda each: each.stat().st_mtime, default=None)


def _cache() -> Path:
    given = os.environ.get("POETRY_CACHE_DIR")
    if given:
        return Path(given)
    if sys.platform == "darwin":
        return Path.home() / "Library/Caches/pypoetry"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pypoetry"


def _project_name(home: Path) -> str:
    try:
        project: Mapping[str, Any] = tomllib.loads((home / "pyproject.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return "non-package-mode"
    name = project.get("project", {}).get("name") or project.get("tool", {}).get("poetry", {}).get("name")
    return name if isinstance(name, str) else "non-package-mode"


def _asked(home: Path) -> Path | None:
    """The environment that Poetry itself names, which its settings may have put anywhere."""
    poetry = shutil.which("poetry")
    if poetry is None:
        return None
    done = subprocess.run([poetry, "env", "info", "--path"], cwd=home, capture_output=True, text=True, check=False)  # noqa: S603 as the Pulumi CLI does
    said = done.stdout.strip()
    return Path(said) if done.returncode == 0 and said else None
