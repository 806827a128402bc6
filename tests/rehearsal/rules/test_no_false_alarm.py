"""What is right stays without a finding: cloud rules over whatever our own components make of a right description."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from tests.strategies import descriptions

from penstock.testing import rehearse


@pytest.mark.parametrize("preview", [False, True], ids=["up", "preview"])
@settings(max_examples=25)
@given(description=descriptions())
def test_a_right_description_breaks_no_cloud_rule(description: dict[str, Any], preview: bool) -> None:
    assert rehearse(description, preview=preview).findings == ()
