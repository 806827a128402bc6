"""Projects with virtual environments of their own, made without any network."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from pathlib import Path

import penstock
from penstock.simulate.environment import find_environment
from penstock.simulate.run import Rehearsal

VERSION = f"python{sys.version_info.major}.{sys.version_info.minor}"


def project_with_environment(root: Path) -> Path:
    """Makes a project whose environment is not the one of the tests."""
    (root / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    environment(root / ".venv")
    return root


def environment(home: Path) -> Path:
    """Makes a virtual environment that finds the packages of this one; returns the folder of its own packages."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    packages = home / "lib" / VERSION / "site-packages"
    found = sysconfig.get_path("purelib"), Path(penstock.__file__).parents[1]
    (packages / "of_the_tests.pth").write_text("".join(f"{folder}\n" for folder in found))
    return packages


def rehearse(folder: Path, program: str, *, preview: bool = False) -> Rehearsal:
    (folder / "__main__.py").write_text(program)
    return find_environment(str(folder), "dev").rehearse(preview=preview)


def exports(folder: Path, program: str) -> dict[str, object]:
    return dict(rehearse(folder, program).graph.exports)
