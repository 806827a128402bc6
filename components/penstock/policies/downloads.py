"""The check that what a script downloads is pinned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from penstock.graph.property_path import Location
from penstock.graph.values import Secret, Unknown
from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, Verdict, each, fail
from penstock.graph.view import Block
from penstock.model.downloads import is_moving, unpinned_downloads
from penstock.rules.checks import AtPath

if TYPE_CHECKING:
    from penstock.rules.settings import Settings

RATIONALE: Final = (
    "Each new machine runs what the address serves that day: an update breaks nodes one by one, and an intruder there "
    "is root on all of them."
)
FIX: Final = "Name a version in the address and compare the file with its checksum, or build it into the image."


@dataclass(frozen=True, slots=True)
class PinnedDownloads(AtPath):
    """A script, as it is or encoded, downloads nothing that changes from one boot to the next without a check."""

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        return each(it.locations(self.path), _judge_script)


@dataclass(frozen=True, slots=True)
class PinnedAddresses(AtPath):
    """The addresses of scripts name no version that moves, such as latest or main."""

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        def one(place: Location) -> Verdict:
            url = _text(place)
            if isinstance(url, Verdict):
                return url
            return fail(f"{place.path} is {url}, which changes", path=place.path) if is_moving(url) else PASS

        return each(it.locations(self.path), one)


def _judge_script(place: Location) -> Verdict:
    text = _text(place)
    if isinstance(text, Verdict):
        return text
    found = unpinned_downloads(text)
    if not found:
        return PASS
    return fail(f"{place.path} downloads {', '.join(found)} without a version or a checksum", path=place.path)


def _text(place: Location) -> str | Verdict:
    if place.value is None:
        return NOT_APPLICABLE
    if isinstance(place.value, Unknown | Secret):
        return UNKNOWN
    return place.value if isinstance(place.value, str) else NOT_APPLICABLE
