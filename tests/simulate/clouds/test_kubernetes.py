"""The simulated API server: what it reads from manifests, and what it knows of objects that are there already."""

from __future__ import annotations

from ipaddress import ip_address, ip_network
from typing import Any

import pulumi
import pulumi_kubernetes as k8s
import pytest

from penstock.core.errors import ProgramFailed
from penstock.graph.values import UNKNOWN, Secret
from penstock.simulate.clouds import CreateRequest, simulated
from penstock.simulate.run import Rehearsal, rehearse

MANIFEST = """
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data: {since: 2026-01-01}
---
---
apiVersion: v1
kind: Service
metadata: {name: s, namespace: n}
"""


def test_the_objects_of_a_manifest_are_registered() -> None:
    def program() -> None:
        k8s.yaml.ConfigGroup("g", yaml=[MANIFEST])

    objects = {resource.type: resource for resource in rehearse(program).graph if resource.provider}

    assert set(objects) == {"kubernetes:core/v1:ConfigMap", "kubernetes:core/v1:Service"}
    assert objects["kubernetes:core/v1:Service"].id == "n/s"
    assert objects["kubernetes:core/v1:ConfigMap"].inputs["data"] == {"since": "2026-01-01"}


def test_a_chart_that_the_provider_renders_holds_nothing_here_and_says_so() -> None:
    def program() -> None:
        repository = k8s.helm.v3.FetchOpts(repo="https://charts.example")
        k8s.helm.v3.Chart("c", k8s.helm.v3.ChartOpts(chart="nginx", fetch_opts=repository))

    rehearsal = rehearse(program)

    assert not [resource for resource in rehearsal.graph if resource.type.startswith("kubernetes:core")]
    (finding,) = rehearsal.findings
    assert (finding.code, finding.urn, finding.line is not None) == ("PROGRAM-004", named_urn(rehearsal, "c"), True)


def named_urn(rehearsal: Rehearsal, name: str) -> str:
    (found,) = (resource.urn for resource in rehearsal.graph if resource.name == name)
    return found


def test_an_object_that_is_there_has_the_name_of_its_id() -> None:
    type_ = "kubernetes:core/v1:ConfigMap"
    outputs: Any = simulated("kubernetes").create(CreateRequest("urn", type_, "mine", {}, {}, id="n/s")).outputs

    assert (outputs["metadata"]["namespace"], outputs["metadata"]["name"]) == ("n", "s")


def test_the_id_of_an_object_of_the_whole_cluster_names_no_namespace() -> None:
    inputs = {"metadata": {"name": "team"}}

    made = simulated("kubernetes").create(CreateRequest("urn", "kubernetes:core/v1:Namespace", "mine", inputs, {}))

    assert made.id == "team"


def test_manifests_that_are_no_yaml_are_reported_without_what_they_hold() -> None:
    def program() -> None:
        pulumi.runtime.invoke("kubernetes:yaml:decode", {"text": "kind: Secret\ndata: [hunter2"})

    with pytest.raises(ProgramFailed, match="not YAML") as failed:
        rehearse(program)
    assert "hunter2" not in str(failed.value)


def outputs_of(type_: str, provider: dict[str, Any] | None = None, **inputs: Any) -> Any:
    return simulated("kubernetes").create(CreateRequest("urn", type_, "mine", inputs, provider or {})).outputs


SERVICE = "kubernetes:core/v1:Service"


def test_a_secret_given_as_text_is_kept_as_data() -> None:
    outputs = outputs_of("kubernetes:core/v1:Secret", stringData={"a": "hunter2", "b": Secret("x")}, data={"c": "eQ=="})

    assert outputs["data"] == {"c": "eQ==", "a": "aHVudGVyMg==", "b": Secret("eA==")}
    assert outputs["type"] == "Opaque"


def test_a_secret_that_is_not_known_yet_stays_unknown() -> None:
    assert outputs_of("kubernetes:core/v1:Secret", stringData={"a": UNKNOWN})["data"] == {"a": UNKNOWN}


def test_a_service_gets_an_address_and_defaults_for_its_ports() -> None:
    spec = outputs_of(SERVICE, spec={"ports": [{"port": 80}, {"port": 443, "targetPort": "https"}]})["spec"]

    assert (spec["type"], spec["clusterIPs"]) == ("ClusterIP", [spec["clusterIP"]])
    assert ip_address(spec["clusterIP"]) in ip_network("10.96.0.0/12")
    assert spec["ports"][0] == {"port": 80, "protocol": "TCP", "targetPort": 80}
    assert spec["ports"][1]["targetPort"] == "https"


def test_a_headless_service_keeps_no_address() -> None:
    assert outputs_of(SERVICE, spec={"clusterIP": "None"})["spec"]["clusterIP"] == "None"
    assert "clusterIP" not in outputs_of(SERVICE, spec={"type": "ExternalName", "externalName": "e.com"})["spec"]


@pytest.mark.parametrize("kind", ["NodePort", "LoadBalancer"])
def test_ports_of_nodes_are_in_their_range(kind: str) -> None:
    first, second = outputs_of(SERVICE, spec={"type": kind, "ports": [{"port": 80}, {"port": 81}]})["spec"]["ports"]

    assert 30_000 <= first["nodePort"] <= 32_767
    assert first["nodePort"] != second["nodePort"]


def test_a_balancer_of_eks_has_a_name_and_one_of_another_cluster_an_address() -> None:
    spec = {"type": "LoadBalancer", "ports": [{"port": 80}]}
    of_eks = {"kubeconfig": Secret('{"server": "https://A.gr7.us-east-1.eks.amazonaws.com"}')}

    (here,) = outputs_of(SERVICE, of_eks, spec=spec)["status"]["loadBalancer"]["ingress"]
    (there,) = outputs_of(SERVICE, {"kubeconfig": "x"}, spec=spec)["status"]["loadBalancer"]["ingress"]

    assert here["hostname"].endswith(".elb.amazonaws.com")
    assert ip_address(there["ip"])


def test_a_claim_is_bound_to_a_volume() -> None:
    claim = outputs_of("kubernetes:core/v1:PersistentVolumeClaim", spec={"resources": {"requests": {"storage": "1Gi"}}})

    assert claim["spec"]["volumeName"].startswith("pvc-")
    assert claim["status"]["capacity"] == {"storage": "1Gi"}


def test_a_deployment_has_the_defaults_of_the_api() -> None:
    pod = {
        "containers": [
            {"name": "c", "image": "nginx:1.29", "ports": [{"containerPort": 80}]},
            {"name": "d", "image": "x"},
        ]
    }
    spec = outputs_of("kubernetes:apps/v1:Deployment", spec={"template": {"spec": pod}})["spec"]

    assert (spec["replicas"], spec["strategy"]["type"]) == (1, "RollingUpdate")
    first, second = spec["template"]["spec"]["containers"]
    assert first["ports"] == [{"containerPort": 80, "protocol": "TCP"}]
    assert (first["imagePullPolicy"], second["imagePullPolicy"]) == ("IfNotPresent", "Always")
    assert outputs_of("kubernetes:apps/v1:Deployment", spec={"replicas": 3})["status"]["readyReplicas"] == 3
