"""A platform performed: the real Pulumi CLI and the real Kubernetes provider, and a simulated cloud below."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import yaml
from tests.cluster import binaries
from tests.cluster.control_plane import ControlPlane

from penstock.description import document
from penstock.simulate.engine.scratch import Scratch, scratch
from penstock.simulate.environment import Environment

PLUGIN: Final = "pulumi-resource-kubernetes"
_PROGRAM: Final = Path(__file__).parent / "program"


def missing() -> str:
    """The reason why nothing can be performed on this machine; empty where it can."""
    if shutil.which("pulumi") is None:
        return "the Pulumi CLI is not on the PATH"
    if binaries.find(PLUGIN) is None:
        return f"{PLUGIN} is neither on the PATH nor in {binaries.FOLDER / 'bin'}"
    return ""


def with_charts(environment: Environment, folder: Path) -> Environment:
    """An environment whose description takes every chart from a folder, as in a network without a way out."""
    values = dict(environment.config.values)
    platform = json.loads(values[document.KEY])
    platform["network"] = {**platform.get("network", {}), "chart_mirror": str(folder)}
    values[document.KEY] = json.dumps(platform)
    return replace(environment, config=replace(environment.config, values=values))


@contextmanager
def performed(environment: Environment, cluster: ControlPlane) -> Iterator[Scratch]:
    """An environment's stack, ready for `up`: what is in its cluster goes to the real one."""
    plugin = binaries.find(PLUGIN)
    assert plugin is not None
    described = json.loads(environment.config.values[document.KEY])["cluster"]
    context = described.get("context") or described.get("kubeconfig")
    with scratch(environment) as found:
        file = found.folder / "Pulumi.yaml"
        project: dict[str, Any] = yaml.safe_load(file.read_text(encoding="utf-8"))
        for each in project["plugins"]["providers"]:
            if each["name"] == "kubernetes":
                each["path"] = str(plugin.parent)
        program, project["main"] = project["main"], str(_PROGRAM)
        file.write_text(yaml.safe_dump(project), encoding="utf-8")
        workspace = found.stack.workspace
        workspace.env_vars = {
            **workspace.env_vars,
            "KUBECONFIG": str(cluster.kubeconfig_for(context) if context else cluster.kubeconfig),
            "TEST_CLUSTER_PROGRAM": program,
        }
        yield found
