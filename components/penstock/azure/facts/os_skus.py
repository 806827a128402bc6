"""Operating systems of AKS nodes, by the SKU that a node pool names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from penstock.catalog.records import Column, keyed, record_of
from penstock.core.versions import minor


@dataclass(frozen=True, slots=True, kw_only=True)
class OsSku:
    """One OS SKU.

    Attributes:
        release: the release that it is; empty where that is not a matter of choice.
        release_from: the minor version of Kubernetes from which it is that one; None for every one that it runs.
        kubernetes_from: the first minor version that it runs; None for every one.
        kubernetes_until: the last one; None where none is announced.
        nvidia: whether AKS runs NVIDIA GPUs on it; None is "not known".
        amd: whether AKS runs AMD GPUs on it.
    """

    name: Annotated[str, Column("os_sku")]
    release: str
    release_from: str | None
    kubernetes_from: str | None
    kubernetes_until: str | None
    nvidia: bool | None
    amd: bool
    unverified: tuple[str, ...]
    source: str
    as_of: str

    def runs(self, version: str) -> bool:
        """Return whether it runs a version of Kubernetes, such as 1.35 or 1.35.2."""
        wanted = minor(version)
        return (self.kubernetes_from is None or wanted >= minor(self.kubernetes_from)) and (
            self.kubernetes_until is None or wanted <= minor(self.kubernetes_until)
        )

    def is_release(self, release: str, version: str) -> bool:
        """Return whether it is a release of its system (24.04) at a version of Kubernetes."""
        return self.release == release and (self.release_from is None or minor(version) >= minor(self.release_from))


def find_os_sku(name: str) -> OsSku:
    """The OS SKU of that exact name.

    Raises:
        UnknownFact: AKS has none; the text names the nearest ones.
    """
    return record_of(OsSku, "azure/os_skus", name, "OS SKU of AKS")


def os_skus() -> Mapping[str, OsSku]:
    """Every OS SKU by its name."""
    return keyed(OsSku, "azure/os_skus")
