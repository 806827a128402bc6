"""The record of what a new repository needs of one cloud."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from penstock.catalog import machines
from penstock.providers import all_providers, provider_named


@dataclass(frozen=True, slots=True, kw_only=True)
class CloudScaffold:
    """What the first description on a cloud has beside its pool, with examples that users replace by their own.

    Attributes:
        region: The region to begin with; None for clusters that exist.
        account: An account of the form that the cloud has.
        cluster: The fields of `cluster`.
        reservations: A `reservation` for each way of buying that needs one; `{pool}` stands for the pool.
        accelerators: The names of the accelerators; None for those in the table of machine types.
        labels: The labels that tell the nodes with an accelerator from others, where the cloud knows no machine types.
    """

    region: str | None
    account: str = ""
    cluster: Mapping[str, Any]
    reservations: Mapping[str, str] = field(default_factory=dict)
    accelerators: Callable[[], Sequence[str]] | None = None
    labels: Callable[[str], Mapping[str, str]] = lambda accelerator: {}  # noqa: ARG005


def clouds() -> tuple[str, ...]:
    """Return the names of the clouds that a new repository can be for."""
    return tuple(provider.name for provider in all_providers() if provider.has("scaffold"))


def scaffold_of(cloud: str) -> CloudScaffold:
    """Return the scaffold of a cloud.

    Raises:
        KeyError: it has none.
    """
    provider = provider_named(cloud)
    found: CloudScaffold | None = provider.load("scaffold") if provider is not None else None
    if found is None:
        raise KeyError(cloud)
    return found


def accelerators(cloud: str) -> tuple[str, ...]:
    """Return the names of the accelerators of a cloud."""
    own = scaffold_of(cloud).accelerators
    return tuple(own()) if own is not None else machines.accelerators(cloud)
