"""A cluster of tests: an API server's answers on loopback, and a kubectl that reads and reviews.

Where a machine has kubectl, it is the real one; elsewhere a stand-in does the few things that a preflight asks of it.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.preflight.httpapi import Answer, HttpApi, Request

REVIEWS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"

_STAND_IN = """#!{python}
import json, sys, urllib.error, urllib.request
from pathlib import Path
import yaml
flags = dict(each[2:].split("=", 1) for each in sys.argv[1:] if each.startswith("--") and "=" in each)
words = [each for each in sys.argv[1:] if not each.startswith("--")]
config = yaml.safe_load(Path(flags["kubeconfig"]).read_text())
body = sys.stdin.buffer.read() if words[0] == "create" else None
request = urllib.request.Request(config["clusters"][0]["cluster"]["server"] + words[1], data=body)
request.add_header("Content-Type", "application/json")
try:
    print(urllib.request.urlopen(request).read().decode())
except urllib.error.HTTPError as error:
    status = json.loads(error.read())
    sys.exit(f"Error from server ({{status['reason']}}): {{status['message']}}")
"""


@dataclass
class ClusterServer(HttpApi):
    """An API server, whose caller may do everything but what `lacks` has, as `verb group/resource`."""

    lacks: set[str] = field(default_factory=set)
    version: str = "v1.35.2"

    def answer(self, request: Request) -> tuple[int, Answer]:
        if request.path == "/version":
            return 200, {"major": "1", "minor": "35", "gitVersion": self.version}
        if request.path == REVIEWS:
            asked = request.body["spec"]["resourceAttributes"]
            key = f"{asked['verb']} {asked.get('group', '')}/{asked['resource']}"
            return 201, {**request.body, "status": {"allowed": key not in self.lacks}}
        found = self.answers.get(request.path)
        if found is None:
            message = "the server could not find the requested resource"
            return 404, _status(404, "NotFound", message)
        return found if isinstance(found, tuple) else (200, found)

    def has_nodes(self, *nodes: Mapping[str, Any]) -> None:
        """Give the cluster these nodes."""
        self.answers["/api/v1/nodes"] = {"kind": "NodeList", "apiVersion": "v1", "items": list(nodes)}

    def kubeconfig(self, folder: Path) -> Path:
        """A kubeconfig with a context called `test`."""
        file = folder / "kubeconfig.yaml"
        file.write_text(
            json.dumps(
                {
                    "apiVersion": "v1",
                    "kind": "Config",
                    "clusters": [{"name": "c", "cluster": {"server": self.url}}],
                    "users": [{"name": "u", "user": {"token": "secret-token"}}],
                    "contexts": [{"name": "test", "context": {"cluster": "c", "user": "u"}}],
                    "current-context": "test",
                }
            )
        )
        return file


def forbidden(message: str) -> tuple[int, Answer]:
    """An answer that refuses (Kubernetes API reference, Status)."""
    return 403, _status(403, "Forbidden", message)


def node(
    name: str, labels: Mapping[str, str], devices: Mapping[str, int], taints: Sequence[str] = (), *, ready: bool = True
) -> dict[str, Any]:
    """A node as the API has it; taints are `key=value:effect`."""
    parts = [each.replace(":", "=").split("=") for each in taints]
    return {
        "metadata": {"name": name, "labels": dict(labels)},
        "spec": {"taints": [{"key": key, "value": value, "effect": effect} for key, value, effect in parts]},
        "status": {
            "allocatable": {"cpu": "96", **{key: str(count) for key, count in devices.items()}},
            "conditions": [{"type": "Ready", "status": "True" if ready else "False"}],
        },
    }


def kubectl_in(folder: Path) -> str:
    """A folder for the PATH that has a kubectl: the machine's, or else the stand-in."""
    real = shutil.which("kubectl")
    if real is not None:
        return str(Path(real).parent)
    file = folder / "kubectl"
    file.write_text(_STAND_IN.format(python=sys.executable))
    file.chmod(0o755)
    return str(folder)


def _status(code: int, reason: str, message: str) -> Answer:
    return {
        "kind": "Status",
        "apiVersion": "v1",
        "status": "Failure",
        "code": code,
        "reason": reason,
        "message": message,
    }
