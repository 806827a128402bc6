"""Rules on tags, which Google calls labels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from penstock.core.wording import quoted
from penstock.description import addon, platform
from penstock.description.block import ComponentSpec
from penstock.description.node_pool import NodePoolSpec
from penstock.description.offer import TagForm
from penstock.description.platform import Spec
from penstock.description.positions import Path
from penstock.description.problems import Problem
from penstock.description.rules import known
from penstock.description.rules.rule import CLOUDS, pool_rule, rule, storage_rule
from penstock.description.storage import StorageSpec

_OF_RESOURCES: Final = ("tags", "protect")


@rule("SPEC-105", reads=("tags", "owner", "network", "cluster", "budget", "addons"), provider=CLOUDS)
def tags_are_tags_of_the_cloud(spec: Spec) -> Iterator[Problem]:
    """Tags have keys and values that the cloud takes, and there are no more of them than it takes."""
    yield from _bad_tags(spec, spec.tags, ())
    yield from _too_many_tags(spec, ComponentSpec(), ())
    parts: dict[Path, ComponentSpec | None] = {
        ("network",): spec.network,
        ("cluster",): spec.cluster,
        ("budget",): spec.budget,
        **{("addons", name): spec.addons.component(name) for name in addon.keys_of_cloud(spec.cloud.provider)},
    }
    for path, part in parts.items():
        if part is not None:
            yield from _component_tags(spec, part, path)


@rule("SPEC-105", reads=("addons", "cloud"))
def tags_are_on_what_takes_them(spec: Spec) -> Iterator[Problem]:
    """Tags are on resources of a cloud: objects in a cluster take none, and their namespaces have the platform's."""
    for name in addon.keys_in_cluster(spec.cloud.provider):
        block = spec.addons.component(name)
        for field in _OF_RESOURCES:
            if block is not None and field in block.model_fields_set:
                message = f"{field} is for resources of a cloud, and {name} is objects in the cluster alone."
                yield Problem(
                    ("addons", name, field), message, "Leave it out: namespaces have the platform's own tags."
                )


@pool_rule("SPEC-105", reads=("tags", "owner"), provider=CLOUDS)
def pool_tags_are_tags_of_the_cloud(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """Tags of pools have keys and values that the cloud takes."""
    yield from _component_tags(spec, pool, ())


@storage_rule("SPEC-105", reads=("tags", "owner"), provider=CLOUDS)
def storage_tags_are_tags_of_the_cloud(item: StorageSpec, spec: Spec) -> Iterator[Problem]:
    """Tags of storage have keys and values that the cloud takes."""
    yield from _component_tags(spec, item, ())


@rule("SPEC-106", reads=("owner", "cloud"), provider=CLOUDS)
def owner_can_be_a_tag(spec: Spec) -> Iterator[Problem]:
    """The owner is written on everything as a tag, so it has the form of one."""
    if spec.owner is not None:
        yield from _wrong_with_value(spec.owner, known.offer(spec).tags(), ("owner",))


def _component_tags(spec: Spec, component: ComponentSpec, path: Path) -> Iterator[Problem]:
    yield from _bad_tags(spec, component.tags, path)
    # Else the platform's are too many by themselves.
    if len(platform.tags(spec, ComponentSpec())) < known.offer(spec).tags().most:
        yield from _too_many_tags(spec, component, path)


def _too_many_tags(spec: Spec, component: ComponentSpec, path: Path) -> Iterator[Problem]:
    number, form = len(platform.tags(spec, component)), known.offer(spec).tags()
    if number >= form.most:
        cloud = known.cloud_name(spec)
        message = f"With the platform's there are {number} tags; {cloud} allows {form.most}, {form.added} among them."
        yield Problem((*path, "tags"), message, "Leave some out.")


def _bad_tags(spec: Spec, tags: Mapping[str, str], path: Path) -> Iterator[Problem]:
    form = known.offer(spec).tags()
    for key, value in tags.items():
        where = (*path, "tags", key)
        if not re.fullmatch(form.key, key):
            yield Problem(where, f"{quoted(key)} is not a valid tag key.", f"{form.key_words}.")
        yield from _wrong_with_value(value, form, where)
    yield from form.problems(tags, path)


def _wrong_with_value(value: str, form: TagForm, where: Path) -> Iterator[Problem]:
    if not re.fullmatch(form.value, value):
        yield Problem(where, f"{quoted(value)} is not a valid tag value.", f"{form.value_words}.")
