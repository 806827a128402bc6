"""Components for any Kubernetes cluster: all they need is a provider that reaches its API.

They load when they are asked for, because each brings a part of a large SDK with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.lazy import lazy

if TYPE_CHECKING:
    from penstock.kubernetes.administrators import Administrators as Administrators
    from penstock.kubernetes.asapd import AsapdLite as AsapdLite
    from penstock.kubernetes.autoscaler import ClusterAutoscaler as ClusterAutoscaler
    from penstock.kubernetes.azure_lustre import AzureLustreDriver as AzureLustreDriver
    from penstock.kubernetes.compute_domains import ComputeDomains as ComputeDomains
    from penstock.kubernetes.efa import EfaClaims as EfaClaims
    from penstock.kubernetes.efa import EfaDevicePlugin as EfaDevicePlugin
    from penstock.kubernetes.fabric_networks import FabricNetworks as FabricNetworks
    from penstock.kubernetes.gib import Gib as Gib
    from penstock.kubernetes.gpu_claims import GpuClaims as GpuClaims
    from penstock.kubernetes.karpenter import Karpenter as Karpenter
    from penstock.kubernetes.karpenter import ScaledPool as ScaledPool
    from penstock.kubernetes.nccl import NcclProfile as NcclProfile
    from penstock.kubernetes.neuron import NeuronDevicePlugin as NeuronDevicePlugin
    from penstock.kubernetes.nvidia import NvidiaDevicePlugin as NvidiaDevicePlugin
    from penstock.kubernetes.tcpx import Tcpx as Tcpx
    from penstock.kubernetes.tcpxo import Tcpxo as Tcpxo
    from penstock.kubernetes.volumes import Volume as Volume

__getattr__, __all__ = lazy(
    __name__,
    {
        "administrators": "Administrators",
        "asapd": "AsapdLite",
        "autoscaler": "ClusterAutoscaler",
        "azure_lustre": "AzureLustreDriver",
        "compute_domains": "ComputeDomains",
        "efa": "EfaClaims EfaDevicePlugin",
        "fabric_networks": "FabricNetworks",
        "gib": "Gib",
        "gpu_claims": "GpuClaims",
        "karpenter": "Karpenter ScaledPool",
        "nccl": "NcclProfile",
        "neuron": "NeuronDevicePlugin",
        "nvidia": "NvidiaDevicePlugin",
        "tcpx": "Tcpx",
        "tcpxo": "Tcpxo",
        "volumes": "Volume",
    },
)
