"""Replicas by the load, with KEDA itself: as many as a ScaledObject allows, on machines of a pool that serves."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from tests.cluster.api import Object
from tests.cluster.control_plane import ControlPlane, free_port
from tests.cluster.controllers import install, lacking, make_certificate, rendered
from tests.cluster.deployed import start_deployment
from tests.cluster.nodes import join, machines
from tests.environments import PROJECT

from penstock import description
from penstock.jobs import JobRequest, job_manifests
from penstock.kubernetes.components.job_pods import CONTAINER

PROGRAM = CHART = NAMESPACE = "keda"
ADAPTER, METRICS = "keda-adapter", "keda-operator-metrics-apiserver"
LACKING = lacking(PROGRAM, CHART) or lacking(ADAPTER, CHART)

pytestmark = [pytest.mark.cluster, pytest.mark.skipif(bool(LACKING), reason=LACKING)]

STACK, POOL = "azure-serve", "serve"
GROUP = "external.metrics.k8s.io"
LABELS = {"app": "chat"}
EACH, MOST = 10, 3
PATIENCE_S = 60


@dataclass
class Load:
    """A server that answers the query of Prometheus' API with one number: the requests that wait."""

    waiting: int = 0
    address: str = ""


@pytest.fixture(scope="module")
def load() -> Iterator[Load]:
    found = Load()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            vector = [{"metric": {}, "value": [time.time(), str(found.waiting)]}]
            text = json.dumps({"status": "success", "data": {"resultType": "vector", "result": vector}}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: object) -> None:
            """Say nothing: tests are not about requests."""

    listener = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.address = f"http://127.0.0.1:{listener.server_port}"
    threading.Thread(target=listener.serve_forever, daemon=True).start()
    yield found
    listener.shutdown()
    listener.server_close()


@pytest.fixture(scope="module")
def keda(asked_cluster: ControlPlane, load: Load, tmp_path_factory: pytest.TempPathFactory) -> ControlPlane:
    """A control plane with KEDA, the machines of an environment that serves, and a workload for them."""
    folder = tmp_path_factory.mktemp("keda")
    # A container has a file that says it.
    home = {"env": [{"name": "KEDA_CLUSTER_OBJECT_NAMESPACE", "value": NAMESPACE}]}
    of_chart = rendered(CHART, NAMESPACE, home, folder)
    make_certificate(folder, "localhost")
    (folder / "ca.crt").write_bytes((folder / "tls.crt").read_bytes())
    install(asked_cluster, [each for each in of_chart if each["kind"] != "ValidatingWebhookConfiguration"], "", "")
    grpc, port = free_port(), free_port()
    operator = {
        "--leader-elect": "false",
        "--cert-dir": str(folder),
        "--enable-cert-rotation": "false",
        "--health-probe-bind-address": f"127.0.0.1:{free_port()}",
        "--metrics-service-bind-address": f"127.0.0.1:{grpc}",
        "--metrics-bind-address": "0",
    }
    start_deployment(asked_cluster, of_chart, "keda-operator", PROGRAM, operator)
    reader = str(asked_cluster.kubeconfig_of(NAMESPACE, "keda-metrics-server"))
    adapter = {
        "--port": "0",
        "--bind-address": "127.0.0.1",
        "--secure-port": str(port),
        "--metrics-service-address": f"127.0.0.1:{grpc}",
        "--client-ca-file": str(folder / "ca.crt"),
        "--tls-cert-file": str(folder / "tls.crt"),
        "--tls-private-key-file": str(folder / "tls.key"),
        "--cert-dir": str(folder),
        "--lister-kubeconfig": reader,
        "--authentication-kubeconfig": reader,
        "--authorization-kubeconfig": reader,
    }
    start_deployment(asked_cluster, of_chart, METRICS, ADAPTER, adapter)
    for each in on_loopback(port):
        asked_cluster.api.apply(each)
    join(asked_cluster.api, machines(STACK))
    account = {"name": "server", "namespace": "default"}
    asked_cluster.api.apply({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": account})
    asked_cluster.api.apply(workload())
    asked_cluster.api.apply(scaled(load))
    return asked_cluster


def on_loopback(port: int) -> list[Object]:
    """What leads the API server to KEDA's part of the API on this machine."""
    service = {"name": METRICS, "namespace": NAMESPACE}
    api = {
        "group": GROUP,
        "version": "v1beta1",
        "groupPriorityMinimum": 100,
        "versionPriority": 100,
        "insecureSkipTLSVerify": True,
        "service": {**service, "port": port},
    }
    return [
        {
            "apiVersion": "v1",
            "kind": "Service",
            "metadata": service,
            "spec": {"type": "ExternalName", "externalName": "localhost", "ports": [{"port": port}]},
        },
        {
            "apiVersion": "apiregistration.k8s.io/v1",
            "kind": "APIService",
            "metadata": {"name": f"v1beta1.{GROUP}"},
            "spec": api,
        },
    ]


def workload() -> Object:
    """A server in the pods that Penstock prints for a pool, in place of a job."""
    printed = job_manifests(description.load(PROJECT.stack_file(STACK)), JobRequest(nodes=1))
    (job,) = (each for each in printed if each["kind"] == "Job")
    pod = {key: value for key, value in job["spec"]["template"]["spec"].items() if key != "subdomain"}
    (container,) = (each for each in pod["containers"] if each["name"] == CONTAINER)
    plain = {key: value for key, value in container.items() if key in ("name", "image", "resources", "securityContext")}
    template = {"metadata": {"labels": LABELS}, "spec": {**pod, "restartPolicy": "Always", "containers": [plain]}}
    template["spec"].pop("volumes", None)
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "chat", "namespace": "default"},
        "spec": {"selector": {"matchLabels": LABELS}, "template": template},
    }


