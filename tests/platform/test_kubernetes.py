"""A platform on a cluster that exists."""

from __future__ import annotations

import json
from pathlib import Path

import pulumi
import pytest
from tests.descriptions import ONPREM_TRAINING as TRAINING

from penstock.core.errors import InvalidDescription
from penstock.description import kubeconfig, parse
from penstock.description.cluster import ClusterSpec
from penstock.description.nodes import nodes_of
from penstock.kubernetes.components.namespace import Namespace
from penstock.kubernetes.compose import Composer
from penstock.platform import Platform
from penstock.platform.api_server_port import opened
from penstock.platform.site import PlatformSite
from penstock.testing import rehearse


def kubeconfig_in(folder: Path, server: str) -> Path:
    """A kubeconfig with one context."""
    config = {
        "clusters": [{"name": "it", "cluster": {"server": server}}],
        "users": [{"name": "it", "user": {}}],
        "contexts": [{"name": "it", "context": {"cluster": "it", "user": "it"}}],
        "current-context": "it",
    }
    file = folder / "it.yaml"
    file.write_text(json.dumps(config), encoding="utf-8")
    return file


def test_the_cluster_is_the_one_that_the_description_names() -> None:
    run = rehearse(lambda: Platform(parse(TRAINING)))

    (provider,) = run.graph.of_type("pulumi:providers:kubernetes")
    assert provider.inputs["context"] == "dgx"
    assert "kubeconfig" not in provider.inputs
    assert run.preconditions[0].how == "kubectl --context dgx cluster-info"


def test_no_path_or_credential_of_the_deployers_machine_comes_into_the_state(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUBECONFIG", "apiVersion: v1\nusers: [{user: {token: of-a-person}}]")

    run = rehearse(lambda: Platform(parse(TRAINING)))

    (provider,) = run.graph.of_type("pulumi:providers:kubernetes")
    assert "kubeconfig" not in provider.inputs


@pytest.mark.parametrize(
    ("server", "port"),
    [("https://10.0.0.9:16443", 16443), ("https://10.0.0.9:6443", 6443), ("https://k8s.example.com", 443)],
)
def test_the_port_of_an_api_server_is_read_from_the_kubeconfig(tmp_path: Path, server: str, port: int) -> None:
    file = kubeconfig_in(tmp_path, server)

    assert kubeconfig.api_server_port(ClusterSpec(kubeconfig=str(file))) == port


@pytest.mark.parametrize(("port", "opens"), [(16443, True), (6443, False), (443, False), (None, False)])
def test_namespaces_reach_an_api_server_on_a_port_of_its_own(port: int | None, opens: bool) -> None:
    graph = rehearse(lambda: Namespace("ns", namespace="ns", pod_security="restricted", opts=opened(port))).graph

    policies = [each.inputs["spec"] for each in graph.of_type("kubernetes:networking.k8s.io/v1:NetworkPolicy")]
    closing = [each for each in policies if "Egress" in each["policyTypes"]]
    ports = [{way["port"] for rule in each["egress"] for way in rule.get("ports", [])} for each in closing]
    assert closing
    assert all((16443 in each) == opens for each in ports)


@pytest.mark.parametrize("server", ["https://10.0.0.9:16443", ""])
def test_a_rehearsal_reads_no_kubeconfig_of_the_machine(tmp_path: Path, server: str) -> None:
    there = kubeconfig_in(tmp_path, server)
    description = {**TRAINING, "cluster": {"kubeconfig": str(there)}}
    with_file = rehearse(lambda: Platform(parse(description)))

    there.unlink()

    without = rehearse(lambda: Platform(parse(description)))
    assert [each.inputs for each in without.graph] == [each.inputs for each in with_file.graph]


def test_a_kubeconfig_that_leads_nowhere_stops_a_deployment(tmp_path: Path) -> None:
    description = {**TRAINING, "cluster": {"kubeconfig": str(kubeconfig_in(tmp_path, server=""))}}
    site = PlatformSite(parse(description), pulumi.ResourceOptions())

    with pytest.raises(InvalidDescription, match="has no server"):
        Composer(site)


def test_a_kubeconfig_that_is_not_there_stops_an_update(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    description = {**TRAINING, "cluster": {"kubeconfig": str(tmp_path / "none.yaml")}}
    monkeypatch.setattr(pulumi.runtime, "is_dry_run", lambda: False)

    site = PlatformSite(parse(description), pulumi.ResourceOptions())

    with pytest.raises(InvalidDescription, match="There is no kubeconfig at"):
        Composer(site)


def test_nodes_have_what_the_description_and_the_kind_of_cluster_say() -> None:
    (nodes,) = nodes_of(parse(TRAINING))

    assert nodes.selector == {"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3"}
    assert nodes.devices == {"nvidia.com/gpu": 8, "rdma/roce": 8}
    assert nodes.nodes.max == 32
