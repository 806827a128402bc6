"""What the APIs of Google Cloud allow of single fields, on any resource."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulecases import Case, Program, Ref, check

from penstock.resources.values import UNKNOWN, Secret
from penstock.resources.verdict import Outcome
from penstock.rules.gcp.types import CLUSTER, NETWORK, NODE_POOL

HEALTH_CHECK = "gcp:compute/healthCheck:HealthCheck"
TOPIC = "gcp:pubsub/topic:Topic"


def one(type_: str, **inputs: Any) -> Program:
    """A program of one resource."""
    return {"it": (type_, inputs)}


def driver(version: Any) -> Program:
    """A node pool with two kinds of accelerators, of which the second has this driver."""
    installed = {"gpuDriverInstallationConfig": {"gpuDriverVersion": version}}
    return one(NODE_POOL, nodeConfig={"guestAccelerators": [{"type": "nvidia-l4", "count": 1}, installed]})


CASES = [
    Case("gcp-api-enum", Outcome.PASS, driver("LATEST")),
    Case("gcp-api-enum", Outcome.PASS, driver("GPU_DRIVER_VERSION_UNSPECIFIED")),
    Case(
        "gcp-api-enum",
        Outcome.FAIL,
        driver("latest"),
        path="nodeConfig.guestAccelerators[1].gpuDriverInstallationConfig.gpuDriverVersion",
        says="Did you mean LATEST? Allowed: INSTALLATION_DISABLED, DEFAULT, LATEST, SPECIFIC.",
    ),
    Case("gcp-api-enum", Outcome.UNKNOWN, driver(UNKNOWN)),
    Case("gcp-api-enum", Outcome.UNKNOWN, driver(Secret("latest"))),
    Case("gcp-api-enum", Outcome.NOT_APPLICABLE, one(NODE_POOL, cluster="main")),
    Case("gcp-api-enum", Outcome.NOT_APPLICABLE, one("gcp:new/thing:Thing", mode="ANY")),
    Case("gcp-api-enum", Outcome.PASS, one(CLUSTER, datapathProvider="ADVANCED_DATAPATH")),
    Case(
        "gcp-api-enum",
        Outcome.FAIL,
        one(CLUSTER, datapathProvider="ADVANCED"),
        path="datapathProvider",
        says="ADVANCED_DATAPATH",
    ),
    Case(
        "gcp-api-enum",
        Outcome.FAIL,
        one(CLUSTER, loggingConfig={"enableComponents": ["SYSTEM_COMPONENTS", "WORKLOAD"]}),
        path="loggingConfig.enableComponents[1]",
        says="Did you mean WORKLOADS?",
    ),
    Case(
        "gcp-api-enum",
        Outcome.FAIL,
        one(NODE_POOL, nodeConfig={"taints": [{"key": "a", "value": "b", "effect": "NoSchedule"}]}),
        path="nodeConfig.taints[0].effect",
        says="NO_SCHEDULE",
    ),
    Case("gcp-api-enum", Outcome.FAIL, one(NETWORK, routingMode="global"), path="routingMode", says="GLOBAL"),
    Case("gcp-api-pattern", Outcome.PASS, one(HEALTH_CHECK, name="alive")),
    Case(
        "gcp-api-pattern",
        Outcome.FAIL,
        one(HEALTH_CHECK, name="Alive"),
        path="name",
        says="'Alive' does not have the form",
    ),
    Case("gcp-api-pattern", Outcome.FAIL, one(HEALTH_CHECK, name="a" * 64), path="name"),
    Case("gcp-api-pattern", Outcome.UNKNOWN, one(HEALTH_CHECK, name=UNKNOWN)),
    Case(
        "gcp-api-pattern",
        Outcome.UNKNOWN,
        {"it": (HEALTH_CHECK, {"name": Ref("Topic")}), "Topic": (TOPIC, {"name": "t"})},
    ),
    Case("gcp-api-pattern", Outcome.NOT_APPLICABLE, one(HEALTH_CHECK, timeoutSec=5)),
    Case("gcp-api-pattern", Outcome.NOT_APPLICABLE, one(HEALTH_CHECK, name=5)),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_an_api_rule_says_what_google_would(case: Case) -> None:
    check(case)
