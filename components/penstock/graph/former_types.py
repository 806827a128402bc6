"""Types that a provider keeps under a former name as well: rules know the present ones, with their properties."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from penstock.graph.graph import Graph, Resource

_S3 = (
    "Bucket",
    "BucketAcl",
    "BucketLifecycleConfiguration",
    "BucketObjectLockConfiguration",
    "BucketServerSideEncryptionConfiguration",
    "BucketVersioning",
)
_BUCKET_V2 = "aws:s3/bucketV2:BucketV2"

_PRESENT = {
    f"aws:s3/{name[0].lower()}{name[1:]}V2:{name}V2": f"aws:s3/{name[0].lower()}{name[1:]}:{name}" for name in _S3
} | {
    "azure-native:cache:Database": "azure-native:redisenterprise:Database",
    "azure-native:cache:FirewallRule": "azure-native:redis:FirewallRule",
    "azure-native:cache:Redis": "azure-native:redis:Redis",
    "azure-native:cache:RedisEnterprise": "azure-native:redisenterprise:RedisEnterprise",
    "azure-native:documentdb:DatabaseAccount": "azure-native:cosmosdb:DatabaseAccount",
    "azure-native:insights:AutoscaleSetting": "azure-native:monitor:AutoscaleSetting",
    "azure-native:insights:Component": "azure-native:applicationinsights:Component",
    "azure-native:insights:DiagnosticSetting": "azure-native:monitor:DiagnosticSetting",
    "azure-native:netapp:Pool": "azure-native:netapp:CapacityPool",
    "azure-native:netapp:Volume": "azure-native:netapp:CapacityPoolVolume",
}
"""Present names by former ones: of deprecated resources of s3 (Pulumi AWS 7.51), and of what version 2 of Azure's
provider had in other modules (Pulumi Azure Native 3.29, aliases of these resources)."""


_ENCRYPTIONS = "serverSideEncryptionConfigurations"
_SINGULAR = {
    _ENCRYPTIONS: "serverSideEncryptionConfiguration",
    f"{_ENCRYPTIONS}.rules": "rule",
    f"{_ENCRYPTIONS}.rules.applyServerSideEncryptionByDefaults": "applyServerSideEncryptionByDefault",
    "versionings": "versioning",
    "loggings": "logging",
    "websites": "website",
    "replicationConfigurations": "replicationConfiguration",
}
"""What BucketV2 has as lists of one, by path, and the name under which Bucket has that one (Pulumi AWS 7.51)."""

_API_VERSION = re.compile(r"(?<=^azure-native:)(\w+)/v\d+\w*(?=:)")
"""Azure's API version in a token, as in `azure-native:storage/v20240101:StorageAccount`."""


@cache
def present(type_: str) -> str:
    """The present name of a type: the one without a version where the provider has a type for each of its API's."""
    plain = _API_VERSION.sub(r"\1", type_)
    return _PRESENT.get(plain, plain)


def by_present_names(graph: Graph) -> Graph:
    """The Graph, with each resource's type under its present name; URNs stay."""
    renamed = {resource.urn: _renamed(resource) for resource in graph if present(resource.type) != resource.type}
    if not renamed:
        return graph
    return replace(graph, resources={**graph.resources, **renamed})


def _renamed(resource: Resource) -> Resource:
    inputs, sources = resource.inputs, resource.property_dependencies
    if resource.type == _BUCKET_V2:
        inputs = _singular(inputs)
        sources = {_SINGULAR.get(key, key): urns for key, urns in sources.items()}
    return replace(resource, type=present(resource.type), inputs=inputs, property_dependencies=sources)


def _singular(values: Mapping[str, Any], path: str = "") -> dict[str, Any]:
    """The values, with the one item of a list in its place where the present type has it so."""
    found: dict[str, Any] = {}
    for key, value in values.items():
        here = f"{path}.{key}" if path else key
        if here not in _SINGULAR:
            found[key] = value
            continue
        only = value[0] if isinstance(value, list) and value else None if value == [] else value
        found[_SINGULAR[here]] = _singular(only, here) if isinstance(only, Mapping) else only
    return found
