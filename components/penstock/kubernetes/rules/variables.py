"""The environment of containers, as the program sets it: in the pod, from its ConfigMaps, and on the command line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Block, View
from penstock.kubernetes.model.pods.templates import PodTemplate
from penstock.kubernetes.rules import inventory
from penstock.kubernetes.rules.types import CONFIG_MAP

_ASSIGNMENT = re.compile(r"""(?<![\w$/.-])([A-Z][A-Z0-9]*_\w+)=(?:"([^"]*)"|'([^']*)'|([^\s"';&|]*))""")
"""A variable that a command sets: by itself, with export, or with -x of Open MPI."""


class Setting(NamedTuple):
    """A variable of a container: its value, None where that is not known, and the place that sets it."""

    name: str
    value: str | None
    path: str


def settings(pods: PodTemplate, container: Block) -> list[Setting]:
    """The variables of a container, the last setting of each: its command line comes after its environment."""
    found: dict[str, Setting] = {}
    for source in container.blocks("envFrom"):
        found |= {setting.name: setting for setting in _of_config_map(pods, source)}
    for variable in container.blocks("env"):
        name = _known(variable, "name")
        if name is not None:
            found[name] = Setting(name, _value(pods, variable), variable.at("name"))
    found |= {setting.name: setting for setting in of_command_line(container)}
    return list(found.values())


def of_command_line(container: Block) -> Iterator[Setting]:
    """The variables that the command line of a container sets, also those that it hands on to other machines."""
    for key in ("command", "args"):
        for place in container.locations(f"{key}[]"):
            if isinstance(place.value, str):
                yield from _assigned(place.value, container.at(key))


def all_known(pods: PodTemplate, container: Block) -> bool:
    """Return whether every object that a container takes its environment from is a ConfigMap of the program."""
    references = [source.block("configMapRef") for source in container.blocks("envFrom")]
    return all(each is not None and _config_map(pods, each) is not None for each in references)


def _assigned(text: str, path: str) -> Iterator[Setting]:
    for line in text.splitlines():
        if line.lstrip().startswith("#"):
            continue
        for name, *values in _ASSIGNMENT.findall(line):
            value = "".join(values)
            yield Setting(name, None if "$" in value else value, path)


def _of_config_map(pods: PodTemplate, source: Block) -> Iterator[Setting]:
    reference = source.block("configMapRef")
    made = _config_map(pods, reference) if reference is not None else None
    data = made.block("data") if made is not None else None
    prefix = source.text("prefix") or ""
    for key in data or ():
        yield Setting(prefix + key, _known(data, key), source.at("configMapRef"))


def _value(pods: PodTemplate, variable: Block) -> str | None:
    """The value of a variable; None where it is not known, or comes from elsewhere than a ConfigMap of the program."""
    if "value" in variable or "valueFrom" not in variable:
        return _known(variable, "value") if "value" in variable else ""
    source = variable.block("valueFrom")
    reference = source.block("configMapKeyRef") if source is not None else None
    made = _config_map(pods, reference) if reference is not None else None
    data = made.block("data") if made is not None else None
    return _known(data, reference.text("key") or "") if data is not None and reference is not None else None


def _config_map(pods: PodTemplate, reference: Block) -> View | None:
    """The ConfigMap of the program that a reference names; by a name that is not known, the only one of the pods."""
    try:
        name = reference.text("name") or ""
        return inventory.find(pods.workload, CONFIG_MAP, inventory.namespace(pods.workload), name)
    except NotKnown:
        found = pods.workload.sources("spec", CONFIG_MAP)
        return found[0] if len(found) == 1 else None


def _known(block: Block | None, key: str) -> str | None:
    try:
        return block.text(key) if block is not None else None
    except (NotKnown, TypeMismatch):
        return None
