"""Description fields for Google Cloud: offers, node pools, rules."""

from __future__ import annotations

import penstock.description  # noqa: F401 - it asks this package for blocks, and must not find one half loaded
