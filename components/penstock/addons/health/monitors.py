"""What node-problem-detector looks for beside its own: errors of GPUs in the kernel's log, and links that went down."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from penstock.kubernetes.facts.xid_codes import HARDWARE, XidAction, xid_codes

GPU, FABRIC, LINKS = "gpu-monitor.json", "fabric-monitor.json", "fabric-links.sh"
"""Names of the files."""

GPU_CONDITION, FABRIC_CONDITION = "GpuUnhealthy", "FabricUnhealthy"
"""Conditions of nodes that they set."""


def gpu_monitor() -> str:
    """Errors for which a machine must be drained; the condition stays until the machine or the detector restarts."""
    rules = [
        {
            "type": "permanent",
            "condition": GPU_CONDITION,
            "reason": f"GpuXid{action.capitalize()}",
            "pattern": rf"NVRM: Xid \(PCI:[0-9a-fA-F:.]+\): ({_codes(action)}),.*",
        }
        for action in HARDWARE
    ]
    return _monitor(
        {
            "plugin": "kmsg",
            "logPath": "/dev/kmsg",
            "lookback": "5m",
            "bufferSize": 10,
            "source": "gpu-monitor",
            "conditions": [_healthy(GPU_CONDITION, "GpuIsHealthy", "no error of a GPU")],
            "rules": rules,
        }
    )


def fabric_monitor() -> str:
    """Links of InfiniBand and RoCE; the condition ends when all are up again."""
    rule = {
        "type": "permanent",
        "condition": FABRIC_CONDITION,
        "reason": "FabricLinkDown",
        "path": f"/custom-config/{LINKS}",
    }
    return _monitor(
        {
            "plugin": "custom",
            "pluginConfig": {"invoke_interval": "60s", "timeout": "10s", "max_output_length": 80, "concurrency": 1},
            "source": "fabric-monitor",
            "conditions": [_healthy(FABRIC_CONDITION, "FabricIsHealthy", "as many links are up as ever were")],
            "rules": [rule],
        }
    )


def links_script() -> str:
    """Count the links that are up, and report fewer than there were before."""
    return (Path(__file__).parent / LINKS).read_text(encoding="utf-8")


def _codes(action: XidAction) -> str:
    # The log does not name the model: what holds for most models is taken.
    return "|".join(str(each.code) for each in xid_codes(action) if each.models is None)


def _healthy(condition: str, reason: str, message: str) -> dict[str, str]:
    return {"type": condition, "reason": reason, "message": message}


def _monitor(monitor: Mapping[str, Any]) -> str:
    return json.dumps(monitor, indent=1)
