"""A real Kubernetes control plane on loopback: etcd, API server, controllers and scheduler, and kwok for the machines.

No container runs and nothing leaves this machine: nodes are objects, kwok reports them ready and their pods running.
"""

from __future__ import annotations

import csv
import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final
from urllib.request import urlopen

import yaml
from tests.cluster import binaries
from tests.cluster.api import Api

STAYS: Final = "stays"
"""The label of pods of jobs that run until somebody deletes them; those of other jobs are done at once."""

_PATIENCE_S: Final = 120
_TOKEN: Final = "administrator"
_PR_SET_PDEATHSIG: Final = 1
_ASKS_WEBHOOKS: Final = ("MutatingAdmissionWebhook", "ValidatingAdmissionWebhook")


class ControlPlane:
    """One that runs, and the folder that holds all it writes.

    Attributes:
        api: its API, as an administrator reaches it.
        kubeconfig: a file that lets an administrator in.
    """

    def __init__(self, folder: Path, port: int) -> None:
        self._folder, self._port = folder, port
        self._processes: list[subprocess.Popen[bytes]] = []
        self.kubeconfig = folder / "kubeconfig"
        self.kubeconfig.write_text(yaml.safe_dump(_kubeconfig(port)), encoding="utf-8")
        self.api = Api(f"https://127.0.0.1:{port}", _TOKEN)

    def kubeconfig_for(self, context: str, *, group: str = "") -> Path:
        """A file with another name for its context, which lets in a member of a group in place of an administrator."""
        return self._kubeconfig_as("ada" if group else "", group, context=context)

    def kubeconfig_of(self, namespace: str, account: str) -> Path:
        """A file that lets in a service account, with the rights that are bound to it and no others."""
        groups = ("system:serviceaccounts", f"system:serviceaccounts:{namespace}", "system:authenticated")
        return self._kubeconfig_as(f"system:serviceaccount:{namespace}:{account}", *groups, context=account)

    def _kubeconfig_as(self, user: str, *groups: str, context: str) -> Path:
        # Programs take a colon in the variable for the end of a file's name.
        file = self._folder / f"kubeconfig-{context}-{groups[0]}".replace(":", "-")
        found = _kubeconfig(self._port, context)
        if user:
            found["users"] = [{"name": _TOKEN, "user": {"token": _TOKEN, "as": user, "as-groups": list(groups)}}]
        file.write_text(yaml.safe_dump(found), encoding="utf-8")
        return file

    def start(
        self,
        name: str,
        *arguments: str,
        called: str = "",
        temporary: Path | None = None,
        variables: Mapping[str, str] | None = None,
    ) -> None:
        """Start a program of the control plane, or a controller beside it.

        Its words go to a file of its name, or of what it is `called`. `temporary` is its temporary folder, where it is
        not that of the machine; `variables` are its own.

        Raises:
            FileNotFoundError: the machine does not have it.
        """
        program = binaries.find(name)
        if program is None:
            raise FileNotFoundError(name)
        with (self._folder / f"{called or name}.log").open("wb") as log:
            process = subprocess.Popen(
                [str(program), *arguments],
                cwd=self._folder,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={
                    **os.environ,
                    "KUBECONFIG": str(self.kubeconfig),
                    **(variables or {}),
                    **({"TMPDIR": str(temporary)} if temporary else {}),
                },
                preexec_fn=_end_with_us if sys.platform == "linux" else None,  # noqa: PLW1509 - tests have one thread
            )
        self._processes.append(process)

    def stop(self) -> None:
        """End all that was started, the last one first."""
        while self._processes:
            process = self._processes.pop()
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def log(self, name: str) -> str:
        """The end of what a program wrote."""
        return (self._folder / f"{name}.log").read_text(encoding="utf-8", errors="replace")[-2000:]

    def up(self, admission: Sequence[str], *, asks_webhooks: bool = True) -> None:
        """Start the control plane itself; it answers once this is done."""
        unasked = () if asks_webhooks else (f"--disable-admission-plugins={','.join(_ASKS_WEBHOOKS)}",)
        etcd, peers = f"http://127.0.0.1:{free_port()}", f"http://127.0.0.1:{free_port()}"
        _keys(self._folder)
        with (self._folder / "tokens.csv").open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerow([_TOKEN, _TOKEN, _TOKEN, "system:masters"])
        own = f"--kubeconfig={self.kubeconfig}"
        trusts = (
            own,
            f"--authentication-kubeconfig={self.kubeconfig}",
            f"--authorization-kubeconfig={self.kubeconfig}",
        )
        self.start(
            "etcd",
            "--data-dir=etcd",
            f"--listen-client-urls={etcd}",
            f"--advertise-client-urls={etcd}",
            f"--listen-peer-urls={peers}",
            f"--initial-advertise-peer-urls={peers}",
            f"--initial-cluster=default={peers}",
            "--unsafe-no-fsync",
        )
        self.start(
            "kube-apiserver",
            f"--etcd-servers={etcd}",
            "--cert-dir=certs",
            f"--secure-port={self._port}",
            "--bind-address=127.0.0.1",
            "--advertise-address=127.0.0.1",
            "--service-account-issuer=https://simulated.local",
            "--service-account-key-file=sa.pub",
            "--service-account-signing-key-file=sa.key",
            "--token-auth-file=tokens.csv",
            "--authorization-mode=RBAC",
            "--service-cluster-ip-range=10.96.0.0/16",
            "--allow-privileged=true",
            # By these it vouches for its users where others serve a part of the API.
            "--proxy-client-cert-file=proxy.crt",
            "--proxy-client-key-file=proxy.key",
            "--requestheader-client-ca-file=proxy.crt",
            "--requestheader-username-headers=X-Remote-User",
            "--requestheader-group-headers=X-Remote-Group",
            "--requestheader-extra-headers-prefix=X-Remote-Extra-",
            f"--enable-admission-plugins={','.join(admission)}",
            # An etcd before 3.4.25, as many machines have, makes such watches fail, and kwok waits longer each time.
            "--feature-gates=WatchList=false",
            *unasked,
        )
        self.await_("kube-apiserver", "/readyz")
        self.start(
            "kube-controller-manager",
            *trusts,
            "--service-account-private-key-file=sa.key",
            "--use-service-account-credentials=true",
            "--root-ca-file=certs/apiserver.crt",
            "--secure-port=0",
            "--leader-elect=false",
            "--horizontal-pod-autoscaler-sync-period=1s",
            "--node-monitor-grace-period=24h",  # a simulated machine says once that it is ready, and never again
        )
        self.start("kube-scheduler", *trusts, "--secure-port=0", "--leader-elect=false")
        stages = self._folder / "stages.yaml"
        stages.write_text(_stages((binaries.FOLDER / binaries.STAGES).read_text(encoding="utf-8")), encoding="utf-8")
        self.start("kwok", own, "--manage-all-nodes", f"--config={stages}", "--server-address=127.0.0.1:0")
        self.await_("kube-controller-manager", "/api/v1/namespaces/default/serviceaccounts/default")

    def await_(self, name: str, path: str) -> None:
        """Wait until the API answers a path, which the program `name` makes it do.

        Raises:
            RuntimeError: that takes too long; the text has what the program wrote.
        """
        for _ in range(_PATIENCE_S * 2):
            if self.api.answers(path):
                return
            time.sleep(0.5)
        raise RuntimeError(f"{name} makes the API server answer no {path}:\n{self.log(name)}")

    def await_address(self, name: str, address: str) -> None:
        """Wait until a program that was started answers at an address of this machine.

        Raises:
            RuntimeError: that takes too long; the text has what the program wrote.
        """
        for _ in range(_PATIENCE_S * 2):
            with suppress(OSError), urlopen(address, timeout=5):
                return
            time.sleep(0.5)
        raise RuntimeError(f"{name} does not answer at {address}:\n{self.log(name)}")


