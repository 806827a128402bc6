"""Images and variables of the fabrics of Google Cloud: each pin is of one release, and each profile of one family."""

from __future__ import annotations

import re

import pytest

from penstock.catalog import nccl_profiles
from penstock.catalog.tables import rows
from penstock.core.errors import UnknownFact
from penstock.gcp.facts import fabrics
from penstock.kubernetes.facts import gpudirect
from penstock.kubernetes.facts.interface_variables import interface_variables


@pytest.mark.parametrize("fabric", ["tcpx", "tcpxo"])
def test_plugin_and_daemon_are_pinned_to_one_release(fabric: str) -> None:
    release = gpudirect.release(fabric, gpudirect.image(f"{fabric}-plugin").tag or "")

    assert release is not None
    assert release.daemon == gpudirect.image(f"{fabric}-daemon").tag


@pytest.mark.parametrize("name", [row["name"] for row in rows("kubernetes/fabric_images")])
def test_every_image_is_fixed_by_a_tag_or_a_digest(name: str) -> None:
    image = gpudirect.image(name)

    assert re.fullmatch(r"[a-z0-9./-]+(:[\w.-]+)?(@sha256:[0-9a-f]{64})?", image.reference)
    assert image.tag != "latest"
    assert image.tag or image.digest


def test_an_unknown_image_names_its_neighbours() -> None:
    with pytest.raises(UnknownFact, match="Did you mean tcpxo-daemon"):
        gpudirect.image("tcpxo-deamon")


def test_the_daemon_of_a_fabric_is_the_one_that_is_pinned() -> None:
    for daemon in gpudirect.daemons():
        assert gpudirect.image(f"{daemon.fabric}-daemon").repository.endswith(daemon.image)


def test_nccl_looks_for_sockets_where_the_daemon_shares_them() -> None:
    for daemon in gpudirect.daemons():
        for profile in nccl_profiles.profiles(daemon.fabric, "gcp"):
            values = {variable.name: variable.value for variable in profile.variables}
            assert tuple(values[name] for name in filter(None, (daemon.socket_variable,))) == daemon.shares
            assert all(f"--uds_path {path}" in daemon.script for path in daemon.shares)
            assert values.get("NCCL_FASTRAK_LLCM_DEVICE_DIRECTORY", "") == "".join(daemon.directories)


@pytest.mark.parametrize(
    ("provider", "fabric"),
    [*(("gcp", fabric) for fabric in fabrics.fabric_names()), ("aws", "efa"), ("azure", "infiniband")],
)
def test_no_profile_sets_what_is_wrong_on_its_fabric(provider: str, fabric: str) -> None:
    for profile in nccl_profiles.profiles(fabric, provider):
        for variable in profile.variables:
            families = [each for each in nccl_profiles.families() if each.means(variable.name, variable.value)]
            assert not families or any(fabric in each.fabrics for each in families), variable


@pytest.mark.parametrize(("provider", "fabric"), [("aws", "efa"), ("azure", "infiniband"), ("gcp", "rdma")])
def test_profiles_select_an_interface_that_every_pod_has(provider: str, fabric: str) -> None:
    known = interface_variables()
    for profile in nccl_profiles.profiles(fabric, provider):
        for variable in profile.variables:
            named = known.get(variable.name)
            if named is not None:
                assert named.selected(variable.value, frozenset({"lo", "eth0"})) == frozenset({"eth0"}), variable


def test_a_profile_allows_its_own_values_and_those_that_google_names_beside() -> None:
    (profile,) = nccl_profiles.profiles("tcpxo", "gcp")
    protocol = next(variable for variable in profile.variables if variable.name == "NCCL_PROTO")

    assert protocol.allows("Simple,LL128")
    assert protocol.allows("Simple")
    assert not protocol.allows("LL128")
