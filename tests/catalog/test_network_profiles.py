"""Network profiles, and the fabrics that need them."""

from __future__ import annotations

import pytest

from penstock.catalog import machines
from penstock.core.errors import UnknownFact
from penstock.gcp.facts import fabrics, network_profiles
from penstock.gcp.facts.machines import GcpMachine


def test_every_profile_that_a_fabric_needs_is_known() -> None:
    named = {machine.fabric for machine in machines.machine_types(GcpMachine) if machine.fabric}
    needed = {group.profile for name in named for group in fabrics.find_fabric(name).groups if group.profile}

    assert needed == set(network_profiles.network_profile_names()) - {"vpc-falcon"}


def test_a_fabric_makes_subnetworks_exactly_where_its_profile_lets_one() -> None:
    groups = [
        group
        for name in {machine.fabric for machine in machines.machine_types(GcpMachine) if machine.fabric}
        for group in fabrics.find_fabric(name).groups
        if group.profile
    ]

    assert [bool(group.subnetworks) for group in groups] == [
        network_profiles.find_network_profile(group.profile or "").own_subnetworks for group in groups
    ]


def test_an_unknown_profile_names_its_neighbours() -> None:
    with pytest.raises(UnknownFact, match="vpc-roce"):
        network_profiles.find_network_profile("vpc-roc")
