"""The kubeconfig that a description names: where it is, and what is wrong with it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from penstock.core.kubeconfig import entries, parsed
from penstock.core.rehearsed import is_rehearsal
from penstock.core.wording import listed, quoted
from penstock.description.cluster import ClusterSpec

PROVIDER = "kubernetes"
"""Of descriptions that name one."""

_DEFAULT = Path("~/.kube/config")
_LARGEST_BYTES = 1 << 20
_HTTPS = 443
_OF_CONTENT = ("\n", "{", "apiVersion")
"""What no path and no context has in it, and every kubeconfig has."""


class KubeconfigSource(NamedTuple):
    """A file, and the context in it; None is the file's current one.

    `written` is the path as the description has it, which is right on every machine; None for the file that kubectl
    takes by itself.
    """

    path: Path
    written: str | None
    context: str | None


class KubeconfigTrouble(NamedTuple):
    """What is wrong: the field of `cluster` that says so, a sentence, and what would be right."""

    field: str
    message: str
    hint: str


def source_of(cluster: ClusterSpec) -> KubeconfigSource:
    """Return where the kubeconfig is: the path that is named, or the file that kubectl would take, and its context."""
    named = cluster.kubeconfig or ""
    if is_path(named):
        return KubeconfigSource(Path(named).expanduser(), named, cluster.context)
    ambient = os.environ.get("KUBECONFIG", "").split(os.pathsep)[0] or str(_DEFAULT)
    return KubeconfigSource(Path(ambient).expanduser(), None, named or cluster.context)


def login_in(cluster: ClusterSpec) -> KubeconfigTrouble | None:
    """Return that the description holds a kubeconfig itself, in place of its path."""
    if not any(mark in (cluster.kubeconfig or "") for mark in _OF_CONTENT):
        return None
    hint = "Save it in a file that only you can read, and write its path, such as ~/.kube/dgx.yaml."
    return KubeconfigTrouble("kubeconfig", "A path or a context belongs here, not the login itself.", hint)


def trouble_with(cluster: ClusterSpec) -> KubeconfigTrouble | None:
    """Return the problem of the kubeconfig on this machine; None if there is none, or no such file."""
    source = source_of(cluster)
    try:
        if not source.path.exists():
            return None
        if source.path.stat().st_size > _LARGEST_BYTES:
            return KubeconfigTrouble(
                "kubeconfig", f"{source.path} is too large for a kubeconfig.", "Name another file."
            )
        text = source.path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not a text"
        return KubeconfigTrouble("kubeconfig", f"{source.path} cannot be read: {reason}.", "Name a readable file.")
    return _trouble_in(text, source)


def missing(cluster: ClusterSpec) -> KubeconfigTrouble | None:
    """Return that there is no such file; None where there is one."""
    source = source_of(cluster)
    if source.path.exists():
        return None
    hint = "It is read by whatever reaches the cluster, where that runs: copy it there, or name another path."
    return KubeconfigTrouble("kubeconfig", f"There is no kubeconfig at {source.path}.", hint)


def api_server_port(cluster: ClusterSpec) -> int | None:
    """The port of the API server by the kubeconfig on this machine; None if it is not known, as in a rehearsal."""
    source = source_of(cluster)
    if is_rehearsal() or trouble_with(cluster) is not None or not source.path.exists():
        return None
    data = parsed(source.path.read_text(encoding="utf-8")) or {}
    context = _entries(data, "contexts")[source.context or str(data.get("current-context"))]
    try:
        return urlsplit(str(_entries(data, "clusters")[context["cluster"]]["server"])).port or _HTTPS
    except ValueError:
        return None


def is_path(text: str) -> bool:
    """Return whether `cluster.kubeconfig` is the path of a file; otherwise it is a context."""
    return (
        "/" in text or "\\" in text or text.startswith("~") or text.endswith((".yaml", ".yml", ".conf", ".kubeconfig"))
    )


def _trouble_in(text: str, source: KubeconfigSource) -> KubeconfigTrouble | None:
    import yaml  # most descriptions are of clouds, and need none here

    try:
        data = yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" (line {mark.line + 1})" if mark is not None else ""
        return KubeconfigTrouble("kubeconfig", f"{source.path} is not YAML{where}.", "Name a kubeconfig.")
    clusters, users, contexts = (_entries(data, kind) for kind in ("clusters", "users", "contexts"))
    if not contexts:
        hint = "A kubeconfig has clusters, users and contexts; `kubectl config get-contexts` lists them."
        return KubeconfigTrouble("kubeconfig", f"{source.path} has no contexts.", hint)
    field = "context" if source.context is not None else "kubeconfig"
    name = source.context or str(data.get("current-context") or "")
    if not name:
        hint = f"Set cluster.context to one of {listed(contexts)}."
        return KubeconfigTrouble("kubeconfig", f"{source.path} has no current context.", hint)
    if name not in contexts:
        return KubeconfigTrouble(field, f"{source.path} has no context {quoted(name)}.", f"It has {listed(contexts)}.")
    for kind, known in (("cluster", clusters), ("user", users)):
        refers = contexts[name].get(kind)
        if refers not in known:
            message = f"Context {quoted(name)} of {source.path} refers to {kind} {quoted(refers or '')}: there is none."
            return KubeconfigTrouble(
                field, message, f"Its {kind}s: {listed(known)}." if known else "Name another file."
            )
    if not clusters[contexts[name]["cluster"]].get("server"):
        message = f"Cluster {quoted(contexts[name]['cluster'])} of {source.path} has no server."
        return KubeconfigTrouble(field, message, "Set the address of its API server.")
    return None


def _entries(data: Any, kind: str) -> dict[str, Mapping[str, Any]]:
    """The named entries of one kind, such as contexts, each with what it holds."""
    return {name: content for name, content in entries(data, kind) if name}
