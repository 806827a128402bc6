"""Hooks of MkDocs: the guides of add-ons are found, and the reference pages generated, whenever the site is built."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import Final

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))  # MkDocs runs this file by its path

from docs.addon_pages import guides  # noqa: E402
from docs.generate import PAGES  # noqa: E402
from docs.navigation import completed  # noqa: E402

_LOG: Final = logging.getLogger("mkdocs.hooks.penstock")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add the guides of add-ons and generated pages to the navigation."""
    config.nav = completed(config.nav or [])
    return config


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the guides of add-ons, and the pages that `docs/generate.py` generates."""
    for name, file in guides().items():
        files.append(File.generated(config, name, abs_src_path=str(file)))
    _LOG.info("Generating %d reference pages: a minute or two", len(PAGES))
    for number, (name, write) in enumerate(PAGES.items(), 1):
        _LOG.info("%d/%d reference/%s", number, len(PAGES), name)
        files.append(File.generated(config, f"reference/{name}", content=write()))
    return files
