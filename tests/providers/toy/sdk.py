"""The Pulumi package of the toy cloud: two types of resources, registered as a generated SDK registers its own."""

from __future__ import annotations

from typing import Any, ClassVar

import pulumi
from pulumi.runtime import register_resource_module
from pulumi.runtime.rpc import ResourceModule
from semver import VersionInfo
from typing_extensions import override

POOL = "toy:compute/pool:Pool"
CHEST = "toy:storage/chest:Chest"


@pulumi.input_type
class PoolArgs:
    """The inputs of a pool."""

    def __init__(self, *, machine_type: pulumi.Input[str], machines: pulumi.Input[int]) -> None:
        pulumi.set(self, "machine_type", machine_type)
        pulumi.set(self, "machines", machines)

    @property
    @pulumi.getter(name="machineType")
    def machine_type(self) -> pulumi.Input[str]:
        """The type of its machines."""
        found: pulumi.Input[str] = pulumi.get(self, "machine_type")
        return found

    @property
    @pulumi.getter
    def machines(self) -> pulumi.Input[int]:
        """How many machines there are."""
        found: pulumi.Input[int] = pulumi.get(self, "machines")
        return found


class Pool(pulumi.CustomResource):
    """Machines of the toy cloud."""

    def __init__(
        self,
        name: str,
        *,
        machine_type: pulumi.Input[str],
        machines: pulumi.Input[int],
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        inputs = {"machineType": machine_type, "machines": machines, "address": None}
        super().__init__(POOL, name, inputs, opts)

    @property
    @pulumi.getter(name="machineType")
    def machine_type(self) -> pulumi.Output[str]:
        """The type of its machines."""
        found: pulumi.Output[str] = pulumi.get(self, "machine_type")
        return found

    @property
    @pulumi.getter
    def machines(self) -> pulumi.Output[int]:
        """How many machines there are."""
        found: pulumi.Output[int] = pulumi.get(self, "machines")
        return found

    @property
    @pulumi.getter
    def address(self) -> pulumi.Output[str]:
        """Where the machines are reached."""
        found: pulumi.Output[str] = pulumi.get(self, "address")
        return found


@pulumi.input_type
class ChestArgs:
    """The inputs of a chest."""

    def __init__(self, *, size: pulumi.Input[int]) -> None:
        pulumi.set(self, "size", size)

    @property
    @pulumi.getter
    def size(self) -> pulumi.Input[int]:
        """How many toys fit."""
        found: pulumi.Input[int] = pulumi.get(self, "size")
        return found


class Chest(pulumi.CustomResource):
    """A place for data."""

    def __init__(self, name: str, *, size: pulumi.Input[int], opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__(CHEST, name, {"size": size}, opts)

    @property
    @pulumi.getter
    def size(self) -> pulumi.Output[int]:
        """How many toys fit."""
        found: pulumi.Output[int] = pulumi.get(self, "size")
        return found


class Provider(pulumi.ProviderResource):
    """The provider of the toy cloud."""

    def __init__(self, name: str, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("toy", name, {}, opts)


class _Module(ResourceModule):
    mod_info: ClassVar[dict[str, Any]] = {"fqn": __name__, "classes": {POOL: "Pool", CHEST: "Chest"}}

    @override
    def version(self) -> VersionInfo:
        """The version of the package."""
        return VersionInfo(1)

    @override
    def construct(self, name: str, typ: str, urn: str) -> pulumi.Resource:
        """A resource that is known by its URN alone."""
        raise NotImplementedError(name, typ, urn)


for _home in ("compute/pool", "storage/chest"):
    register_resource_module("toy", _home, _Module())
