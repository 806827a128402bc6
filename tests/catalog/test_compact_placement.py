"""Which machines Google places compactly although their start is flexible."""

from __future__ import annotations

import pytest

from penstock.gcp.facts import compact_placement


@pytest.mark.parametrize(
    ("machine_type", "expected"),
    [("a3-ultragpu-8g", True), ("a4-highgpu-8g", True), ("a3-megagpu-8g", False), ("a4x-highgpu-4g", False)],
)
def test_only_some_families_are_placed_compactly_with_flex_start(machine_type: str, *, expected: bool) -> None:
    assert compact_placement.with_flex_start(machine_type) is expected
