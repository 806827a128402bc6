"""What a platform on Google Cloud adds to its components: each only where something in it asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from penstock import description
from penstock.graph.graph import Graph, Resource
from penstock.platform import Platform
from penstock.simulate.run import Rehearsal
from penstock.testing import rehearse

pytestmark = pytest.mark.slow

SMALL: Mapping[str, Any] = {
    "environment": "dev",
    "cloud": {"provider": "gcp", "region": "us-central1", "account": "my-ai-project"},
    "cluster": {"admins": ["group:ml@example.com"]},
    "node_pools": [{"name": "serve", "accelerator": "l4", "nodes": {"min": 0, "max": 2}}],
}
STORAGE = {
    "storage": [
        {"name": "home", "kind": "nfs"},
        {"name": "scratch", "kind": "lustre", "capacity_tib": 36, "throughput_mbps_per_tib": 500},
    ]
}
THEIRS = {
    "network": {
        "existing": {
            "id": "projects/shared/global/networks/theirs",
            "subnets": {"us-central1": "projects/shared/regions/us-central1/subnetworks/theirs"},
            "pods_range": "pods",
            "services_range": "services",
        }
    }
}
APIS = "gcp:projects/service:Service"
AUDIT = "gcp:projects/iAMAuditConfig:IAMAuditConfig"


APIS_BY_SERVICE = {
    "billing": "billingbudgets",
    "compute": "compute",
    "container": "container",
    "filestore": "file",
    "kms": "cloudkms",
    "lustre": "lustre",
    "monitoring": "monitoring",
    "servicenetworking": "servicenetworking",
}
"""The API that each service of the SDK asks."""


def images(graph: Graph) -> set[str]:
    """The images that the platform's own objects run."""
    daemons = graph.of_type("kubernetes:apps/v1:DaemonSet")
    pods = [one.inputs["spec"]["template"]["spec"] for one in daemons]
    charts = graph.of_type("kubernetes:helm.sh/v3:Release")
    return {each["image"] for pod in pods for each in [*pod.get("initContainers", ()), *pod["containers"]]} | {
        one.inputs["values"]["image"]["repository"] for one in charts
    }


def waits(done: Rehearsal, resource: Resource) -> set[str]:
    """The APIs that are on before a resource is created."""
    before, queue = set[str](), [resource.urn]
    while queue:
        new = set(done.graph[queue.pop()].dependencies) - before
        before |= new
        queue += new
    services = (done.graph[urn] for urn in before)
    return {one.inputs["service"].partition(".")[0] for one in services if one.type == APIS}


def rehearsed(**changes: Any) -> Rehearsal:
    return rehearse(lambda: Platform(description.parse({**SMALL, **changes})))


def apis(done: Rehearsal) -> set[str]:
    return {api.inputs["service"].partition(".")[0] for api in done.graph.of_type(APIS)}


def test_access_is_logged_where_there_is_a_bucket_to_log() -> None:
    assert rehearsed(storage=[{"name": "datasets", "kind": "bucket"}]).graph.of_type(AUDIT)
    assert not rehearsed().graph.of_type(AUDIT)


def test_clusters_that_enforce_binary_authorization_have_its_api() -> None:
    done = rehearsed()
    (cluster,) = done.graph.of_type("gcp:container/cluster:Cluster")

    assert cluster.inputs["binaryAuthorization"]["evaluationMode"] == "PROJECT_SINGLETON_POLICY_ENFORCE"
    assert "binaryauthorization" in apis(done)


def test_names_of_apis_are_led_elsewhere_only_without_egress() -> None:
    without = rehearsed(network={"egress": "none"})

    assert without.findings == ()
    assert apis(without) - apis(rehearsed()) == {"dns"}


@pytest.mark.parametrize(
    ("cluster", "codes"),
    [
        ({"access": "dns"}, set()),
        ({"access": "private", "deployer_cidrs": ["203.0.113.7/32"]}, set()),
        ({"access": "private", "runner": True}, {"k8s-endpoint-first-run"}),
        ({"access": "restricted"}, set()),
    ],
    ids=str,
)
def test_every_way_in_passes_the_policies_of_production(cluster: dict[str, Any], codes: set[str]) -> None:
    network = {"allowed_cidrs": ["203.0.113.0/24"]} if cluster["access"] == "restricted" else {}

    done = rehearsed(environment="prod", owner="ml", cluster=cluster, network=network)

    assert {finding.code for finding in done.findings} == codes


