"""The wheel, built and unpacked, as an installation that no clone is beside."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]


def built(folder: Path) -> Path:
    """Build the wheel in a folder, and return its file."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.iterdir()
    return wheel


def unpacked(wheel: Path, folder: Path) -> Path:
    """Unpack a wheel into a folder, and return the folder."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def variables(site: Path) -> Mapping[str, str]:
    """Return variables with which Python finds an unpacked wheel and what it depends on, and no clone."""
    packages = (str(site), sysconfig.get_paths()["purelib"])
    return {**os.environ, "PYTHONPATH": os.pathsep.join(packages), "PYTHONSAFEPATH": "1"}


def python() -> list[str]:
    """Return the command of Python: without `site`, the editable installation of the clone stays out of sight."""
    return [sys.executable, "-S"]


def commands(folder: Path) -> Path:
    """Write `penstock` and `python` into a folder for the PATH, and return the folder."""
    folder.mkdir()
    for name, arguments in {"penstock": [*python(), "-m", "penstock"], "python": python()}.items():
        script = folder / name
        script.write_text(f'#!/bin/sh\nexec {shlex.join(arguments)} "$@"\n', encoding="utf-8")
        script.chmod(0o755)
    return folder
