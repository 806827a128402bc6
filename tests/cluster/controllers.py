"""Controllers that run beside a control plane, outside of containers: as their charts configure them, on loopback.

Their charts come from a folder (`PENSTOCK_CHARTS`), and Helm renders them; whoever has not a controller's program, its
chart or Helm skips what needs it.
"""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import yaml
from tests.cluster import binaries
from tests.cluster.api import Object
from tests.cluster.control_plane import ControlPlane, free_port
from tests.cluster.stand_ins import MIRROR

_RUN_IN_CONTAINERS: Final = frozenset(
    {"Deployment", "DaemonSet", "Pod", "Job", "CronJob", "Service", "APIService", "Secret"}
)
"""Kinds of a chart that only make sense where containers run."""

_CERTIFICATES: Final = "k8s-webhook-server/serving-certs"
"""Where controllers look for certificates, below the temporary folder of the machine."""

_FILE: Final = "controller_manager_config.yaml"
_FIRST: Final = ("Namespace", "CustomResourceDefinition")
_LAST: Final = ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")
"""Once these are there, nothing of their kinds is taken until the controller answers."""


@dataclass(frozen=True, slots=True)
class Controller:
    """A controller that reads one file and serves webhooks.

    Attributes:
        program: its program.
        chart: its chart.
        namespace: where its chart puts it.
        settings: the ConfigMap of its chart that has the file.
        certificates: the name of the authority that it makes for its webhooks, and the Secret that keeps it.
        changes: what the file must say beside the chart's own, to run outside of a container.
        names_folder: whether the file says where the certificates are; others look below the temporary folder.
        waits_elsewhere: whether it also waits for a certificate below the machine's own temporary folder, whatever it
            is told, as JobSet 0.12.0 does.
    """

    program: str
    chart: str
    namespace: str
    settings: str
    certificates: tuple[str, str]
    changes: Mapping[str, Any] = field(default_factory=dict)
    names_folder: bool = True
    waits_elsewhere: bool = False

    def missing(self) -> str:
        """The reason why it cannot run on this machine; empty where it can."""
        return lacking(self.program, self.chart)

    def start(
        self,
        cluster: ControlPlane,
        folder: Path,
        *,
        values: Mapping[str, Any] | None = None,
        frameworks: Sequence[str] = (),
    ) -> None:
        """Start it as its chart configures it with values; it answers once this is done.

        `frameworks` are the kinds of jobs that Kueue holds back, in place of those of the file.
        """
        of_chart = rendered(self.chart, self.namespace, values or {}, folder)
        port, health = free_port(), free_port()
        (settings,) = (each for each in of_chart if each["metadata"]["name"] == self.settings)
        config: dict[str, Any] = yaml.safe_load(settings["data"][_FILE])
        file = folder / f"{self.program}.yaml"
        home = folder / _CERTIFICATES
        home.mkdir(parents=True)
        own = {
            "health": {"healthProbeBindAddress": f"127.0.0.1:{health}"},
            "metrics": {"bindAddress": "0"},
            "webhook": {"port": port, "host": "127.0.0.1"} | ({"certDir": str(home)} if self.names_folder else {}),
            "leaderElection": {"leaderElect": False},
            **({"integrations": {"frameworks": list(frameworks)}} if frameworks else {}),
        }
        file.write_text(yaml.safe_dump({**config, **own, **self.changes}), encoding="utf-8")
        authority, secret = self.certificates
        services = {each["metadata"]["name"] for each in of_chart if each["kind"] == "Service"}
        names = sorted(f"{service}.{self.namespace}.svc" for service in services)
        certificate = make_certificate(home, authority, *names)
        if self.waits_elsewhere:
            _also_there(home)
        install(cluster, of_chart, f"https://127.0.0.1:{port}", certificate)
        _keep_certificate(cluster, home, secret, self.namespace)
        cluster.start(self.program, f"--config={file}", "--zap-log-level=2", temporary=folder)
        cluster.await_address(self.program, f"http://127.0.0.1:{health}/readyz")


KUEUE: Final = Controller(
    program="kueue",
    chart="kueue",
    namespace="kueue-system",
    settings="kueue-manager-config",
    certificates=("kueue-ca", "kueue-webhook-server-cert"),
    changes={
        "internalCertManagement": {
            "enable": True,
            "webhookServiceName": "kueue-webhook-service",
            "webhookSecretName": "kueue-webhook-server-cert",
        },
        "featureGates": {
            "VisibilityOnDemand": False
        },  # an API server of its own, which wants an address in the cluster
    },
)
JOB_SET: Final = Controller(
    program="jobset",
    chart="jobset",
    namespace="jobset-system",
    settings="jobset-controller-config",
    certificates=("jobset-ca", "jobset-webhook-server-cert"),
    waits_elsewhere=True,
)

