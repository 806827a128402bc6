"""Decisions of a provider about a change beyond the properties of the resource itself, as the real ones decide it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from penstock.catalog import replacements
from penstock.core import kubeconfig
from penstock.graph.values import SEALED, Secret
from penstock.providers import plugin_of
from penstock.simulate import sdk_types
from penstock.simulate.clouds import any_provider, simulated
from penstock.simulate.lifecycle import Difference


def deletes_first(type_: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Return whether a replaced resource is deleted before the new one is created, if the program does not say.

    Providers made from Terraform's do so with what the program names itself (pulumi-terraform-bridge,
    nameRequiresDeleteBeforeReplace); Kubernetes' where name and namespace stay; Azure's always (pulumi-azure-native and
    pulumi-kubernetes, Diff of the provider).
    """
    package = type_.partition(":")[0]
    if package == "kubernetes":
        return _object(new) == _object(old) and _object(new)[0] is not None
    if plugin_of(type_).always_deletes_first:
        return True
    name_property: Callable[[str], str] | None = getattr(simulated(package), "name_property", None)
    named = name_property(type_) if name_property is not None else "name"
    return new.get(named) is not None and (sdk_types.input_types(type_) or {}).get(named) is str


def inherited(
    type_: str,
    old_inputs: Mapping[str, Any],
    old_outputs: Mapping[str, Any],
    new_inputs: Mapping[str, Any],
    configuration: Mapping[str, Any],
) -> Iterator[Difference]:
    """What a resource takes from its provider (a region) and cannot change in place; the provider has another now."""
    for key in replacements.replacements_of(type_).properties:
        then, now = old_outputs.get(key), any_provider.configured(configuration, key)
        own = old_inputs.get(key) is not None or new_inputs.get(key) is not None
        if isinstance(then, str) and now is not None and then != now and not own:
            yield Difference(key, then, now, replaces=True)


def is_another(package: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Return whether a provider of another configuration reaches another place, so that all that it made is replaced.

    Kubernetes' does where its cluster identifier changed or, without one, the active cluster of its kubeconfig; no
    other one reports so.
    """
    if package != "kubernetes" or old == new:
        return False
    if "clusterIdentifier" in new:
        return bool(old.get("clusterIdentifier") != new["clusterIdentifier"])
    before, after = _active_cluster(old), _active_cluster(new)
    return SEALED not in (before, after) and before != after


def _object(inputs: Mapping[str, Any]) -> tuple[Any, Any]:
    metadata = inputs.get("metadata")
    return (metadata.get("name"), metadata.get("namespace")) if isinstance(metadata, Mapping) else (None, None)


def _active_cluster(configuration: Mapping[str, Any]) -> Any:
    """The cluster in use according to the kubeconfig; the whole of one that is a path, or is not known."""
    given = configuration.get("kubeconfig")
    text = given.value if isinstance(given, Secret) else given
    if not isinstance(text, str):
        return text
    found = kubeconfig.parsed(text)
    if found is None:
        return text
    contexts, clusters = (dict(kubeconfig.entries(found, kind)) for kind in ("contexts", "clusters"))
    context = contexts.get(str(configuration.get("context") or found.get("current-context")), {})
    name = str(configuration.get("cluster") or context.get("cluster"))
    return name, clusters.get(name)
