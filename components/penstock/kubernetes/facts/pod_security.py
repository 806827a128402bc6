"""The values that pods may have at the levels of the Pod Security Standards."""

from __future__ import annotations

from functools import cache

from penstock.catalog.tables import rows


@cache
def allowed(kind: str, level: str) -> tuple[str, ...]:
    """The values that a level allows of a kind which it limits.

    Kinds are a `capability` to add, an `selinux_type` to have, a `sysctl` to set and a `volume` to mount.
    """
    return tuple(row["name"] for row in rows("kubernetes/pod_security") if (row["kind"], row["level"]) == (kind, level))
