"""Where pods ask their node who they are in the cloud."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

IDENTITY_PORTS: Final[Mapping[str, tuple[int, ...]]] = {"aws": (80,), "gcp": (80, 988)}
"""By cloud: the agent of EKS Pod Identity, and the metadata server of GKE; closed namespaces let pods out there."""