def test_all_that_an_api_makes_waits_for_that_api() -> None:
    machines = [{"name": "rack", "accelerator": "gb200", "nodes": 18, "capacity": "reserved", "reservation": "racks"}]
    region = {**SMALL["cloud"], "region": "us-central1"}
    done = rehearsed(cloud=region, node_pools=machines, budget={"monthly_usd": 1000}, **STORAGE)
    made = [one for one in done.graph if one.custom and one.type.split(":")[1].split("/")[0] in APIS_BY_SERVICE]
    late = [one.name for one in made if APIS_BY_SERVICE[one.type.split(":")[1].split("/")[0]] not in waits(done, one)]

    assert {"resourcePolicy", "address"} <= {one.type.split(":")[1].split("/")[1] for one in made}
    assert late == []


@pytest.mark.parametrize(
    ("pool", "host"),
    [
        ({"accelerator": "gb200", "nodes": 18, "capacity": "reserved", "reservation": "racks"}, "nvcr.io"),
        ({"accelerator": "h100", "nodes": 2, "capacity": "spot"}, "docker.io"),
    ],
    ids=["NVLink domains", "TCPXO"],
)
@pytest.mark.parametrize("environment", ["dev", "prod"])
def test_a_network_without_egress_pulls_every_image_from_google(
    environment: str, pool: dict[str, Any], host: str
) -> None:
    done = rehearsed(
        environment=environment, owner="ml", network={"egress": "none"}, node_pools=[{"name": "train", **pool}]
    )
    (mirror,) = done.graph.of_type("gcp:artifactregistry/repository:Repository")

    assert done.findings == ()
    assert host.replace(".", "-") in mirror.name
    assert not [image for image in images(done.graph) if not image.partition("/")[0].endswith(("gcr.io", "pkg.dev"))]


def test_a_mirror_that_the_description_names_takes_the_place_of_every_other() -> None:
    done = rehearsed(
        network={"egress": "none", "image_mirror": "registry.example.com/mirror"},
        node_pools=[{"name": "train", "accelerator": "h100", "nodes": 2, "capacity": "spot"}],
    )

    assert not done.graph.of_type("gcp:artifactregistry/repository:Repository")
    assert {image.partition("/")[0] for image in images(done.graph)} == {"registry.example.com"}


def test_pods_find_a_claim_for_each_storage_that_they_can_mount() -> None:
    buckets = {"storage": [*STORAGE["storage"], {"name": "datasets", "kind": "bucket", "readers": ["ml/trainer"]}]}
    done = rehearsed(**buckets)
    claims = {one.inputs["metadata"]["name"] for one in done.graph.of_type("kubernetes:core/v1:PersistentVolumeClaim")}
    (lustre,) = [
        one
        for one in done.graph.of_type("kubernetes:core/v1:PersistentVolume")
        if one.inputs["spec"]["csi"]["driver"].startswith("lustre")
    ]

    assert done.findings == ()
    assert claims == {"home", "scratch", "datasets"}
    assert "@" not in lustre.inputs["spec"]["csi"]["volumeAttributes"]["ip"]


def test_pods_are_let_in_once_the_cluster_has_brought_their_identities() -> None:
    done = rehearsed(storage=[{"name": "datasets", "kind": "bucket", "writers": ["ml/trainer"]}])
    (cluster,) = done.graph.of_type("gcp:container/cluster:Cluster")
    (grant,) = done.graph.of_type("gcp:storage/bucketIAMMember:BucketIAMMember")
    (bucket,) = done.graph.of_type("gcp:storage/bucket:Bucket")

    assert cluster.urn in grant.dependencies
    assert cluster.urn not in bucket.dependencies


def test_a_runner_brings_its_machine_and_its_api_along() -> None:
    done = rehearsed(cluster={"runner": True, "admins": ["group:ml@example.com"]})

    assert apis(done) - apis(rehearsed()) == {"iap"}
    assert len(done.graph.of_type("gcp:compute/instance:Instance")) == 1
    assert not rehearsed().graph.of_type("gcp:compute/instance:Instance")


def test_a_network_of_others_gets_no_rules_and_its_file_systems_are_open_to_its_nodes_alone() -> None:
    done = rehearsed(**STORAGE, **THEIRS)
    (files,) = done.graph.of_type("gcp:filestore/instance:Instance")
    (lustre,) = done.graph.of_type("gcp:lustre/instance:Instance")
    (export,) = files.inputs["fileShares"]["nfsExportOptions"]
    (rule,) = lustre.inputs["accessRulesOptions"]["accessRules"]

    assert done.findings == ()
    assert not done.graph.of_type("gcp:compute/firewall:Firewall", "gcp:dns/managedZone:ManagedZone")
    assert export["ipRanges"] == rule["ipAddressRanges"] == ["10.0.0.0/20"]
