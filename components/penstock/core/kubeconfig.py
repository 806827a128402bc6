"""Kubeconfigs: reading one from its text, and writing one of a single context."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def parsed(text: str) -> Mapping[str, Any] | None:
    """Return the kubeconfig in a text of JSON or YAML; None for any other text, such as a path."""
    try:
        data = json.loads(text)
    except ValueError:
        import yaml  # slow to import, and most kubeconfigs of programs are JSON

        try:
            data = yaml.safe_load(text)
        except yaml.YAMLError:
            return None
    return data if isinstance(data, Mapping) else None


def entries(kubeconfig: object, kind: str) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the entries of one kind, such as `clusters`: the name of each, and its content."""
    found = kubeconfig.get(kind) if isinstance(kubeconfig, Mapping) else None
    named = [each for each in found if isinstance(each, Mapping)] if isinstance(found, list) else []
    content = ((each.get("name"), each.get(kind.removesuffix("s"))) for each in named)
    return [
        (name if isinstance(name, str) else "", each if isinstance(each, Mapping) else {}) for name, each in content
    ]


def text_of(name: str, cluster: Mapping[str, Any], user: Mapping[str, Any]) -> str:
    """Return a kubeconfig as JSON: one cluster, one user, and the context of both, which all have the same name."""
    return json.dumps(
        {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": name, "cluster": cluster}],
            "users": [{"name": name, "user": user}],
            "contexts": [{"name": name, "context": {"cluster": name, "user": name}}],
            "current-context": name,
        }
    )
