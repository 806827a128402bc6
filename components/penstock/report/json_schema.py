"""The JSON Schema of a report in JSON: data/report.schema.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def report_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of what `rehearse`, `check`, `diff` and `audit` write."""
    file = Path(__file__).parent / "data" / "report.schema.json"
    schema: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return schema
