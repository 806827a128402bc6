"""What AWS refuses, by subject."""

from __future__ import annotations

from penstock.rehearsal.rules.aws import lustre

SUBJECTS = (lustre,)
