"""The folders of add-ons: each folder below `penstock/addons` with a record."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path

PACKAGE = "penstock.addons"


@cache
def addon_folders() -> tuple[Path, ...]:
    """Return the folder of each add-on, sorted by name."""
    found = (file.parent for place in import_module(PACKAGE).__path__ for file in Path(place).glob("*/record.py"))
    return tuple(sorted(found, key=lambda folder: folder.name))
