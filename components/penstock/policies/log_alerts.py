"""Filters of metrics and alert policies that watch the audit logs of Google Cloud."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from penstock.resources.property_path import HIDDEN
from penstock.resources.view import Site, View

METRIC: Final = "gcp:logging/metric:Metric"
ALERT: Final = "gcp:monitoring/alertPolicy:AlertPolicy"
_FILTERS: Final = {METRIC: "filter", ALERT: "conditions[].conditionMatchedLog.filter"}
_SPACE: Final = re.compile(r"\s+")
_OF_AUDIT_LOGS: Final = re.compile(r"protopayload|cloudaudit")


def watched_texts(site: Site) -> tuple[str, tuple[str, ...], bool]:
    """The first resource that watches audit logs or may, all filters in small letters, and whether all are known."""
    found = sorted((view.urn, _as_text(value)) for view in site.of_type(METRIC, ALERT) for value in _filters(view))
    texts = [(urn, text) for urn, text in found if text]
    hidden = [urn for urn, text in found if not text]
    watching = [urn for urn, text in texts if _OF_AUDIT_LOGS.search(text)]
    return next(iter(watching or hidden), ""), tuple(text for _, text in texts), not hidden


def _filters(view: View) -> Iterator[Any]:
    return (place.value for place in view.locations(_FILTERS[view.type]) if place.value is not None)


def _as_text(value: Any) -> str:
    return "" if isinstance(value, HIDDEN) or not isinstance(value, str) else _SPACE.sub("", value).casefold()