def scaled(load: Load) -> Object:
    """Replicas by requests that wait; without a word on the least, which rules of Penstock take for none."""
    trigger = {"serverAddress": load.address, "query": "sum(vllm:num_requests_waiting)", "threshold": str(EACH)}
    at_once = {"scaleDown": {"stabilizationWindowSeconds": 0}}
    said = {
        "scaleTargetRef": {"name": "chat"},
        "pollingInterval": 1,
        "cooldownPeriod": 5,
        "maxReplicaCount": MOST,
        "advanced": {"horizontalPodAutoscalerConfig": {"behavior": at_once}},
        "triggers": [{"type": "prometheus", "metadata": trigger}],
    }
    metadata = {"name": "chat", "namespace": "default"}
    return {"apiVersion": "keda.sh/v1alpha1", "kind": "ScaledObject", "metadata": metadata, "spec": said}


def test_replicas_follow_the_load_up_to_the_most_and_back_to_none(keda: ControlPlane, load: Load) -> None:
    assert soon(lambda: replicas(keda) == 0), keda.log("keda-operator")

    load.waiting = 1
    assert soon(lambda: replicas(keda) == 1), keda.log("keda-operator")

    load.waiting = EACH * MOST * 10
    assert soon(lambda: replicas(keda) == MOST), keda.log(METRICS)
    assert soon(lambda: pools(keda) == [POOL] * MOST)

    load.waiting = 0
    assert soon(lambda: replicas(keda) == 0), keda.log("keda-operator")


def replicas(cluster: ControlPlane) -> int:
    found: Any = cluster.api.get("apps/v1", "Deployment", "chat", "default")
    return int(found["spec"]["replicas"])


def pools(cluster: ControlPlane) -> list[str]:
    """The pools of the machines that pods are on."""
    nodes = {each["metadata"]["name"]: each["metadata"]["labels"] for each in cluster.api.objects("v1", "Node")}
    pods = cluster.api.objects("v1", "Pod", "default")
    return [nodes[each["spec"]["nodeName"]]["penstock.dev/pool"] for each in pods if each["spec"].get("nodeName")]


def soon(holds: Callable[[], object]) -> bool:
    """Return whether something holds before long."""
    for _ in range(PATIENCE_S * 2):
        if holds():
            return True
        time.sleep(0.5)
    return False
