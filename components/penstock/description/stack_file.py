"""The text of a new stack file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def stack_file_text(config: Mapping[str, Any], comments: Sequence[str] = ()) -> str:
    """Return the text of a stack file with this configuration, below comments."""
    import yaml

    text = yaml.safe_dump({"config": dict(config)}, sort_keys=False, width=120, default_flow_style=None)
    return "\n".join((*(f"# {comment}" for comment in comments), text))
