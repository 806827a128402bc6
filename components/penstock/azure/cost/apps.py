"""The cost of functions and workflows of App Service: executions, where no plan pays for their machines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from penstock.azure.cost.storage import service, sku_of
from penstock.azure.types import WEB_APP, WEB_APP_SERVICE_PLAN
from penstock.cost.bill import Line, Unpriced
from penstock.cost.stored import used_items
from penstock.graph.verdict import NotKnown
from penstock.graph.view import View

_BY_EXECUTION: Final = ("Y1", "FC1")
_FUNCTION: Final = (("executions", "executions", 1_000_000), ("gb_seconds", "GB-seconds of execution", 1))
_WORKFLOW: Final = (
    ("standard_calls", "standard connector calls", 1),
    ("enterprise_calls", "enterprise connector calls", 1),
)


def _web_app(view: View) -> Iterator[Line | Unpriced]:
    """An app is paid by its plan; functions on a plan of consumption by their executions, workflows by connectors."""
    kind = (view.text("kind") or "").lower()
    if "workflowapp" in kind:
        yield from _used(view, "logic-apps", _WORKFLOW)
    elif "functionapp" in kind:
        plan = _plan_of(view)
        if plan is None or sku_of(plan) in _BY_EXECUTION:
            yield from _used(view, "functions", _FUNCTION)


def _plan_of(view: View) -> View | None:
    """The plan of an app; None where it names none, or one outside the program, which may be one of consumption."""
    try:
        return view.one("serverFarmId", WEB_APP_SERVICE_PLAN)
    except NotKnown:
        return None


def _used(view: View, name: str, parts: tuple[tuple[str, str, int], ...]) -> Iterator[Line | Unpriced]:
    for field, what, per in parts:
        yield from used_items(view, ("services", field), what, service(view, name, what), per=per)


WEB_APPS: Final[Mapping[str, Callable[[View], Iterator[Line | Unpriced]]]] = {WEB_APP: _web_app}
"""The functions that price them, by type token."""
