"""A platform on a cluster that exists."""

from __future__ import annotations

from pathlib import Path

import pulumi
import pytest
from tests.descriptions import ONPREM_TRAINING as TRAINING

from penstock import spec
from penstock.errors import InvalidDescription
from penstock.platform import Platform
from penstock.platform.kubernetes import OnKubernetes
from penstock.platform.site import PlatformSite
from penstock.spec.nodes import nodes_of
from penstock.testing import rehearse


def test_the_cluster_is_the_one_that_the_description_names() -> None:
    run = rehearse(lambda: Platform(spec.parse(TRAINING)))

    (provider,) = run.graph.of_type("pulumi:providers:kubernetes")
    assert provider.inputs["context"] == "dgx"
    assert "kubeconfig" not in provider.inputs
    assert [each.how for each in run.preconditions] == ["kubectl --context dgx cluster-info"]


def test_no_path_or_credential_of_the_deployers_machine_comes_into_the_state(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUBECONFIG", "apiVersion: v1\nusers: [{user: {token: of-a-person}}]")

    run = rehearse(lambda: Platform(spec.parse(TRAINING)))

    (provider,) = run.graph.of_type("pulumi:providers:kubernetes")
    assert "kubeconfig" not in provider.inputs


def test_a_kubeconfig_that_is_not_there_stops_an_update(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    description = {**TRAINING, "cluster": {"kubeconfig": str(tmp_path / "none.yaml")}}
    monkeypatch.setattr(pulumi.runtime, "is_dry_run", lambda: False)

    site = PlatformSite(spec.parse(description), pulumi.ResourceOptions())

    with pytest.raises(InvalidDescription, match="There is no kubeconfig at"):
        OnKubernetes(site)


def test_nodes_have_what_the_description_and_the_kind_of_cluster_say() -> None:
    (nodes,) = nodes_of(spec.parse(TRAINING))

    assert nodes.selector == {"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3"}
    assert nodes.devices == {"nvidia.com/gpu": 8, "rdma/roce": 8}
    assert nodes.nodes.max == 32
