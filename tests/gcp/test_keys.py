"""What the keys promise: rotation, separate powers, and services that are let in before they encrypt."""

from __future__ import annotations

import pytest
from tests.gcphandles import PROJECT, project_with

from penstock.description.block import HoldingSpec
from penstock.gcp.components.handles import ProjectHandle
from penstock.gcp.components.keys import Keys
from penstock.graph.graph import Graph, Resource
from penstock.testing import rehearse

KEY = "gcp:kms/cryptoKey:CryptoKey"
GRANT = "gcp:kms/cryptoKeyIAMMember:CryptoKeyIAMMember"
USERS = ("compute", "container", "lustre")


def built(
    *, protect: bool | None = None, users: tuple[str, ...] = USERS, project: ProjectHandle | None = None
) -> Graph:
    spec = HoldingSpec(tags={"owner": "ml"}, protect=protect)
    return rehearse(lambda: Keys("keys", spec, project=project or PROJECT, region="us-central1", users=users)).graph


@pytest.fixture(scope="module")
def graph() -> Graph:
    return built()


def key(graph: Graph, purpose: str) -> Resource:
    (found,) = (one for one in graph.of_type(KEY) if one.name == f"keys-{purpose}")
    return found


def let_in(graph: Graph, purpose: str) -> set[str]:
    its_id = key(graph, purpose).id
    return {one.inputs["member"] for one in graph.of_type(GRANT) if one.inputs["cryptoKeyId"] == its_id}


def test_every_key_rotates_and_takes_a_month_to_die(graph: Graph) -> None:
    keys = graph.of_type(KEY)

    assert len(keys) == 2
    assert all(key.inputs["rotationPeriod"] == f"{90 * 86400}s" for key in keys)
    assert all(key.inputs["destroyScheduledDuration"] == f"{30 * 86400}s" for key in keys)


def test_keys_are_where_what_they_encrypt_is(graph: Graph) -> None:
    (ring,) = graph.of_type("gcp:kms/keyRing:KeyRing")

    assert ring.inputs["location"] == "us-central1"
    assert all(key.inputs["keyRing"] == ring.id for key in graph.of_type(KEY))


def test_the_right_to_read_data_is_no_right_to_read_secrets_of_the_cluster(graph: Graph) -> None:
    data = {"compute-system", "gcp-sa-lustre"}

    assert let_in(graph, "data") == {
        f"serviceAccount:service-123456789012@{domain}.iam.gserviceaccount.com" for domain in data
    }
    assert let_in(graph, "cluster") == {
        "serviceAccount:service-123456789012@container-engine-robot.iam.gserviceaccount.com"
    }


def test_a_service_that_is_not_used_is_not_let_in() -> None:
    graph = built(users=("container",))

    assert let_in(graph, "data") == set()
    assert len(let_in(graph, "cluster")) == 1


def test_services_may_use_the_keys_and_do_nothing_else_with_them(graph: Graph) -> None:
    assert {one.inputs["role"] for one in graph.of_type(GRANT)} == {"roles/cloudkms.cryptoKeyEncrypterDecrypter"}


def test_an_agent_is_let_in_once_its_api_has_made_it() -> None:
    graph = rehearse(
        lambda: Keys("keys", HoldingSpec(), project=project_with("compute"), region="us-central1", users=USERS)
    ).graph
    (api,) = graph.of_type("gcp:projects/service:Service")

    waiting = {one.name for one in graph.of_type(GRANT) if api.urn in one.dependencies}

    assert waiting == {"keys-data-compute"}


def test_what_encrypts_knows_the_grant_it_waits_for() -> None:
    seen: list[Keys] = []
    rehearse(lambda: seen.append(Keys("keys", HoldingSpec(), project=PROJECT, region="us-central1", users=USERS)))

    assert [grant.pulumi_resource_name for grant in seen[0].data.for_("lustre")] == ["keys-data-lustre"]
    assert [grant.pulumi_resource_name for grant in seen[0].cluster.for_("container")] == ["keys-cluster-container"]
    assert seen[0].data.for_("storage") == []


def test_protected_keys_refuse_to_be_deleted() -> None:
    assert all(key.options.protect for key in built(protect=True).of_type(KEY))


def test_keys_carry_the_labels(graph: Graph) -> None:
    assert all(key.inputs["labels"] == {"owner": "ml"} for key in graph.of_type(KEY))
