"""Kubernetes service accounts that act as those of Google."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulecases import Case, Program, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.gcp.types import CLUSTER, SERVICE_ACCOUNT_MEMBER

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE

SERVER = "serviceAccount:acme.svc.id.goog[llm/server]"
USER = "roles/iam.workloadIdentityUser"
ACCOUNT = {"metadata": {"name": "server", "namespace": "llm"}}


def granted(member: Any, role: Any = USER, other: str = "roles/iam.serviceAccountTokenCreator") -> Program:
    """A grant beside a cluster with identities, a Kubernetes service account, and another grant to that."""
    return {
        "cluster": (CLUSTER, {"workloadIdentityConfig": {"workloadPool": "acme.svc.id.goog"}}),
        "account": ("kubernetes:core/v1:ServiceAccount", ACCOUNT),
        "other": (SERVICE_ACCOUNT_MEMBER, {"serviceAccountId": "a", "role": other, "member": SERVER}),
        "it": (SERVICE_ACCOUNT_MEMBER, {"serviceAccountId": "a", "role": role, "member": member}),
    }


CASES = [
    Case("gcp-iam-workload-pool", PASS, granted(SERVER)),
    Case(
        "gcp-iam-workload-pool", FAIL, granted(SERVER.replace("acme", "acne")), path="member", says="acme.svc.id.goog["
    ),
    Case("gcp-iam-workload-pool", CANNOT_TELL, granted(UNKNOWN)),
    Case("gcp-iam-workload-pool", NOT_APPLICABLE, granted("user:ann@acme.com")),
    Case("gcp-iam-workload-account", PASS, granted(SERVER)),
    Case("gcp-iam-workload-account", PASS, granted(SERVER.replace("llm/server", "team/trainer"))),
    Case(
        "gcp-iam-workload-account", FAIL, granted(SERVER.replace("server", "serve")), path="member", says="llm/server"
    ),
    Case("gcp-iam-workload-account", CANNOT_TELL, granted(UNKNOWN)),
    Case("gcp-iam-workload-account", NOT_APPLICABLE, granted("user:ann@acme.com")),
    Case("gcp-iam-workload-user-role", PASS, granted(SERVER)),
    Case("gcp-iam-workload-user-role", PASS, granted(SERVER, "roles/iam.serviceAccountTokenCreator", USER)),
    Case("gcp-iam-workload-user-role", FAIL, granted(SERVER, "roles/iam.serviceAccountUser"), path="role", says=USER),
    Case("gcp-iam-workload-user-role", CANNOT_TELL, granted(SERVER, UNKNOWN)),
    Case("gcp-iam-workload-user-role", NOT_APPLICABLE, granted("user:ann@acme.com")),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_an_identity_that_nobody_has_is_told(case: Case) -> None:
    check(case)
