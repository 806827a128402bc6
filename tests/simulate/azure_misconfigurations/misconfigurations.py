"""What the families of misconfigurations share."""

from __future__ import annotations

from collections.abc import Mapping

from tests.nd_platform.program import Misconfiguration

Misconfigurations = Mapping[str, tuple[str, Misconfiguration, str]]
"""By what is wrong: the resources of which one has to be reported, the misconfiguration, and what Azure does with it
by which page below <https://learn.microsoft.com/en-us/azure/>."""
