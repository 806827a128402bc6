"""GPUs that several pods share."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulecases import Case, Program, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.gcp.types import NODE_POOL

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE

CLIENTS = "nodeConfig.guestAccelerators[0].gpuSharingConfig.maxSharedClientsPerGpu"


def shared(clients: Any) -> Program:
    """A pool whose GPUs are shared."""
    sharing = {"gpuSharingStrategy": "TIME_SHARING", "maxSharedClientsPerGpu": clients}
    return {"it": (NODE_POOL, {"nodeConfig": {"guestAccelerators": [{"gpuSharingConfig": sharing}]}})}


CASES = [
    Case("gcp-gke-gpu-sharing-clients", PASS, shared(48)),
    Case("gcp-gke-gpu-sharing-clients", FAIL, shared(64), path=CLIENTS, says="Use 48"),
    Case("gcp-gke-gpu-sharing-clients", FAIL, shared(1), path=CLIENTS, says="Use 2"),
    Case("gcp-gke-gpu-sharing-clients", CANNOT_TELL, shared(UNKNOWN)),
    Case("gcp-gke-gpu-sharing-clients", NOT_APPLICABLE, {"it": (NODE_POOL, {"nodeConfig": {}})}),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_gpu_for_too_many_is_told(case: Case) -> None:
    check(case)
