"""Lists with separate entries: the tables name types and properties that the SDKs declare."""

from __future__ import annotations

import pulumi_aws  # noqa: F401 - its types are known once it is imported
import pulumi_azure_native  # noqa: F401
import pulumi_gcp  # noqa: F401
import pytest

from penstock.catalog import tables
from penstock.graph.property_path import PropertyPath
from penstock.simulate import sdk_types

ROWS = [row for cloud in ("aws", "azure", "gcp") for row in tables.rows(f"{cloud}/inline_lists")]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['property']} of {row['type']}, {row['separate']}")
def test_the_list_and_the_reference_are_inputs_of_their_types(row: dict[str, str]) -> None:
    for type_, path in ((row["type"], row["property"]), (row["separate"], row["reference"])):
        assert PropertyPath.parse(path).top in (sdk_types.input_types(type_) or {})
