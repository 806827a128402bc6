"""The JSON Schema of all that commands write in JSON: data/report.schema.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def report_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of what any command writes with `--format json`, one of several forms."""
    file = Path(__file__).parent / "data" / "report.schema.json"
    schema: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return schema
