"""Keys of Cloud KMS, and what they encrypt."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulecases import Case, Program, Ref, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.gcp.types import (
    BUCKET,
    CLUSTER,
    DATABASE,
    KEY,
    KEY_GRANT,
    KEY_RING,
    KEY_RING_GRANT,
    LUSTRE,
    NODE_POOL,
    PROJECT_MEMBER,
    REPOSITORY,
    SECRET,
)

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE

ROLE = "roles/cloudkms.cryptoKeyEncrypterDecrypter"
STORAGE = "serviceAccount:service-1@gs-project-accounts.iam.gserviceaccount.com"
COMPUTE = "serviceAccount:service-1@compute-system.iam.gserviceaccount.com"
SQL = "serviceAccount:service-1@gcp-sa-cloud-sql.iam.gserviceaccount.com"
ELSEWHERE = "projects/acme/locations/us-east1/keyRings/ring/cryptoKeys/data"
ENCRYPTED = {"location": "us-central1", "encryption": {"defaultKmsKeyName": Ref("key")}}
AFTER = {"labels": {"after": Ref("grant")}}


def key(**inputs: Any) -> Program:
    """A key."""
    return {"it": (KEY, inputs)}


def used(type_: str, inputs: dict[str, Any], ring: str = "us-central1", **of_key: Any) -> Program:
    """A key in a ring, and something that it encrypts."""
    return {
        "ring": (KEY_RING, {"location": ring}),
        "key": (KEY, {"keyRing": Ref("ring"), **of_key}),
        "it": (type_, inputs),
    }


def granted(member: Any, inputs: dict[str, Any], role: Any = ROLE, type_: str = BUCKET) -> Program:
    """A key that somebody may use, and something that it encrypts."""
    grant = {"cryptoKeyId": Ref("key"), "member": member, "role": role}
    return {**used(type_, inputs), "grant": (KEY_GRANT, grant)}


def granted_above(type_: str, target: dict[str, Any]) -> Program:
    """A key that storage may use by a grant on something that holds it."""
    inputs = {**ENCRYPTED, **AFTER}
    return {**used(BUCKET, inputs), "grant": (type_, {**target, "member": STORAGE, "role": ROLE})}


def copied(*locations: str, ring: str = "us-central1") -> Program:
    """A secret with copies that a key encrypts."""
    key = {"customerManagedEncryption": {"kmsKeyName": Ref("key")}}
    replicas = [{"location": location, **key} for location in locations]
    return used(SECRET, {"replication": {"userManaged": {"replicas": replicas}}}, ring)


def anywhere(ring: str) -> Program:
    """A secret that Google copies where it likes."""
    return used(SECRET, {"replication": {"auto": {"customerManagedEncryption": {"kmsKeyName": Ref("key")}}}}, ring)


IN_ZONE = {"location": "us-central1-b", "kmsKey": Ref("key")}
BOOT = {"nodeConfig": {"bootDiskKmsKey": Ref("key")}}

CASES = [
    Case("gcp-kms-key-path", PASS, used(BUCKET, ENCRYPTED)),
    Case("gcp-kms-key-path", PASS, used(BUCKET, {"encryption": {"defaultKmsKeyName": ELSEWHERE}})),
    Case(
        "gcp-kms-key-path",
        FAIL,
        used(BUCKET, {"encryption": {"defaultKmsKeyName": "data"}}),
        path="encryption.defaultKmsKeyName",
        says="id",
    ),
    Case("gcp-kms-key-path", CANNOT_TELL, used(BUCKET, ENCRYPTED), preview=True),
    Case("gcp-kms-key-path", NOT_APPLICABLE, used(BUCKET, {})),
    Case("gcp-kms-rotation-period", PASS, key(rotationPeriod="7776000s")),
    Case("gcp-kms-rotation-period", FAIL, key(rotationPeriod="3600s"), path="rotationPeriod", says="86400s"),
    Case("gcp-kms-rotation-period", FAIL, key(rotationPeriod="90d"), path="rotationPeriod", says="7776000s"),
    Case(
        "gcp-kms-rotation-period",
        FAIL,
        key(rotationPeriod="7776000s", purpose="MAC"),
        path="rotationPeriod",
        says="Leave",
    ),
    Case("gcp-kms-rotation-period", CANNOT_TELL, key(rotationPeriod=UNKNOWN)),
    Case("gcp-kms-rotation-period", NOT_APPLICABLE, key()),
    Case("gcp-kms-destroy-duration", PASS, key(destroyScheduledDuration="2592000s")),
    Case(
        "gcp-kms-destroy-duration",
        FAIL,
        key(destroyScheduledDuration="3600s"),
        path="destroyScheduledDuration",
        says="86400s",
    ),
    Case(
        "gcp-kms-destroy-duration",
        FAIL,
        key(destroyScheduledDuration="99999999s"),
        path="destroyScheduledDuration",
        says="10368000s",
    ),
    Case("gcp-kms-destroy-duration", CANNOT_TELL, key(destroyScheduledDuration=UNKNOWN)),
    Case("gcp-kms-destroy-duration", NOT_APPLICABLE, key()),
    Case("gcp-kms-key-purpose", PASS, used(BUCKET, ENCRYPTED), preview=True),
    Case(
        "gcp-kms-key-purpose",
        FAIL,
        used(BUCKET, ENCRYPTED, purpose="ASYMMETRIC_SIGN"),
        path="encryption.defaultKmsKeyName",
        says="ENCRYPT_DECRYPT",
        preview=True,
    ),
    Case("gcp-kms-key-purpose", CANNOT_TELL, used(BUCKET, ENCRYPTED, purpose=UNKNOWN)),
    Case("gcp-kms-key-purpose", NOT_APPLICABLE, used(BUCKET, {})),
    Case("gcp-kms-key-location", PASS, used(LUSTRE, IN_ZONE), preview=True),
    Case("gcp-kms-key-location", PASS, used(BUCKET, {**ENCRYPTED, "location": "EU"}, "europe")),
    Case("gcp-kms-key-location", PASS, used(REPOSITORY, {"location": "us", "kmsKeyName": Ref("key")}, "us")),
    Case("gcp-kms-key-location", PASS, copied("us-central1")),
    Case("gcp-kms-key-location", PASS, anywhere("global")),
    Case(
        "gcp-kms-key-location", FAIL, used(LUSTRE, IN_ZONE, "us-east1"), path="kmsKey", says="us-central1", preview=True
    ),
    Case(
        "gcp-kms-key-location", FAIL, used(BUCKET, {**ENCRYPTED, "location": "EU"}), path="encryption.defaultKmsKeyName"
    ),
    Case(
        "gcp-kms-key-location",
        FAIL,
        anywhere("us-central1"),
        path="replication.auto.customerManagedEncryption.kmsKeyName",
    ),
    Case(
        "gcp-kms-key-location",
        FAIL,
        copied("us-central1", "us-east1"),
        path="replication.userManaged.replicas[1].customerManagedEncryption.kmsKeyName",
        says="us-east1",
    ),
    Case(
        "gcp-kms-key-location",
        FAIL,
        {"it": (CLUSTER, {"location": "us-central1", "databaseEncryption": {"keyName": ELSEWHERE}})},
        path="databaseEncryption.keyName",
        says="us-central1",
    ),
    Case("gcp-kms-key-location", CANNOT_TELL, used(LUSTRE, {"kmsKey": Ref("key")})),
    Case("gcp-kms-key-location", NOT_APPLICABLE, used(LUSTRE, {"location": "us-central1-b"})),
    Case("gcp-kms-service-agent", PASS, granted(STORAGE, {**ENCRYPTED, **AFTER}), preview=False),
    Case("gcp-kms-service-agent", PASS, granted(STORAGE, {**ENCRYPTED, **AFTER}), preview=True),
    Case("gcp-kms-service-agent", PASS, granted(STORAGE, {**ENCRYPTED, **AFTER}, "projects/acme/roles/encrypter")),
    Case("gcp-kms-service-agent", PASS, granted_above(KEY_RING_GRANT, {"keyRingId": Ref("ring")})),
    Case("gcp-kms-service-agent", PASS, granted_above(PROJECT_MEMBER, {"project": "acme"})),
    Case(
        "gcp-kms-service-agent",
        FAIL,
        granted(STORAGE, ENCRYPTED),
        path="encryption.defaultKmsKeyName",
        says="dependsOn",
    ),
    Case("gcp-kms-service-agent", FAIL, used(BUCKET, ENCRYPTED), path="encryption.defaultKmsKeyName", says="Grant it"),
    Case(
        "gcp-kms-service-agent",
        FAIL,
        granted(COMPUTE, {**ENCRYPTED, **AFTER}),
        path="encryption.defaultKmsKeyName",
        says="gs-project-accounts",
    ),
    Case(
        "gcp-kms-service-agent",
        FAIL,
        granted(STORAGE, {**ENCRYPTED, **AFTER}, "roles/cloudkms.viewer"),
        path="encryption.defaultKmsKeyName",
        says="not enough",
    ),
    Case(
        "gcp-kms-service-agent",
        FAIL,
        granted(SQL, BOOT, type_=NODE_POOL),
        path="nodeConfig.bootDiskKmsKey",
        says="compute-system",
    ),
    Case(
        "gcp-kms-service-agent",
        FAIL,
        used(DATABASE, {"encryptionKeyName": Ref("key")}),
        path="encryptionKeyName",
        says="sql",
    ),
    Case("gcp-kms-service-agent", CANNOT_TELL, granted(UNKNOWN, ENCRYPTED)),
    Case("gcp-kms-service-agent", NOT_APPLICABLE, {"it": (BUCKET, {"encryption": {"defaultKmsKeyName": ELSEWHERE}})}),
    Case("gcp-kms-ring-location", PASS, {"it": (KEY_RING, {"location": "europe"})}),
    Case("gcp-kms-ring-location", PASS, {"it": (KEY_RING, {"location": "us-central1"})}),
    Case(
        "gcp-kms-ring-location",
        FAIL,
        {"it": (KEY_RING, {"location": "us-central1-b"})},
        path="location",
        says="us-central1",
    ),
    Case(
        "gcp-kms-ring-location", FAIL, {"it": (KEY_RING, {"location": "us-centre1"})}, path="location", says="no region"
    ),
    Case("gcp-kms-ring-location", CANNOT_TELL, {"it": (KEY_RING, {"location": UNKNOWN})}),
    Case("gcp-kms-ring-location", NOT_APPLICABLE, {"it": (KEY_RING, {})}),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_key_rule_says_what_google_would(case: Case) -> None:
    check(case)
