"""The components that programs in other languages use, by the tokens of their types."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Annotated, Any, Final

import pulumi
from typing_extensions import Doc

from penstock.description.platform import Spec
from penstock.model.packaged import PackagedComponent
from penstock.providers import all_providers

PLATFORM: Final = PackagedComponent(
    name="Platform",
    description="One AI platform on one cloud: network, Kubernetes cluster, node pools, storage and add-ons.",
    spec=Spec,
    arguments={},
    outputs={
        "cluster": Annotated[str | None, Doc("Name of the cluster.")],
        "kubeconfig": Annotated[str | None, Doc("Kubeconfig of the cluster, for a provider of Kubernetes.")],
        "outputs": Annotated[
            dict[str, Any], Doc("Names, endpoints and mount points, as a Penstock stack exports them.")
        ],
    },
    left_out=("name",),
)


@dataclass(frozen=True, slots=True)
class Packaged:
    """A component and the module of the package that it is in: a cloud's name, or index."""

    module: str
    component: PackagedComponent

    @property
    def token(self) -> str:
        """The type, as in `penstock:aws:NodePool`."""
        return f"penstock:{self.module}:{self.component.name}"

    @property
    def is_platform(self) -> bool:
        """True for the platform, whose inputs are a whole description."""
        return self.component is PLATFORM

    def constructor(self) -> Callable[..., pulumi.ComponentResource]:
        """Import and return the class; only the SDK of its cloud is loaded."""
        found = import_module("penstock.platform" if self.is_platform else f"penstock.{self.module}")
        constructor: Callable[..., pulumi.ComponentResource] = getattr(found, self.component.name)
        return constructor


@cache
def packaged() -> Mapping[str, Packaged]:
    """Every component, by its token."""
    found = [Packaged("index", PLATFORM)]
    for provider in all_providers():
        found += (Packaged(provider.name, component) for component in provider.load("packaged") or ())
    return {each.token: each for each in found}
