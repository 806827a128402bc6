"""Components for any Kubernetes cluster: all they need is a provider that reaches its API.

They load when they are asked for, because each brings a part of a large SDK with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.core.lazy import lazy

if TYPE_CHECKING:
    from penstock.kubernetes.components.administrators import Administrators as Administrators
    from penstock.kubernetes.components.autoscaler import ClusterAutoscaler as ClusterAutoscaler
    from penstock.kubernetes.components.compute_domains import ComputeDomains as ComputeDomains
    from penstock.kubernetes.components.fabric_networks import FabricNetworks as FabricNetworks
    from penstock.kubernetes.components.gpu_claims import GpuClaims as GpuClaims
    from penstock.kubernetes.components.nccl import NcclProfile as NcclProfile
    from penstock.kubernetes.components.neuron import NeuronDevicePlugin as NeuronDevicePlugin
    from penstock.kubernetes.components.nvidia import NvidiaDevicePlugin as NvidiaDevicePlugin
    from penstock.kubernetes.components.volumes import Volume as Volume

__getattr__, __all__ = lazy(
    __name__,
    {
        "administrators": "Administrators",
        "autoscaler": "ClusterAutoscaler",
        "compute_domains": "ComputeDomains",
        "fabric_networks": "FabricNetworks",
        "gpu_claims": "GpuClaims",
        "nccl": "NcclProfile",
        "neuron": "NeuronDevicePlugin",
        "nvidia": "NvidiaDevicePlugin",
        "volumes": "Volume",
    },
    below="components",
)
