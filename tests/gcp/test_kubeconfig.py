"""What the kubeconfig promises."""

from __future__ import annotations

import json
from dataclasses import replace

from tests.gcphandles import CLUSTER

from penstock.gcp.components.kubeconfig import kubeconfig
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


def test_a_name_is_trusted_by_its_own_certificate() -> None:
    seen: list[str] = []
    by_name = replace(CLUSTER, endpoint="gke-1.us-central1.gke.goog", certificate_authority=None)
    rehearse(lambda: kubeconfig(by_name).apply(seen.append))

    (cluster,) = json.loads(seen[0])["clusters"]
    assert cluster["cluster"] == {"server": "https://gke-1.us-central1.gke.goog"}
