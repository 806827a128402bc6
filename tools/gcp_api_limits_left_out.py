"""Fields that Google's provider does not send as they were written, or for which more is taken than the API lists."""

from __future__ import annotations

import re

GROWING = re.compile(r"(databaseVersion|machineType)$")
"""Enumerations that are longer every month."""

_ANOTHER = "the provider's own examples say other words"

OTHERWISE = {
    "gcp:compute/serviceAttachment:ServiceAttachment tunnelingConfig.encapsulationProfile": _ANOTHER,
    "gcp:compute/serviceAttachment:ServiceAttachment tunnelingConfig.routingMode": _ANOTHER,
    "gcp:networksecurity/mirroringEndpoint:MirroringEndpoint type": _ANOTHER,
    "gcp:networksecurity/mirroringEndpointGroup:MirroringEndpointGroup type": _ANOTHER,
}
"""Fields whose words the provider does not hold to, by type and path, with what differs."""

ANY_CASE = (
    "gcp:artifactregistry/repository:Repository format",
    "gcp:container/cluster:Cluster nodeConfig.gpudirectStrategy",
    "gcp:container/cluster:Cluster nodePools[].nodeConfig.gpudirectStrategy",
    "gcp:container/nodePool:NodePool nodeConfig.gpudirectStrategy",
)
"""Fields whose words the provider takes in any case: CaseDiffSuppress in its sources, and no ValidateEnum beside it.

ValidateEnum compares letter by letter, so that a forwarding rule of the protocol "tcp" is refused.
"""


def is_left_out(type_: str, path: str) -> bool:
    """Whether what the provider sends may be another value than the one given."""
    return f"{type_} {path}" in OTHERWISE or bool(GROWING.search(path))
