"""Defaults of providers for properties that are not given: the table `defaults` of each cloud, with its sources.

A property that is missing is judged by what it then means: an EKS endpoint without ranges is open to the world, the one
of a node pool on GKE heals itself.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any

from penstock.catalog.records import Column, record
from penstock.catalog.tables import folders_with, rows
from penstock.providers import provider_of

_INDEX = re.compile(r"\[\d+\]")


@dataclass(frozen=True, slots=True)
class Default:
    """The default of a property, and its source."""

    value: Annotated[Any, Column(read=json.loads)]
    source: str
    as_of: str
    unverified: Annotated[bool, Column(read=bool)]


def of(type_: str, path: str) -> Default | None:
    """The default of a property by its whole path, indexes or not; None where nothing is known of one."""
    provider = provider_of(type_)
    of_type = _table(provider.name).get(type_) if provider is not None else None
    return None if of_type is None else of_type.get(_INDEX.sub("[]", path))


@cache
def _table(cloud: str) -> dict[str, dict[str, Default]]:
    """The defaults of a cloud by path, by type token."""
    by_type: dict[str, dict[str, Default]] = {}
    folder = folders_with("defaults", "rules/data").get(cloud)
    for row in rows("defaults", folder) if folder is not None else ():
        by_type.setdefault(row["type"], {})[row["path"]] = record(Default, "defaults", row)
    return by_type
