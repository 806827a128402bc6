"""Versions of GKE, and what works from which of them on."""

from __future__ import annotations

from datetime import date

import pytest

from penstock.catalog import kubernetes_versions
from penstock.core.errors import UnknownFact
from penstock.gcp.facts import gke_versions


@pytest.mark.parametrize(
    ("version", "feature", "works"),
    [
        ("1.34.1-gke.1829001", "dranet", True),
        ("1.34.1-gke.1829000", "dranet", False),
        ("1.34.2-gke.1", "dranet", True),
        ("1.34.0-gke.9999999", "dranet", False),
        ("1.33.12-gke.1165000", "dranet", False),
        ("1.33", "dranet", False),
        ("1.34", "dranet", None),
        ("1.34.1", "dranet", None),
        ("1.34.2", "dranet", True),
        ("1.35", "dranet", True),
        ("1.28", "multi_networking", True),
        ("1.27.16-gke.2874000", "multi_networking", False),
        ("1.28.15-gke.3163000", "tcpx", True),
        ("1.28.15-gke.3162999", "tcpx", False),
        ("1.30", "tcpx", True),
        ("1.26", "tcpx", False),
        ("1.32", "tcpxo", None),
        ("1.33", "tcpxo", True),
        ("1.27", "tcpxo", False),
        ("1.35.0-gke.274499", "slice_controller", False),
        ("1.35.0-gke.274500", "slice_controller", True),
    ],
)
def test_a_feature_works_from_the_patch_that_google_names(version: str, feature: str, works: bool | None) -> None:
    assert gke_versions.at_least(version, feature) is works


@pytest.mark.parametrize("feature", gke_versions.features())
def test_a_feature_works_in_each_of_its_first_versions(feature: str) -> None:
    for version in gke_versions.floors(feature):
        assert gke_versions.at_least(version, feature) is True


def test_the_first_versions_of_a_feature_ascend_by_number() -> None:
    assert gke_versions.floors("tcpx")[0].startswith("1.27.")
    assert gke_versions.floors("tcpxo")[-1].startswith("1.32.")


@pytest.mark.parametrize("text", ["", "latest", "1", "1.34.1-gke", "v1.34", "1.34.1-gke.1\n"])
def test_what_is_no_version_is_refused(text: str) -> None:
    with pytest.raises(UnknownFact, match="not a version of GKE"):
        gke_versions.version_parts(text)


def test_an_unknown_feature_names_its_neighbour() -> None:
    with pytest.raises(UnknownFact, match="Did you mean dranet"):
        gke_versions.at_least("1.35", "dra-net")


def test_the_default_version_is_offered_and_has_the_fabrics() -> None:
    version = kubernetes_versions.default_version("gcp")

    assert version in kubernetes_versions.supported_versions("gcp", date(2026, 11, 22))
    assert all(gke_versions.at_least(version, feature) for feature in ("dranet", "multi_networking", "tcpx", "tcpxo"))


def test_versions_ascend() -> None:
    versions = [
        gke_versions.version_parts(version)
        for version in kubernetes_versions.supported_versions("gcp", date(2026, 11, 22))
    ]

    assert versions == sorted(versions)
