"""Rules on names and tags."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from penstock.spec import platform
from penstock.spec.block import ComponentSpec
from penstock.spec.node_pool import NodePoolSpec
from penstock.spec.platform import Spec
from penstock.spec.problems import Problem
from penstock.spec.rules.rule import AWS, pool_rule, rule, storage_rule
from penstock.spec.storage import StorageSpec
from penstock.spec.wording import Path, quoted

_LONGEST_PART = 48
"""Characters of a part's full name. Node groups and buckets have names of 63 at most (EKS and S3 user guides): this
leaves 15 for what a component and Pulumi add to tell its resources apart."""

_LONGEST_PLATFORM = 35
"""Characters of the platform's full name. IAM roles have names of 64 at most: this leaves 29 for the longest role, that
of the driver of shared files, and Pulumi's suffix."""

_NO_GROUP_NAME = "sg-"
"""With what no security group's name begins (EC2 API, CreateSecurityGroup): their ids do."""

_MOST_TAGS = 50
_LONGEST_TAG_KEY = 128
_LONGEST_TAG_VALUE = 256
_TAG_TEXT = re.compile(r"[\w .:/=+@-]*")
_TAG_WORDS = "letters, digits, spaces and . : / = + - @ _"


@rule("SPEC-100", reads=("node_pools",))
def pools_have_names_of_their_own(spec: Spec) -> Iterator[Problem]:
    """No two pools have one name."""
    yield from _repeated((pool.name for pool in spec.node_pools), ("node_pools",), ("name",))


@rule("SPEC-101", reads=("storage",))
def storage_has_names_of_its_own(spec: Spec) -> Iterator[Problem]:
    """No two items of storage have one name, whatever their kinds: outputs are found by it."""
    yield from _repeated((item.name for item in spec.storage), ("storage",), ("name",))


@rule("SPEC-102", reads=("addons",))
def secrets_and_repositories_are_named_once(spec: Spec) -> Iterator[Problem]:
    """Each secret and each repository is listed once."""
    if spec.addons.secrets is not None:
        yield from _repeated(spec.addons.secrets.names, ("addons", "secrets", "names"))
    if spec.addons.registry is not None:
        yield from _repeated(spec.addons.registry.repositories, ("addons", "registry", "repositories"))


@rule("SPEC-107", reads=("name", "environment"), provider=AWS)
def platform_name_fits(spec: Spec) -> Iterator[Problem]:
    """The names of platform and environment together are short enough for AWS, and none that it keeps for itself."""
    full = platform.full_name(spec)
    if len(full) > _LONGEST_PLATFORM:
        message = f"In the cloud this becomes {full}, which has {len(full)} characters; {_LONGEST_PLATFORM} fit."
        yield Problem(("name",), message, f"Shorten it by {len(full) - _LONGEST_PLATFORM}.")
    if full.startswith(_NO_GROUP_NAME):
        message = f"In the cloud this becomes {full}, and AWS refuses security groups named {_NO_GROUP_NAME}…"
        yield Problem(("name",), message, "Take another name.")


@pool_rule("SPEC-103", reads=("name", "environment"), provider=AWS)
def pool_name_fits(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """The name of a pool, after those of platform and environment, is short enough for AWS."""
    yield from _too_long(spec, pool.name)


@storage_rule("SPEC-104", reads=("name", "environment"), provider=AWS)
def storage_name_fits(item: StorageSpec, spec: Spec) -> Iterator[Problem]:
    """The name of an item of storage, after those of platform and environment, is short enough for AWS."""
    yield from _too_long(spec, item.name)


@rule("SPEC-105", reads=("tags", "owner", "network", "cluster", "budget", "addons"), provider=AWS)
def tags_are_tags_of_aws(spec: Spec) -> Iterator[Problem]:
    """Tags have keys and values that AWS takes, and none under `aws:`, which it keeps for itself."""
    yield from _bad_tags(spec.tags, ())
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


@pool_rule("SPEC-105", reads=("tags", "owner"), provider=AWS)
def pool_tags_are_tags_of_aws(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """Tags of pools have keys and values that AWS takes."""
    yield from _component_tags(spec, pool, ())


@storage_rule("SPEC-105", reads=("tags", "owner"), provider=AWS)
def storage_tags_are_tags_of_aws(item: StorageSpec, spec: Spec) -> Iterator[Problem]:
    """Tags of storage have keys and values that AWS takes."""
    yield from _component_tags(spec, item, ())


@rule("SPEC-106", reads=("owner", "cloud"), provider=AWS)
def owner_can_be_a_tag(spec: Spec) -> Iterator[Problem]:
    """The owner is written on everything as a tag, so it has the form of one."""
    if spec.owner is not None:
        for message in _wrong_with_value(spec.owner):
            yield Problem(("owner",), message)


def _repeated(names: Iterable[str], block: Path, field: Path = ()) -> Iterator[Problem]:
    seen: dict[str, int] = {}
    for index, name in enumerate(names):
        if seen.setdefault(name, index) != index:
            message = f"{quoted(name)} is the name of item {seen[name] + 1} already."
            yield Problem((*block, index, *field), message, "Every name stands once.")


def _too_long(spec: Spec, name: str) -> Iterator[Problem]:
    full = platform.full_name(spec, name)
    if len(full) > _LONGEST_PART:
        message = f"In the cloud this becomes {full}, which has {len(full)} characters; {_LONGEST_PART} fit."
        yield Problem(("name",), message, f"Shorten it, or the platform's name, by {len(full) - _LONGEST_PART}.")


def _component_tags(spec: Spec, component: ComponentSpec, path: Path) -> Iterator[Problem]:
    yield from _bad_tags(component.tags, path)
    if len(platform.tags(spec, ComponentSpec())) < _MOST_TAGS:  # else the platform's are too many by themselves
        yield from _too_many_tags(spec, component, path)


def _too_many_tags(spec: Spec, component: ComponentSpec, path: Path) -> Iterator[Problem]:
    number = len(platform.tags(spec, component))
    if number > _MOST_TAGS - 1:  # components add the tag `Name`
        message = f"With the platform's there are {number} tags; AWS takes {_MOST_TAGS}, one of them is the name."
        yield Problem((*path, "tags"), message, "Leave some out.")


def _bad_tags(tags: Mapping[str, str], path: Path) -> Iterator[Problem]:
    seen: dict[str, str] = {}
    for key, value in tags.items():
        where = (*path, "tags", key)
        if (other := seen.setdefault(key.casefold(), key)) != key:
            message = f"{quoted(key)} and {quoted(other)} are one tag: IAM does not tell capitals from small letters."
            yield Problem(where, message, "Keep one of them.")
        if key.lower().startswith("aws:"):
            yield Problem(where, f"{quoted(key)}: AWS keeps tags under aws: for itself.", "Take another prefix.")
        elif not (0 < len(key) <= _LONGEST_TAG_KEY and _TAG_TEXT.fullmatch(key)):
            message = f"{quoted(key)} is no tag key: 1 to {_LONGEST_TAG_KEY} {_TAG_WORDS}."
            yield Problem(where, message)
        for message in _wrong_with_value(value):
            yield Problem(where, message)


def _wrong_with_value(value: str) -> Iterator[str]:
    if len(value) > _LONGEST_TAG_VALUE or not _TAG_TEXT.fullmatch(value):
        yield f"{quoted(value)} is no tag value: up to {_LONGEST_TAG_VALUE} {_TAG_WORDS}."
