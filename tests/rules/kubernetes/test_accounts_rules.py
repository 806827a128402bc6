"""Service accounts that act as one of Google's."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulecases import Case, Program, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.gcp.types import SERVICE_ACCOUNT as GOOGLE_ACCOUNT
from penstock.rules.kubernetes.types import SERVICE_ACCOUNT

ANNOTATION = "iam.gke.io/gcp-service-account"
PATH = f"metadata.annotations.{ANNOTATION}"


def acting(email: Any, made: str = "trainer") -> Program:
    """An account of Kubernetes that acts as one of Google's, and one that the program makes there."""
    metadata = {"name": "it", "annotations": {ANNOTATION: email}}
    return {"google": (GOOGLE_ACCOUNT, {"accountId": made}), "it": (SERVICE_ACCOUNT, {"metadata": metadata})}


CASES = [
    Case("k8s-workload-identity-account", Outcome.PASS, acting("trainer@acme.iam.gserviceaccount.com")),
    Case("k8s-workload-identity-account", Outcome.PASS, acting("billing@other.iam.gserviceaccount.com")),
    Case("k8s-workload-identity-account", Outcome.PASS, acting("1234-compute@developer.gserviceaccount.com")),
    Case("k8s-workload-identity-account", Outcome.FAIL, acting("trainer"), PATH, "ACCOUNT@PROJECT"),
    Case(
        "k8s-workload-identity-account",
        Outcome.FAIL,
        acting("trainr@acme.iam.gserviceaccount.com"),
        PATH,
        "mean trainer@acme",
    ),
    Case("k8s-workload-identity-account", Outcome.UNKNOWN, acting(UNKNOWN)),
    Case(
        "k8s-workload-identity-account", Outcome.NOT_APPLICABLE, {"it": (SERVICE_ACCOUNT, {"metadata": {"name": "it"}})}
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_accounts_tells(case: Case) -> None:
    check(case)
