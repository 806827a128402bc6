"""The navigation of the site: what `mkdocs.yml` lists, and the pages that are found or generated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from docs.addon_pages import guides
from docs.generate import PAGES

_GENERATED: Final = {"Provider rules": "rules/", "Policies": "policies/", "Environments": "environments/"}
"""The folders of `docs/reference` whose pages are generated, by the title of their section."""


def completed(navigation: Sequence[Any]) -> list[Any]:
    """Return the navigation with the guides of add-ons and generated pages at the end of their sections."""
    return _with_pages(
        navigation, {"Add-ons": [*guides()], **{each: _pages_in(_GENERATED[each]) for each in _GENERATED}}
    )


def _pages_in(folder: str) -> list[str]:
    return [f"reference/{name}" for name in PAGES if name.startswith(folder)]


def _with_pages(navigation: Sequence[Any], pages: Mapping[str, list[str]]) -> list[Any]:
    return [
        {title: _section(title, inner, pages) for title, inner in entry.items()} if isinstance(entry, dict) else entry
        for entry in navigation
    ]


def _section(title: str, inner: str | list[Any], pages: Mapping[str, list[str]]) -> str | list[Any]:
    return inner if isinstance(inner, str) else [*_with_pages(inner, pages), *pages.get(title, ())]
