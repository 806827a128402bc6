"""What the catalogue knows about software that AWS puts into a cluster."""

from __future__ import annotations

import pytest

from penstock.aws.facts import eks_addons, endpoints, image_registries
from penstock.catalog import needs, regions
from penstock.core.errors import UnknownFact


def test_nodes_wait_for_the_network_of_pods_and_for_their_credentials_only() -> None:
    before = {addon.name for addon in eks_addons.for_every_cluster() if addon.before_nodes}

    assert before == {"vpc-cni", "kube-proxy", "eks-pod-identity-agent"}


def test_addons_that_wait_for_nodes_are_placed_after_them() -> None:
    addons = [eks_addons.find_addon(name) for name in eks_addons.addon_names()]
    waiting = {addon.name: "waits_for_nodes" in addon.unverified for addon in addons if addon.waits_for_nodes}
    awaited = [need for need in needs.needs_of("aws:eks/addon:Addon") if need.awaited]

    assert awaited
    for steps in {need.steps for need in awaited}:
        placed = [(need.when, need.unverified) for need in awaited if need.steps == steps and need.when is not None]
        assert waiting == {name: "when" in unverified for when, unverified in placed for name in when.texts}


def test_an_addon_with_rights_names_who_uses_them() -> None:
    for addon in (*eks_addons.for_every_cluster(), eks_addons.find_addon("aws-efs-csi-driver")):
        assert bool(addon.policies) <= bool(addon.service_accounts)


def test_an_unknown_addon_names_its_neighbours() -> None:
    with pytest.raises(UnknownFact, match="vpc-cni"):
        eks_addons.find_addon("vpc-cnii")


def test_a_closed_network_reaches_what_pod_identity_and_images_need() -> None:
    assert {"eks-auth", "ecr.api", "ecr.dkr", "sts"} <= set(endpoints.for_nodes())
    assert "s3" not in endpoints.for_nodes()


def test_registries_are_known_where_the_catalogue_knows_the_region() -> None:
    for region in regions.all_regions("aws"):
        assert region.name in image_registries.host(region.name)


def test_registries_in_china_end_as_china_does() -> None:
    assert image_registries.host("cn-north-1") == "918309763551.dkr.ecr.cn-north-1.amazonaws.com.cn"
