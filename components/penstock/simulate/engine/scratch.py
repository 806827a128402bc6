"""A scratch project: what the Pulumi CLI needs to run a program against simulated clouds, in a folder of its own.

The program stays where it is, and nothing is written beside it. State, configuration, plugins and Pulumi's own home are
in the folder, which is removed at the end.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import yaml
from pulumi.automation import ConfigValue, LocalWorkspaceOptions, Stack, create_stack

from penstock.graph.graph import Graph
from penstock.simulate import exported_state, in_program, sdks
from penstock.simulate.engine import plugin
from penstock.simulate.engine.world import World
from penstock.simulate.environment import Environment
from penstock.simulate.interpreter import Interpreter, site_packages
from penstock.simulate.monitor.requests import DYNAMIC
from penstock.simulate.project import PYTHON, PulumiProject
from penstock.simulate.temporary import temporary_folder

NOTHING: Final[Mapping[str, str]] = MappingProxyType({})

_EXECUTABLE = 0o755
_COMPONENTS = "penstock"
_COMPONENT_PROVIDER = "penstock.component_provider.provider"
"""What builds Penstock's components for programs in other languages; it runs beside the simulated clouds."""


@dataclass(frozen=True, slots=True)
class Scratch:
    """A stack that the Automation API drives, and the folder that holds it."""

    stack: Stack
    folder: Path
    project: PulumiProject

    def world(self) -> World:
        """The resources in the simulated cloud now."""
        return World(self.folder / plugin.WORLD_FILE)

    def resources(self) -> list[dict[str, Any]]:
        """The resources in the engine's state, as it writes them."""
        deployment: Mapping[str, Any] = self.stack.export_stack().deployment or {}
        return list(deployment.get("resources", ()))

    def known(self) -> Iterator[tuple[str, str]]:
        """The URN and id of each resource in the engine's state."""
        return ((resource["urn"], resource["id"]) for resource in self.resources() if resource.get("id"))

    def settle(self) -> None:
        """Notify the simulated cloud, between two runs, of what the engine knows of it."""
        self.world().settle(self.known())

    def graph(self) -> Graph:
        """The Graph of the engine's state, with places relative to the project, as an embedded rehearsal shows them."""
        root = Path(os.path.relpath(self.project.root, self.folder)).as_posix()
        exported = self.stack.export_stack()
        text = json.dumps({"version": exported.version, "deployment": exported.deployment})
        file = self.folder / "exported.json"
        file.write_text(text.replace(f"project:///{root}/", "project:///"), encoding="utf-8")
        return exported_state.load_state(file, project=self.project.name, stack=self.stack.name)

    def order(self, *, faults: Mapping[str, str] = NOTHING, judges: bool = False) -> None:
        """Pass the plugins of the next runs which faults happen, and whether to judge by the cloud's rules.

        `faults` has what the cloud says by rule; each rule names one URN.
        """
        orders = {"faults": dict(faults), "judges": judges}
        (self.folder / plugin.ORDERS_FILE).write_text(json.dumps(orders), encoding="utf-8")

    def pulumi(self, *arguments: str) -> None:
        """Runs a command of the CLI that the Automation API has no method for."""
        workspace = self.stack.workspace
        home = {"PULUMI_HOME": str(workspace.pulumi_home)}
        workspace.pulumi_command.run(
            [*arguments, "--stack", self.stack.name], str(self.folder), {**workspace.env_vars, **home}
        )


@contextmanager
def scratch(environment: Environment) -> Iterator[Scratch]:
    """The environment's stack with an empty state, and its simulated cloud.

    Encrypted values of the configuration have stand-ins, which are secret, as in every rehearsal.
    """
    with temporary_folder() as name:
        folder = Path(name).resolve()
        for part in ("state", "home"):
            (folder / part).mkdir()
        brought = [str(packages) for packages in environment.project.packages]
        python = environment.python()
        installed = [] if python is None or python.environment is None else site_packages(python.environment)
        found = sdks.found_in([*brought, *map(str, installed), *sys.path])
        packages = (*(each for each in found if each != _COMPONENTS), DYNAMIC.rstrip(":"))
        plugins = [_plugin(package, folder, plugin.__name__, package, str(folder)) for package in packages]
        plugins.append(_plugin(_COMPONENTS, folder, _COMPONENT_PROVIDER))
        _write(folder / "Pulumi.yaml", _project(environment.project, plugins))
        secret = set(environment.config.secret_keys)
        clear = {key: value for key, value in environment.config.values.items() if key not in secret}
        _write(folder / f"Pulumi.{environment.stack}.yaml", {"config": clear})
        options = LocalWorkspaceOptions(pulumi_home=str(folder / "home"), env_vars=_variables(folder, brought, python))
        stack = create_stack(environment.stack, work_dir=str(folder), opts=options)
        if secret:
            values = {key: ConfigValue(environment.config.values[key], secret=True) for key in sorted(secret)}
            stack.set_all_config(values)
        yield Scratch(stack, folder, environment.project)


def _plugin(package: str, folder: Path, module: str, *arguments: str) -> dict[str, str]:
    """Writes the executable that the CLI starts for a provider: a module of Penstock's. Returns where it is."""
    home = folder / "plugins" / package
    home.mkdir(parents=True)
    executable = home / f"pulumi-resource-{package}"
    # Without -P, Python would import what is in the project's folder before its own library.
    command = [sys.executable, "-P", "-m", module, *arguments]
    executable.write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n', encoding="utf-8")
    executable.chmod(_EXECUTABLE)
    return {"name": package, "path": str(home)}


def _project(project: PulumiProject, plugins: list[dict[str, str]]) -> dict[str, Any]:
    options = {"toolchain": "pip"} if project.runtime == PYTHON else dict(project.options)
    return {
        "name": project.name,
        "runtime": {"name": project.runtime, "options": options},
        "main": str(project.program),
        "plugins": {"providers": plugins},
    }


def _write(file: Path, content: dict[str, Any]) -> None:
    file.write_text(yaml.safe_dump(content, allow_unicode=True), encoding="utf-8")


def _variables(folder: Path, brought: Iterable[str], python: Interpreter | None) -> dict[str, str]:
    """The environment that keeps the CLI inside the folder, off the network, and with the program's interpreter.

    Without a `python` of its own that is Penstock's. `brought` are folders of packages that the program brings along.
    """
    return {
        in_program.REHEARSAL: "true",
        "PULUMI_BACKEND_URL": (folder / "state").as_uri(),
        "PULUMI_CONFIG_PASSPHRASE": "rehearsal",  # it guards stand-ins, for as long as the folder is there
        "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true",
        "PULUMI_IGNORE_AMBIENT_PLUGINS": "true",  # no real provider may answer
        "PULUMI_SKIP_UPDATE_CHECK": "true",
        "PULUMI_PYTHON_CMD": sys.executable if python is None else str(python.executable),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": os.pathsep.join(filter(None, [*brought, os.environ.get("PYTHONPATH")])),
    }
