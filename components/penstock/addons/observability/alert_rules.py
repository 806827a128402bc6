"""The alert rules of a platform, made from the table of alerts and from what its pools promise."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from string import Template
from typing import Any

from penstock.addons.observability.block import ObservabilitySpec
from penstock.addons.observability.node_health import unhealthy_nodes
from penstock.addons.observability.series import has_nvidia, nodes_series, sanitized
from penstock.description.addon import keys
from penstock.description.nodes import PoolNodes
from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.facts import alerts
from penstock.kubernetes.facts.alerts import Alert, Panel, Recording, Requirement, Scope
from penstock.kubernetes.facts.xid_codes import XidAction, XidCode, xid_codes

_OF_POOLS: Mapping[Requirement | None, Callable[[PoolNodes], bool]] = {
    "gpu": has_nvidia,
    "reserved": lambda pool: pool.capacity == "reserved",
    "prepaid": lambda pool: pool.capacity in ("reserved", "capacity_block"),
}
"""Which pools a rule with a requirement of pools is about."""

_XIDS: tuple[XidAction, ...] = ("isolate", "reboot", "reset", "nvlink", "application")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """One thing that a rule is written for: its labels, and what fills the gaps of the expression."""

    labels: Mapping[str, str]
    gaps: Mapping[str, str]


def groups(cluster: InCluster) -> list[dict[str, Any]]:
    """The groups of rules that Prometheus evaluates: what it records, then alerts by subject."""
    found: dict[str, list[dict[str, Any]]] = {"recorded": []}
    for recording in alerts.recordings():
        found["recorded"] += _recorded(recording, cluster)
    for alert in alerts.alerts():
        found.setdefault(alert.group, []).extend(_alerted(alert, cluster))
    return [{"name": f"penstock-{name}", "rules": rules} for name, rules in found.items() if rules]


def is_wanted(rule: Alert | Recording | Panel, cluster: InCluster) -> bool:
    """Return whether a platform has what a rule or a panel is about."""
    addons, observability = cluster.addons, cluster.addons.get(ObservabilitySpec)
    had: dict[str | None, bool] = {
        None: True,
        **{name: any(map(concerns, cluster.accelerated)) for name, concerns in _OF_POOLS.items()},
        **{key: addons.has(key) for key in keys()},
        "logs": observability is not None and observability.logs is not None,
        "conditions": bool(unhealthy_nodes(cluster)),
    }
    return had[rule.needs]


def expression(panel: Panel, cluster: InCluster) -> str:
    """The expression of a panel, with what the platform has in its gaps."""
    return Template(panel.expr).safe_substitute(_of_platform(cluster))


def _recorded(rule: Recording, cluster: InCluster) -> Iterator[dict[str, Any]]:
    for case in _cases(rule, cluster):
        labels = {"labels": dict(case.labels)} if case.labels else {}
        yield {"record": rule.record, "expr": _filled(rule.expr, case), **labels}


def _alerted(rule: Alert, cluster: InCluster) -> Iterator[dict[str, Any]]:
    for case in _cases(rule, cluster):
        yield {
            "alert": rule.alert,
            "expr": _filled(rule.expr, case),
            "for": rule.wait,
            **({"keep_firing_for": rule.keep} if rule.keep is not None else {}),
            "labels": {"severity": rule.severity, **case.labels},
            "annotations": {"summary": _filled(rule.summary, case), "action": _filled(rule.action, case)},
        }


def _cases(rule: Alert | Recording, cluster: InCluster) -> Iterator[_Case]:
    if not is_wanted(rule, cluster):
        return
    if rule.each is None:
        yield _Case(labels={}, gaps=_of_platform(cluster))
        return
    concerns = _OF_POOLS.get(rule.needs)
    for pool in cluster.accelerated:
        if concerns is None or concerns(pool):
            yield from _of_pool(rule.each, rule.expr, pool)


def _of_platform(cluster: InCluster) -> dict[str, str]:
    resources = sorted({pool.resource for pool in cluster.accelerated if pool.resource is not None})
    xids = {f"xid_{action}": _xids(xid_codes(action)) for action in _XIDS}
    return {**xids, "accelerators": "|".join(resources), "unhealthy_nodes": unhealthy_nodes(cluster)}


def _of_pool(each: Scope, expr: str, pool: PoolNodes) -> Iterator[_Case]:
    nodes = {"floor": str(pool.nodes.min), "most": str(pool.nodes.max)}
    gaps = {"pool": pool.pool, "nodes": nodes_series(pool.selector), **nodes}
    if each in ("device", "accelerator"):
        for resource, count in pool.requested.items():
            if each == "accelerator" and resource != pool.resource:
                continue
            labels = {"pool": pool.pool, "resource": resource}
            yield _Case(
                labels=labels, gaps={**gaps, "resource": resource, "series": sanitized(resource), "count": str(count)}
            )
    elif pool.nodes.min > 0 or "${floor}" not in expr:
        yield _Case(labels={"pool": pool.pool}, gaps=gaps)


def _filled(text: str, case: _Case) -> str:
    # What Prometheus itself fills in, such as $labels, stays.
    return Template(text).safe_substitute(case.gaps)


def _xids(codes: tuple[XidCode, ...]) -> str:
    """The errors of some codes, of the GPUs for which they call for the same."""
    of_models: dict[tuple[str | None, str | None], list[str]] = {}
    for each in codes:
        of_models.setdefault((each.models, each.not_models), []).append(str(each.code))
    return " or ".join(
        f'DCGM_EXP_XID_ERRORS_COUNT{{xid=~"{"|".join(found)}"{_model("=~", only)}{_model("!~", but)}}} > 0'
        for (only, but), found in of_models.items()
    )


def _model(operator: str, part: str | None) -> str:
    return f',modelName{operator}".*{part}.*"' if part is not None else ""
