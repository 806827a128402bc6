"""The provider rules of the toy cloud."""

from __future__ import annotations

from tests.providers.toy.rules import pools

SUBJECTS = (pools,)
