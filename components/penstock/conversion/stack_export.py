"""Exports of Pulumi stacks: platforms of Penstock, and those that were built by hand.

The state of a Penstock platform has its description. Any other state is read resource by resource, by the `conversion`
part of its cloud.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path as FilePath
from typing import Any, Final

from penstock.catalog.former_types import by_present_names
from penstock.conversion.draft import Draft
from penstock.conversion.format import CloudConversion
from penstock.conversion.note import NoteCode
from penstock.conversion.resources import ExportDraft
from penstock.conversion.source import Expressions, SourceFile
from penstock.core.errors import UnknownFact, UnusableSource
from penstock.core.findings import kind_of
from penstock.core.wording import listed
from penstock.graph.graph import STACK_TYPE, Graph, Resource
from penstock.graph.values import Secret, Unknown
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Site, View
from penstock.model.pools.pool import MachinePool
from penstock.providers import Provider, all_providers, built_clouds, provider_of
from penstock.simulate import exported_state

TITLE: Final = "output of `pulumi stack export`"

_PLATFORM: Final = "penstock:index:Platform"
_DESCRIPTION: Final = "description"
_URN: Final = re.compile(r'"urn":\s*"((?:[^"\\]|\\.)*)"')
_OWN: Final = "own"
_KUBERNETES: Final = "kubernetes"
_NEVER: Final = re.compile(r"(?!)")
_NO_SETTINGS: Final = "A state has no settings: penstock:policies, penstock:usage and the provider's configuration."


def read(file: FilePath, text: str) -> Draft:
    """Return the draft of a stack export.

    Raises:
        UnusableState: the export is broken.
        UnusableSource: it has no resources of a cloud.
    """
    graph = graph_at(file)
    lines = {found[1]: text.count("\n", 0, found.start()) + 1 for found in _URN.finditer(text)}
    platforms = [each for each in graph.of_type(_PLATFORM) if isinstance(each.outputs.get(_DESCRIPTION), Mapping)]
    draft = _own(file, graph, platforms, lines) if platforms else _by_hand(file, graph, lines)
    draft.stack = graph.stack
    return draft


def graph_at(file: FilePath) -> Graph:
    """Return the Graph of a stack export."""
    return exported_state.graph_of(exported_state.read_export(file), file)


def _started(file: FilePath, cloud: str, lines: Mapping[str, int]) -> ExportDraft:
    source = SourceFile(str(file), {}, {}, Expressions(_NEVER), {})
    return ExportDraft(Draft(source, cloud), lines)


def _own(file: FilePath, graph: Graph, platforms: list[Resource], lines: Mapping[str, int]) -> Draft:
    """Return the description that the state of a Penstock platform has."""
    first, *others = platforms
    described: Mapping[str, Any] = first.outputs[_DESCRIPTION]
    cloud = described.get("cloud")
    export = _started(file, str(cloud.get("provider")) if isinstance(cloud, Mapping) else "", lines)
    export.draft.platform, export.draft.restored = _plain(described), True
    for other in others:
        export.note(other, "A stack file describes one platform.", "Import it from an export of its own stack.")
    inside = {urn for platform in platforms for urn in _below(graph, platform.urn)}
    foreign = [each for each in graph if each.custom and each.urn not in inside and _is_cloud(each)]
    _leftover(export, foreign, own=())
    export.draft.fill_in(("environment",), _NO_SETTINGS, "Copy them from the stack file, if there is one.")
    return export.draft


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def _below(graph: Graph, root: str) -> Iterator[str]:
    """Yield the URN of a component and of all below it; a parent comes before its children."""
    found = {root}
    for resource in graph:
        if resource.parent in found:
            found.add(resource.urn)
    yield from found


def _by_hand(file: FilePath, graph: Graph, lines: Mapping[str, int]) -> Draft:
    """Return what the resources of a platform that was built by hand say."""
    provider = _cloud(file, graph)
    conversion: CloudConversion = provider.load("conversion")
    export = _started(file, provider.name, lines)
    graph = by_present_names(graph)
    site = Site(graph)
    _place(export, graph, provider, conversion)
    for resource in graph:
        reader = conversion.readers.get(resource.type)
        if reader is not None and not resource.external:
            _read(export, resource, lambda view, reader=reader: reader(view, export), site)
    _pools(export, graph, site)
    export.draft.without_prefix(export.draft.platform["name"])
    rest = [each for each in graph if each.custom and each.urn not in export.read and _is_cloud(each)]
    _leftover(export, rest, conversion.own)
    return export.draft


def _cloud(file: FilePath, graph: Graph) -> Provider:
    providers = (provider_of(each.type) for each in graph if each.custom)
    counts = Counter(provider.name for provider in providers if provider is not None)
    clouds = {each.name: each for each in all_providers() if each.name in built_clouds() and each.has("conversion")}
    found = [name for name, _ in counts.most_common() if name in clouds]
    if not found:
        types = listed(dict.fromkeys(each.type for each in graph if each.custom), 3) or "none"
        message = f"The stack has no resources of {listed(clouds)}. It has: {types}."
        raise UnusableSource(message, str(file))
    return clouds[found[0]]


def _place(export: ExportDraft, graph: Graph, provider: Provider, conversion: CloudConversion) -> None:
    """Set region and account from the configuration of the provider."""
    for resource in graph:
        if resource.type != f"pulumi:providers:{provider.package}":
            continue
        for field, key in (("region", conversion.region), ("account", conversion.account)):
            value = resource.inputs.get(key)
            if isinstance(value, str) and field not in export.draft.platform["cloud"]:
                export.draft.put(("cloud", field), value)


def _read(export: ExportDraft, resource: Resource, read_: Any, site: Site) -> None:
    try:
        read_(View(resource, site))
    except (NotKnown, TypeMismatch, UnknownFact, ValueError):
        export.read.add(resource.urn)
        export.note(resource, "A value is secret, unknown or of another type.", "Describe it by hand.")


def _pools(export: ExportDraft, graph: Graph, site: Site) -> None:
    for provider in all_providers():
        part = provider.module("pools") if provider.name == export.draft.cloud else None
        if part is None:
            continue
        for resource in graph.of_type(*part.TYPES):
            if not resource.external:
                _read(export, resource, lambda view, part=part: _add_pools(export, view, part.read_pools(view)), site)


def _add_pools(export: ExportDraft, view: View, pools: list[MachinePool]) -> None:
    for pool in pools:
        types = pool.machine_types()
        if not types or pool.service:
            continue
        export.read.add(view.urn)
        path = export.draft.add("node_pools", pool.name.rpartition("/")[2], (), machine_type=types[0].name)
        low, high = pool.least_in_all_zones(), pool.most()
        export.draft.put((*path, "nodes"), high if low == high else {"min": low, "max": max(high, 1)})
        way = pool.purchase()
        if way == "any_reservation":
            export.note(view.resource, "Open reservations are used without a name.", "Set capacity and reservation.")
        elif way != "on_demand":
            export.draft.put((*path, "capacity"), way)
        if way in ("reserved", "capacity_block"):
            export.draft.put((*path, "reservation"), pool.reservation_name() or None)
        with_zones = _or_none(pool.zones)
        if with_zones is not None and len(with_zones) == 1:
            export.draft.put((*path, "zone"), with_zones[0])
        labels = _or_none(lambda: view.value("labels"))
        if isinstance(labels, Mapping):
            export.draft.put((*path, "labels"), {key: str(value) for key, value in labels.items() if _is_text(value)})
        if len(types) > 1:
            message = f"A pool has one machine type: {types[0].name} is kept of {listed(each.name for each in types)}."
            export.note(view.resource, message, "Add a pool for each other type.")


def _is_text(value: Any) -> bool:
    return not isinstance(value, Secret | Unknown)


def _or_none(ask: Any) -> Any:
    try:
        return ask()
    except (NotKnown, TypeMismatch, UnknownFact):
        return None


def _is_cloud(resource: Resource) -> bool:
    return resource.type != STACK_TYPE and not resource.type.startswith("pulumi:") and not resource.external


def _leftover(export: ExportDraft, resources: list[Resource], own: tuple[str, ...]) -> None:
    """Report resources without a counterpart by type; Penstock's kinds and Kubernetes objects have one note each."""
    groups: dict[str, list[Resource]] = {}
    for each in resources:
        group = _OWN if each.type.startswith(own or ("/",)) else each.type.partition(":")[0]
        groups.setdefault(each.type if group not in (_OWN, _KUBERNETES) else group, []).append(each)
    for group, found in groups.items():
        kinds = Counter(kind_of(each.type) for each in found)
        shown = listed((f"{count} {kind}" for kind, count in kinds.most_common()), 6)
        if group == _OWN:
            export.note(found[0], f"Penstock creates its own in place of {shown}.", code=NoteCode.ASSUMED)
        elif group == _KUBERNETES:
            hint = "Set addons for what Penstock installs; keep the others in your own program."
            export.note(found[0], f"Kubernetes objects are not translated: {shown}.", hint)
        else:
            names = listed((each.name for each in found), 3)
            export.note(
                found[0], f"{shown}: the description has no counterpart of {names}.", "Keep it in your own program."
            )
