"""Pods as network namespaces around a node, which is one too: packets between them pass the node's own firewall."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final, NamedTuple

NODE_IP: Final = "10.244.0.1"
_SERVE: Final = """
import selectors, socket, sys
ready = selectors.DefaultSelector()
for port in map(int, sys.argv[1:]):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        server = socket.socket(socket.AF_INET, kind)
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        server.bind(("0.0.0.0", port))
        if kind == socket.SOCK_STREAM:
            server.listen()
        ready.register(server, selectors.EVENT_READ)
print("serving", flush=True)
while True:
    for key, _ in ready.select():
        if key.fileobj.type == socket.SOCK_STREAM:
            key.fileobj.accept()[0].close()
        else:
            key.fileobj.sendto(*key.fileobj.recvfrom(64))
"""
_CONNECT: Final = """
import json, socket, sys
def reached(ip, port, protocol):
    kind = socket.SOCK_DGRAM if protocol == "UDP" else socket.SOCK_STREAM
    with socket.socket(socket.AF_INET, kind) as client:
        client.settimeout(2)
        try:
            client.connect((ip, port))
            if protocol == "UDP":
                client.send(b"?")
                client.recv(64)
        except OSError:
            return False
        return True
print(json.dumps([reached(*target) for target in json.load(sys.stdin)]))
"""


_NUMBERS: Final = count()


class Target(NamedTuple):
    """A port of a host."""

    host: str
    port: int
    protocol: str = "TCP"


@dataclass(frozen=True, kw_only=True, eq=False)
class Host:
    """A pod or, without a namespace, a machine outside of the cluster.

    Attributes:
        name: Its name, unique among all hosts.
        ip: Its address.
        namespace: That of the pod; None for a machine.
        labels: Those of the pod.
        listens: The ports that it listens on, by TCP and UDP.
        named: Names of its ports, for policies that open ports by name.
    """

    name: str
    ip: str
    namespace: str | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    listens: tuple[int, ...] = ()
    named: Mapping[str, int] = field(default_factory=dict)

    def manifest(self, node: str) -> dict[str, Any]:
        """The pod as the API server has it."""
        ports = [{"name": name, "containerPort": port, "protocol": "TCP"} for name, port in self.named.items()]
        return {
            "metadata": {"name": self.name, "namespace": self.namespace, "labels": dict(self.labels)},
            "spec": {"nodeName": node, "containers": [{"name": "main", "image": "main", "ports": ports}]},
            "status": {"phase": "Running", "podIP": self.ip, "podIPs": [{"ip": self.ip}], "hostIP": NODE_IP},
        }


def unavailable() -> str:
    """Why this machine has no such networks; empty if it has."""
    lacking = [program for program in ("ip", "iptables", "iptables-restore", "ipset") if shutil.which(program) is None]
    if lacking:
        return f"not on this machine: {', '.join(lacking)}"
    if os.geteuid() != 0 or subprocess.run(["unshare", "--net", "true"], check=False, capture_output=True).returncode:
        return "network namespaces need root"
    return ""


class Node:
    """The node between all hosts, in a network namespace of its own."""

    def __init__(self, hosts: Sequence[Host]) -> None:
        """Take note of its hosts; `running` builds the networks."""
        self._hosts = {host.name: host for host in hosts}
        self._spaces = {name: _new_name() for name in self._hosts}
        self.space = _new_name()

    @contextmanager
    def running(self) -> Iterator[Node]:
        """Build the networks, and let each host listen; all of it ends with the block."""
        with ExitStack() as stack:
            stack.enter_context(_space(self.space))
            _run("ip", "-n", self.space, "addr", "add", f"{NODE_IP}/32", "dev", "lo")
            self.inside("sysctl", "-qw", "net.ipv4.ip_forward=1")
            for number, host in enumerate(self._hosts.values()):
                stack.enter_context(_space(self._spaces[host.name]))
                self._wire(self._spaces[host.name], f"pod{number}", host.ip)
                if host.listens:
                    stack.enter_context(_serving(self._spaces[host.name], host.listens))
            yield self

    def _wire(self, space: str, device: str, ip: str) -> None:
        """Join a host to the node by a pair of devices, with routes in both directions."""
        _run("ip", "-n", self.space, "link", "add", device, "type", "veth", "peer", "name", "eth0", "netns", space)
        _run("ip", "-n", self.space, "link", "set", device, "up")
        _run("ip", "-n", self.space, "route", "add", f"{ip}/32", "dev", device)
        self.inside("sysctl", "-qw", f"net.ipv4.conf.{device}.proxy_arp=1", f"net.ipv4.conf.{device}.rp_filter=0")
        _run("ip", "-n", space, "addr", "add", f"{ip}/32", "dev", "eth0")
        _run("ip", "-n", space, "link", "set", "eth0", "up")
        _run("ip", "-n", space, "route", "add", "default", "dev", "eth0")

    def inside(self, *command: str) -> None:
        """Run a command in the node's network."""
        _run("ip", "netns", "exec", self.space, *command)

    def reached(self, source: str | None, targets: Sequence[Target]) -> list[bool]:
        """Which targets a host reaches; None for the node itself."""
        asked = json.dumps([(self._hosts[target.host].ip, target.port, target.protocol) for target in targets])
        space = self.space if source is None else self._spaces[source]
        command = ["ip", "netns", "exec", space, sys.executable, "-c", _CONNECT]
        done = subprocess.run(command, input=asked, check=True, capture_output=True, text=True)
        answers: list[bool] = json.loads(done.stdout)
        return answers


def _new_name() -> str:
    return f"penstock-{os.getpid()}-{next(_NUMBERS)}"


@contextmanager
def _space(name: str) -> Iterator[None]:
    _run("ip", "netns", "add", name)
    try:
        _run("ip", "-n", name, "link", "set", "lo", "up")
        yield
    finally:
        _run("ip", "netns", "delete", name)


@contextmanager
def _serving(space: str, ports: Sequence[int]) -> Iterator[None]:
    command = ["ip", "netns", "exec", space, sys.executable, "-c", _SERVE, *map(str, ports)]
    with started(command, says="serving"):
        yield


@contextmanager
def started(command: Sequence[str], *, says: str) -> Iterator[None]:
    """Start a program that says a word when it is ready, and end it with the block."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        try:
            assert program.stdout is not None
            assert program.stderr is not None
            if program.stdout.readline().strip() != says:
                program.kill()
                raise RuntimeError(f"{command[0]}: {program.stderr.read()[-2000:]}")
            yield
        finally:
            program.kill()


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True)
