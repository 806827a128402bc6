"""Preconditions: what must exist before the first `pulumi up`, and no program of its own creates.

They are read off resources and look-ups, as rules are. They block nothing: only the account shows whether they hold.
Each provider has a package of kinds, which its record names.
"""

from __future__ import annotations

from penstock.preconditions.find import all_kinds, preconditions_of
from penstock.preconditions.precondition import Precondition

__all__ = ["Precondition", "all_kinds", "preconditions_of"]
