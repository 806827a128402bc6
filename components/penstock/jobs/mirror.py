"""The registry that jobs pull from in a network without a way out."""

from __future__ import annotations

from penstock.core.errors import ImpossibleJob
from penstock.description.closed_network import has_own_mirror, is_closed, own_mirror
from penstock.description.offer import offer_of
from penstock.description.platform import Spec
from penstock.kubernetes.facts.public_registries import host_of, public_registries


def find_mirror(spec: Spec) -> str | None:
    """The registry that stands in for public ones: of the description, or the platform's own; None for none."""
    return spec.network.image_mirror or own_mirror(spec)


def check_reach(spec: Spec, image: str) -> None:
    """See that nodes of a network without a way out can pull an image.

    Raises:
        ImpossibleJob: it is in a public registry.
    """
    host = host_of(image)
    if not is_closed(spec) or host not in public_registries():
        return
    if host.endswith(offer_of(spec.cloud.provider).public_registries):
        return
    if has_own_mirror(spec) and spec.cloud.account is None:
        copies = "Set cloud.account, so that the job names the platform's own copy, or name a copy with --image."
    else:
        copies = "Copy it to a registry of the cloud, and name the copy with --image or network.image_mirror."
    raise ImpossibleJob(f"No node reaches {host}, where the image {image} is: the network has no way out. {copies}")
