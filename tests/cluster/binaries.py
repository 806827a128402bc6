"""The programs of a real control plane: built from Go modules, once, into a folder.

`python tests/cluster/binaries.py FOLDER` takes a quarter of an hour on two cores and needs Go and a module proxy.
Kubernetes names its own parts at version 0.0.0, which only its repository can resolve: each is pinned to its release.
"""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

FOLDER: Final = Path(os.environ.get("PENSTOCK_CLUSTER", Path(__file__).parents[2] / ".cluster"))
"""Where the programs are, unless the environment names another folder."""

STAGES: Final = "stages.yaml"
"""How kwok lets nodes and pods live, from its own module."""

_ON_THE_MACHINE: Final = ("etcd",)
"""Programs that many machines have: they are built only where there is none."""

_KUBERNETES: Final = "k8s.io/kubernetes"
_GO: Final = "1.25.0"


class Program(NamedTuple):
    """One program, and the Go package that it is built from."""

    name: str
    module: str
    version: str
    package: str


ENGINE: Final = Program("policy-engine", "github.com/cloudnativelabs/kube-router/v2", "v2.1.0", "policy_engine")
"""An engine of network policies around a program of ours: few tests need it, so that a control plane lacks nothing."""


@cache
def programs() -> tuple[Program, ...]:
    """The programs of a control plane, those of one module together."""
    with (Path(__file__).parent / "data" / "modules.csv").open(encoding="utf-8") as stream:
        return tuple(Program(*(row[field] for field in Program._fields)) for row in csv.DictReader(stream))


def find(name: str) -> Path | None:
    """A program in the folder or, where it lacks it, on the PATH; None where neither has it."""
    built = FOLDER / "bin" / name
    found = str(built) if built.exists() else shutil.which(name)
    return Path(found) if found else None


def missing() -> tuple[str, ...]:
    """What a control plane needs and this machine does not have."""
    lacking = [program.name for program in programs() if find(program.name) is None]
    return (*lacking, *([] if (FOLDER / STAGES).exists() else [STAGES]))


def build(folder: Path) -> None:
    """Build what is missing in a folder, from the versions of `data/modules.csv`."""
    (folder / "bin").mkdir(parents=True, exist_ok=True)
    for (module, version), group in groupby(programs(), lambda program: (program.module, program.version)):
        wanted = [program for program in group if not _is_there(program, folder)]
        if wanted:
            _compile(module, version, wanted, folder)
    if not _is_there(ENGINE, folder):
        _compile_engine(folder)
    if not (folder / STAGES).exists():
        (kwok,) = (program for program in programs() if program.name == "kwok")
        (folder / STAGES).write_text(_stages(_downloaded(kwok.module, kwok.version, folder)), encoding="utf-8")


def _is_there(program: Program, folder: Path) -> bool:
    found = program.name in _ON_THE_MACHINE and shutil.which(program.name) is not None
    return found or (folder / "bin" / program.name).exists()


def _compile(module: str, version: str, wanted: Iterable[Program], folder: Path) -> None:
    """Compile packages of one module, in a module of ours that only requires it."""
    source = folder / "src" / module.replace("/", "-")
    source.mkdir(parents=True, exist_ok=True)
    pins = _pins(module, version, _downloaded(module, version, folder))
    (source / "go.mod").write_text(f"module control-plane\ngo {_GO}\nrequire {module} {version}\n{pins}")
    imports = "\n".join(f'import _ "{program.package}"' for program in wanted)
    (source / "tools.go").write_text(f"//go:build tools\n\npackage tools\n\n{imports}\n")
    _go("mod", "tidy", at=source)
    for program in wanted:
        print(f"building {program.name} {version}", flush=True)  # noqa: T201 - minutes pass between two
        target = str((folder / "bin" / program.name).resolve())
        _go("build", "-ldflags", _stamp(module, version), "-o", target, program.package, at=source)


def _compile_engine(folder: Path) -> None:
    """Compile the program of this folder that runs the engine."""
    source = folder / "src" / ENGINE.name
    source.mkdir(parents=True, exist_ok=True)
    shutil.copy(Path(__file__).parent / ENGINE.package / "main.go", source)
    (source / "go.mod").write_text(f"module engine\ngo {_GO}\nrequire {ENGINE.module} {ENGINE.version}\n")
    _go("mod", "tidy", at=source)
    print(f"building {ENGINE.name}", flush=True)  # noqa: T201 - minutes pass
    _go("build", "-o", str((folder / "bin" / ENGINE.name).resolve()), ".", at=source)


def _pins(module: str, version: str, home: Path) -> str:
    """The parts of Kubernetes that its own module names without a version, at that of their release."""
    if module != _KUBERNETES:
        return ""
    parts = re.findall(r"^\s*(k8s\.io/[a-z-]+) v0\.0\.0$", (home / "go.mod").read_text(), re.MULTILINE)
    released = version.replace("v1.", "v0.", 1)
    return "".join(f"replace {part} => {part} {released}\n" for part in sorted(set(parts)))


def _stamp(module: str, version: str) -> str:
    """Linker flags that give Kubernetes its version: controllers refuse a server that does not know its own."""
    if module != _KUBERNETES:
        return ""
    major, minor, _ = version.removeprefix("v").split(".", 2)
    own = "k8s.io/component-base/version"
    return f"-X {own}.gitVersion={version} -X {own}.gitMajor={major} -X {own}.gitMinor={minor}"


def _stages(home: Path) -> str:
    """Kwok's own stages without delays, for nodes and for pods."""
    stages = home / "kustomize" / "stage"
    files = [*sorted(stages.glob("node/fast/*.yaml")), *sorted(stages.glob("pod/fast/*.yaml"))]
    return "\n---\n".join(file.read_text(encoding="utf-8") for file in files if file.stem != "kustomization")


def _downloaded(module: str, version: str, at: Path) -> Path:
    """Where a module's source is, once Go has it."""
    return Path(json.loads(_go("mod", "download", "-json", f"{module}@{version}", at=at))["Dir"])


def _go(*arguments: str, at: Path) -> str:
    environment = {**os.environ, "GOFLAGS": "-mod=mod", "CGO_ENABLED": "0", "GOWORK": "off"}
    done = subprocess.run(["go", *arguments], cwd=at, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout


if __name__ == "__main__":
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
