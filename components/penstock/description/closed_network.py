"""Networks without a way out, whose nodes pull images only from registries of the platform."""

from __future__ import annotations

from penstock.description.offer import offer_of
from penstock.description.platform import Spec, full_name
from penstock.providers import built_clouds


def is_closed(spec: Spec) -> bool:
    """Return whether nothing leads out of the network that the platform creates."""
    network = spec.network
    return spec.cloud.provider in built_clouds() and network.existing is None and network.egress != "nat"


def has_own_mirror(spec: Spec) -> bool:
    """Return whether the platform creates repositories for public images: the description names no registry."""
    return (
        is_closed(spec) and spec.network.image_mirror is None and offer_of(spec.cloud.provider).own_mirror is not None
    )


def own_mirror(spec: Spec) -> str | None:
    """The registry and path of these repositories; None where there are none, or the account is not described."""
    if not is_closed(spec) or spec.network.image_mirror is not None:
        return None
    registry = offer_of(spec.cloud.provider).own_mirror
    if registry is None or spec.cloud.account is None or spec.cloud.region is None:
        return None
    return f"{registry(spec.cloud.account, spec.cloud.region)}/{full_name(spec, 'mirror')}"
