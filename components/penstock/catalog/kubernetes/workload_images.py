"""Images that templates of workloads run where a description names none."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import record_of


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadImage:
    """One image, without a tag, and the version of what is in it, which is its tag."""

    name: str
    image: str
    version: str
    unverified: tuple[str, ...]
    source: str
    as_of: str


def find_image(name: str) -> WorkloadImage:
    """The image of that name.

    Raises:
        UnknownFact: there is none.
    """
    return record_of(WorkloadImage, "kubernetes/workload_images", name, "image")
