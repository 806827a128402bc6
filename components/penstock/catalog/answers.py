"""The forms of what a cloud answers: ids, ARNs, links and other outputs, by type token."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from penstock.catalog.tables import path_of


@cache
def answer_forms(cloud: str) -> Mapping[str, Any]:
    """The forms of a cloud's answers by type token, from answers.toml in the room of the cloud."""
    return tomllib.loads(path_of(f"{cloud}/answers").with_suffix(".toml").read_text(encoding="utf-8"))
