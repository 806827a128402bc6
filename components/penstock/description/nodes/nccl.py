"""NCCL's variables for the fabric of a pool."""

from __future__ import annotations

from penstock.catalog import nccl_profiles


def variables(fabric: str | None, accelerator: str | None, provider: str, cluster: str | None = None) -> dict[str, str]:
    """Return the variables that pods set; none for a fabric without any."""
    if fabric is None:
        return {}
    chosen = nccl_profiles.find_profile(fabric, accelerator, provider, cluster)
    return {each.name: each.value for each in chosen.variables} if chosen is not None else {}
