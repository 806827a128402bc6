"""Hooks of MkDocs: the reference pages are generated from the code whenever the site is built."""

from __future__ import annotations

import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the pages that `docs/generate.py` generates."""
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))  # MkDocs runs this file by its path
    from docs.generate import PAGES

    for name, write in PAGES.items():
        files.append(File.generated(config, f"reference/{name}", content=write()))
    return files
