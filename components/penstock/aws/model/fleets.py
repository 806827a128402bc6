"""Fleets of EC2: machines of several types, bought as one, at once and until the fleet is deleted."""

from __future__ import annotations

from collections.abc import Iterator

from typing_extensions import override

from penstock.aws.model.ec2 import Ec2Pool, Ec2Type, Mix, types_in
from penstock.aws.model.launch_templates import template_by
from penstock.aws.types import EC2_SPOT_FLEET_REQUEST
from penstock.graph.verdict import NotKnown
from penstock.graph.view import Block, View
from penstock.model.pools.pool import NamedType, Purchase, required

_ALL = 100


class FleetPool(Ec2Pool):
    """A fleet, or a request for one on the spot market."""

    __slots__ = ()

    @override
    def machine_types(self) -> list[NamedType]:
        return [*self._types()]

    @override
    def own_types(self) -> list[NamedType]:
        return [named for named in self.machine_types() if named.holder.urn == self.view.urn]

    @override
    def least(self) -> tuple[int, str]:
        path = (
            "targetCapacity"
            if self.view.type == EC2_SPOT_FLEET_REQUEST
            else "targetCapacitySpecification.totalTargetCapacity"
        )
        return self.most(), path

    @override
    def purchase(self) -> Purchase:
        ways = self.ways()
        if len(ways) > 1:
            raise NotKnown  # in part Spot
        return ways[0]

    @override
    def ways(self) -> tuple[Purchase, ...]:
        mix = self.mix()
        return ("spot",) if mix is None else mix.ways()

    @override
    def mix(self) -> Mix | None:
        """The targets of a fleet; what they leave of the total is bought in the default way. None for requests."""
        if self.view.type == EC2_SPOT_FLEET_REQUEST:
            return None
        target = self._target()
        first = target.integer("onDemandTargetCapacity") or 0
        if target.text("defaultTargetCapacityType") == "spot":
            return Mix(first, 0)
        spot = target.integer("spotTargetCapacity") or 0
        return Mix(self.most() - spot, 0) if spot else Mix(0, _ALL)

    @override
    def zones(self) -> list[str] | None:
        raise NotKnown

    @override
    def reservation(self) -> View | None:
        return None

    @override
    def weights(self) -> dict[str, float]:
        return {each.text("instanceType") or "": each.number("weightedCapacity") or 1 for each in self._overrides()}

    @override
    def _size(self, of_node_group: str, of_scaling_group: str) -> int | None:
        target = self._target()
        if (target.text("targetCapacityUnitType") or "units") != "units":
            raise NotKnown  # so many vCPU, or so much memory
        return required(
            target.integer("targetCapacity" if self.view.type == EC2_SPOT_FLEET_REQUEST else "totalTargetCapacity")
        )

    def _target(self) -> Block:
        target = (
            self.view if self.view.type == EC2_SPOT_FLEET_REQUEST else self.view.block("targetCapacitySpecification")
        )
        if target is None:
            raise NotKnown
        return target

    def _overrides(self) -> list[Block]:
        listed = self.view.blocks("launchSpecifications") if self.view.type == EC2_SPOT_FLEET_REQUEST else []
        return [*listed, *(each for config in self._configs() for each in config.blocks("overrides"))]

    def _configs(self) -> list[Block]:
        return self.view.blocks("launchTemplateConfigs")

    def _types(self) -> Iterator[Ec2Type]:
        for each in self._overrides():
            yield from types_in(each, self.view)
        for config in self._configs():
            if not any("instanceType" in each for each in config.blocks("overrides")):
                template = template_by(config.block("launchTemplateSpecification"))
                if template is not None:
                    yield from types_in(template, template)
