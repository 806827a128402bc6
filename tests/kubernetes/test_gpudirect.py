"""What makes GPUDirect work on the nodes: the right images, on the machines of their fabric and on no others."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from penstock.catalog import machines, nccl_profiles
from penstock.core.errors import ProgramFailed
from penstock.gcp import AsapdLite, Gib, Tcpx, Tcpxo
from penstock.gcp.facts import fabrics
from penstock.gcp.facts.machines import GcpMachine
from penstock.graph.graph import Graph
from penstock.kubernetes import FabricNetworks, NcclProfile
from penstock.kubernetes.facts import gpudirect
from penstock.testing import rehearse

DAEMON_SET = "kubernetes:apps/v1:DaemonSet"
NETWORK = "kubernetes:networking.gke.io/v1:Network"
PARAMETERS = "kubernetes:networking.gke.io/v1:GKENetworkParamSet"

INSTALLERS: dict[str, tuple[Callable[[], object], set[str], set[str]]] = {
    "tcpx": (lambda: Tcpx("it"), {"tcpx"}, {"tcpx-plugin", "device-injector", "pause"}),
    "tcpxo": (lambda: Tcpxo("it"), {"tcpxo"}, {"tcpxo-plugin", "device-injector", "pause", "host-shell"}),
    "gib": (lambda: Gib("it"), {"rdma"}, {"gib", "pause"}),
    "gib-arm64": (lambda: Gib("it", arm=True), {"rdma-nvl72", "rdma-metal"}, {"gib-arm64", "pause"}),
    "asapd": (lambda: AsapdLite("it"), {"rdma-metal"}, {"asapd-lite"}),
}


def pods(graph: Graph) -> list[dict[str, Any]]:
    """The pods of the daemon sets."""
    return [dict(resource.inputs["spec"]["template"]["spec"]) for resource in graph.of_type(DAEMON_SET)]


def containers(graph: Graph) -> list[dict[str, Any]]:
    """All containers, those that only prepare included."""
    return [each for pod in pods(graph) for key in ("initContainers", "containers") for each in pod.get(key, ())]


def networks_of(name: str) -> tuple[FabricNetworks, Graph]:
    """The networks of a fabric, and what they make."""
    made: list[FabricNetworks] = []
    fabric = fabrics.find_fabric(name)
    given = [(f"vpc-{index}", f"subnetwork-{index}") for index in range(fabric.interfaces)]

    def program() -> None:
        made.append(FabricNetworks("it", fabric=fabric, networks=given, prefix=name))

    graph = rehearse(program).graph
    return made[0], graph


@pytest.mark.parametrize("name", INSTALLERS)
def test_what_prepares_a_fabric_runs_on_all_its_machines_and_on_no_others(name: str) -> None:
    make, of, _ = INSTALLERS[name]
    expected = {machine.machine_type for machine in machines.machine_types(GcpMachine) if machine.fabric in of}

    for pod in pods(rehearse(make).graph):
        (term,) = pod["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
        (expression,) = term["matchExpressions"]
        assert (expression["key"], set(expression["values"])) == ("node.kubernetes.io/instance-type", expected)
        assert pod["tolerations"] == [{"operator": "Exists"}]


@pytest.mark.parametrize("name", INSTALLERS)
def test_images_are_those_of_the_catalogue(name: str) -> None:
    make, _, images = INSTALLERS[name]

    used = {container["image"] for container in containers(rehearse(make).graph)}

    assert used == {gpudirect.image(image).reference for image in images}
    assert all(":" in image.rpartition("/")[2] and not image.endswith(":latest") for image in used)


@pytest.mark.parametrize("name", INSTALLERS)
def test_nothing_that_prepares_a_node_may_ask_the_api_for_anything(name: str) -> None:
    make, _, _ = INSTALLERS[name]

    assert all(pod["automountServiceAccountToken"] is False for pod in pods(rehearse(make).graph))


@pytest.mark.parametrize("name", INSTALLERS)
def test_no_rule_complains_of_what_prepares_a_node(name: str) -> None:
    make, _, _ = INSTALLERS[name]

    assert rehearse(make).findings == ()


@pytest.mark.parametrize("name", INSTALLERS)
def test_what_prepares_a_node_takes_no_memory_without_bounds(name: str) -> None:
    make, _, _ = INSTALLERS[name]

    for container in containers(rehearse(make).graph):
        assert {"cpu", "memory"} <= {
            **container["resources"].get("limits", {}),
            **container["resources"]["requests"],
        }.keys()
        assert "memory" in container["resources"]["limits"]


@pytest.mark.parametrize("name", ["tcpx", "tcpxo", "gib", "gib-arm64"])
def test_what_waits_after_its_work_has_no_privileges(name: str) -> None:
    make, _, _ = INSTALLERS[name]

    (waiting,) = [each for each in containers(rehearse(make).graph) if each["name"] == "pause"]

    assert waiting["securityContext"]["capabilities"] == {"drop": ["ALL"]}
    assert waiting["securityContext"]["runAsNonRoot"] is True


def test_the_kernel_logs_no_packet_between_rdma_interfaces() -> None:
    (daemons,) = rehearse(lambda: Gib("it")).graph.of_type("kubernetes:apps/v1:DaemonSet")
    pod = daemons.inputs["spec"]["template"]["spec"]

    assert pod["hostNetwork"] is True
    assert "log_martians" in pod["initContainers"][0]["args"][0]


def test_the_plugin_is_installed_even_where_a_device_cannot_be_opened() -> None:
    (script,) = [
        each["command"][-1] for each in containers(rehearse(lambda: Tcpxo("it")).graph) if each["name"] == "open-node"
    ]

    assert "set -e" not in script
    assert "chmod" in script


def test_in_a_closed_network_images_come_from_its_mirror() -> None:
    mirror = "us-east4-docker.pkg.dev/example/mirror"

    used = {each["image"] for each in containers(rehearse(lambda: Tcpxo("it", image_mirror=mirror)).graph)}

    assert all(image.startswith(f"{mirror}/") for image in used)
    plugin = f"{mirror}/gce-ai-infra/gpudirect-tcpxo/nccl-plugin-gpudirecttcpx-dev:v1.0.15@sha256:"
    assert any(image.startswith(plugin) for image in used)


def test_two_fabrics_of_one_cluster_do_not_share_a_name() -> None:
    def program() -> None:
        Tcpx("a")
        Tcpxo("b")
        Gib("c")
        Gib("d", arm=True)

    names = [each.inputs["metadata"]["name"] for each in rehearse(program).graph.of_type(DAEMON_SET)]

    assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", ["tcpx", "tcpxo", "rdma", "rdma-nvl72", "dual-nic"])
def test_each_interface_of_a_fabric_has_a_network_of_its_name(name: str) -> None:
    component, graph = networks_of(name)
    fabric = fabrics.find_fabric(name)
    modes = [group.device_mode for group in fabric.groups for _ in range(group.interfaces)]
    expected = {
        f"{name}-eth{index + 1}": {"vpc": f"vpc-{index}", "vpcSubnet": f"subnetwork-{index}", "deviceMode": mode}
        for index, mode in enumerate(modes)
    }

    made = {each.inputs["metadata"]["name"]: dict(each.inputs["spec"]) for each in graph.of_type(PARAMETERS)}
    asked = json.loads(component.annotations["networking.gke.io/interfaces"])

    assert made == expected
    assert {each.inputs["spec"]["parametersRef"]["name"] for each in graph.of_type(NETWORK)} == set(expected)
    assert asked[0] == {"interfaceName": "eth0", "network": "default"}
    assert asked[1:] == [{"interfaceName": called.rpartition("-")[2], "network": called} for called in expected]


def test_interfaces_that_share_a_subnetwork_of_google_have_no_networks() -> None:
    _, graph = networks_of("rdma-metal")

    assert [each.inputs["metadata"]["name"] for each in graph.of_type(NETWORK)] == ["rdma-metal-eth1"]


def test_nodes_and_objects_must_agree_on_the_number_of_interfaces() -> None:
    with pytest.raises(ProgramFailed, match="tcpxo takes 8 networks, one for each interface, and not 1"):
        rehearse(
            lambda: FabricNetworks("it", fabric=fabrics.find_fabric("tcpxo"), networks=[("a", "b")], prefix="tcpxo")
        )


@pytest.mark.parametrize("name", [name for name in fabrics.fabric_names() if name != "dual-nic"])
def test_pods_can_take_the_variables_of_every_fabric_between_gpus(name: str) -> None:
    maps = rehearse(lambda: NcclProfile("it", fabric=name, provider="gcp")).graph.of_type(
        "kubernetes:core/v1:ConfigMap"
    )

    expected = {f"nccl-{profile.name}": profile for profile in nccl_profiles.profiles(name, "gcp")}
    assert {each.inputs["metadata"]["name"] for each in maps} == set(expected)
    for each in maps:
        variables = expected[each.inputs["metadata"]["name"]].variables
        assert each.inputs["data"] == {variable.name: variable.value for variable in variables}


def test_variables_name_the_interfaces_that_pods_ask_for() -> None:
    component, _ = networks_of("tcpxo")
    asked = json.loads(component.annotations["networking.gke.io/interfaces"])
    (profile,) = nccl_profiles.profiles("tcpxo", "gcp")
    (names,) = [variable.value for variable in profile.variables if variable.name == "NCCL_FASTRAK_IFNAME"]

    assert names.split(",") == [each["interfaceName"] for each in asked[1:]]
