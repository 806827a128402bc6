"""Jobs on Trainium and Inferentia2: the variables of PyTorch with torch-neuronx."""

from __future__ import annotations

from penstock.description.nodes import PoolNodes

_ALWAYS = {
    # Many processes of a node would each keep arenas of their own (aws-neuron/aws-neuron-samples, training).
    "MALLOC_ARENA_MAX": "64",
}

_OVER_EFA = {
    "FI_PROVIDER": "efa",
    "FI_EFA_FORK_SAFE": "1",
    "CCOM_SOCKET_IFNAME": "eth0",  # pods have no other interface, and the runtime looks for the node's
}
"""Of collectives between nodes (Neuron documentation, preparing trn1.32xlarge for multi-node execution).

Its FI_EFA_USE_DEVICE_RDMA is left out: libfabric turns RDMA on by itself (k8s-efa-nccl-defaults).
"""


def variables(pool: PoolNodes, root: str) -> dict[str, str]:
    """The variables of a job; `root` is where it may write, and finds compiled graphs again, or empty.

    NEURON_RT_ROOT_COMM_ID is not among them: torch-neuronx sets it to the first pod of torchrun's rendezvous.
    """
    cache = {"NEURON_COMPILE_CACHE_URL": f"{root}/neuron-cache"} if root else {}
    return _ALWAYS | (_OVER_EFA if pool.fabric == "efa" else {}) | cache
