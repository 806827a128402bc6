"""Containers of tasks and jobs on AWS, which a program writes as JSON in a text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from penstock.resources.verdict import Misfit
from penstock.resources.view import View


def containers(it: View, path: str) -> Iterator[dict[str, Any]]:
    """The containers in the text of a property; they stand deeper where a job has several nodes or tasks.

    Raises:
        Misfit: it is no JSON.
        NotKnown: it is not known yet.
    """
    text = it.text(path)
    try:
        written = json.loads(text) if text else None
    except ValueError:
        raise Misfit from None
    return _among(written)


def _among(written: Any) -> Iterator[dict[str, Any]]:
    if isinstance(written, dict):
        if isinstance(written.get("image"), str):
            yield written
        for value in written.values():
            yield from _among(value)
    elif isinstance(written, list):
        for item in written:
            yield from _among(item)
