"""NCCL's variables for the fabric of a pool."""

from __future__ import annotations

from penstock.catalog import nccl_profiles


def variables(fabric: str | None, accelerator: str | None, provider: str, cluster: str | None = None) -> dict[str, str]:
    """Return the variables that pods set; none for a fabric without any.

    Fabrics that come with several accelerators have variables for each, called as both.
    """
    if fabric is None:
        return {}
    found = {profile.name: profile for profile in nccl_profiles.profiles(fabric, provider, cluster)}
    chosen = found.get(f"{fabric}-{accelerator}") or next(iter(found.values()), None)
    return {each.name: each.value for each in chosen.variables} if chosen is not None else {}
