"""Network policies of a program, enforced on packets between network namespaces by the engine of kube-router.

k3s has the same engine. The program in `policy_engine` gives it the objects; `binaries` builds it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from tests.cluster import binaries
from tests.cluster.pod_networks import NODE_IP, Host, Node, started

from penstock.graph.graph import Graph

_NODE: Final = "node"
_NAMESPACE: Final = "kubernetes:core/v1:Namespace"
_POLICY: Final = "kubernetes:networking.k8s.io/v1:NetworkPolicy"


@contextmanager
def enforced(graph: Graph, hosts: Sequence[Host], folder: Path) -> Iterator[Node]:
    """Enforce the policies of a program between hosts."""
    engine = binaries.find(binaries.ENGINE.name)
    assert engine is not None
    file = folder / "objects.json"
    file.write_text(json.dumps(_objects(graph, hosts)), encoding="utf-8")
    with (
        Node(hosts).running() as node,
        started(["ip", "netns", "exec", node.space, str(engine), str(file)], says="enforcing"),
    ):
        yield node


def _objects(graph: Graph, hosts: Sequence[Host]) -> dict[str, list[Any]]:
    pods = [host.manifest(_NODE) for host in hosts if host.namespace is not None]
    labels = {each.inputs["metadata"]["name"]: each.inputs["metadata"]["labels"] for each in graph.of_type(_NAMESPACE)}
    names = {host.namespace for host in hosts if host.namespace is not None} | set(labels)
    address = {"type": "InternalIP", "address": NODE_IP}
    return {
        "Nodes": [{"metadata": {"name": _NODE}, "status": {"addresses": [address]}}],
        "Namespaces": [
            {"metadata": {"name": name, "labels": {**labels.get(name, {}), "kubernetes.io/metadata.name": name}}}
            for name in sorted(names)
        ],
        "Pods": pods,
        "NetworkPolicies": [
            {"metadata": each.inputs["metadata"], "spec": each.inputs["spec"]} for each in graph.of_type(_POLICY)
        ],
    }
