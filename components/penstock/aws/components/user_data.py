"""The user data that a node of Amazon Linux 2023 reads when it starts."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from typing import Any

from penstock.aws.facts import efa, lustre_clients
from penstock.aws.facts.efa import Interface
from penstock.aws.facts.machines import AwsMachine
from penstock.description.node_pool import Taint
from penstock.description.nodes.startup import UNCHECKED

_BOUNDARY = "node-config"

_MOST_PODS = 250
"""For machines of more than 30 vCPU, as all with EFA are (EKS user guide, "Choose an optimal node instance type")."""

_UNCHECKED_LABEL = f"--node-labels={UNCHECKED}=true"

_LUSTRE_OVER_EFA = """#!/bin/bash
# FSx for Lustre user guide, "Configuring EFA clients"; EKS user guide, "Optimize Amazon FSx for Lustre performance on
# nodes (EFA)". It runs again after each reboot. A node where a step fails joins all the same, and mounts over TCP.
cat >/usr/local/sbin/lustre-over-efa <<'SCRIPT'
#!/bin/bash
set -o errexit -o nounset -o pipefail
primary=$(ip -o -4 route show default | awk 'NR == 1 {{ print $5 }}')
modprobe lnet
modprobe ksocklnd
modprobe kefalnd ipif_name="$primary"
lnetctl lnet configure
lnetctl net del --net tcp 2>/dev/null || true
lnetctl net add --net tcp --if "$primary"
devices=()
for device in /sys/class/infiniband/*; do
  if [ "$(basename "$(readlink -f "$device/device/driver")")" = efa ]; then devices+=("$(basename "$device")"); fi
done
step=$(( ${{#devices[@]}} > {interfaces} ? ${{#devices[@]}} / {interfaces} : 1 ))
for (( index = 0; index < ${{#devices[@]}}; index += step )); do
  lnetctl net add --net efa --if "${{devices[index]}}" --peer-credits 32
done
lnetctl set discovery 1
lnetctl udsp add --src efa --priority 0
modprobe lustre
lnetctl net show
SCRIPT
chmod 755 /usr/local/sbin/lustre-over-efa
cat >/etc/systemd/system/lustre-over-efa.service <<'UNIT'
[Unit]
Description=Lustre over EFA
After=network-online.target
Wants=network-online.target
Before=kubelet.service
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/usr/local/sbin/lustre-over-efa
[Install]
WantedBy=multi-user.target
UNIT
dnf install -y lustre-client
systemctl daemon-reload
systemctl enable --now lustre-over-efa.service || logger -t lustre-over-efa "not set up: Lustre is mounted over TCP"
exit 0
"""
"""With the number of interfaces. Packages of Amazon Linux are signed, and of the release that the image pins."""


def user_data(
    machine: AwsMachine,
    interfaces: Sequence[Interface],
    *,
    lustre_over_efa: bool = False,
    startup_taints: Sequence[Taint] = (),
) -> str | None:
    """A NodeConfig as a launch template takes it: a MIME document in base64. None when there is nothing to say.

    With `lustre_over_efa` a script sets up Lustre's client before the node joins: without it, mounts go over TCP.
    `startup_taints` are all taints that nodes join with, where one of them goes by itself.

    EKS puts a part of its own before this one, with the cluster's coordinates; nodeadm merges them, and what comes
    later wins (awslabs/amazon-eks-ami, nodeadm examples and issue 1988).
    """
    kubelet = _pods(machine, interfaces) | _flags(startup_taints)
    spec = _local_disks(machine) | ({"kubelet": kubelet} if kubelet else {})
    text = _document(machine, spec, lustre_over_efa=lustre_over_efa)
    return base64.b64encode(text.encode()).decode() if text is not None else None


def plain_user_data(machine: AwsMachine, *, lustre_over_efa: bool = False, unchecked: bool = False) -> str | None:
    """The same as Karpenter takes it: as text, without what it says of local disks, pods and taints itself.

    With `unchecked` nodes join with the label of those that nobody has tested. Karpenter must not know of it: it would
    count the test, which requests all GPUs of a node, among what every node needs, and start none for jobs.
    """
    spec = _fast_pulls(machine) | ({"kubelet": {"flags": [_UNCHECKED_LABEL]}} if unchecked else {})
    return _document(machine, spec, lustre_over_efa=lustre_over_efa)


def most_pods(machine: AwsMachine, interfaces: Sequence[Interface]) -> int | None:
    """The number of pods where it is not the machine type's own, or None.

    Card 0 carries the pods' addresses: an interface for EFA alone takes the place of one that would carry some.
    """
    on_card_0 = any(interface.card == 0 and interface.kind == "efa-only" for interface in interfaces)
    pods = efa.pods(machine, with_efa=True) if on_card_0 else None
    return min(pods, _MOST_PODS) if pods is not None else None


def _document(machine: AwsMachine, spec: Mapping[str, Any], *, lustre_over_efa: bool) -> str | None:
    parts: dict[str, str] = {}
    if lustre_over_efa:
        script = _LUSTRE_OVER_EFA.format(interfaces=lustre_clients.efa_interfaces(machine))
        parts['text/x-shellscript; charset="us-ascii"'] = script
    if spec:
        config = {"apiVersion": "node.eks.aws/v1alpha1", "kind": "NodeConfig", "spec": spec}
        parts["application/node.eks.aws"] = json.dumps(config, indent=2)  # every JSON document is a YAML document
    return _mime(parts) if parts else None


def _mime(parts: Mapping[str, str]) -> str:
    lines = ["MIME-Version: 1.0", f'Content-Type: multipart/mixed; boundary="{_BOUNDARY}"', ""]
    for kind, text in parts.items():
        lines += [f"--{_BOUNDARY}", f"Content-Type: {kind}", "", text]
    return "\n".join((*lines, f"--{_BOUNDARY}--", ""))


def _local_disks(machine: AwsMachine) -> dict[str, Any]:
    """All local disks as one array that holds images and the pods' scratch space."""
    if not machine.nvme_gb:
        return {}
    return {"instance": {"localStorage": {"strategy": "RAID0"}}, **_fast_pulls(machine)}


def _fast_pulls(machine: AwsMachine) -> dict[str, Any]:
    """Pull and unpack images of tens of GB in parallel, which disks over the network would not keep up with.

    Source: awslabs/amazon-eks-ami, nodeadm feature gates; experimental there.
    """
    return {"featureGates": {"FastImagePull": True}} if machine.nvme_gb and machine.accelerators else {}


def _pods(machine: AwsMachine, interfaces: Sequence[Interface]) -> dict[str, Any]:
    pods = most_pods(machine, interfaces)
    return {"config": {"maxPods": pods}} if pods is not None else {}


def _flags(taints: Sequence[Taint]) -> dict[str, Any]:
    """Flags of the kubelet: nodeadm puts them after those of EKS, and of taints the last flag alone counts.

    Source: awslabs/amazon-eks-ami, nodeadm/internal/api/merge.go; kubernetes/kubernetes, pkg/util/taints. A taint of
    the node group itself would be EKS' to manage; this one EKS does not know of, and it goes for good.
    """
    if not taints:
        return {}
    written = ",".join(f"{taint.key}={taint.value}:{taint.effect}" for taint in taints)
    return {"flags": [_UNCHECKED_LABEL, f"--register-with-taints={written}"]}
