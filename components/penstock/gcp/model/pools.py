"""The pools of machines on Google Cloud, by the type of resource that starts them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from penstock.gcp.model.gce import (
    FROM_TEMPLATE,
    GROUP,
    INSTANCE,
    NOTEBOOK,
    REGION_GROUP,
    InstancePool,
    ManagedGroupPool,
    NotebookPool,
    TemplatePool,
)
from penstock.gcp.model.gke import CLUSTER, NODE_POOL, cluster_pools, gke_pools
from penstock.gcp.model.services import (
    COLAB_RUNTIME,
    DEPLOYMENT,
    INDEX,
    MODEL,
    PERSISTENT,
    QUEUED_TPU,
    RUN_SERVICE,
    TPU_VM,
    CloudRunPool,
    ColabPool,
    TpuVmPool,
    VertexPool,
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
    NODE_POOL: gke_pools,
    CLUSTER: cluster_pools,
    INSTANCE: partial(_described, InstancePool),
    FROM_TEMPLATE: partial(_described, TemplatePool),
    **dict.fromkeys((GROUP, REGION_GROUP), partial(_described, ManagedGroupPool)),
    NOTEBOOK: partial(_described, NotebookPool, at=("gceSetup",)),
    TPU_VM: partial(_described, TpuVmPool),
    QUEUED_TPU: _queued,
    RUN_SERVICE: partial(_described, CloudRunPool, at=("template",)),
    DEPLOYMENT: partial(_described, VertexPool, at=("dedicatedResources",)),
    MODEL: partial(_described, VertexPool, at=("deployConfig", "dedicatedResources")),
    INDEX: partial(_described, VertexPool, at=("dedicatedResources",)),
    PERSISTENT: _persistent,
    COLAB_RUNTIME: partial(_described, ColabPool),
}

TYPES: Final = tuple(_READERS)
"""The types of resources that start machines."""

COMPONENTS: Final = ("penstock:gcp:NodePool", "penstock:gcp:TpuPool")
"""The components that describe pools."""


def read_pools(view: View) -> Sequence[MachinePool]:
    """Return the pools that a resource itself describes."""
    return _READERS[view.type](view)
