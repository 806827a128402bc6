"""Jobs of teams: they wait in the team's queue, and its members may create all that is printed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import pulumi
import pulumi_kubernetes
import pytest
from tests.descriptions import GCP_TRAINING, ONPREM_TRAINING, TRAINING, changed

from penstock.core.errors import ImpossibleJob
from penstock.description import parse
from penstock.jobs import JobRequest, Template, job_manifests, namespace_for
from penstock.platform import Platform
from penstock.testing import rehearse

TEAMS = [{"name": "vision", "namespace": "ml-vision", "groups": ["vision"]}, {"name": "speech", "users": ["ada"]}]
QUEUE = "kueue.x-k8s.io/queue-name"
ROLE = "kubernetes:rbac.authorization.k8s.io/v1:Role"


def with_teams(description: Mapping[str, Any] = ONPREM_TRAINING, **addons: Any) -> dict[str, Any]:
    return changed("addons", {"queueing": {"teams": TEAMS}, **addons}, description)


WRITTEN = changed("storage", [{"name": "checkpoints", "kind": "bucket", "writers": ["ml-vision/trainer"]}], TRAINING)


@pytest.mark.parametrize(
    ("description", "template"),
    [
        (with_teams(), None),
        (with_teams(training={}), None),
        (with_teams(training={}), Template.MPI),
        (with_teams(WRITTEN), None),
        (with_teams(WRITTEN, training={}), None),
    ],
    ids=["plain", "trainer", "mpi", "plain with a bucket", "trainer with a bucket"],
)
def test_a_job_of_a_team_is_allowed_to_its_members_and_breaks_no_rule(
    description: dict[str, Any], template: Template | None
) -> None:
    platform = parse(description)
    manifests = job_manifests(platform, JobRequest(namespace="ml-vision", nodes=2, template=template))

    def program() -> None:
        built = Platform(platform)
        kubeconfig = built.outputs.get("kubeconfig")
        given = cast("pulumi.Input[str]", kubeconfig) if kubeconfig is not None else None
        provider = pulumi_kubernetes.Provider("jobs", kubeconfig=given)
        for manifest in manifests:
            version = manifest["apiVersion"]
            type_ = f"kubernetes:{'core/v1' if version == 'v1' else version}:{manifest['kind']}"
            options = pulumi.ResourceOptions(provider=provider, depends_on=[built])
            pulumi.CustomResource(type_, f"job-{manifest['kind']}", manifest, options)

    run = rehearse(program)

    assert manifests
    (role,) = (each for each in run.graph.of_type(ROLE) if each.inputs["metadata"]["namespace"] == "ml-vision")
    for manifest in manifests:
        group = manifest["apiVersion"].rpartition("/")[0]
        plural = f"{manifest['kind'].lower()}s"
        verbs = {
            verb
            for rule in role.inputs["rules"]
            if group in rule["apiGroups"] and plural in rule["resources"]
            for verb in rule["verbs"]
        }
        assert {"get", "create", "patch"} <= verbs, manifest["kind"]
    assert [str(each) for each in run.findings if "job-" in (each.urn or "")] == []


WIRED = changed(
    "node_pools",
    [{"name": "train", "accelerator": "h200", "nodes": 2, "capacity": "spot", "zone": "us-central1-b"}],
    GCP_TRAINING,
)


@pytest.mark.parametrize(
    ("description", "level"), [(TRAINING, "baseline"), (WIRED, "privileged"), (ONPREM_TRAINING, "privileged")]
)
def test_a_namespace_is_opened_to_a_fabric_when_all_else_is_refused_there(
    description: Mapping[str, Any], level: str
) -> None:
    graph = rehearse(lambda: Platform(parse(with_teams(description)))).graph

    (home,) = (
        each for each in graph.of_type("kubernetes:core/v1:Namespace") if each.inputs["metadata"]["name"] == "ml-vision"
    )
    bindings = {
        each.urn: each.inputs["spec"]
        for each in graph.of_type("kubernetes:admissionregistration.k8s.io/v1:ValidatingAdmissionPolicyBinding")
        if each.inputs["spec"]["policyName"] == "penstock-pod-fabric"
    }
    assert home.inputs["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] == level
    assert bool(bindings) == (level == "privileged")
    assert ("penstock.dev/pod-security" in home.inputs["metadata"]["labels"]) == bool(bindings)
    assert bindings.keys() <= set(home.dependencies)


def test_members_open_no_way_in_from_outside() -> None:
    graph = rehearse(lambda: Platform(parse(with_teams()))).graph

    quotas = [each.inputs for each in graph.of_type("kubernetes:core/v1:ResourceQuota")]
    mine = [each for each in quotas if each["metadata"]["namespace"] == "ml-vision"]
    (hard,) = (each["spec"]["hard"] for each in mine if each["metadata"]["name"] == "quota")
    assert (hard["services.loadbalancers"], hard["services.nodeports"]) == ("0", "0")


def test_jobs_wait_where_there_is_a_queue_and_nowhere_else() -> None:
    platform = parse(with_teams(training={}))

    (queued,) = job_manifests(platform, JobRequest(namespace="ml-vision"))
    (other,) = job_manifests(platform, JobRequest(namespace="default"))

    assert queued["metadata"]["labels"] == {QUEUE: "default"}
    assert "labels" not in other["metadata"]


@pytest.mark.parametrize(
    ("team", "namespace", "found"),
    [("vision", None, "ml-vision"), ("vision", "ml-vision", "ml-vision"), ("speech", None, "speech"), (None, "x", "x")],
)
def test_a_team_is_its_namespace(team: str | None, namespace: str | None, found: str) -> None:
    assert namespace_for(parse(with_teams()), team=team, namespace=namespace) == found


@pytest.mark.parametrize(
    ("team", "namespace", "says"),
    [
        ("visoin", None, "There is no team 'visoin'. Did you mean vision? Teams: "),
        ("vision", "speech", "Jobs of team vision run in the namespace ml-vision."),
        (None, None, "Name one with --team: vision, speech."),
    ],
)
def test_a_job_past_the_queues_is_refused(team: str | None, namespace: str | None, says: str) -> None:
    with pytest.raises(ImpossibleJob) as refused:
        namespace_for(parse(with_teams()), team=team, namespace=namespace)

    assert says in str(refused.value)


def test_without_teams_a_job_goes_to_the_default_namespace() -> None:
    platform = parse(ONPREM_TRAINING)

    assert namespace_for(platform, team=None, namespace=None) == "default"
    with pytest.raises(ImpossibleJob, match=r"Describe teams in addons\.queueing"):
        namespace_for(platform, team="vision", namespace=None)


def claimed(description: Mapping[str, Any], team: str) -> tuple[str, dict[str, bool]]:
    """The service account of a job, and the claims that it mounts, with whether it only reads them."""
    platform = parse(description)
    request = JobRequest(namespace=namespace_for(platform, team=team, namespace=None), nodes=2)
    (job,) = (each for each in job_manifests(platform, request) if each["kind"] == "Job")
    pod = job["spec"]["template"]["spec"]
    mounts = {each["name"]: each.get("readOnly", False) for each in pod["containers"][0]["volumeMounts"]}
    claims = [each["name"] for each in pod["volumes"] if "persistentVolumeClaim" in each]
    return pod["serviceAccountName"], {name: mounts[name] for name in claims}


@pytest.mark.parametrize("description", [TRAINING, WIRED], ids=["aws", "gcp"])
def test_a_job_mounts_what_its_team_reads_and_no_more(description: Mapping[str, Any]) -> None:
    shared = [
        {"name": "datasets", "kind": "bucket", "readers": ["vision", "speech"]},
        {"name": "models", "kind": "bucket", "writers": ["vision"]},
        {"name": "voices", "kind": "bucket", "readers": ["speech"]},
        {"name": "served", "kind": "bucket", "readers": ["ml-vision/server"]},
        {"name": "home", "kind": "nfs"},
    ]
    described = with_teams(changed("storage", shared, description))

    assert claimed(described, "vision") == ("trainer", {"home": False, "models": False, "datasets": True})
    assert claimed(described, "speech") == ("trainer", {"home": False, "datasets": True, "voices": True})
