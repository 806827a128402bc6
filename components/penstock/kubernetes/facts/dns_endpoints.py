"""DNS-based endpoints of managed clusters."""

from __future__ import annotations

from typing import Final

GKE_SUFFIX: Final = ".gke.goog"
"""The end of the names of GKE's DNS-based endpoints (GKE documentation, network isolation)."""
