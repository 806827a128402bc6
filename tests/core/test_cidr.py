"""Address ranges: parsing, containment and overlap."""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Network

import pytest

from penstock.core.cidr import RFC_1918, any_range, first_overlap, ipv4_range, is_inside, overlaps, shared_range

WIDE, LOW, HIGH = IPv4Network("10.0.0.0/16"), IPv4Network("10.0.0.0/24"), IPv4Network("10.0.1.0/24")
OF_IPV6 = IPv6Network("fd00::/64")


@pytest.mark.parametrize("text", [None, "", "10.0.0.1/16", "10.0.0.0/33", "fd00::/64", "somewhere"])
def test_an_ipv4_range_has_no_host_bits(text: str | None) -> None:
    assert ipv4_range("10.0.0.0/16") == WIDE
    assert ipv4_range(text) is None


def test_any_range_clears_host_bits() -> None:
    assert any_range("10.0.0.1/16") == WIDE
    assert any_range("fd00::1/64") == OF_IPV6
    assert any_range("somewhere") is None
    assert any_range(10) is None


def test_a_range_is_inside_one_of_several() -> None:
    assert is_inside(LOW, [OF_IPV6, WIDE])
    assert not is_inside(WIDE, [LOW, HIGH])
    assert not is_inside(OF_IPV6, RFC_1918)


def test_ranges_of_two_versions_do_not_overlap() -> None:
    assert overlaps(LOW, WIDE)
    assert not overlaps(LOW, OF_IPV6)


def test_the_first_overlap_is_found() -> None:
    assert first_overlap(LOW, [HIGH, WIDE]) == WIDE
    assert first_overlap(LOW, [HIGH]) is None


def test_the_narrower_shared_range_is_found() -> None:
    assert shared_range([WIDE], [HIGH, LOW]) == HIGH
    assert shared_range([LOW], [HIGH]) is None
