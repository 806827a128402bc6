"""Secrets that charts take values from and that the program does not create."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from penstock.graph.view import Site, View
from penstock.kubernetes.facts.charts import RELEASE
from penstock.preconditions.kind import Kinds
from penstock.preconditions.precondition import Precondition

KINDS = Kinds()

_REFERENCE = "KeyRef"
"""The end of the keys by which charts name a Secret and a key in it, such as secretKeyRef or passwordKeyRef."""


@KINDS.kind("kubernetes-secret", sources=("Kubernetes API reference, SecretKeySelector",), on=RELEASE)
def secrets_that_charts_read(release: View) -> Iterator[Precondition]:
    """Secrets that the values of a release name, unless the program creates them."""
    namespace, created = release.text("namespace") or "default", release.site.once(_created)
    keys: dict[str, list[str]] = {}
    for name, key in _references(release.given("values")):
        keys.setdefault(name, []).append(key)
    for name, its in keys.items():
        if name not in created:
            files = " ".join(f"--from-file={key}" for key in dict.fromkeys(its))
            yield Precondition(
                f"Secret {name} in namespace {namespace}",
                f"Pods of release {release.text('name') or release.name} wait for it, and `pulumi up` waits for them. "
                "Create it as soon as the namespace exists.",
                f"kubectl create secret generic {name} --namespace {namespace} {files}",
                release.urn,
            )


def _references(value: Any) -> Iterator[tuple[str, str]]:
    items: Any = ()
    if isinstance(value, Mapping):
        for key, item in value.items():
            if str(key).endswith(_REFERENCE) and not str(key).startswith("configMap") and isinstance(item, Mapping):
                name, its_key = item.get("name"), item.get("key")
                if isinstance(name, str) and isinstance(its_key, str) and item.get("optional") is not True:
                    yield name, its_key
        items = value.values()
    elif isinstance(value, list | tuple):
        items = value
    for item in items:
        yield from _references(item)


def _created(site: Site) -> frozenset[str]:
    """The names of Secrets that objects of the program are or lead to, such as an ExternalSecret."""
    names = set()
    for resource in site.graph:
        if resource.type.startswith("kubernetes:") and resource.type.endswith("Secret"):
            for path in (("metadata", "name"), ("spec", "target", "name")):
                value: Any = resource.inputs
                for key in path:
                    value = value.get(key) if isinstance(value, Mapping) else None
                if isinstance(value, str):
                    names.add(value)
    return frozenset(names)
