"""The pools of machines on Google Cloud, by the type of resource that starts them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from penstock.gcp.model.gce import InstancePool, ManagedGroupPool, NotebookPool, TemplatePool
from penstock.gcp.model.gke import cluster_pools, gke_pools
from penstock.gcp.model.services import CloudRunPool, ColabPool, TpuVmPool, VertexPool
from penstock.gcp.types import (
    CLOUDRUNV2_SERVICE,
    COLAB_RUNTIME,
    COMPUTE_INSTANCE,
    COMPUTE_INSTANCE_FROM_TEMPLATE,
    COMPUTE_INSTANCE_GROUP_MANAGER,
    COMPUTE_REGION_INSTANCE_GROUP_MANAGER,
    CONTAINER_CLUSTER,
    CONTAINER_NODE_POOL,
    TPU_V2_QUEUED_RESOURCE,
    TPU_V2_VM,
    VERTEX_AI_DEPLOYMENT_RESOURCE_POOL,
    VERTEX_AI_ENDPOINT_WITH_MODEL_GARDEN_DEPLOYMENT,
    VERTEX_AI_INDEX_ENDPOINT_DEPLOYED_INDEX,
    VERTEX_AI_PERSISTENT_RESOURCE,
    WORKBENCH_INSTANCE,
)
from penstock.graph.view import Block, View
from penstock.model.pools.pool import MachinePool

_Kind = Callable[[Block, View], MachinePool]


def _described(
    kind: Callable[[Block, View], MachinePool], view: View, *, at: tuple[str, ...] = ()
) -> list[MachinePool]:
    """The pool by the block at the end of keys, one below the other; none where one is missing."""
    block: Block | None = view
    for key in at:
        block = block.block(key) if block is not None else None
    return [] if block is None else [kind(block, view)]


def _queued(view: View) -> list[MachinePool]:
    tpu = view.block("tpu")
    specs = tpu.blocks("nodeSpecs") if tpu is not None else []
    return [TpuVmPool(node, view) for each in specs if (node := each.block("node")) is not None]


def _persistent(view: View) -> list[MachinePool]:
    return [VertexPool(block, view) for block in view.blocks("resourcePools")]


_READERS: Final[Mapping[str, Callable[[View], Sequence[MachinePool]]]] = {
    CONTAINER_NODE_POOL: gke_pools,
    CONTAINER_CLUSTER: cluster_pools,
    COMPUTE_INSTANCE: partial(_described, InstancePool),
    COMPUTE_INSTANCE_FROM_TEMPLATE: partial(_described, TemplatePool),
    **dict.fromkeys(
        (COMPUTE_INSTANCE_GROUP_MANAGER, COMPUTE_REGION_INSTANCE_GROUP_MANAGER), partial(_described, ManagedGroupPool)
    ),
    WORKBENCH_INSTANCE: partial(_described, NotebookPool, at=("gceSetup",)),
    TPU_V2_VM: partial(_described, TpuVmPool),
    TPU_V2_QUEUED_RESOURCE: _queued,
    CLOUDRUNV2_SERVICE: partial(_described, CloudRunPool, at=("template",)),
    VERTEX_AI_DEPLOYMENT_RESOURCE_POOL: partial(_described, VertexPool, at=("dedicatedResources",)),
    VERTEX_AI_ENDPOINT_WITH_MODEL_GARDEN_DEPLOYMENT: partial(
        _described, VertexPool, at=("deployConfig", "dedicatedResources")
    ),
    VERTEX_AI_INDEX_ENDPOINT_DEPLOYED_INDEX: partial(_described, VertexPool, at=("dedicatedResources",)),
    VERTEX_AI_PERSISTENT_RESOURCE: _persistent,
    COLAB_RUNTIME: partial(_described, ColabPool),
}

TYPES: Final = tuple(_READERS)
"""The types of resources that start machines."""

COMPONENTS: Final = ("penstock:gcp:NodePool", "penstock:gcp:TpuPool")
"""The components that describe pools."""


def read_pools(view: View) -> Sequence[MachinePool]:
    """Return the pools that a resource itself describes."""
    return _READERS[view.type](view)
