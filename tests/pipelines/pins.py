"""The pins of third-party actions and of the Pulumi CLI, in the repository's workflows and in those it writes."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).parents[2]
_TEMPLATES: Final = _ROOT / "components" / "penstock" / "scaffold" / "templates" / "ci"

FILES: Final = sorted([*(_ROOT / ".github" / "workflows").glob("*.yml"), *_TEMPLATES.rglob("*.yml")])
"""Every file that uses actions or installs the CLI."""

_USE: Final = re.compile(r"\buses: (?!\./)(\S+)(.*)$", re.MULTILINE)
_PIN: Final = re.compile(r"([\w.-]+/[\w./-]+)@([0-9a-f]{40})")
_VERSION: Final = re.compile(r" # v\d+\.\d+(\.\d+)?")
_CLI: Final = re.compile(r"\bpulumi-version: (\S+)|pulumi-python-[\w.\[\] ]+:(\d[\d.]+)")


def name_of(file: Path) -> str:
    """A file as a test names it."""
    return str(file.relative_to(_ROOT))


def unpinned(text: str) -> list[str]:
    """Return the actions of a file that have no digest, or no version beside it, which Dependabot needs."""
    return [use for use, comment in _USE.findall(text) if not (_PIN.fullmatch(use) and _VERSION.fullmatch(comment))]


def pinned() -> dict[str, set[str]]:
    """Return the pins of each action, with their versions, over all files."""
    found = defaultdict(set)
    for file in FILES:
        for use, comment in _USE.findall(file.read_text(encoding="utf-8")):
            action, _, digest = use.partition("@")
            found[action].add(digest + comment)
    return dict(found)


def cli_versions() -> set[str]:
    """Return the versions of the Pulumi CLI that files install."""
    texts = (file.read_text(encoding="utf-8") for file in FILES)
    return {"".join(version) for text in texts for version in _CLI.findall(text)}
