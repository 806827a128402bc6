"""Labels of nodes that GKE sets itself."""

from __future__ import annotations

import pytest

from penstock.gcp.facts import node_labels


@pytest.mark.parametrize("key", ["node-role.kubernetes.io/worker", "sandbox.gke.io/runtime"])
def test_a_label_that_gke_refuses_is_one_that_it_gives(key: str) -> None:
    assert node_labels.refused(key)
    assert node_labels.given(key)


def test_a_label_that_gke_gives_is_not_refused_for_that() -> None:
    assert node_labels.given("cloud.google.com/gke-nodepool")
    assert not node_labels.refused("cloud.google.com/gke-nodepool")


@pytest.mark.parametrize("key", ["cloud.google.com/gke-networking-dra-driver", "cloud.google.com/gke-queued", "team"])
def test_labels_of_pools_are_theirs(key: str) -> None:
    assert not node_labels.given(key)
