"""Platforms with all add-ons that may stand beside each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from tests.addon_cases import together
from tests.kubernetes.clusters import with_addons

from penstock.testing import RehearsalResult, rehearse


def with_every_addon(provider: str, **changed: Any) -> Iterator[dict[str, Any]]:
    """Descriptions that together have each add-on."""
    for case in together():
        if case.provider == provider:
            yield with_addons(case.platform, case.addons, **changed)


def built(provider: str, **changed: Any) -> Sequence[RehearsalResult]:
    """What they build."""
    if not changed:
        return _as_described(provider)
    return [rehearse(described) for described in with_every_addon(provider, **changed)]


@cache
def _as_described(provider: str) -> tuple[RehearsalResult, ...]:
    return tuple(rehearse(described) for described in with_every_addon(provider))
