"""The categories of logs that a resource may send to a workspace, an account or an event hub."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import records


@dataclass(frozen=True, slots=True, kw_only=True)
class LogCategories:
    """The categories of the resources of one type.

    Attributes:
        type: the type token.
        categories: the names of the categories; empty where only parts of such a resource have logs.
    """

    type: str
    categories: tuple[str, ...]
    unverified: tuple[str, ...]
    source: str
    as_of: str


def log_categories() -> dict[str, tuple[str, ...]]:
    """The categories by type, for the types whose categories are known."""
    return {each.type: each.categories for each in records(LogCategories, "azure/log_categories")}
