"""What a description may say of observability, health and cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from tests.descriptions import ONPREM_TRAINING, TRAINING, changed, findings

WATCHED: Mapping[str, Any] = {"observability": {}}


@pytest.mark.parametrize(
    ("description", "addons", "code", "place", "says"),
    [
        (TRAINING, {"cost": {}}, "SPEC-170", "addons.cost", "observability, which is not enabled"),
        (
            TRAINING,
            {**WATCHED, "cost": {"accelerator_hour_usd": 2.5}},
            "SPEC-171",
            "addons.cost.accelerator_hour_usd",
            "The cloud has a price",
        ),
        (ONPREM_TRAINING, {**WATCHED, "cost": {}}, "SPEC-171", "addons.cost", "No cloud sells"),
        (
            TRAINING,
            {"health": {"line_rate_gbps": 3200.0}},
            "SPEC-171",
            "addons.health.line_rate_gbps",
            "follows from its machine type",
        ),
        (ONPREM_TRAINING, {"health": {"line_rate_gbps": 0.0}}, "SPEC-014", "addons.health.line_rate_gbps", "0"),
        (
            ONPREM_TRAINING,
            {"observability": {"retention_days": 0}},
            "SPEC-014",
            "addons.observability.retention_days",
            "1",
        ),
    ],
)
def test_what_does_not_fit_together_is_reported(
    description: Mapping[str, Any], addons: Mapping[str, Any], code: str, place: str, says: str
) -> None:
    (found,) = findings(changed("addons", addons, description))

    assert found.code == code
    assert found.path == place
    assert says in found.message


def test_a_rate_without_a_fabric_is_reported() -> None:
    (pool,) = ONPREM_TRAINING["node_pools"]
    unwired = changed("node_pools", [{**pool, "fabric": "none"}], ONPREM_TRAINING)

    (found,) = findings(changed("addons", {"health": {"line_rate_gbps": 3200.0}}, unwired))

    assert found.code == "SPEC-171"
    assert "no pool names a fabric" in found.message


@pytest.mark.parametrize(
    ("description", "addons"),
    [
        (TRAINING, {**WATCHED, "cost": {}, "health": {}}),
        (ONPREM_TRAINING, {**WATCHED, "cost": {"accelerator_hour_usd": 2.5}, "health": {"line_rate_gbps": 3200.0}}),
    ],
)
def test_figures_are_given_where_nobody_else_has_them(
    description: Mapping[str, Any], addons: Mapping[str, Any]
) -> None:
    assert findings(changed("addons", addons, description)) == []
