"""Provider rules of Azure, by subject."""

from __future__ import annotations

from penstock.rules.azure import quotas

SUBJECTS = (quotas,)
