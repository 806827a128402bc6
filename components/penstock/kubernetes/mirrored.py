"""Images of charts that run several."""

from __future__ import annotations

import pulumi


def from_mirror(public: str, mirror: pulumi.Input[str] | None) -> pulumi.Input[str]:
    """An image from its public registry or, by the same path, from a registry that mirrors it."""
    return public if mirror is None else pulumi.Output.concat(mirror, "/", public.partition("/")[2])
