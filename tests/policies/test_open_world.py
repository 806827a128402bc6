"""The whole internet, and the openings of a firewall rule, however a cloud writes it."""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Network, ip_network
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.graph.values import UNKNOWN
from penstock.graph.verdict import Outcome, TypeMismatch
from penstock.model.openings.addresses import is_private, networks_of, open_range, public_range
from penstock.model.openings.reach import Reach, ports_of
from penstock.policies.open_world import refuse_world

WEB = (80, 443)
WORLD = IPv4Network("0.0.0.0/0")

narrow_networks = st.builds(
    lambda address, prefix: IPv4Network((address, prefix), strict=False),
    st.integers(0, 2**32 - 1),
    st.integers(8, 32),
)
ports = st.tuples(st.integers(0, 65535), st.integers(0, 65535)).map(lambda pair: (min(pair), max(pair)))


@pytest.mark.parametrize(
    "range_",
    ["0.0.0.0/0", "::/0", "0.0.0.0/1", "128.0.0.0/1", "8000::/1", "2000::/3", "*", "Internet", "Any", "0.0.0.0"],
)
def test_the_internet_is_open_by_any_name(range_: str) -> None:
    assert open_range([range_]) == range_


@pytest.mark.parametrize(
    "range_", ["10.0.0.0/8", "203.0.113.7/32", "3.0.0.0/8", "fd00::/8", "fc00::/7", "2630::/16", "VirtualNetwork", ""]
)
def test_what_someone_owns_is_not_the_internet(range_: str) -> None:
    assert open_range([range_]) is None


def test_an_address_with_bits_beside_its_mask_is_still_the_internet() -> None:
    assert open_range(["203.0.113.7/0"]) == "203.0.113.7/0"


def test_a_dash_between_addresses_is_a_range() -> None:
    assert open_range(["0.0.0.0-255.255.255.255"])
    assert open_range(["198.51.100.1-198.51.100.9"]) is None
    assert networks_of("1.2.3.4-::1") == ()


@given(st.integers(1, 9), st.randoms())
def test_all_parts_of_the_internet_are_the_internet(bits: int, order: Random) -> None:
    parts = [str(network) for network in WORLD.subnets(prefixlen_diff=bits)]
    order.shuffle(parts)

    assert open_range(parts) is not None


@given(narrow_networks)
def test_one_narrow_network_is_never_the_internet(network: IPv4Network) -> None:
    assert open_range([str(network)]) is None


@given(narrow_networks)
def test_a_range_is_public_or_private(network: IPv4Network) -> None:
    assert (public_range([str(network)]) is None) == is_private(network)


def test_a_private_network_of_either_version_is_private() -> None:
    assert is_private(IPv4Network("172.16.0.0/16"))
    assert is_private(IPv6Network("fd12::/48"))
    assert not is_private(ip_network("172.0.0.0/8"))
    assert public_range(["Internet"]) == "Internet"


@given(st.lists(ports, min_size=1, max_size=4), st.sets(st.integers(0, 65535), max_size=8))
def test_ports_are_within_a_list_only_if_each_of_them_is(pairs: list[tuple[int, int]], public: set[int]) -> None:
    reached = {port for first, last in pairs for port in (first, last)}
    reach = Reach.of("tcp", pairs)

    if not reached <= public:
        assert not reach.within(public)
    if reach.within(public):
        assert all(set(range(first, last + 1)) <= public for first, last in pairs)


@pytest.mark.parametrize("protocol", ["-1", "all", "*", "Any", None])
def test_every_protocol_has_several_names(protocol: str | None) -> None:
    reach = Reach.of(protocol, [(443, 443)])

    assert reach.is_everything
    assert not reach.within(WEB)
    assert reach.touches([988])
    assert str(reach) == "every protocol and port"


@pytest.mark.parametrize("protocol", ["icmp", "ICMP", "1", "icmpv6", "58"])
def test_icmp_lets_nobody_in(protocol: str) -> None:
    assert Reach.of(protocol, [(-1, -1)]).within(())
    assert not Reach.of(protocol).is_everything


@pytest.mark.parametrize("protocol", ["esp", "AH", "50", "gre"])
def test_a_protocol_without_ports_is_not_every_port(protocol: str) -> None:
    assert not Reach.of(protocol).is_everything
    assert not Reach.of(protocol).within(())


@pytest.mark.parametrize("protocol", ["tcp", "Tcp", "6", "udp", "17"])
def test_a_protocol_without_ports_has_all_of_them(protocol: str) -> None:
    assert Reach.of(protocol).is_everything
    assert not Reach.of(protocol).within(WEB)


def test_a_range_around_a_public_port_is_not_public() -> None:
    assert Reach.of("tcp", [(443, 443), (80, 80)]).within(WEB)
    assert not Reach.of("tcp", [(80, 443)]).within(WEB)
    assert not Reach.of("tcp", [(443, 80)]).within(WEB)
    assert not Reach.of("50").within(WEB)


def test_a_reach_tells_what_it_is() -> None:
    assert str(Reach.of("6", [(22, 22), (8000, 8080)])) == "TCP 22, 8000-8080"
    assert str(Reach.of("udp")) == "every port of UDP"
    assert str(Reach.of("50")) == "protocol 50"


@pytest.mark.parametrize(
    ("text", "pair"), [("*", (0, 65535)), (22, (22, 22)), ("80-90", (80, 90)), (" 443 ", (443, 443))]
)
def test_ports_are_read_as_clouds_write_them(text: object, pair: tuple[int, int]) -> None:
    assert ports_of(text) == pair


def test_what_is_no_port_does_not_fit() -> None:
    with pytest.raises(TypeMismatch):
        ports_of("ssh")


def test_private_sources_pass_whatever_the_ports_are() -> None:
    def ask() -> Reach:
        raise AssertionError

    assert refuse_world(["10.0.0.0/8"], ask, WEB, "ingress").outcome is Outcome.PASS


def test_an_unknown_source_is_unknown_unless_its_ports_are_public() -> None:
    assert refuse_world([UNKNOWN], lambda: Reach.of("tcp", [(22, 22)]), WEB, "").outcome is Outcome.UNKNOWN
    assert refuse_world([UNKNOWN], lambda: Reach.of("tcp", [(443, 443)]), WEB, "").outcome is Outcome.PASS


def test_an_open_source_beside_an_unknown_one_fails() -> None:
    said = refuse_world([UNKNOWN, "::/0"], lambda: Reach.of("tcp", [(22, 22)]), WEB, "ingress")

    assert said.outcome is Outcome.FAIL
    assert "::/0" in said.failures[0].message
