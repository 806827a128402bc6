"""The pools of machines on AWS, by the type of resource that starts them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from penstock.aws.model.ec2 import STARTERS, Ec2Pool
from penstock.aws.model.fleets import FleetPool
from penstock.aws.model.services import auto_mode_pools, batch_pools, sagemaker_pools
from penstock.aws.types import (
    BATCH_COMPUTE_ENVIRONMENT,
    EC2_FLEET,
    EC2_SPOT_FLEET_REQUEST,
    EKS_CLUSTER,
    SAGEMAKER_ENDPOINT_CONFIGURATION,
    SAGEMAKER_NOTEBOOK_INSTANCE,
    SAGEMAKER_TRAINING_JOB,
)
from penstock.graph.view import View
from penstock.model.pools.pool import MachinePool

Reader = Callable[[View], Sequence[MachinePool]]


def _ec2(view: View) -> list[MachinePool]:
    return [Ec2Pool(view, view)]


def _fleet(view: View) -> list[MachinePool]:
    return [FleetPool(view, view)]


_READERS: Final[Mapping[str, Reader]] = {
    **dict.fromkeys(STARTERS, _ec2),
    **dict.fromkeys((EC2_FLEET, EC2_SPOT_FLEET_REQUEST), _fleet),
    BATCH_COMPUTE_ENVIRONMENT: batch_pools,
    **dict.fromkeys(
        (SAGEMAKER_ENDPOINT_CONFIGURATION, SAGEMAKER_TRAINING_JOB, SAGEMAKER_NOTEBOOK_INSTANCE), sagemaker_pools
    ),
    EKS_CLUSTER: auto_mode_pools,
}

TYPES: Final = tuple(_READERS)
"""The types of resources that start machines."""

COMPONENTS: Final = ("penstock:aws:NodePool",)
"""The components that describe pools."""


def read_pools(view: View) -> Sequence[MachinePool]:
    """Return the pools that a resource itself describes."""
    return _READERS[view.type](view)