TRAINER: Final = Controller(
    program="trainer",
    chart="kubeflow-trainer",
    namespace="kubeflow-system",
    settings="kubeflow-trainer-config",
    certificates=("kubeflow-trainer-ca", "kubeflow-trainer-webhook-cert"),
    changes={"certManagement": {"enable": False}},
    names_folder=False,
)


def lacking(program: str, chart: str) -> str:
    """The reason why a controller cannot run on this machine as its chart configures it; empty where it can."""
    for each in (program, "helm"):
        if binaries.find(each) is None:
            return f"{each} is neither on the PATH nor in {binaries.FOLDER / 'bin'}"
    if not MIRROR or not Path(MIRROR, chart).is_dir():
        return f"PENSTOCK_CHARTS names no folder with the chart {chart}"
    return ""


def rendered(chart: str, namespace: str, values: Mapping[str, Any], folder: Path) -> list[Object]:
    """The objects of a chart with values beside its own."""
    helm = binaries.find("helm")
    file = folder / "values.yaml"
    file.write_text(yaml.safe_dump(dict(values)), encoding="utf-8")
    command = [str(helm), "template", chart, str(Path(MIRROR, chart)), "--namespace", namespace, "--include-crds"]
    command += ["--values", str(file)]
    environment = {**os.environ, "HELM_CACHE_HOME": "", "KUBECONFIG": ""}
    text = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
    objects = [each for each in yaml.load_all(text, yaml.CSafeLoader) if each]
    for each in objects:
        # As Helm installs them. The server drops it from kinds that span namespaces.
        each["metadata"].setdefault("namespace", namespace)
    return [{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}}, *objects]


def install(cluster: ControlPlane, of_chart: list[Object], server: str, certificate: str) -> None:
    """Apply what a chart brings but for what runs in containers, its webhooks on loopback."""
    wanted = [each for each in of_chart if each["kind"] not in _RUN_IN_CONTAINERS]
    for manifest in sorted(wanted, key=_rank):
        cluster.api.apply(_on_loopback(manifest, server, certificate), strict=False)
        if manifest["kind"] == "CustomResourceDefinition":
            spec = manifest["spec"]
            for version in spec["versions"]:
                if version["served"]:
                    cluster.api.await_kind(f"{spec['group']}/{version['name']}", spec["names"]["kind"])


def _rank(manifest: Object) -> int:
    kind = manifest["kind"]
    return _FIRST.index(kind) if kind in _FIRST else 3 if kind in _LAST else 2


def _on_loopback(value: Any, server: str, certificate: str) -> Any:
    """A manifest whose webhooks lead to a program on this machine, in place of a service."""
    if isinstance(value, Mapping):
        if isinstance(value.get("service"), Mapping) and "path" in value["service"]:
            return {"url": f"{server}{value['service']['path']}", "caBundle": certificate}
        return {key: _on_loopback(item, server, certificate) for key, item in value.items()}
    return [_on_loopback(item, server, certificate) for item in value] if isinstance(value, list) else value


def make_certificate(folder: Path, *names: str) -> str:
    """A certificate of its own for a webhook on loopback, as webhook configurations carry it.

    Controllers that manage their certificates keep one that has their names and is valid for long enough.
    """
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "365", "-subj", f"/CN={names[0]}"]
    alternatives = ",".join(["IP:127.0.0.1", *(f"DNS:{name}" for name in names)])
    files = ["-keyout", str(folder / "tls.key"), "-out", str(folder / "tls.crt")]
    subprocess.run([*command, "-addext", f"subjectAltName={alternatives}", *files], check=True, capture_output=True)
    # The form in which controllers that manage their certificates read a key.
    command = ["openssl", "rsa", "-traditional", "-in", str(folder / "tls.key"), "-out", str(folder / "tls.key")]
    subprocess.run(command, check=True, capture_output=True)
    return _encoded(folder / "tls.crt")


def _also_there(home: Path) -> None:
    """Copy a certificate to where controllers find those of their container."""
    there = Path(tempfile.gettempdir()) / _CERTIFICATES
    there.mkdir(parents=True, exist_ok=True)
    for file in home.iterdir():
        shutil.copy(file, there)


def _keep_certificate(cluster: ControlPlane, folder: Path, name: str, namespace: str) -> None:
    """Let a controller find the certificate where it would have put its own."""
    pair = {kind: {"crt": _encoded(folder / "tls.crt"), "key": _encoded(folder / "tls.key")} for kind in ("ca", "tls")}
    data = {f"{kind}.{part}": text for kind, parts in pair.items() for part, text in parts.items()}
    metadata = {"name": name, "namespace": namespace}
    cluster.api.apply({"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "data": data})


def _encoded(file: Path) -> str:
    return base64.b64encode(file.read_bytes()).decode()
