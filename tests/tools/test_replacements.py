"""Replacement facts from a provider's schema: what it marks is added, what the table has in another form is kept."""

from __future__ import annotations

from typing import Any

from tools.replacements import forcing, new_properties

SCHEMA: dict[str, Any] = {
    "resources": {
        "aws:rds/cluster:Cluster": {
            "inputProperties": {
                "engine": {"type": "string", "willReplaceOnChanges": True},
                "storageType": {"type": "string"},
                "s3Import": {"$ref": "#/types/aws:rds/S3Import:S3Import"},
                "nodes": {"type": "array", "items": {"$ref": "#/types/aws:rds/Node:Node"}},
            }
        }
    },
    "types": {
        "aws:rds/S3Import:S3Import": {"properties": {"bucketName": {"willReplaceOnChanges": True}, "tags": {}}},
        "aws:rds/Node:Node": {
            "properties": {"zone": {"replaceOnChanges": True}, "next": {"$ref": "#/types/aws:rds/Node:Node"}}
        },
    },
}


def test_marked_inputs_are_found_at_any_depth() -> None:
    found = forcing(SCHEMA["resources"]["aws:rds/cluster:Cluster"], SCHEMA)

    assert {"engine", "s3Import.bucketName", "nodes.zone", "nodes.next.zone"} <= set(found)
    assert not {"storageType", "s3Import.tags"} & set(found)


def test_what_a_row_has_in_another_form_is_not_added() -> None:
    known = "engine[a=b] size< s3Import removed-"

    assert new_properties(known, ("engine", "size", "s3Import.bucketName", "removed", "zone")) == ["zone"]
