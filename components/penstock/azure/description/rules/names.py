"""Rules on names, for Azure alone."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.description import platform
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules.names import LONGEST_PART, longer
from penstock.description.rules.rule import storage_rule
from penstock.description.storage import StorageSpec


@storage_rule("SPEC-104", reads=("name", "environment"), provider="azure")
def storage_name_fits_azure(item: StorageSpec, spec: Spec) -> Iterator[Problem]:
    """The name of an item of storage, after those of platform and environment, leaves room for its endpoints."""
    full = platform.full_name(spec, item.name)
    if len(full) > LONGEST_PART:
        yield longer(full, LONGEST_PART)
