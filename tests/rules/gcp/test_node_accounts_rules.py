"""The accounts that machines run as."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulecases import Case, Program, Ref, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.gcp.types import CLUSTER, INSTANCE, NODE_POOL, PROJECT_BINDING, PROJECT_MEMBER, SERVICE_ACCOUNT

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE

EMAIL = "nodes@acme.iam.gserviceaccount.com"
NODES = "roles/container.defaultNodeServiceAccount"


def run_as(account: Any) -> Program:
    """A pool whose nodes run as an account."""
    return {"it": (NODE_POOL, {"nodeConfig": {"serviceAccount": account}})}


def allowed(role: Any, type_: str = PROJECT_MEMBER, *, used: bool = True) -> Program:
    """An account that is granted a role, and a pool that may run as it."""
    member = Ref("it", "member")
    given = {"member": member} if type_ == PROJECT_MEMBER else {"members": [member]}
    config = {"serviceAccount": Ref("it", "email")} if used else {}
    return {
        "it": (SERVICE_ACCOUNT, {"accountId": "gke-nodes"}),
        "cluster": (CLUSTER, {"location": "us-east4-a"}),
        "pool": (NODE_POOL, {"cluster": Ref("cluster"), "nodeConfig": config}),
        "grant": (type_, {"role": role, **given}),
    }


CASES = [
    Case("gcp-sa-email-reference", PASS, run_as(EMAIL)),
    Case("gcp-sa-email-reference", FAIL, run_as("gke-nodes"), path="nodeConfig.serviceAccount", says="email"),
    Case(
        "gcp-sa-email-reference",
        FAIL,
        run_as(f"projects/acme/serviceAccounts/{EMAIL}"),
        path="nodeConfig.serviceAccount",
    ),
    Case(
        "gcp-sa-email-reference",
        FAIL,
        {"it": (INSTANCE, {"serviceAccount": {"email": "nodes"}})},
        path="serviceAccount.email",
    ),
    Case("gcp-sa-email-reference", CANNOT_TELL, run_as(UNKNOWN)),
    Case("gcp-sa-email-reference", NOT_APPLICABLE, run_as("default")),
    Case("gcp-sa-node-roles", PASS, allowed(NODES), preview=True),
    Case("gcp-sa-node-roles", PASS, allowed("roles/logging.logWriter", PROJECT_BINDING), preview=True),
    Case("gcp-sa-node-roles", PASS, allowed("projects/acme/roles/nodes"), preview=True),
    Case(
        "gcp-sa-node-roles", FAIL, allowed("roles/artifactregistry.reader"), path="accountId", says=NODES, preview=True
    ),
    Case(
        "gcp-sa-node-roles",
        CANNOT_TELL,
        {**allowed(NODES), "grant": (PROJECT_MEMBER, {"role": NODES, "member": "user:a"})},
        preview=True,
    ),
    Case("gcp-sa-node-roles", CANNOT_TELL, allowed(UNKNOWN), preview=True),
    Case("gcp-sa-node-roles", NOT_APPLICABLE, allowed(NODES, used=False), preview=True),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_an_account_that_serves_no_node_is_told(case: Case) -> None:
    check(case)
