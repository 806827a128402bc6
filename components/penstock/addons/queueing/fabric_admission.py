"""What pods of teams may do for a fabric, beyond Pod Security's level baseline, and nothing more.

On GPUDirect, a pod brings Google's daemon along, which sees `/proc/sys` of its node: whoever ran a command of their own
in that container would have the node. So only the daemon itself is let through, to the letter.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Final

import pulumi

from penstock.addons.queueing import baseline
from penstock.addons.queueing.refused import AdmissionRule, JudgedKind, refuse
from penstock.description.nodes import PoolNodes
from penstock.kubernetes.components import fabric_daemon
from penstock.kubernetes.components.fabric_daemon import DEVICES, LIBRARIES_ON_NODE, OF_NODE, find_daemon
from penstock.kubernetes.components.job_pods import capabilities
from penstock.kubernetes.facts.gpudirect import Daemon

HELD: Final = {"penstock.dev/pod-security": "baseline"}
"""The label of namespaces that are held to a level by this policy, and not by Pod Security."""

_NAME: Final = "penstock-pod-fabric"
_KINDS: Final = (JudgedKind("", "pods"), JudgedKind("", "pods/ephemeralcontainers"))
_ACCOUNT: Final = "/var/run/secrets/kubernetes.io/serviceaccount"
"""Where the API server mounts the token of the pod's account into every container."""

_OF_THEIR_OWN: Final = (
    "args",
    "envFrom",
    "lifecycle",
    "livenessProbe",
    "readinessProbe",
    "startupProbe",
    "volumeDevices",
    "workingDir",
)
"""What would let a daemon's container run something else, or elsewhere."""

_WHOLE: Final = "!has(mount.subPath) && !has(mount.subPathExpr)"


def needs_more(pools: Sequence[PoolNodes]) -> bool:
    """Return whether pods that use the fabric of a pool do what Pod Security's level baseline refuses."""
    return any(pool.node_directories or capabilities(pool) for pool in pools) or bool(_daemons(pools))


def admit(name: str, pools: Sequence[PoolNodes], opts: pulumi.ResourceOptions) -> pulumi.Resource:
    """Refuse pods of teams that do more than level baseline and the fabrics of the pools need."""
    daemons = _daemons(pools)
    names = _listed(map(fabric_daemon.name_of, daemons))
    return refuse(
        name,
        _NAME,
        _KINDS,
        [*baseline.rules(), _capabilities(pools), *_directories(pools), _devices(daemons), *map(_itself, daemons)],
        opts,
        variables={
            "containers": baseline.CONTAINERS,
            "others": f"variables.containers.filter(each, !(each.name in {names}))",
            "directories": "object.spec.?volumes.orValue([]).filter(each, has(each.hostPath))",
        },
    )


def _daemons(pools: Sequence[PoolNodes]) -> tuple[Daemon, ...]:
    found = (find_daemon(pool.fabric) for pool in pools)
    return tuple({each.fabric: each for each in found if each is not None}.values())


def _capabilities(pools: Sequence[PoolNodes]) -> AdmissionRule:
    may_add = {*baseline.CAPABILITIES, *(each for pool in pools for each in capabilities(pool))}
    return AdmissionRule(
        "variables.others.all(each, each.?securityContext.?capabilities.?add.orValue([]).all(added, "
        f"added in {_listed(may_add)}))",
        "Containers of teams add no capability but what their fabric needs.",
    )


def _directories(pools: Sequence[PoolNodes]) -> tuple[AdmissionRule, ...]:
    """Of the node: what jobs read of it, what they write, and what is for the daemons alone."""
    daemons = _daemons(pools)
    read = {path for pool in pools for path in pool.node_directories.values()} | (
        {LIBRARIES_ON_NODE} if daemons else set()
    )
    written = {path for daemon in daemons for path in daemon.directories}
    known = read | written | {path for daemon in daemons for path in fabric_daemon.directories(daemon)}
    return (
        AdmissionRule(
            f"variables.directories.all(each, each.hostPath.path in {_listed(known)})",
            "Pods of teams mount no directory of the node but those of their fabric.",
        ),
        AdmissionRule(
            "variables.others.all(each, each.?volumeMounts.orValue([]).all(mount, "
            "variables.directories.all(found, found.name != mount.name || "
            f"({_WHOLE} && (found.hostPath.path in {_listed(written)} || "
            f"(found.hostPath.path in {_listed(read)} && mount.?readOnly.orValue(false)))))))",
            "Containers of teams mount directories of the node for their fabric, readOnly and whole.",
        ),
    )


def _devices(daemons: Sequence[Daemon]) -> AdmissionRule:
    """Whatever device a pod names, the node would hand over: its disks, too."""
    given = {key: value for daemon in daemons for key, value in fabric_daemon.devices(daemon).items()}
    allowed = " || ".join(
        f"(key == {json.dumps(key)} && object.metadata.annotations[key] == {json.dumps(value)})"
        for key, value in given.items()
    )
    return AdmissionRule(
        f"object.metadata.?annotations.orValue({{}}).all(key, !key.startsWith({json.dumps(DEVICES)})"
        f"{f' || {allowed}' if allowed else ''})",
        "Pods of teams name no device of the node but those of the daemon of their fabric.",
    )


def _itself(daemon: Daemon) -> AdmissionRule:
    """The container of a daemon is as `penstock jobs` prints it, in processes and files of its own."""
    its = fabric_daemon.sidecar(daemon)
    ((variable, value),) = ((each["name"], each["value"]) for each in its["env"])
    of_node, free = json.dumps(dict(OF_NODE)), _listed([*daemon.shares, _ACCOUNT])
    mounts = (
        f"mount.mountPath in {free} ? variables.directories.all(found, found.name != mount.name) : "
        f"(mount.mountPath in {of_node} && variables.directories.exists(found, found.name == mount.name && "
        f"found.hostPath.path == {of_node}[mount.mountPath]))"
    )
    conditions = (
        f"each.image == {json.dumps(its['image'])}",
        f"each.?command.orValue([]) == {json.dumps(its['command'])}",
        *(f"!has(each.{field})" for field in _OF_THEIR_OWN),
        f"each.?env.orValue([]).all(set, set.name == '{variable}' && set.?value.orValue('') == '{value}')",
        f"each.?securityContext.?capabilities.?add.orValue([]).all(added, added in {_listed(daemon.adds)})",
        f"each.?volumeMounts.orValue([]).all(mount, {_WHOLE} && ({mounts}))",
        "!object.spec.?shareProcessNamespace.orValue(false)",
    )
    return AdmissionRule(
        f"variables.containers.all(each, each.name != '{its['name']}' || ({' && '.join(conditions)}))",
        f"The container {its['name']} is the one that `penstock jobs` prints.",
    )


def _listed(names: Iterable[str]) -> str:
    return json.dumps(sorted(names))
