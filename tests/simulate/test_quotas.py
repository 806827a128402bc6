"""Quotas that a user declares for an account."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from penstock.core.errors import InvalidDescription
from penstock.simulate import quotas
from penstock.simulate.environment import find_environment


def test_a_wrong_declaration_in_a_stack_file_is_reported_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    (tmp_path / "Pulumi.dev.yaml").write_text(
        "config:\n  aws:region: us-east-1\n  penstock:quotas:\n    L-417A185B: 384\n    L-417A185C: 3\n"
    )

    with pytest.raises(InvalidDescription) as refused:
        find_environment(str(tmp_path), "dev")

    (finding,) = refused.value.findings
    assert (Path(finding.file or "").name, finding.line, finding.column) == ("Pulumi.dev.yaml", 5, 5)


def test_nothing_declared_holds_nothing_to_a_quota() -> None:
    assert quotas.declared({"aws:region": "us-east-1"}) == {}


def test_a_declared_quota_is_read() -> None:
    assert quotas.declared({quotas.KEY: '{"L-417A185B": 384}'}) == {"L-417A185B": 384}


def test_a_metric_of_google_is_read_with_the_family_that_it_counts() -> None:
    declared = {"GPUS_PER_GPU_FAMILY:NVIDIA_H200": 64, "NETWORKS": 15}

    assert quotas.declared({quotas.KEY: json.dumps(declared)}) == declared


@pytest.mark.parametrize(
    ("declaration", "path", "hint"),
    [
        ("384", "penstock:quotas", "L-"),
        ("no json {", "penstock:quotas", "L-"),
        ({"L-417A185C": 384}, "penstock:quotas.L-417A185C", "L-417A185B"),
        ({"vcpus": 384}, "penstock:quotas.vcpus", "Service Quotas console"),
        ({"standardNDSH100V5Family": 1}, "penstock:quotas.standardNDSH100V5Family", "Did you mean standardNDSH100v5"),
        ({"L-417A185B": "many"}, "penstock:quotas.L-417A185B", "Service Quotas"),
        ({"L-417A185B": True}, "penstock:quotas.L-417A185B", "Service Quotas"),
        ({"L-417A185B": -1}, "penstock:quotas.L-417A185B", "Service Quotas"),
        ("384", "penstock:quotas", "CPUS"),
        ({"NVIDIA_A100_GPU": 16}, "penstock:quotas.NVIDIA_A100_GPU", "Did you mean NVIDIA_A100_GPUS"),
        ({"NVIDIA_A100_GPUS": -1}, "penstock:quotas.NVIDIA_A100_GPUS", "Quotas & System Limits"),
    ],
)
def test_a_wrong_declaration_is_refused_with_its_place(declaration: object, path: str, hint: str) -> None:
    text = declaration if isinstance(declaration, str) else json.dumps(declaration)

    with pytest.raises(InvalidDescription) as refused:
        quotas.declared({quotas.KEY: text})

    (finding,) = refused.value.findings
    assert (finding.code, finding.path) == ("QUOTA-001", path)
    assert hint in finding.hint


def test_every_wrong_quota_is_reported_at_once() -> None:
    with pytest.raises(InvalidDescription) as refused:
        quotas.declared({quotas.KEY: '{"vcpus": 1, "L-417A185B": "many"}'})

    assert len(refused.value.findings) == 2
