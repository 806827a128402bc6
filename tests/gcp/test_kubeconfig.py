"""What the kubeconfig promises."""

from __future__ import annotations

import json

from tests.gcphandles import CLUSTER

from penstock.gcp.kubeconfig import kubeconfig
from penstock.testing import rehearse


def test_it_points_at_the_cluster_and_holds_no_secret() -> None:
    seen: list[str] = []
    rehearse(lambda: kubeconfig(CLUSTER).apply(seen.append))

    config = json.loads(seen[0])
    (cluster,), (user,) = config["clusters"], config["users"]
    assert cluster["cluster"] == {
        "server": f"https://{CLUSTER.endpoint}",
        "certificate-authority-data": CLUSTER.certificate_authority,
    }
    assert set(user["user"]) == {"exec"}
    assert user["user"]["exec"]["command"] == "gke-gcloud-auth-plugin"
    assert config["current-context"] == CLUSTER.name
