"""Components for any Kubernetes cluster: all they need is a provider that reaches its API."""

from __future__ import annotations

from penstock.kubernetes.efa import EfaDevicePlugin
from penstock.kubernetes.neuron import NeuronDevicePlugin
from penstock.kubernetes.nvidia import NvidiaDevicePlugin

__all__ = ["EfaDevicePlugin", "NeuronDevicePlugin", "NvidiaDevicePlugin"]
