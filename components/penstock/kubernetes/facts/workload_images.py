"""Images that templates of workloads run where a description names none."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import record_of


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadImage:
    """One image.

    Attributes:
        image: its repository, without a tag.
        version: the version of its contents, which is its tag.
        digest: SHA-256 of what the tag represents; None where no public source names it.
    """

    name: str
    image: str
    version: str
    digest: str | None
    unverified: tuple[str, ...]
    source: str
    as_of: str

    @property
    def reference(self) -> str:
        """The image as pods name it: `repository:version@sha256:…`, without the digest where that is unknown."""
        return f"{self.image}:{self.version}" + ("" if self.digest is None else f"@sha256:{self.digest}")


def find_image(name: str) -> WorkloadImage:
    """The image of that name.

    Raises:
        UnknownFact: there is none.
    """
    return record_of(WorkloadImage, "kubernetes/workload_images", name, "image")
