"""Every machine of Google Cloud draws on a quota that a project can declare."""

from __future__ import annotations

import json
from pathlib import Path

import googleapiclient.discovery_cache
import pytest

from penstock.catalog import machines, quotas
from penstock.catalog.tables import rows
from penstock.core.errors import UnknownFact
from penstock.gcp.facts.machines import GcpMachine


def test_every_machine_draws_on_a_quota_that_can_be_declared() -> None:
    for machine in machines.machine_types(GcpMachine):
        assert quotas.quota_code(machine, "on_demand") in quotas.codes("gcp")


def test_a_quota_counts_what_the_machine_has() -> None:
    for machine in machines.machine_types(GcpMachine):
        found = quotas.quota(machine.quota, "on_demand", "gcp")
        unit = {"gpu": "GPU", "tpu": "chip", None: "vCPU"}[machine.accelerator_kind]

        assert found is not None
        assert found.unit == unit


def test_spot_machines_draw_on_a_quota_of_their_own() -> None:
    assert (
        quotas.quota_code(machines.find_machine("a2-highgpu-8g", GcpMachine), "spot") == "PREEMPTIBLE_NVIDIA_A100_GPUS"
    )
    assert (
        quotas.quota_code(machines.find_machine("a3-highgpu-8g", GcpMachine), "spot") == "PREEMPTIBLE_NVIDIA_H100_GPUS"
    )


@pytest.mark.parametrize(
    ("machine_type", "on_demand", "spot"),
    [
        ("ct4p-hightpu-4t", "TPU_PODSLICE_V4", "PREEMPTIBLE_TPU_PODSLICE_V4"),
        ("ct5lp-hightpu-8t", "TPU_LITE_PODSLICE_V5", "PREEMPTIBLE_TPU_LITE_PODSLICE_V5"),
        ("ct6e-standard-4t", "TPUS_PER_TPU_FAMILY:CT6E", "PREEMPTIBLE_TPU_V6E"),
    ],
)
def test_older_tpus_have_quotas_of_their_own_and_newer_ones_share_one(
    machine_type: str, on_demand: str, spot: str
) -> None:
    machine = machines.find_machine(machine_type, GcpMachine)

    assert (quotas.quota_code(machine, "on_demand"), quotas.quota_code(machine, "spot")) == (on_demand, spot)


def test_a_reservation_draws_on_what_machines_on_demand_draw_on() -> None:
    machine = machines.find_machine("a3-megagpu-8g", GcpMachine)

    assert quotas.quota_code(machine, "reserved") == quotas.quota_code(machine, "on_demand")


def test_a_quota_that_nobody_could_name_is_not_guessed() -> None:
    assert quotas.quota_code(machines.find_machine("a4x-maxgpu-4g-metal", GcpMachine), "spot") is None


def test_a_metric_that_is_said_to_be_confirmed_is_one_of_compute_engine() -> None:
    path = Path(googleapiclient.discovery_cache.__file__).parent / "documents" / "compute.v1.json"
    metrics = set(json.loads(path.read_text())["schemas"]["Quota"]["properties"]["metric"]["enum"])

    assert {row["code"] for row in rows("gcp/quotas") if "code" not in row["unverified"].split()} <= metrics
    assert {row["code"] for row in rows("gcp/default_quotas") if "code" not in row["unverified"].split()} <= metrics


def test_what_no_project_is_known_to_have_has_no_default() -> None:
    assert quotas.default_quota("NETWORKS") == 5
    with pytest.raises(UnknownFact, match="SUBNETWORKS"):
        quotas.default_quota("SUBNETWORKS")
