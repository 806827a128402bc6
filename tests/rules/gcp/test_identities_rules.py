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
    Case("gcp-iam-member-form", PASS, member(ANN)),
    Case("gcp-iam-member-form", PASS, member(POD)),
    Case("gcp-iam-member-form", PASS, member("principal://iam.googleapis.com/projects/1/locations/global/x")),
    Case("gcp-iam-member-form", PASS, binding("allUsers", "group:ops@example.com", "domain:example.com")),
    Case("gcp-iam-member-form", FAIL, member("ann@example.com"), path="member", says="user:"),
    Case(
        "gcp-iam-member-form",
        FAIL,
        member("serviceaccount:a@b.iam.gserviceaccount.com"),
        path="member",
        says="serviceAccount:",
    ),
    Case("gcp-iam-member-form", FAIL, binding(ANN, "user:bob"), path="members[1]", says="user:NAME@example.com"),
    Case("gcp-iam-member-form", CANNOT_TELL, member(UNKNOWN)),
    Case(
        "gcp-iam-member-form",
        CANNOT_TELL,
        {"sink": (SINK, {}), "it": (PROJECT_MEMBER, {"member": Ref("sink", "writerIdentity-0a1b2c3d")})},
    ),
    Case("gcp-iam-member-form", NOT_APPLICABLE, NO_GRANT),
    Case("gcp-iam-role-form", PASS, member(ANN, "roles/storage.objectViewer")),
    Case("gcp-iam-role-form", PASS, member(ANN, "projects/acme/roles/loader")),
    Case(
        "gcp-iam-role-form", FAIL, member(ANN, "storage.objectViewer"), path="role", says="roles/storage.objectViewer"
    ),
    Case("gcp-iam-role-form", FAIL, member(ANN, "role/viewer"), path="role", says="roles/"),
    Case("gcp-iam-role-form", CANNOT_TELL, member(ANN, UNKNOWN)),
    Case("gcp-iam-role-form", NOT_APPLICABLE, NO_GRANT),
    Case("gcp-sa-account-id", PASS, account("train-nodes")),
    Case("gcp-sa-account-id", FAIL, account("nodes"), path="accountId", says="6 to 30"),
    Case("gcp-sa-account-id", FAIL, account("Train_Nodes"), path="accountId", says="a-z"),
    Case("gcp-sa-account-id", FAIL, account("a" * 31), path="accountId"),
    Case("gcp-sa-account-id", CANNOT_TELL, account(UNKNOWN)),
    Case("gcp-sa-account-id", NOT_APPLICABLE, account(None)),
    Case("gcp-iam-no-all-users", PASS, member(ANN)),
    Case("gcp-iam-no-all-users", FAIL, member("allAuthenticatedUsers"), path="member", says="anybody"),
    Case("gcp-iam-no-all-users", FAIL, binding(ANN, "allUsers"), path="members[1]", says="Name those"),
    Case("gcp-iam-no-all-users", CANNOT_TELL, member(UNKNOWN)),
    Case("gcp-iam-no-all-users", NOT_APPLICABLE, NO_GRANT),
    Case("gcp-iam-no-owner-editor", PASS, member(ANN)),
    Case("gcp-iam-no-owner-editor", FAIL, member(ANN, "roles/editor"), path="role", says="services"),
    Case("gcp-iam-no-owner-editor", CANNOT_TELL, member(ANN, UNKNOWN)),
    Case("gcp-iam-no-owner-editor", NOT_APPLICABLE, {"it": (BUCKET_MEMBER, {"role": "roles/editor", "member": ANN})}),
    Case("gcp-iam-service-agent-name", PASS, member(AGENT)),
    Case(
        "gcp-iam-service-agent-name",
        FAIL,
        member(AGENT.replace("robot", "robots")),
        path="member",
        says="container-engine-robot.",
    ),
    Case("gcp-iam-service-agent-name", CANNOT_TELL, member(UNKNOWN)),
    Case(
        "gcp-iam-service-agent-name",
        NOT_APPLICABLE,
        member("serviceAccount:service-1@gcp-sa-pubsub.iam.gserviceaccount.com"),
    ),
    Case("gcp-iam-service-agent-name", NOT_APPLICABLE, member(ANN)),
    Case("gcp-iam-duplicate-grant", PASS, after(member(ANN), member(ANN, "roles/browser"))),
    Case("gcp-iam-duplicate-grant", PASS, on_buckets("a", "b"), preview=True),
    Case("gcp-iam-duplicate-grant", FAIL, after(member(ANN), member(ANN)), path="member", says="first"),
    Case(
        "gcp-iam-duplicate-grant",
        FAIL,
        {**on_buckets("a", "b"), "it": (BUCKET_MEMBER, {"bucket": Ref("a"), "role": VIEWER, "member": ANN})},
        path="member",
        says="Leave",
        preview=True,
    ),
    Case("gcp-iam-duplicate-grant", CANNOT_TELL, after(member(ANN), member(UNKNOWN))),
    Case("gcp-iam-duplicate-grant", NOT_APPLICABLE, binding(ANN)),
    Case("gcp-iam-binding-conflict", PASS, after(member(ANN, "roles/browser"), binding(ANN))),
    Case(
        "gcp-iam-binding-conflict",
        FAIL,
        after(member(ANN), binding("group:ops@example.com")),
        path="role",
        says="first",
    ),
    Case("gcp-iam-binding-conflict", CANNOT_TELL, binding(ANN, role=UNKNOWN)),
    Case("gcp-iam-binding-conflict", NOT_APPLICABLE, member(ANN)),
    Case("gcp-iam-role-spelling", PASS, member(ANN, "roles/storage.objectViewer")),
    Case(
        "gcp-iam-role-spelling",
        FAIL,
        member(ANN, "roles/storage.objectviewer"),
        path="role",
        says="roles/storage.objectViewer",
    ),
    Case(
        "gcp-iam-role-spelling",
        FAIL,
        binding(ANN, role="roles/container.defaultNodeServiceAcount"),
        path="role",
        says="mean",
    ),
    Case("gcp-iam-role-spelling", CANNOT_TELL, member(ANN, UNKNOWN)),
    Case("gcp-iam-role-spelling", NOT_APPLICABLE, member(ANN, "roles/storage.somethingNew")),
    Case("gcp-iam-role-spelling", NOT_APPLICABLE, member(ANN, "projects/acme/roles/storage.objectviewer")),
    Case("gcp-iam-role-spelling", NOT_APPLICABLE, NO_GRANT),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_an_identity_rule_says_what_google_would(case: Case) -> None:
    check(case)