@contextmanager
def control_plane(folder: Path, *admission: str, asks_webhooks: bool = True) -> Iterator[ControlPlane]:
    """A control plane that runs for as long as the block does, with admission plugins beside those by default.

    Without `asks_webhooks`, webhooks are objects that nobody asks: where a chart is installed, and what would answer
    runs in containers.
    """
    found = ControlPlane(folder, free_port())
    try:
        found.up(admission, asks_webhooks=asks_webhooks)
        yield found
    finally:
        found.stop()


def _end_with_us() -> None:
    """Have the kernel end this process as soon as the one that started it is gone, even if killed."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _kubeconfig(port: int, context: str = "simulated") -> dict[str, object]:
    cluster = {"server": f"https://127.0.0.1:{port}", "insecure-skip-tls-verify": True}
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "simulated", "cluster": cluster}],
        "users": [{"name": _TOKEN, "user": {"token": _TOKEN}}],
        "contexts": [{"name": context, "context": {"cluster": "simulated", "user": _TOKEN}}],
        "current-context": context,
    }


def _stages(text: str) -> str:
    """How nodes and pods live, but that pods with the label `STAYS`, and of job sets, do not end by themselves."""
    stages = [each for each in yaml.safe_load_all(text) if each]
    stay = (STAYS, "jobset.sigs.k8s.io/jobset-name")
    for stage in stages:
        if stage["metadata"]["name"] == "pod-complete":
            expressions = stage["spec"]["selector"]["matchExpressions"]
            expressions += [{"key": f'.metadata.labels["{label}"]', "operator": "DoesNotExist"} for label in stay]
    return yaml.safe_dump_all(stages)


def _keys(folder: Path) -> None:
    """The pair that signs the tokens of service accounts, and the one by which the API server is known to others."""
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=front-proxy"]
    files = ["-keyout", str(folder / "proxy.key"), "-out", str(folder / "proxy.crt")]
    subprocess.run([*command, *files], check=True, capture_output=True)
    private, public = folder / "sa.key", folder / "sa.pub"
    subprocess.run(["openssl", "genrsa", "-out", str(private), "2048"], check=True, capture_output=True)
    command = ["openssl", "rsa", "-in", str(private), "-pubout", "-out", str(public)]
    subprocess.run(command, check=True, capture_output=True)


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port
