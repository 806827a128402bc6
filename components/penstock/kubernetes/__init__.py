"""Components for any Kubernetes cluster: all they need is a provider that reaches its API."""

from __future__ import annotations

from penstock.kubernetes.administrators import Administrators
from penstock.kubernetes.asapd import AsapdLite
from penstock.kubernetes.compute_domains import ComputeDomains
from penstock.kubernetes.efa import EfaDevicePlugin
from penstock.kubernetes.fabric_networks import FabricNetworks
from penstock.kubernetes.gib import Gib
from penstock.kubernetes.nccl import NcclProfile
from penstock.kubernetes.neuron import NeuronDevicePlugin
from penstock.kubernetes.nvidia import NvidiaDevicePlugin
from penstock.kubernetes.tcpx import Tcpx
from penstock.kubernetes.tcpxo import Tcpxo

__all__ = [
    "Administrators",
    "AsapdLite",
    "ComputeDomains",
    "EfaDevicePlugin",
    "FabricNetworks",
    "Gib",
    "NcclProfile",
    "NeuronDevicePlugin",
    "NvidiaDevicePlugin",
    "Tcpx",
    "Tcpxo",
]
