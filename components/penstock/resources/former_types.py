"""Types that a provider keeps under a former name as well, with the same properties: rules know the present ones."""

from __future__ import annotations

import re
from dataclasses import replace

from penstock.resources.graph import Graph

_S3 = (
    "Bucket",
    "BucketAcl",
    "BucketLifecycleConfiguration",
    "BucketObjectLockConfiguration",
    "BucketServerSideEncryptionConfiguration",
    "BucketVersioning",
)
_PRESENT = {
    f"aws:s3/{name[0].lower()}{name[1:]}V2:{name}V2": f"aws:s3/{name[0].lower()}{name[1:]}:{name}" for name in _S3
}
"""Present names by former ones (Pulumi AWS 7.51, deprecated resources of s3)."""


_API_VERSION = re.compile(r"(?<=^azure-native:)(\w+)/v\d+\w*(?=:)")
"""Azure's API version in a token, as in `azure-native:storage/v20240101:StorageAccount`."""


def present(type_: str) -> str:
    """The present name of a type: the one without a version where the provider has a type for each of its API's."""
    return _PRESENT.get(type_) or _API_VERSION.sub(r"\1", type_)


def by_present_names(graph: Graph) -> Graph:
    """The Graph, with each resource's type under its present name; URNs stay."""
    renamed = {
        resource.urn: replace(resource, type=name)
        for resource in graph
        if (name := present(resource.type)) != resource.type
    }
    if not renamed:
        return graph
    return replace(graph, resources={**graph.resources, **renamed})
