"""Rules on tags, which Google calls labels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from penstock.catalog import limits
from penstock.spec import platform
from penstock.spec.block import ComponentSpec
from penstock.spec.node_pool import NodePoolSpec
from penstock.spec.platform import Spec
from penstock.spec.positions import Path
from penstock.spec.problems import Problem
from penstock.spec.rules import known
from penstock.spec.rules.rule import AWS, CLOUDS, GCP, pool_rule, rule, storage_rule
from penstock.spec.storage import StorageSpec
from penstock.wording import quoted


@dataclass(frozen=True, slots=True)
class _Form:
    """What a cloud takes as tags.

    Attributes:
        key: matches a key, which is made of `key_words`; `value` likewise.
        most: how many a resource takes, of which one is `added` to ours.
    """

    key: str
    key_words: str
    value: str
    value_words: str
    most: int
    added: str


@rule("SPEC-105", reads=("tags", "owner", "network", "cluster", "budget", "addons"), provider=CLOUDS)
def tags_are_tags_of_the_cloud(spec: Spec) -> Iterator[Problem]:
    """Tags have keys and values that the cloud takes, and there are no more of them than it takes."""
    yield from _bad_tags(spec, spec.tags, ())
    yield from _too_many_tags(spec, ComponentSpec(), ())
    parts: dict[Path, ComponentSpec | None] = {
        ("network",): spec.network,
        ("cluster",): spec.cluster,
        ("budget",): spec.budget,
        ("addons", "secrets"): spec.addons.secrets,
        ("addons", "registry"): spec.addons.registry,
    }
    for path, part in parts.items():
        if part is not None:
            yield from _component_tags(spec, part, path)


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
        yield from _wrong_with_value(spec.owner, _form(spec.cloud.provider), ("owner",))


@cache
def _form(cloud: str) -> _Form:
    """What the cloud takes; of AWS by the EC2 user guide, tag restrictions."""
    if cloud == AWS:
        words = "letters, digits, spaces and . : / = + - @ _"
        return _Form(
            key=r"[\w .:/=+@-]{1,128}",
            key_words=f"1 to 128 {words}",
            value=r"[\w .:/=+@-]{0,256}",
            value_words=f"Up to 256 {words}",
            most=50,
            added="the name",
        )
    key, value = (limits.find_limit(f"label_{part}_characters", GCP).most for part in ("key", "value"))
    words = "lower-case letters, digits, '-' and '_'"
    return _Form(
        key=rf"[a-z][a-z0-9_-]{{0,{key - 1}}}",
        key_words=f"1 to {key} {words}, a letter first",
        value=rf"[a-z0-9_-]{{0,{value}}}",
        value_words=f"Up to {value} {words}",
        most=limits.find_limit("labels", GCP).most,
        added="Pulumi's",
    )


def _component_tags(spec: Spec, component: ComponentSpec, path: Path) -> Iterator[Problem]:
    yield from _bad_tags(spec, component.tags, path)
    # Else the platform's are too many by themselves.
    if len(platform.tags(spec, ComponentSpec())) < _form(spec.cloud.provider).most:
        yield from _too_many_tags(spec, component, path)


def _too_many_tags(spec: Spec, component: ComponentSpec, path: Path) -> Iterator[Problem]:
    number, form = len(platform.tags(spec, component)), _form(spec.cloud.provider)
    if number >= form.most:
        cloud = known.cloud_name(spec)
        message = (
            f"With the platform's there are {number} tags; {cloud} takes {form.most}, one of them is {form.added}."
        )
        yield Problem((*path, "tags"), message, "Leave some out.")


def _bad_tags(spec: Spec, tags: Mapping[str, str], path: Path) -> Iterator[Problem]:
    form = _form(spec.cloud.provider)
    for key, value in tags.items():
        where = (*path, "tags", key)
        if not re.fullmatch(form.key, key):
            yield Problem(where, f"{quoted(key)} is no tag key.", f"{form.key_words}.")
        yield from _wrong_with_value(value, form, where)
    if spec.cloud.provider == AWS:
        yield from _tags_of_aws(tags, path)


def _tags_of_aws(tags: Mapping[str, str], path: Path) -> Iterator[Problem]:
    seen: dict[str, str] = {}
    for key in tags:
        where = (*path, "tags", key)
        if (other := seen.setdefault(key.casefold(), key)) != key:
            message = f"{quoted(key)} and {quoted(other)} are one tag: IAM does not tell capitals from small letters."
            yield Problem(where, message, "Keep one of them.")
        if key.lower().startswith("aws:"):
            yield Problem(where, f"{quoted(key)}: AWS keeps tags under aws: for itself.", "Take another prefix.")


def _wrong_with_value(value: str, form: _Form, where: Path) -> Iterator[Problem]:
    if not re.fullmatch(form.value, value):
        yield Problem(where, f"{quoted(value)} is no tag value.", f"{form.value_words}.")
