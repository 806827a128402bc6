"""Alerts on the audit logs of Google Cloud: the filters of log-based metrics and alert policies that notify someone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from penstock.gcp.types import LOGGING_METRIC, MONITORING_ALERT_POLICY
from penstock.graph.property_path import HIDDEN
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Site, View

_MATCHED: Final = "conditions[].conditionMatchedLog.filter"
_THRESHOLD: Final = "conditions[].conditionThreshold.filter"
_SPACE: Final = re.compile(r"\s+")
_OF_AUDIT_LOGS: Final = re.compile(r"protopayload|cloudaudit|type=\"?gc[es]_(?:firewall|route|network|bucket)|iam_role")
_METRIC_NAME: Final = re.compile(r"logging\.googleapis\.com/user/([\w.%/-]+)")


@dataclass(frozen=True, slots=True)
class LogWatch:
    """The parts of a program that watch audit logs.

    Attributes:
        first: The URN of the first metric or alert on audit logs, or of one with an unknown filter; empty without any.
        alerted: The filters, in small letters and without spaces, of entries of which an alert notifies someone.
        counted: The filters of metrics, if the program has no alert policy: alerts are elsewhere then, if anywhere.
        complete: Whether all filters are known.
    """

    first: str
    alerted: tuple[str, ...]
    counted: tuple[str, ...]
    complete: bool


def log_watch(site: Site) -> LogWatch:
    """Return how a program watches audit logs."""
    metrics = [(view, text) for view in site.of_type(LOGGING_METRIC) for text in _texts(view, "filter")]
    matched = [(view, text) for view in site.of_type(MONITORING_ALERT_POLICY) for text in _texts(view, _MATCHED)]
    thresholds = [(view, text) for view in site.of_type(MONITORING_ALERT_POLICY) for text in _texts(view, _THRESHOLD)]
    notifies = {view.urn: _notifies(view) for view in site.of_type(MONITORING_ALERT_POLICY)}
    unsure = any(text and notifies[view.urn] is None for view, text in (*thresholds, *matched))
    read = {name for view, text in thresholds if text and notifies[view.urn] for name in _METRIC_NAME.findall(text)}
    hidden_reference = any(text is None for _, text in thresholds)

    watching = sorted(view.urn for view, text in (*metrics, *matched) if text and _OF_AUDIT_LOGS.search(text))
    hidden = sorted(view.urn for view, text in (*metrics, *matched) if text is None)
    alerted = [text for view, text in matched if text and notifies[view.urn]]
    alerted += [text for view, text in metrics if text and (read & _names(view))]
    named = all(isinstance(view.given("name"), str) for view, _ in metrics)
    counted = () if site.of_type(MONITORING_ALERT_POLICY) else tuple(text for _, text in metrics if text)
    complete = not hidden and not hidden_reference and not unsure and named
    return LogWatch(next(iter(watching or hidden), ""), tuple(alerted), counted, complete)


def _texts(view: View, path: str) -> Iterator[str | None]:
    """The filters at a path, in small letters and without spaces; None for one that is not known."""
    for place in view.locations(path):
        if isinstance(place.value, str):
            yield _SPACE.sub("", place.value).casefold()
        elif isinstance(place.value, HIDDEN):
            yield None


def _names(metric: View) -> set[str]:
    name: Any = metric.given("name")
    return {name.casefold()} if isinstance(name, str) else set()


def _notifies(alert: View) -> bool | None:
    """Return whether an alert has channels and is on; None where that is not known."""
    try:
        return alert.has("notificationChannels") and alert.flag("enabled") is not False
    except NotKnown:
        return None
    except TypeMismatch:
        return False
