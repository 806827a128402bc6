"""The user data that a node of Amazon Linux 2023 reads when it starts."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from typing import Any

from penstock.catalog.aws import efa
from penstock.catalog.aws.efa import Interface
from penstock.catalog.aws.machines import AwsMachine

_BOUNDARY = "node-config"


def user_data(machine: AwsMachine, interfaces: Sequence[Interface]) -> str | None:
    """A NodeConfig as a launch template takes it: a MIME document in base64. None when there is nothing to say.

    EKS puts a part of its own before this one, with the cluster's coordinates; nodeadm merges them, and what comes
    later wins (awslabs/amazon-eks-ami, nodeadm examples and issue 1988).
    """
    spec = _local_disks(machine) | _pods(machine, interfaces)
    if not spec:
        return None
    config = {"apiVersion": "node.eks.aws/v1alpha1", "kind": "NodeConfig", "spec": spec}
    document = "\n".join(
        (
            "MIME-Version: 1.0",
            f'Content-Type: multipart/mixed; boundary="{_BOUNDARY}"',
            "",
            f"--{_BOUNDARY}",
            "Content-Type: application/node.eks.aws",
            "",
            json.dumps(config, indent=2),  # every JSON document is a YAML document
            f"--{_BOUNDARY}--",
            "",
        )
    )
    return base64.b64encode(document.encode()).decode()


def _local_disks(machine: AwsMachine) -> dict[str, Any]:
    """All local disks as one array that holds images and the pods' scratch space."""
    return {"instance": {"localStorage": {"strategy": "RAID0"}}} if machine.nvme_gb else {}


def _pods(machine: AwsMachine, interfaces: Sequence[Interface]) -> dict[str, Any]:
    """Card 0 carries the pods' addresses: an interface for EFA alone takes the place of one that would carry some."""
    on_card_0 = any(interface.card == 0 and interface.kind == "efa-only" for interface in interfaces)
    pods = efa.pods(machine, with_efa=True) if on_card_0 else None
    return {"kubelet": {"config": {"maxPods": pods}}} if pods is not None else {}
