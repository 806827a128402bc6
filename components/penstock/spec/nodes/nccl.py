"""The ConfigMap of NCCL's variables that pods of a pool take."""

from __future__ import annotations

from penstock.catalog import nccl_profiles


def config_map(fabric: str | None, accelerator: str | None, provider: str, cluster: str | None = None) -> str | None:
    """Return its name; None for a fabric without variables of its own.

    Fabrics that come with several accelerators have one for each, called as both.
    """
    if fabric is None:
        return None
    found = [profile.name for profile in nccl_profiles.profiles(fabric, provider, cluster)]
    own = f"{fabric}-{accelerator}"
    name = own if own in found else next(iter(found), None)
    return f"nccl-{name}" if name is not None else None
