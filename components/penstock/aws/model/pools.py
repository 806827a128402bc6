"""The pools of machines on AWS, by the type of resource that starts them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from penstock.model.pools.aws_services import (
    BATCH,
    EKS_CLUSTER,
    ENDPOINT,
    NOTEBOOK,
    TRAINING,
    auto_mode_pools,
    batch_pools,
    sagemaker_pools,
)
from penstock.model.pools.ec2 import STARTERS, Ec2Pool
from penstock.model.pools.fleets import FLEET, SPOT_FLEET, FleetPool
from penstock.model.pools.pool import MachinePool
from penstock.resources.view import View

Reader = Callable[[View], Sequence[MachinePool]]


def _ec2(view: View) -> list[MachinePool]:
    return [Ec2Pool(view, view)]


def _fleet(view: View) -> list[MachinePool]:
    return [FleetPool(view, view)]


_READERS: Final[Mapping[str, Reader]] = {
    **dict.fromkeys(STARTERS, _ec2),
    **dict.fromkeys((FLEET, SPOT_FLEET), _fleet),
    BATCH: batch_pools,
    **dict.fromkeys((ENDPOINT, TRAINING, NOTEBOOK), sagemaker_pools),
    EKS_CLUSTER: auto_mode_pools,
}

TYPES: Final = tuple(_READERS)
"""The types of resources that start machines."""


def read_pools(view: View) -> Sequence[MachinePool]:
    """Return the pools that a resource itself describes."""
    return _READERS[view.type](view)
