"""What is right stays without a finding: cloud rules over whatever our own components make of a right description."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from tests.strategies import descriptions, gcp_descriptions

from penstock.core.findings import Severity
from penstock.testing import rehearse

FEW = settings().max_examples // 8
"""Each example is a whole rehearsal."""


@pytest.mark.parametrize("preview", [False, True], ids=["up", "preview"])
@settings(max_examples=FEW)
@given(description=descriptions())
def test_a_right_description_breaks_no_cloud_rule(description: dict[str, Any], preview: bool) -> None:
    assert rehearse(description, preview=preview).findings == ()


@pytest.mark.parametrize("preview", [False, True], ids=["up", "preview"])
@settings(max_examples=FEW)
@given(description=gcp_descriptions())
def test_google_refuses_nothing_of_a_right_description(description: dict[str, Any], preview: bool) -> None:
    """What is only slow, such as Lustre in another zone than the accelerators, is right and reported as a warning."""
    reported = rehearse(description, preview=preview).findings

    assert [finding for finding in reported if finding.severity is Severity.ERROR] == []
