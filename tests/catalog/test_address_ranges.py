"""Ranges of addresses that Google keeps."""

from __future__ import annotations

from ipaddress import IPv4Network

from penstock.gcp.facts import address_ranges


def test_private_ranges_are_free_for_subnetworks() -> None:
    private = [IPv4Network(text) for text in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10")]

    assert not [kept for kept in address_ranges.reserved() if any(kept.overlaps(each) for each in private)]


def test_subnetworks_of_auto_mode_come_out_of_half_of_the_largest_private_range() -> None:
    taken = address_ranges.auto_subnetworks()

    assert taken.subnet_of(IPv4Network("10.0.0.0/8"))
    assert not taken.overlaps(IPv4Network("10.0.0.0/9"))


def test_googles_apis_answer_where_no_subnetwork_may_be() -> None:
    assert address_ranges.private_apis() in address_ranges.reserved()
