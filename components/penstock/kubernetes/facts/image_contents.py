"""Known images: the network libraries that they contain or lack, and the accelerators that they are built for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache

from penstock.catalog.records import records
from penstock.kubernetes.facts.public_registries import DOCKER_HUB, host_of

_HUB_HOSTS = frozenset({DOCKER_HUB, "index.docker.io", "registry-1.docker.io"})
_LACKS = "lacks"

_MAKERS = {
    "nvidia.com/gpu": "nvidia",
    "nvidia.com/mig-": "nvidia",
    "amd.com/gpu": "amd",
    "aws.amazon.com/neuron": "neuron",
    "google.com/tpu": "tpu",
}
"""The software stack of accelerators, by the start of their resource."""

_TITLES = {"nvidia": "NVIDIA GPUs", "amd": "AMD GPUs", "neuron": "AWS Neuron devices", "tpu": "TPUs"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageContents:
    """One known image.

    Attributes:
        image: its registry and path, with an asterisk for any text.
        tags: matches the tags that the row is about.
        has: the network libraries in it, as `fabric_plugins` names them.
        lacks: the network libraries that are not in it. A library in neither is unknown.
        accelerators: nvidia, amd, neuron and tpu, whose software is in it; empty for none, or where that is unknown.
        frameworks: such as pytorch or jax.
        mpi: openmpi and sshd, which MPI jobs need.
    """

    image: str
    tags: re.Pattern[str]
    has: frozenset[str]
    lacks: frozenset[str]
    accelerators: frozenset[str]
    frameworks: tuple[str, ...]
    mpi: frozenset[str]
    unverified: tuple[str, ...]
    source: str
    as_of: str

    def surely_lacks(self, library: str) -> bool:
        """Return whether a primary source confirms that a library is missing."""
        return library in self.lacks and _LACKS not in self.unverified

    def mismatch(self, resource: str) -> str | None:
        """The accelerators that the image is built for and those of a resource, if they differ; None if unknown."""
        wanted = next((maker for start, maker in _MAKERS.items() if resource.startswith(start)), None)
        if wanted is None or not self.accelerators or wanted in self.accelerators:
            return None
        built_for = " and ".join(_TITLES[each] for each in sorted(self.accelerators))
        return f"is built for {built_for}, not for {_TITLES[wanted]}"


@cache
def find_contents(reference: str) -> ImageContents | None:
    """The contents of an image, by its reference as pods name it; None for an unknown image."""
    image, tag = _parts(reference)
    for each in records(ImageContents, "kubernetes/image_contents"):
        if fnmatchcase(image, each.image) and each.tags.fullmatch(tag):
            return each
    return None


def _parts(reference: str) -> tuple[str, str]:
    """The registry with the path, and the tag: empty where the reference names a digest or neither."""
    named = reference.partition("@")[0]
    path, colon, tag = named.rpartition(":")
    if not colon or "/" in tag:
        path, tag = named, ""
    host = host_of(path)
    if host not in _HUB_HOSTS:
        return path, tag
    on_hub = path.removeprefix(f"{host}/")
    return f"{DOCKER_HUB}/{on_hub if '/' in on_hub else f'library/{on_hub}'}", tag
