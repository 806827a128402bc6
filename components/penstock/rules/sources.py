"""Links of the sources that rules name: data/sources.csv of each provider has the public page of a label."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from penstock.catalog import tables
from penstock.rules import registry
from penstock.rules.rule import Rule

_LINKED = re.compile(r"(?P<label>.*?)\s*<(?P<url>https?://[^>]+)>")
"""A label that brings its link along: `EKS user guide <https://…>`."""


def links(rule: Rule) -> tuple[tuple[str, str], ...]:
    """Return the sources of a rule, each as a label and a link; the link is empty where no public page is known."""
    provider = registry.provider_of_rule(rule)
    known = _table(provider.folder) if provider is not None and provider.folder is not None else {}
    return tuple(_link(source, known) for source in rule.sources)


def linked(rule: Rule) -> list[str]:
    """Return the sources of a rule in Markdown."""
    return [f"[{label}]({url})" if url else label for label, url in links(rule)]


def _link(source: str, known: dict[str, str]) -> tuple[str, str]:
    found = _LINKED.fullmatch(source)
    return (found["label"], found["url"]) if found else (source, known.get(source, ""))


@cache
def _table(provider: Path) -> dict[str, str]:
    folder = provider / "rules" / "data"
    return {row["label"]: row["url"] for row in tables.rows("sources", folder)} if folder.is_dir() else {}
