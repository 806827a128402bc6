"""Relations that exempt resources of the toy cloud from rules."""

from __future__ import annotations

from typing import Final

from tests.providers.toy.sdk import POOL

from penstock.graph.view import View


def holds_no_toys(chest: View) -> bool:
    """Return whether a chest is of a program without pools."""
    return not chest.site.of_type(POOL)


RELATIONS: Final = (holds_no_toys,)
"""The relations that the table `exemptions` names."""
