"""What must exist before toys are put away."""

from __future__ import annotations

from tests.providers.toy.preconditions import keys

SUBJECTS = (keys,)
