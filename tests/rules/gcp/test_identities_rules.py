"""Who may do what, as Google writes it."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulecases import Case, Program, Ref, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.gcp.types import BUCKET, PROJECT_BINDING, PROJECT_MEMBER, SERVICE_ACCOUNT

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE

SINK = "gcp:logging/projectSink:ProjectSink"
BUCKET_MEMBER = "gcp:storage/bucketIAMMember:BucketIAMMember"
ANN = "user:ann@example.com"
VIEWER = "roles/viewer"


def member(name: Any, role: Any = VIEWER) -> Program:
    """A grant to one."""
    return {"it": (PROJECT_MEMBER, {"project": "acme", "role": role, "member": name})}


def binding(*names: Any, role: Any = VIEWER) -> Program:
    """A grant to all that it names, and to nobody else."""
    return {"it": (PROJECT_BINDING, {"project": "acme", "role": role, "members": list(names)})}


def account(name: Any) -> Program:
    """A service account."""
    return {"it": (SERVICE_ACCOUNT, {"accountId": name})}


def after(first: Program, then: Program) -> Program:
    """Another grant before one."""
    return {"first": first["it"], **then}


def on_buckets(*names: str) -> Program:
    """The same role for the same member on buckets of the program."""
    grants = {"role": VIEWER, "member": ANN}
    buckets: Program = {name: (BUCKET, {}) for name in names}
    first, second = names
    return {
        **buckets,
        "first": (BUCKET_MEMBER, {"bucket": Ref(first), **grants}),
        "it": (BUCKET_MEMBER, {"bucket": Ref(second), **grants}),
    }


NO_GRANT: Program = {"it": (BUCKET, {"location": "US"})}
POD = "serviceAccount:acme.svc.id.goog[train/loader]"
AGENT = "serviceAccount:service-1@container-engine-robot.iam.gserviceaccount.com"

CASES = [
    Case("GCP-IAM-001", PASS, member(ANN)),
    Case("GCP-IAM-001", PASS, member(POD)),
    Case("GCP-IAM-001", PASS, member("principal://iam.googleapis.com/projects/1/locations/global/x")),
    Case("GCP-IAM-001", PASS, binding("allUsers", "group:ops@example.com", "domain:example.com")),
    Case("GCP-IAM-001", FAIL, member("ann@example.com"), path="member", says="user:"),
    Case(
        "GCP-IAM-001", FAIL, member("serviceaccount:a@b.iam.gserviceaccount.com"), path="member", says="serviceAccount:"
    ),
    Case("GCP-IAM-001", FAIL, binding(ANN, "user:bob"), path="members[1]", says="user:NAME@example.com"),
    Case("GCP-IAM-001", CANNOT_TELL, member(UNKNOWN)),
    Case(
        "GCP-IAM-001",
        CANNOT_TELL,
        {"sink": (SINK, {}), "it": (PROJECT_MEMBER, {"member": Ref("sink", "writerIdentity-0a1b2c3d")})},
    ),
    Case("GCP-IAM-001", NOT_APPLICABLE, NO_GRANT),
    Case("GCP-IAM-002", PASS, member(ANN, "roles/storage.objectViewer")),
    Case("GCP-IAM-002", PASS, member(ANN, "projects/acme/roles/loader")),
    Case("GCP-IAM-002", FAIL, member(ANN, "storage.objectViewer"), path="role", says="roles/storage.objectViewer"),
    Case("GCP-IAM-002", FAIL, member(ANN, "role/viewer"), path="role", says="roles/"),
    Case("GCP-IAM-002", CANNOT_TELL, member(ANN, UNKNOWN)),
    Case("GCP-IAM-002", NOT_APPLICABLE, NO_GRANT),
    Case("GCP-IAM-003", PASS, account("train-nodes")),
    Case("GCP-IAM-003", FAIL, account("nodes"), path="accountId", says="6 to 30"),
    Case("GCP-IAM-003", FAIL, account("Train_Nodes"), path="accountId", says="a-z"),
    Case("GCP-IAM-003", FAIL, account("a" * 31), path="accountId"),
    Case("GCP-IAM-003", CANNOT_TELL, account(UNKNOWN)),
    Case("GCP-IAM-003", NOT_APPLICABLE, account(None)),
    Case("GCP-IAM-004", PASS, member(ANN)),
    Case("GCP-IAM-004", FAIL, member("allAuthenticatedUsers"), path="member", says="anybody"),
    Case("GCP-IAM-004", FAIL, binding(ANN, "allUsers"), path="members[1]", says="Name those"),
    Case("GCP-IAM-004", CANNOT_TELL, member(UNKNOWN)),
    Case("GCP-IAM-004", NOT_APPLICABLE, NO_GRANT),
    Case("GCP-IAM-005", PASS, member(ANN)),
    Case("GCP-IAM-005", FAIL, member(ANN, "roles/editor"), path="role", says="services"),
    Case("GCP-IAM-005", CANNOT_TELL, member(ANN, UNKNOWN)),
    Case("GCP-IAM-005", NOT_APPLICABLE, {"it": (BUCKET_MEMBER, {"role": "roles/editor", "member": ANN})}),
    Case("GCP-IAM-006", PASS, member(AGENT)),
    Case("GCP-IAM-006", FAIL, member(AGENT.replace("robot", "robots")), path="member", says="container-engine-robot."),
    Case("GCP-IAM-006", CANNOT_TELL, member(UNKNOWN)),
    Case("GCP-IAM-006", NOT_APPLICABLE, member("serviceAccount:service-1@gcp-sa-pubsub.iam.gserviceaccount.com")),
    Case("GCP-IAM-006", NOT_APPLICABLE, member(ANN)),
    Case("GCP-IAM-007", PASS, after(member(ANN), member(ANN, "roles/browser"))),
    Case("GCP-IAM-007", PASS, on_buckets("a", "b"), preview=True),
    Case("GCP-IAM-007", FAIL, after(member(ANN), member(ANN)), path="member", says="first"),
    Case(
        "GCP-IAM-007",
        FAIL,
        {**on_buckets("a", "b"), "it": (BUCKET_MEMBER, {"bucket": Ref("a"), "role": VIEWER, "member": ANN})},
        path="member",
        says="Leave",
        preview=True,
    ),
    Case("GCP-IAM-007", CANNOT_TELL, after(member(ANN), member(UNKNOWN))),
    Case("GCP-IAM-007", NOT_APPLICABLE, binding(ANN)),
    Case("GCP-IAM-008", PASS, after(member(ANN, "roles/browser"), binding(ANN))),
    Case("GCP-IAM-008", FAIL, after(member(ANN), binding("group:ops@example.com")), path="role", says="first"),
    Case("GCP-IAM-008", CANNOT_TELL, binding(ANN, role=UNKNOWN)),
    Case("GCP-IAM-008", NOT_APPLICABLE, member(ANN)),
    Case("GCP-IAM-014", PASS, member(ANN, "roles/storage.objectViewer")),
    Case(
        "GCP-IAM-014", FAIL, member(ANN, "roles/storage.objectviewer"), path="role", says="roles/storage.objectViewer"
    ),
    Case("GCP-IAM-014", FAIL, binding(ANN, role="roles/container.defaultNodeServiceAcount"), path="role", says="mean"),
    Case("GCP-IAM-014", CANNOT_TELL, member(ANN, UNKNOWN)),
    Case("GCP-IAM-014", NOT_APPLICABLE, member(ANN, "roles/storage.somethingNew")),
    Case("GCP-IAM-014", NOT_APPLICABLE, member(ANN, "projects/acme/roles/storage.objectviewer")),
    Case("GCP-IAM-014", NOT_APPLICABLE, NO_GRANT),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_an_identity_rule_says_what_google_would(case: Case) -> None:
    check(case)
