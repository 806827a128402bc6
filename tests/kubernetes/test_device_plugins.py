"""What the device plugins promise: they run on every node that has the device, and leave each other's devices alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from penstock.aws import EfaDevicePlugin
from penstock.graph.graph import Resource
from penstock.kubernetes import NeuronDevicePlugin, NvidiaDevicePlugin
from penstock.kubernetes.facts import charts
from penstock.testing import rehearse

PLUGINS: dict[str, Callable[[], object]] = {
    "nvidia-device-plugin": lambda: NvidiaDevicePlugin("plugin"),
    "aws-efa-k8s-device-plugin": lambda: EfaDevicePlugin("plugin", region="eu-central-2"),
    "neuron-helm-chart": lambda: NeuronDevicePlugin("plugin"),
}


def release(chart: str) -> Resource:
    (found,) = rehearse(PLUGINS[chart]).graph.of_type("kubernetes:helm.sh/v3:Release")
    return found


@pytest.mark.parametrize("chart", PLUGINS)
def test_charts_are_installed_at_their_pin(chart: str) -> None:
    pin = charts.find_chart(chart)

    inputs = release(chart).inputs

    assert (inputs["chart"], inputs["version"], inputs["namespace"]) == (pin.chart, pin.version, pin.namespace)
    assert inputs.get("repositoryOpts", {}).get("repo") == pin.repository


@pytest.mark.parametrize("chart", PLUGINS)
def test_no_taint_keeps_a_plugin_off_its_device(chart: str) -> None:
    values = release(chart).inputs["values"]

    assert values.get("devicePlugin", values)["tolerations"] == [{"operator": "Exists"}]


def test_in_a_closed_network_images_come_from_its_mirror() -> None:
    mirror = "123456789012.dkr.ecr.us-west-2.amazonaws.com/mirror"

    def program() -> None:
        NvidiaDevicePlugin("gpu", image_mirror=mirror)
        NeuronDevicePlugin("neuron", image_mirror=mirror)

    found = {each.name: each for each in rehearse(program).graph.of_type("kubernetes:helm.sh/v3:Release")}
    gpu, neuron = found["gpu"], found["neuron"]

    assert gpu.inputs["values"]["image"]["repository"] == f"{mirror}/nvidia/k8s-device-plugin"
    assert neuron.inputs["values"]["devicePlugin"]["image"]["repository"] == f"{mirror}/neuron/neuron-device-plugin"


def test_the_plugin_for_gpus_leaves_the_devices_of_efa_alone() -> None:
    assert release("nvidia-device-plugin").inputs["values"]["mofedEnabled"] is False


def test_the_plugin_for_efa_goes_by_label_so_that_new_machine_types_get_it() -> None:
    assert release("aws-efa-k8s-device-plugin").inputs["values"]["supportedInstanceLabels"] == {
        "keys": ["vpc.amazonaws.com/efa.present"],
        "values": ["true"],
    }


def test_the_plugin_for_efa_is_pulled_from_its_own_region() -> None:
    image = release("aws-efa-k8s-device-plugin").inputs["values"]["image"]

    assert image["repository"] == "900612956339.dkr.ecr.eu-central-2.amazonaws.com/eks/aws-efa-k8s-device-plugin"
