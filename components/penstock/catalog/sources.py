"""Pages on which the sources of rows can be read: data/sources.csv, and CLOUD/sources of each cloud that has one.

A source begins with a label of that table; what follows it is the place on the page, or a note (`EKS user guide, access
entries`). A label without an address is known to have no public page.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from penstock.catalog.records import keyed
from penstock.catalog.tables import clouds_with


@dataclass(frozen=True, slots=True)
class SourcePage:
    """Where what a label represents can be read; `unverified` says that nobody has looked whether it can."""

    label: str
    url: str | None
    unverified: tuple[str, ...]


def source_pages() -> Mapping[str, SourcePage]:
    """The shared pages and those of all clouds and add-ons, by label."""
    pages = dict(keyed(SourcePage, "sources"))
    for cloud in clouds_with("sources"):
        pages |= keyed(SourcePage, f"{cloud}/sources")
    return pages


def source_url(source: str) -> str | None:
    """The page of a source, as the column `source` of a table has it; None for one that has no public page."""
    page = source_page(source)
    return None if page is None else page.url


@cache
def source_page(source: str) -> SourcePage | None:
    """The page of the longest label that a source begins with; None for a source without one."""
    pages = source_pages()
    ends = (end for end in range(len(source), 0, -1) if end == len(source) or not source[end].isalnum())
    return next((pages[source[:end]] for end in ends if source[:end] in pages), None)
