"""Pod Security's level baseline as rules of our own, for namespaces where a few pods may do a little more.

The level of a namespace knows no exceptions. Where a fabric needs one, the namespace is privileged by name, and these
rules keep everything else out (Kubernetes documentation, Pod Security Standards, baseline).
"""

from __future__ import annotations

import json
from typing import Final

from penstock.addons.queueing.refused import AdmissionRule

CONTAINERS: Final = (
    "object.spec.containers + object.spec.?initContainers.orValue([]) + object.spec.?ephemeralContainers.orValue([])"
)
"""All containers of a pod, which the rules have as the variable `containers`."""

CAPABILITIES: Final = (
    "AUDIT_WRITE",
    "CHOWN",
    "DAC_OVERRIDE",
    "FOWNER",
    "FSETID",
    "KILL",
    "MKNOD",
    "NET_BIND_SERVICE",
    "SETFCAP",
    "SETGID",
    "SETPCAP",
    "SETUID",
    "SYS_CHROOT",
)
"""What a container may add to its capabilities: those that runtimes give by themselves."""

_SYSCTLS: Final = (
    "kernel.shm_rmid_forced",
    "net.ipv4.ip_local_port_range",
    "net.ipv4.ip_local_reserved_ports",
    "net.ipv4.ip_unprivileged_port_start",
    "net.ipv4.ping_group_range",
    "net.ipv4.tcp_fin_timeout",
    "net.ipv4.tcp_keepalive_intvl",
    "net.ipv4.tcp_keepalive_probes",
    "net.ipv4.tcp_keepalive_time",
    "net.ipv4.tcp_rmem",
    "net.ipv4.tcp_syncookies",
    "net.ipv4.tcp_wmem",
)
_SELINUX: Final = ("", "container_t", "container_init_t", "container_kvm_t", "container_engine_t")
_HANDLERS: Final = ("livenessProbe", "readinessProbe", "startupProbe", "lifecycle.?postStart", "lifecycle.?preStop")


def rules() -> tuple[AdmissionRule, ...]:
    """All of the level but capabilities and directories of the node, which the rules on the fabric judge."""
    return (
        _rule(
            "!object.spec.?hostNetwork.orValue(false) && !object.spec.?hostPID.orValue(false) && "
            "!object.spec.?hostIPC.orValue(false)",
            "are in no namespace of their node: leave hostNetwork, hostPID and hostIPC out",
        ),
        _rule(_each("!each.?securityContext.?privileged.orValue(false)"), "are not privileged: leave privileged out"),
        _rule(_each("each.?ports.orValue([]).all(port, port.?hostPort.orValue(0) == 0)"), "have no hostPort"),
        _rule(
            " && ".join(
                _each(f"each.?{handler}.?{action}.?host.orValue('') == ''")
                for handler in _HANDLERS
                for action in ("httpGet", "tcpSocket")
            ),
            "probe no other host: leave host out of probes and handlers",
        ),
        _rule(
            _in_both("?appArmorProfile.?type.orValue('RuntimeDefault') != 'Unconfined'")
            + " && object.metadata.?annotations.orValue({}).all(key, "
            "!key.startsWith('container.apparmor.security.beta.kubernetes.io/') || "
            "object.metadata.annotations[key] != 'unconfined')",
            "are confined by AppArmor",
        ),
        _rule(
            " && ".join(
                (
                    _in_both(f"?seLinuxOptions.?type.orValue('') in {json.dumps(_SELINUX)}"),
                    _in_both("?seLinuxOptions.?user.orValue('') == ''"),
                    _in_both("?seLinuxOptions.?role.orValue('') == ''"),
                )
            ),
            "name no user, role or further type of SELinux",
        ),
        _rule(_each("each.?securityContext.?procMount.orValue('Default') == 'Default'"), "have the default procMount"),
        _rule(_in_both("?seccompProfile.?type.orValue('') != 'Unconfined'"), "are confined by seccomp"),
        _rule(
            f"object.spec.?securityContext.?sysctls.orValue([]).all(each, each.name in {json.dumps(_SYSCTLS)})",
            "set only sysctls that are safe",
        ),
        _rule(_in_both("?windowsOptions.?hostProcess.orValue(false) == false"), "run no process of the host"),
    )


def _rule(expression: str, what: str) -> AdmissionRule:
    return AdmissionRule(expression, f"Pods of teams {what} (Pod Security, baseline).")


def _each(condition: str) -> str:
    return f"variables.containers.all(each, {condition})"


def _in_both(condition: str) -> str:
    """The condition on the security context of the pod, and on those of its containers."""
    return f"object.spec.?securityContext.{condition} && {_each(f'each.?securityContext.{condition}')}"
