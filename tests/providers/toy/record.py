"""The record of a cloud that nobody sells: all that shared code must know of it beside its folder."""

from __future__ import annotations

from typing import Final

from penstock.providers import Provider

PROVIDER: Final = Provider(
    name="toy",
    title="Toy Cloud",
    package="toy",
    sdk="tests.providers.toy.sdk",
    home="tests.providers.toy",
    quota_page="The toy box",
    zone=r"([a-z]+)-[ab]",
    tag_case="lower",
)
