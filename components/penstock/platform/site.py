"""The arguments of every component of a platform: its name, its part of the description, and its parent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

import pulumi

from penstock.description.block import ComponentSpec, HoldingSpec
from penstock.description.node_pool import NodePoolSpec
from penstock.description.platform import Spec, full_name, node_pools, protect, tags, zones
from penstock.description.positions import Path

SomeSpec = TypeVar("SomeSpec", bound=ComponentSpec)


@dataclass(frozen=True, slots=True)
class PlatformSite:
    """A description, and the options that its components are children with."""

    spec: Spec
    child: pulumi.ResourceOptions

    @property
    def region(self) -> str:
        """The region that everything is in."""
        return self.spec.cloud.region or ""

    @property
    def zones(self) -> tuple[str, ...]:
        """The zones of the platform, full names."""
        return zones(self.spec)

    @property
    def pools(self) -> tuple[NodePoolSpec, ...]:
        """The pools to build, each with its machine type."""
        return tuple(self.own(pool, *self.path_of("node_pools", pool.name)) for pool in node_pools(self.spec))

    def storage(self, kind: type[SomeSpec]) -> Iterator[SomeSpec]:
        """The storage of one kind."""
        items = enumerate(self.spec.storage)
        return (self.own(item, "storage", index) for index, item in items if isinstance(item, kind))

    def by(self, provider: pulumi.ProviderResource) -> PlatformSite:
        """The same, made by a provider."""
        return replace(self, child=pulumi.ResourceOptions.merge(self.child, pulumi.ResourceOptions(provider=provider)))

    def name_of(self, part: str) -> str:
        """The full name of a part of the platform."""
        return full_name(self.spec, part)

    def path_of(self, block: Literal["node_pools", "storage"], name: str) -> Path:
        """The path of the item with a name in a list of the description; `*` stands for an item that it has not."""
        names = [item.name for item in getattr(self.spec, block)]
        return (block, names.index(name) if name in names else "*")

    def own(self, component: SomeSpec, *path: str | int) -> SomeSpec:
        """The component's part of the description, with what the whole platform says of tags and protection.

        `path` is the part's own in the description; without it the component follows from the whole.
        """
        platform: dict[str, object] = {"tags": tags(self.spec, component)}
        if isinstance(component, HoldingSpec):
            platform["protect"] = protect(self.spec, component)
        owned = component.model_copy(update=platform)
        return owned.at(path) if path else owned
