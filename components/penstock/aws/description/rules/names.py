"""Rules on names, for AWS alone."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.description import platform
from penstock.description.node_pool import NodePoolSpec
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules.names import LONGEST_PART, longer
from penstock.description.rules.rule import pool_rule, rule, storage_rule
from penstock.description.storage import StorageSpec

_LONGEST_PLATFORM = 35
"""Characters of the platform's full name. IAM roles have names of 64 at most: this leaves 29 for the longest role, that
of the driver of shared files, and Pulumi's suffix."""

_NO_GROUP_NAME = "sg-"
"""With what no security group's name begins (EC2 API, CreateSecurityGroup): their ids do."""


@rule("SPEC-107", reads=("name", "environment"), provider="aws")
def platform_name_fits(spec: Spec) -> Iterator[Problem]:
    """The names of platform and environment together are short enough for AWS, and not reserved."""
    full = platform.full_name(spec)
    if len(full) > _LONGEST_PLATFORM:
        yield longer(full, _LONGEST_PLATFORM, "it")
    if full.startswith(_NO_GROUP_NAME):
        message = f"The full name is {full}, and AWS refuses security groups named {_NO_GROUP_NAME}…"
        yield Problem(("name",), message, "Use another name.")


@pool_rule("SPEC-103", reads=("name", "environment"), provider="aws")
def pool_name_fits(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """The name of a pool, after those of platform and environment, is short enough for AWS."""
    yield from _too_long(spec, pool.name)


@storage_rule("SPEC-104", reads=("name", "environment"), provider="aws")
def storage_name_fits(item: StorageSpec, spec: Spec) -> Iterator[Problem]:
    """The name of an item of storage, after those of platform and environment, is short enough for AWS."""
    yield from _too_long(spec, item.name)


def _too_long(spec: Spec, name: str) -> Iterator[Problem]:
    full = platform.full_name(spec, name)
    if len(full) > LONGEST_PART:
        yield longer(full, LONGEST_PART)
