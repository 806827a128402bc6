"""What a bucket promises: private, encrypted, in one place, and forgiving for a while."""

from __future__ import annotations

import pytest
from tests.gcphandles import CLUSTER, KEY, PROJECT, TRAINER, key_for, project_with

from penstock.core.errors import ProgramFailed
from penstock.description.storage import BucketSpec
from penstock.gcp.components.bucket import Bucket
from penstock.graph.graph import Graph, Resource
from penstock.testing import rehearse

DAY = 24 * 3600
SPEC = BucketSpec(name="datasets", retention_days=14, protect=True, tags={"owner": "ml"})


def bucket(spec: BucketSpec = SPEC) -> Resource:
    return only(rehearse(lambda: Bucket("datasets", spec, region="us-central1", project=PROJECT, key=KEY)).graph)


def only(graph: Graph) -> Resource:
    (resource,) = graph.of_type("gcp:storage/bucket:Bucket")
    return resource


def test_nobody_outside_is_let_in_and_nobody_by_single_objects() -> None:
    inputs = bucket().inputs

    assert inputs["publicAccessPrevention"] == "enforced"
    assert inputs["uniformBucketLevelAccess"] is True


def test_it_lies_in_the_region_of_its_readers_under_the_given_key() -> None:
    inputs = bucket().inputs

    assert inputs["location"] == "us-central1"
    assert inputs["encryption"] == {"defaultKmsKeyName": KEY.id}


def test_what_is_deleted_can_be_restored_for_as_long_as_asked() -> None:
    assert bucket().inputs["softDeletePolicy"] == {"retentionDurationSeconds": 14 * DAY}


def test_without_versions_what_is_deleted_is_gone() -> None:
    inputs = bucket(SPEC.model_copy(update={"versioning": False})).inputs

    assert inputs["softDeletePolicy"] == {"retentionDurationSeconds": 0}


def test_checkpoints_that_roll_are_kept_for_a_week_unless_the_description_says_more() -> None:
    inputs = bucket(BucketSpec(name="checkpoints")).inputs

    assert inputs["softDeletePolicy"] == {"retentionDurationSeconds": 7 * DAY}


def test_pods_that_are_named_read_and_write_it() -> None:
    spec = BucketSpec(name="datasets", readers=("research/trainer",) * 2, writers=("research/trainer",))
    graph = rehearse(
        lambda: Bucket("datasets", spec, region="us-central1", project=PROJECT, key=KEY, cluster=CLUSTER)
    ).graph
    grants = graph.of_type("gcp:storage/bucketIAMMember:BucketIAMMember")

    assert {grant.inputs["role"] for grant in grants} == {"roles/storage.objectViewer", "roles/storage.objectUser"}
    assert {grant.inputs["member"] for grant in grants} == {TRAINER}


def test_accounts_whose_names_run_together_are_two() -> None:
    spec = BucketSpec(name="datasets", readers=("a-b/c", "a/b-c"))
    graph = rehearse(
        lambda: Bucket("datasets", spec, region="us-central1", project=PROJECT, key=KEY, cluster=CLUSTER)
    ).graph

    assert len(graph.of_type("gcp:storage/bucketIAMMember:BucketIAMMember")) == 2


def test_readers_are_refused_without_the_cluster_that_knows_them() -> None:
    spec = BucketSpec(name="datasets", readers=("research/trainer",))

    with pytest.raises(ProgramFailed, match="of no cluster"):
        rehearse(lambda: Bucket("datasets", spec, region="us-central1", project=PROJECT, key=KEY))


def test_it_has_true_folders_beside_which_google_keeps_no_versions() -> None:
    inputs = bucket().inputs

    assert inputs["hierarchicalNamespace"] == {"enabled": True}
    assert "versioning" not in inputs


def test_uploads_that_were_never_finished_go_away() -> None:
    (rule,) = bucket().inputs["lifecycleRules"]

    assert rule == {"action": {"type": "AbortIncompleteMultipartUpload"}, "condition": {"age": 7}}


@pytest.mark.parametrize("protect", [True, False])
def test_it_is_labelled_and_protected_as_asked(protect: bool) -> None:
    resource = bucket(SPEC.model_copy(update={"protect": protect}))

    assert resource.inputs["labels"] == {"owner": "ml"}
    assert resource.options.protect is protect
    assert not resource.inputs.get("forceDestroy")


def test_it_waits_for_its_api_and_its_right_to_the_key_and_for_nothing_else() -> None:
    def program() -> None:
        Bucket("datasets", SPEC, region="us-central1", project=project_with("storage"), key=key_for("storage"))

    graph = rehearse(program).graph
    waited = {graph[urn].name for urn in only(graph).dependencies if graph[urn].custom}

    assert waited == {"api", "grant"}


def test_the_cloud_has_nothing_to_object() -> None:
    def program() -> None:
        Bucket("datasets", SPEC, region="us-central1", project=PROJECT, key=key_for("storage"))

    assert rehearse(program).findings == ()
