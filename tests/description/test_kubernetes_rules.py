"""What a description may say of a cluster that exists."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.descriptions import ONPREM_NETWORKS, changed, findings
from tests.descriptions import ONPREM_TRAINING as TRAINING
from tests.descriptions import TRAINING as CLOUD

from penstock.catalog import kubernetes_versions
from penstock.description import kubeconfig, parse
from penstock.description.cluster import ClusterSpec
from penstock.description.nodes import nodes_of

NFS = {"name": "checkpoints", "kind": "nfs", "server": "nfs.lan", "path": "/exports/shared"}


@pytest.mark.parametrize(
    ("path", "value", "code", "says"),
    [
        ("cluster", {}, "SPEC-152", "cluster.kubeconfig is missing"),
        ("cluster.version", "1.28", "SPEC-154", "too old"),
        ("cluster.version", "1.99", "SPEC-154", "There is no Kubernetes 1.99 yet"),
        ("cluster", {"kubeconfig": "prod", "context": "lab"}, "SPEC-152", "names the context 'prod' already"),
        ("node_pools.0.machine_type", "p5.48xlarge", "SPEC-150", "machine_type describes what a cloud creates"),
        ("node_pools.0.labels", {"nvidia.com/gpu.product": "NVIDIA-A100-SXM4-80GB"}, "SPEC-155", "with a100-80gb"),
        ("node_pools.0.labels", {"nvidia.com/gpu.product": "NVIDIA-A100-PCIE-40GB"}, "SPEC-155", "with a100"),
        ("node_pools.0.labels", {"a": "b", "nvidia.com/gpu.count": "4"}, "SPEC-155", "nodes with 4 GPUs"),
        ("cluster.runner", True, "SPEC-150", "this cluster exists"),
        ("cloud.region", "us-east-1", "SPEC-150", "this cluster exists"),
        ("network.cidr", "10.0.0.0/16", "SPEC-150", "this cluster exists"),
        ("budget", {"monthly_usd": 100}, "SPEC-150", "this cluster exists"),
        ("node_pools.0.tags", {"a": "b"}, "SPEC-150", "this cluster exists"),
        ("network.tags", {"a": "b"}, "SPEC-150", "this cluster exists"),
        ("addons", {"training": {"tags": {"a": "b"}}}, "SPEC-105", "training is objects in the cluster alone"),
        ("node_pools.0.zone", "a", "SPEC-150", "this cluster exists"),
        ("node_pools.0.capacity", "capacity_block", "SPEC-150", "way to buy machines"),
        ("node_pools.0.labels", {}, "SPEC-155", "names no labels"),
        ("node_pools.0.accelerator", "h1000", "SPEC-156", "h1000"),
        ("node_pools.0.fabric", "efa", "SPEC-157", "efa"),
        ("node_pools.0.devices", {"fpga": 1}, "SPEC-158", "fpga"),
        ("node_pools.0.devices", {"nvidia.com/gpu": 8}, "SPEC-158", "already offers"),
        ("node_pools.0.fabric_networks", ["default/a", "default/b"], "SPEC-157", "a node has 8 adapters"),
        ("addons", {"registry": {"repositories": ["a"]}}, "SPEC-020", "not supported with provider kubernetes"),
        ("storage", [{"name": "data", "kind": "bucket"}], "SPEC-151", "bucket"),
        ("storage", [{"name": "home", "kind": "nfs", "path": "/home"}], "SPEC-167", "names no server"),
        ("storage", [{"name": "home", "kind": "nfs", "server": "nfs.lan"}], "SPEC-167", "names no path"),
        ("storage", [{"name": "home", "kind": "nfs", "server": "a#b", "path": "/home"}], "SPEC-015", "a#b"),
        ("storage", [{**NFS, "server": "10.0.0.300"}], "SPEC-167", "not how nfs names a server"),
        ("storage", [{**NFS, "tier": "zonal"}], "SPEC-167", "this one exists"),
        ("storage", [{**NFS, "protect": True}], "SPEC-167", "this one exists"),
        ("storage", [{**NFS, "kind": "beegfs"}], "SPEC-159", "no driver for beegfs"),
    ],
)
def test_what_such_a_cluster_cannot_have_is_reported(path: str, value: object, code: str, says: str) -> None:
    found = findings(changed(path, value, TRAINING))

    assert [(each.code, says in each.message) for each in found] == [(code, True)]


def test_networks_are_for_roce() -> None:
    (found,) = findings(changed("node_pools.0.fabric", "infiniband", ONPREM_NETWORKS))

    assert (found.code, found.path) == ("SPEC-157", "node_pools[0].fabric_networks")


def test_a_server_is_named_where_no_cloud_creates_it() -> None:
    assert findings(changed("storage", [NFS], TRAINING)) == []

    found = findings(changed("storage", [NFS], CLOUD))

    assert [(each.code, each.path) for each in found] == [
        ("SPEC-168", "storage[0].server"),
        ("SPEC-168", "storage[0].path"),
    ]


LUSTRE = {
    "name": "data",
    "kind": "lustre",
    "server": "10.0.0.1@o2ib:10.0.0.2@o2ib",
    "path": "/scratch",
    "capacity_tib": 500,
    "throughput_mbps_per_tib": 250,
}
SCALE = {"name": "data", "kind": "scale", "server": "7118073361626808055;09762E69:5D36FE8D", "path": "/ibm/fs1"}
BEEGFS = {"name": "data", "kind": "beegfs", "server": "beegfs.lan", "path": "/training"}


@pytest.mark.parametrize("item", [LUSTRE, SCALE, BEEGFS], ids=lambda item: item["kind"])
def test_a_file_system_that_exists_is_mounted_by_the_driver_that_is_there(item: Mapping[str, Any]) -> None:
    described = changed("storage", [item], TRAINING)
    there = changed("cluster.existing", {"name": "it", "installed": [item["kind"]]}, described)

    assert [(each.code, each.path) for each in findings(described)] == [("SPEC-159", "storage[0].kind")]
    assert findings(there) == []


@pytest.mark.parametrize(
    ("item", "field", "says"),
    [
        ({**LUSTRE, "server": "lustre.lan"}, "server", "not how lustre names a server"),
        ({**LUSTRE, "server": "10.0.0.300@o2ib"}, "server", "not how lustre names a server"),
        ({**SCALE, "server": "fs1"}, "server", "not how scale names a server"),
        ({**LUSTRE, "zone": "a"}, "zone", "this one exists"),
        ({key: value for key, value in LUSTRE.items() if key != "server"}, "server", "names no server"),
    ],
)
def test_a_file_system_that_exists_is_named_as_its_driver_does(item: Mapping[str, Any], field: str, says: str) -> None:
    there = changed(
        "cluster.existing", {"name": "it", "installed": [item["kind"]]}, changed("storage", [item], TRAINING)
    )

    assert [(each.code, each.path, says in each.message) for each in findings(there)] == [
        ("SPEC-167", f"storage[0].{field}", True)
    ]


VAULT = {"server": "https://vault.lan:8200", "role": "platform"}
SECRETS = {"names": ["token"], "delivered_to": ["default", "anywhere"], "vault": VAULT}


@pytest.mark.parametrize(
    ("secrets", "paths"),
    [
        (SECRETS, []),
        ({key: value for key, value in SECRETS.items() if key != "vault"}, ["addons.secrets"]),
        ({**SECRETS, "readers": ["default/trainer"]}, ["addons.secrets.readers"]),
        ({**SECRETS, "delivered_to": []}, ["addons.secrets"]),
        ({"names": ["token"]}, ["addons.secrets", "addons.secrets"]),
    ],
)
def test_secrets_are_in_a_vault_and_come_into_namespaces(secrets: dict[str, Any], paths: list[str]) -> None:
    found = findings(changed("addons", {"secrets": secrets}, TRAINING))

    assert [(each.code, each.path) for each in found] == [("SPEC-172", path) for path in paths]


@pytest.mark.parametrize("server", ["http://vault.lan", "https://me:pw@vault.lan", "https://vault.lan/v1", "vault.lan"])
def test_the_address_of_a_vault_is_that_of_a_server_with_tls(server: str) -> None:
    found = findings(changed("addons", {"secrets": {**SECRETS, "vault": {**VAULT, "server": server}}}, TRAINING))

    assert [each.path for each in found] == ["addons.secrets.vault.server"]


def test_a_plugin_is_not_sent_to_labels_that_nobody_sets() -> None:
    description = changed("node_pools.0.fabric", "none", changed("cloud.profile", "k3s", TRAINING))

    (found,) = findings(description)

    assert (found.code, found.path) == ("SPEC-155", "node_pools[0].labels['nvidia.com/gpu.product']")
    assert "example.com/gpu=h100" in found.hint
    assert findings(changed("node_pools.0.labels", {"example.com/gpu": "h100"}, description)) == []
    assert findings(changed("cluster.existing", {"name": "it", "installed": ["nvidia"]}, description)) == []


def test_pools_that_share_nodes_are_told_apart() -> None:
    other = {**TRAINING["node_pools"][0], "name": "other", "labels": {"rack": "a"}}
    narrower = {**other, "labels": {**TRAINING["node_pools"][0]["labels"], "rack": "a"}}

    apart = {**TRAINING["node_pools"][0], "name": "other", "labels": {"nvidia.com/gpu.product": "NVIDIA-H200"}}
    apart["accelerator"] = "h200"

    def codes(pool: Mapping[str, Any]) -> list[str]:
        return [each.code for each in findings(changed("node_pools", [TRAINING["node_pools"][0], pool], TRAINING))]

    assert codes(narrower) == ["SPEC-155"]
    assert codes(apart) == []


CONFIG: Mapping[str, Any] = {
    "apiVersion": "v1",
    "kind": "Config",
    "clusters": [{"name": "dgx", "cluster": {"server": "https://10.0.0.1:6443"}}],
    "users": [{"name": "me", "user": {"token": "t"}}],
    "contexts": [{"name": "dgx", "context": {"cluster": "dgx", "user": "me"}}],
    "current-context": "dgx",
}


@pytest.mark.parametrize(
    ("written", "context", "says"),
    [
        (json.dumps(CONFIG), None, ""),
        (json.dumps(CONFIG), "dgx", ""),
        (json.dumps(CONFIG), "dgz", "has no context 'dgz'"),
        ("a: [", None, "is not YAML"),
        ("just text", None, "has no contexts"),
        ("[1, 2]", None, "has no contexts"),
        (json.dumps({**CONFIG, "current-context": ""}), None, "has no current context"),
        (json.dumps({**CONFIG, "clusters": []}), None, "refers to cluster 'dgx'"),
        (json.dumps({**CONFIG, "users": [{"name": 3}]}), None, "refers to user 'me'"),
        (json.dumps({**CONFIG, "clusters": [{"name": "dgx", "cluster": {}}]}), None, "has no server"),
        ("\x00\xff", None, "not YAML"),
    ],
)
def test_the_kubeconfig_of_a_deployment_is_read(tmp_path: Path, written: str, context: str | None, says: str) -> None:
    file = tmp_path / "kubeconfig.yaml"
    file.write_text(written, encoding="utf-8")
    cluster = {"kubeconfig": str(file)} | ({"context": context} if context else {})

    found = kubeconfig.trouble_with(ClusterSpec.model_validate(cluster))

    assert (found is not None) == bool(says)
    assert found is None or says in found.message


@pytest.mark.parametrize("named", ["dgx", "~/.kube/dgx.yaml", "kubeconfig.yaml"])
def test_the_verdict_on_a_description_is_the_same_on_every_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    for file in (".kube/config", ".kube/dgx.yaml", "kubeconfig.yaml"):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text("of another machine", encoding="utf-8")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "kubeconfig.yaml"))
    monkeypatch.chdir(tmp_path)

    assert findings(changed("cluster", {"kubeconfig": named}, TRAINING)) == []


def test_a_login_in_the_description_is_refused_and_not_repeated() -> None:
    (found,) = findings(changed("cluster", {"kubeconfig": json.dumps(CONFIG)}, TRAINING))

    assert (found.code, found.path) == ("SPEC-153", "cluster.kubeconfig")
    assert "not the login itself" in found.message
    assert "dgx" not in found.message


@pytest.mark.parametrize(("namespace", "hint"), [("defualt", "Did you mean default?"), ("kube-system", "default")])
def test_secrets_are_not_delivered_where_no_job_is(namespace: str, hint: str) -> None:
    (found,) = findings(changed("addons", {"secrets": {**SECRETS, "delivered_to": [namespace]}}, TRAINING))

    assert (found.code, found.path) == ("SPEC-173", "addons.secrets.delivered_to[0]")
    assert hint in found.hint


def test_a_kubeconfig_that_cannot_be_read_is_reported(tmp_path: Path) -> None:
    found = kubeconfig.trouble_with(ClusterSpec(kubeconfig=f"{tmp_path}/"))

    assert found is not None
    assert "cannot be read" in found.message


@pytest.mark.parametrize(
    ("profile", "pool", "adapters"),
    [
        ("generic", {"accelerator": "h100"}, {"rdma/ib": 8}),
        ("dgx", {"accelerator": "gb200"}, {"rdma/ib": 4}),
        ("dgx", {"accelerator": "gb200", "count": 2}, {"rdma/ib": 2}),
        ("generic", {"accelerator": "gb300", "fabric": "rdma"}, {"rdma/roce": 4}),
        ("nebius", {"accelerator": "gb300"}, {"rdma/ib": 4}),
        ("generic", {"accelerator": "l40s", "count": 4}, {"rdma/ib": 4}),
        ("generic", {"accelerator": "l40s", "devices": {"rdma/ib": 2}}, {"rdma/ib": 2}),
        ("generic", {"accelerator": "gaudi3", "devices": {"rdma/ib": 3}}, {"rdma/ib": 3}),
        ("coreweave", {"accelerator": "gb200"}, {"rdma/ib": 1}),
        ("oke", {"accelerator": "h100", "fabric": "rdma"}, {"nvidia.com/rdma-vf": 16}),
        ("oke", {"accelerator": "gb200", "fabric": "rdma"}, {"nvidia.com/rdma-vf": 4}),
    ],
)
def test_a_pod_requests_the_adapters_that_its_node_has(
    profile: str, pool: dict[str, Any], adapters: dict[str, int]
) -> None:
    description = changed("cloud.profile", profile, TRAINING)
    base = {"name": "train", "nodes": 2, "fabric": "infiniband", "labels": {"example.com/pool": "train"}}
    description["node_pools"] = [{**base, **pool}]

    (nodes,) = nodes_of(parse(description))

    assert {nodes.fabric_resource: nodes.fabric_devices} == adapters
    assert adapters.items() <= nodes.devices.items()


def test_a_pool_says_how_many_adapters_it_has_where_nobody_knows() -> None:
    pool = {"accelerator": "gaudi3", "fabric": "infiniband", "labels": {"example.com/pool": "train"}}
    description = changed("node_pools.0", {"name": "train", "nodes": 2, **pool}, TRAINING)

    (found,) = findings(description)

    assert (found.code, found.path) == ("SPEC-157", "node_pools[0].fabric")
    assert "How many adapters machines with gaudi3 have is not known" in found.message
    assert findings(changed("node_pools.0.devices", {"rdma/ib": 3}, description)) == []


def test_a_context_beside_the_path_of_a_kubeconfig_is_right(tmp_path: Path) -> None:
    named = {"kubeconfig": str(tmp_path / "none.yaml"), "context": "lab"}

    assert findings(changed("cluster", named, TRAINING)) == []


@pytest.mark.parametrize(
    ("accelerator", "product"),
    [
        ("h100", "NVIDIA-H100-NVL"),
        ("h100", "NVIDIA-H100-80GB-HBM3-SHARED"),
        ("a100-80gb", "NVIDIA-A100-SXM4-80GB-MIG-1g.10gb"),
        ("a100-80gb", "NVIDIA-A100-80GB-PCIe"),
        ("gb200", "NVIDIA-GB200"),
        ("h100", "SomethingNew"),
    ],
)
def test_labels_of_variants_and_parts_of_a_gpu_are_its_own(accelerator: str, product: str) -> None:
    pool = {"accelerator": accelerator, "labels": {"nvidia.com/gpu.product": product}}
    description = changed("node_pools.0", {**TRAINING["node_pools"][0], **pool}, TRAINING)

    assert findings(description) == []


def test_a_version_that_may_be_out_by_now_is_taken() -> None:
    newest = kubernetes_versions.newest_known()

    assert findings(changed("cluster.version", f"1.{int(newest.partition('.')[2]) + 1}", TRAINING)) == []
