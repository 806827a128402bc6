"""Types that a provider keeps under a former name as well, with the same properties: rules know the present ones."""

from __future__ import annotations

from dataclasses import replace

from penstock.rehearsal.graph import Graph

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


def by_present_names(graph: Graph) -> Graph:
    """The Graph, with each resource's type under its present name; URNs stay."""
    former = {resource.urn: resource for resource in graph.of_type(*_PRESENT)}
    if not former:
        return graph
    renamed = {urn: replace(resource, type=_PRESENT[resource.type]) for urn, resource in former.items()}
    return replace(graph, resources={**graph.resources, **renamed})
