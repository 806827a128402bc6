"""What properties point at."""

from __future__ import annotations

import pulumi_gcp  # noqa: F401 - its types are known once it is imported

from penstock.gcp.facts import resource_paths
from penstock.simulate.sdk_types import resource_class


def test_a_property_points_at_a_type_that_there_is() -> None:
    pointers = resource_paths.by_property().values()

    assert [pointer.property for pointer in pointers if resource_class(pointer.type) is None] == []
