"""Answers of projects of Google Cloud, in the form of the discovery documents of its APIs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tests.environments import rehearsed
from tests.graphs import graph_of, resource
from tests.preflight.asking import about, replies
from tests.preflight.googleserver import CALLER, PROJECT, GoogleServer, denied
from tests.preflight.httpapi import Answer

from penstock.core.errors import CannotAsk
from penstock.gcp.preflight import GcpInquiry
from penstock.gcp.preflight.project import open_google_cloud
from penstock.graph.graph import Graph
from penstock.graph.view import Site
from penstock.preflight import Reply, Status

TRAIN = "gcp-train"
COMPUTE = f"compute/compute/v1/projects/{PROJECT}"
QUOTAS = f"cloudquotas/v1/projects/{PROJECT}/locations/global/services/compute.googleapis.com/quotaInfos"
GROUP = "cloudidentity/v1/groups:lookup"


@pytest.fixture(autouse=True)
def _led_here(google: GoogleServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in google.variables(tmp_path).items():
        monkeypatch.setenv(name, value)


def answers(graph: Graph | None = None) -> dict[str, Reply]:
    graph = rehearsed(TRAIN).graph if graph is None else graph
    return dict(replies("gcp", GcpInquiry(open_google_cloud(), Site(graph)), graph))


def program(*resources: object) -> Graph:
    provider = resource("pulumi:providers:gcp", "gcp", inputs={"project": PROJECT, "region": "us-central1"})
    return graph_of(provider, *resources)  # type: ignore[arg-type]


def reservation(**held: object) -> Answer:
    """Compute Engine v1, ReservationAggregatedList."""
    specific = {"count": "16", "inUseCount": "0", "instanceProperties": {"machineType": "a3-ultragpu-8g"}, **held}
    zone = f"https://www.googleapis.com/compute/v1/projects/{PROJECT}/zones/us-central1-b"
    item = {"name": "train-h200", "status": "READY", "zone": zone, "specificReservation": specific}
    return {"items": {"zones/us-central1-a": {"warning": {}}, "zones/us-central1-b": {"reservations": [item]}}}


@pytest.mark.slow
@pytest.mark.parametrize("stack", [TRAIN, "gcp-tpu", "gcp-serve", "gcp-mega"])
def test_every_precondition_of_a_rehearsal_is_answered(google: GoogleServer, stack: str) -> None:
    found = answers(rehearsed(stack).graph)

    assert {each.what for each in rehearsed(stack).preconditions} <= set(found)
    assert google.requests


def test_only_reads_are_sent(google: GoogleServer) -> None:
    answers()

    posted = [each.path for each in google.requests if each.method != "GET" and each.path != "/token"]
    assert len(google.requests) > 10
    assert [path for path in posted if not path.endswith(":testIamPermissions")] == []


@pytest.mark.parametrize(
    ("held", "status", "shown"),
    [
        ({}, Status.MET, "16 of them free"),
        ({"inUseCount": "1"}, Status.NOT_MET, "15 of them free, and up to 16 needed"),
        ({"instanceProperties": {"machineType": "a3-megagpu-8g"}}, Status.NOT_MET, "a3-ultragpu-8g"),
    ],
)
def test_a_reservation_is_large_enough_and_of_the_machine_type(
    google: GoogleServer, held: dict[str, object], status: Status, shown: str
) -> None:
    google.answers[f"{COMPUTE}/aggregated/reservations"] = reservation(**held)

    reply = about(answers(), "Reservation train-h200")

    assert (reply.status, shown in reply.found) == (status, True), reply.found


def test_a_reservation_of_another_name_is_none(google: GoogleServer) -> None:
    google.answers[f"{COMPUTE}/aggregated/reservations"] = {"items": {"zones/us-central1-b": {"reservations": []}}}

    assert about(answers(), "Reservation train-h200").status is Status.NOT_MET


@pytest.mark.parametrize(
    ("limit", "usage", "status"), [(4800, 0, Status.MET), (4800, 1, Status.NOT_MET), (4799, 0, Status.NOT_MET)]
)
def test_a_quota_counts_what_is_in_use(google: GoogleServer, limit: int, usage: int, status: Status) -> None:
    quota = {"metric": "HDB_TOTAL_GB", "limit": limit, "usage": usage}
    google.answers[f"{COMPUTE}/regions/us-central1"] = {"name": "us-central1", "quotas": [quota]}

    assert about(answers(), "HDB_TOTAL_GB").status is status


@pytest.mark.parametrize(("value", "status"), [("16", Status.MET), ("8", Status.NOT_MET), ("-1", Status.MET)])
def test_a_quota_of_a_family_is_that_of_cloud_quotas(google: GoogleServer, value: str, status: Status) -> None:
    dimensions = {"region": "us-east5", "tpu_family": "CT6E"}
    other = {"dimensions": {"region": "us-east5", "tpu_family": "TPU7X"}, "details": {"value": "1"}}
    info = {"dimensionsInfos": [other, {"dimensions": dimensions, "details": {"value": value}}]}
    path = f"{QUOTAS}/TPUS-PER-TPU-FAMILY-per-project-region".replace(PROJECT, "example-tpu")
    google.answers[path] = info

    assert about(answers(rehearsed("gcp-tpu").graph), "TPUS_PER_TPU_FAMILY:CT6E").status is status


def test_apis_that_are_off_are_named(google: GoogleServer) -> None:
    assert about(answers(), "API cloudresourcemanager").status is Status.MET
    google.off = {"cloudresourcemanager.googleapis.com"}

    reply = about(answers(), "API cloudresourcemanager")

    assert reply.status is Status.NOT_MET
    assert "cloudresourcemanager.googleapis.com" in reply.found


def test_missing_permissions_are_named_and_invalid_ones_spoil_nothing(google: GoogleServer) -> None:
    google.lacks = {"lustre.instances.create"}

    reply = about(answers(), "permissions on project")

    assert reply.status is Status.NOT_MET
    assert "lustre.instances.create" in reply.found
    assert CALLER in reply.found


def test_the_billing_account_is_the_projects_where_a_lookup_invents_one(google: GoogleServer) -> None:
    billing = {"billingEnabled": True, "billingAccountName": "billingAccounts/012345-6789AB-CDEF01"}
    google.answers[f"cloudbilling/v1/projects/{PROJECT}/billingInfo"] = billing

    reply = about(answers(), "roles/billing.costsManager")

    assert reply.status is Status.MET
    assert "012345-6789AB-CDEF01" in reply.found


@pytest.mark.parametrize(("enabled", "status"), [(True, Status.MET), (False, Status.NOT_MET)])
def test_a_project_is_active_and_paid_for(google: GoogleServer, enabled: bool, status: Status) -> None:
    google.answers[f"cloudresourcemanager/v3/projects/{PROJECT}"] = {"state": "ACTIVE", "projectId": PROJECT}
    google.answers[f"cloudbilling/v1/projects/{PROJECT}/billingInfo"] = {"billingEnabled": enabled}

    assert about(answers(), f"Project {PROJECT}").status is status


@pytest.mark.parametrize(
    ("answer", "status", "shown"),
    [
        ({"name": "groups/1"}, Status.MET, "there"),
        (denied("IAM_PERMISSION_DENIED", "no"), Status.NOT_ASKED, "groups.read"),
        (denied("SERVICE_DISABLED", "Cloud Identity API is off"), Status.NOT_ASKED, "Cloud Identity API is off"),
    ],
)
def test_a_group_is_there_or_cannot_be_seen(
    google: GoogleServer, answer: Answer | tuple[int, Answer], status: Status, shown: str
) -> None:
    google.answers[GROUP] = answer

    reply = about(answers(), "Google group ml-platform")

    assert reply.status is status
    assert shown in f"{reply.found} {reply.fix}"


def test_zones_that_do_not_offer_the_machine_are_named(google: GoogleServer) -> None:
    machine = {"name": "e2-standard-8", "zone": "us-central1-b"}
    google.answers[f"{COMPUTE}/aggregated/machineTypes"] = {"items": {"zones/b": {"machineTypes": [machine]}}}

    found = answers()

    assert about(found, "a3-ultragpu-8g offered").status is Status.MET
    reply = about(found, "e2-standard-8 offered")
    assert reply.status is Status.NOT_MET
    assert "us-central1-a" in reply.found


@pytest.mark.parametrize(
    ("valid", "status"), [(["1.35.1-gke.100", "1.34.9-gke.1"], Status.MET), (["1.34.9-gke.1"], Status.NOT_MET)]
)
def test_a_version_is_one_that_gke_offers(google: GoogleServer, valid: list[str], status: Status) -> None:
    path = f"container/v1/projects/{PROJECT}/locations/us-central1/serverConfig"
    google.answers[path] = {"validMasterVersions": valid}

    assert about(answers(), "Kubernetes 1.35").status is status


def test_a_range_in_an_adopted_network_is_held_to_its_subnetworks(google: GoogleServer) -> None:
    network = f"projects/{PROJECT}/global/networks/shared"
    inputs = {"network": network, "ipCidrRange": "10.8.0.0/20", "region": "us-central1"}
    graph = program(resource("gcp:compute/subnetwork:Subnetwork", "own", inputs=inputs))
    link = f"https://www.googleapis.com/compute/v1/{network}"
    pods = {"name": "other", "network": link, "ipCidrRange": "10.0.0.0/24"}
    others = [pods, {"name": "elsewhere", "network": f"{link}-2", "ipCidrRange": "10.8.0.0/16"}]
    path = f"{COMPUTE}/aggregated/subnetworks"
    google.answers[path] = {"items": {"regions/us-central1": {"subnetworks": others}}}
    assert about(answers(graph), "Range 10.8.0.0/20").status is Status.MET

    pods["secondaryIpRanges"] = [{"rangeName": "pods", "ipCidrRange": "10.8.8.0/21"}]  # type: ignore[assignment]
    reply = about(answers(graph), "Range 10.8.0.0/20")

    assert reply.status is Status.NOT_MET
    assert "other (10.8.8.0/21)" in reply.found


def test_an_enforced_policy_of_the_organization_is_not_met(google: GoogleServer) -> None:
    graph = program(resource("gcp:serviceaccount/key:Key", "k", inputs={"serviceAccountId": "a"}))
    name = "iam.disableServiceAccountKeyCreation"
    path = f"orgpolicy/v2/projects/{PROJECT}/policies/{name}:getEffectivePolicy"

    google.answers[path] = {"spec": {"rules": [{"enforce": True}]}}
    assert about(answers(graph), name).status is Status.NOT_MET
    google.answers[path] = {"spec": {"rules": [{"enforce": False}]}}
    assert about(answers(graph), name).status is Status.MET


def test_a_key_ring_keeps_its_name(google: GoogleServer) -> None:
    graph = program(resource("gcp:kms/keyRing:KeyRing", "r", inputs={"name": "ring", "location": "us-central1"}))
    assert about(answers(graph), "Name ring").status is Status.MET

    google.answers[f"cloudkms/v1/projects/{PROJECT}/locations/us-central1/keyRings/ring"] = {"name": "ring"}

    assert about(answers(graph), "Name ring").status is Status.NOT_MET


def test_an_image_is_read_by_its_tag(google: GoogleServer) -> None:
    image = f"us-docker.pkg.dev/{PROJECT}/mirror/nvidia/cuda:12"
    pod = {"spec": {"containers": [{"name": "c", "image": image}]}}
    graph = program(resource("kubernetes:core/v1:Pod", "p", inputs=pod))
    assert about(answers(graph), "Image").status is Status.NOT_MET

    parent = f"artifactregistry/v1/projects/{PROJECT}/locations/us/repositories/mirror"
    google.answers[f"{parent}/packages/nvidia/cuda/tags/12"] = {"name": "12"}

    assert about(answers(graph), "Image").status is Status.MET


def test_without_credentials_the_command_to_log_in_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "none.json"))

    with pytest.raises(CannotAsk, match="gcloud auth application-default login"):
        open_google_cloud()


def test_without_the_sdk_the_extra_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "google.auth", None)

    with pytest.raises(CannotAsk, match=r"penstock-iac\[preflight-gcp\]"):
        open_google_cloud()
