"""Checks of what the whole internet reaches: address ranges that nobody owns alone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any, Final

from typing_extensions import override

from penstock.graph.values import listed
from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, Outcome, Verdict, fail
from penstock.graph.view import Block
from penstock.model.openings.addresses import has_unknown, is_private, networks_of, open_range
from penstock.model.openings.reach import Reach
from penstock.rules import defaults
from penstock.rules.checks import AtPath
from penstock.rules.settings import Settings


@dataclass(frozen=True, slots=True)
class NotOpen(AtPath):
    """The address ranges at a path are not the whole internet, nor a large part of it; none at all do not apply."""

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        ranges: dict[str, list[Any]] = {}
        for place in it.locations(self.path):
            given = listed(place.value)
            default = None if given else defaults.of(it.owner.type, place.path)  # clouds take no ranges for all of them
            if default is not None and open_range(default.value):
                return fail(f"{place.path} is not set, which lets the whole internet in", path=place.path)
            ranges[place.path] = given
        every = [each for given in ranges.values() for each in given]
        if not every:
            return NOT_APPLICABLE
        found = open_range(every)
        if found is not None:
            path = next((path for path, given in ranges.items() if open_range(given)), next(iter(ranges)))
            return fail(f"{path} lets the whole internet in ({found})", path=path)
        return UNKNOWN if has_unknown(every) else PASS


@dataclass(frozen=True, slots=True)
class FewAddresses(NotOpen):
    """The address ranges at a path are not open, and each is as small as an office's; none at all do not apply."""

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        said = NotOpen.judge(self, it, settings)
        if said.outcome in (Outcome.FAIL, Outcome.NOT_APPLICABLE):
            return said
        for place in it.locations(self.path):
            wide = next((text for text in listed(place.value) if isinstance(text, str) and not is_small(text)), None)
            if wide is not None:
                return fail(f"{place.path} has {wide}, which is larger than an office's range", path=place.path)
        return said


def is_small(text: str) -> bool:
    """Return whether a range is private, or as small as that of an office: 256 addresses, or one site of IPv6."""
    networks = networks_of(text)
    return bool(networks) and all(
        network.prefixlen >= _OF_AN_OFFICE[network.version] or is_private(network) for network in networks
    )


_OF_AN_OFFICE: Final = {4: 24, 6: 48}
"""The prefix lengths of ranges that one office has, by version of the protocol."""


def refuse_world(sources: Iterable[Any], reach: Callable[[], Reach], public: Collection[int], path: str) -> Verdict:
    """Fails where the whole internet reaches more than public ports.

    `reach` is called only where that matters, so that ports that are not known yet do not spoil what is private.
    """
    sources = tuple(sources)
    found = open_range(sources)
    if found is None and not has_unknown(sources):
        return PASS
    reached = reach()
    if reached.within(public):
        return PASS
    if found is None:
        return UNKNOWN
    return fail(f"{path} lets the whole internet ({found}) reach {reached}", path=path)
