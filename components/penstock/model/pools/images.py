"""The images that machines start from, as far as a program says whose they are: some come with a licence to pay."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from penstock.catalog.licences import licence_of
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.model.pools.pool import MachinePool

Mark = tuple[str, str]
"""What says whose an image is, as licensed_images.csv calls it, and the value."""


def licence_of_pool(pool: MachinePool, image_marks: Callable[[MachinePool], Iterator[Mark]]) -> str | None:
    """Return the licence that the image of a pool's machines comes with; None where it has none, or none is known."""
    if pool.service:
        return None
    try:
        marks = image_marks(pool)
        return next((found for mark in marks if (found := licence_of(pool.cloud, *mark)) is not None), None)
    except (NotKnown, TypeMismatch):
        return None
