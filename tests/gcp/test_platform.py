"""What a platform on Google Cloud adds to its components: each only where something in it asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from penstock import spec
from penstock.platform import Platform
from penstock.rehearsal.run import Rehearsal
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


def rehearsed(**changes: Any) -> Rehearsal:
    return rehearse(lambda: Platform(spec.parse({**SMALL, **changes})))


def apis(done: Rehearsal) -> set[str]:
    return {api.inputs["service"].partition(".")[0] for api in done.graph.of_type(APIS)}


def test_access_is_logged_where_there_is_a_bucket_to_log() -> None:
    assert rehearsed(storage=[{"name": "datasets", "kind": "bucket"}]).graph.of_type(AUDIT)
    assert not rehearsed().graph.of_type(AUDIT)


def test_names_of_apis_are_led_elsewhere_only_without_egress() -> None:
    without = rehearsed(network={"egress": "none"})

    assert without.findings == ()
    assert apis(without) - apis(rehearsed()) == {"dns"}


@pytest.mark.parametrize(
    "cluster",
    [
        {"access": "dns"},
        {"access": "private", "deployer_cidrs": ["203.0.113.7/32"]},
        {"access": "private", "runner": True},
        {"access": "restricted"},
    ],
    ids=str,
)
def test_every_way_in_passes_the_policies_of_production(cluster: dict[str, Any]) -> None:
    network = {"allowed_cidrs": ["203.0.113.0/24"]} if cluster["access"] == "restricted" else {}

    assert rehearsed(environment="prod", owner="ml", cluster=cluster, network=network).findings == ()


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
