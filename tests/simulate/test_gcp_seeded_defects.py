"""What the author of a plain platform of GPUs and TPUs would meet late in `pulumi up`, or never learn of."""

from __future__ import annotations

import json

import pytest
from tests.a3ultra_platform import Misconfiguration, platform
from tests.simulate.gcp_misconfigurations import buying, clusters, fabrics, machines, networks, project, storage

from penstock.testing import RehearsalResult, rehearse

pytestmark = pytest.mark.slow

FAMILIES = (machines, fabrics, buying, networks, clusters, storage, project)


def seeded(misconfiguration: Misconfiguration, *, preview: bool = False) -> RehearsalResult:
    return rehearse(platform(misconfiguration), preview=preview)


@pytest.mark.parametrize("preview", [False, True], ids=["up", "preview"])
def test_the_right_program_has_no_finding(preview: bool) -> None:
    assert seeded({}, preview=preview).findings == ()


AS_UP_AND_PREVIEW = pytest.mark.parametrize(
    "preview", [False, pytest.param(True, marks=pytest.mark.nightly)], ids=["up", "preview"]
)

WARNED = {
    "gcp-gke-gpu-gvnic",
    "gcp-gpu-threads-per-core",
    "gcp-gke-local-ssd-config",
    "gcp-gke-gpu-sharing-clients",
    "gcp-gke-services-range-size",
    "gcp-fabric-wired",
    "gcp-fabric-network-mtu",
    "gcp-dranet-node-label",
    "gcp-gke-pool-reservation-named",
    "gcp-gke-pool-fixed-or-autoscaled",
    "gcp-gke-node-labels-managed",
    "gcp-tpu-cos-image",
    "gcp-tpu-slice-topology",
    "gcp-nat-no-rdma",
    "gcp-lustre-accelerator-zone",
    "gcp-gcs-cluster-region",
    "gcp-sa-node-roles",
    "gcp-iam-role-spelling",
    "gcp-fabric-firewall-ingress",
    "gcp-budget-threshold",
}
"""What Google takes and then does badly, or what no primary source says that it refuses."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "name", "misconfiguration"),
    [
        pytest.param(*misconfiguration, id=wrong)
        for family in FAMILIES
        for wrong, misconfiguration in family.MISCONFIGURATIONS.items()
    ],
)
@AS_UP_AND_PREVIEW
def test_a_misconfiguration_is_reported_with_its_fix(
    code: str, name: str, misconfiguration: Misconfiguration, preview: bool
) -> None:
    findings = seeded(misconfiguration, preview=preview).findings
    found = [
        finding for finding in findings if finding.urn and finding.urn.endswith(f"::{name}") and finding.code == code
    ]

    assert found, findings
    assert all(finding.blocks for finding in found) or code in WARNED
    assert all(finding.hint for finding in findings)


@pytest.mark.parametrize("preview", [False, True], ids=["up", "preview"])
def test_a_program_beyond_the_quotas_of_its_project_is_reported(preview: bool) -> None:
    quotas = {"NETWORKS": 10, "GPUS_PER_GPU_FAMILY:NVIDIA_H200": 16}

    findings = rehearse(platform({}), config={"penstock:quotas": json.dumps(quotas)}, preview=preview).findings

    assert {finding.code for finding in findings} == {"gcp-quota-machines", "gcp-quota-networks"}
    assert all(finding.hint for finding in findings)
