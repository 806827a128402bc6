"""Words of AWS' ids and ARNs that depend on what a program gives: the kind of a load balancer, the path of a role."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from penstock.catalog import tables

Inputs = Mapping[str, Any]

_FIRST: Final = "us-east-1"
"""The region whose public names of instances have no region in them (EC2 user guide, instance hostnames)."""

_OLD_WEBSITES: Final = frozenset(
    (
        "us-east-1",
        "us-west-1",
        "us-west-2",
        "eu-west-1",
        "ap-northeast-1",
        "ap-southeast-1",
        "ap-southeast-2",
        "sa-east-1",
        "us-gov-west-1",
    )
)
"""Regions whose website endpoints have a dash before the region (AWS general reference, S3 website endpoints)."""

_BALANCERS: Final = {"network": "net", "gateway": "gwy"}
_PORTS: Final = {
    "postgres": 5432,
    "mysql": 3306,
    "maria": 3306,
    "aurora": 3306,
    "oracle": 1521,
    "sqlserver": 1433,
    "db2": 50000,
    "memcached": 11211,
    "redis": 6379,
    "valkey": 6379,
}
"""Ports by what the name of an engine holds (RDS API reference, CreateDBInstance; ElastiCache, CreateCacheCluster)."""

_DIRECTIONS: Final = {"INBOUND": "in", "OUTBOUND": "out"}


def own_words(inputs: Inputs, words: Mapping[str, Any]) -> dict[str, str]:
    """The words of one resource, of which `words` has the physical name and the place."""
    name = str(words["name"])
    own = {word: find(inputs, name) for word, find in _WORDS.items()}
    region = str(words["region"])
    own["website_domain"] = f"s3-website{'-' if region in _OLD_WEBSITES else '.'}{region}.{words['suffix']}"
    own["public_domain"] = "compute-1.amazonaws.com" if region == _FIRST else f"{region}.compute.{words['suffix']}"
    own["region_code"] = str(words["zone_ids"][0]).partition("-")[0]
    return own


def _text(inputs: Inputs, key: str, otherwise: str = "") -> str:
    value = inputs.get(key)
    return value if isinstance(value, str) and value else otherwise


def engine_words(inputs: Inputs) -> dict[str, str]:
    """The version and the family of parameters of an engine: those that a program prefers, or the default ones."""
    row = _engines().get(_text(inputs, "engine"), {"version": "", "family": ""})
    preferred = inputs.get("preferredVersions")
    first = preferred[0] if isinstance(preferred, list) and preferred else None
    given = first or inputs.get("engineVersion") or inputs.get("version")
    version = given if isinstance(given, str) else row["version"]
    return {"engine_version": version, "engine_family": row["family"]}


@cache
def _engines() -> Mapping[str, Mapping[str, str]]:
    return {row["engine"]: row for row in tables.rows("aws/engine_versions")}


def port(inputs: Inputs) -> int:
    """The port of a database or cache: the one given, or the engine's own."""
    given = inputs.get("port")
    if isinstance(given, int | float) and given:
        return int(given)
    engine = _text(inputs, "engine")
    return next((number for prefix, number in _PORTS.items() if prefix in engine), 5432)


def _path(inputs: Inputs, _: str) -> str:
    """The path of an IAM entity as its ARN has it: `/team/` is `team/` behind the kind."""
    return _text(inputs, "path").removeprefix("/")


def _bus(inputs: Inputs, _: str) -> str:
    bus = _text(inputs, "eventBusName").rpartition("/")[2]
    return f"{bus}/" if bus not in ("", "default") else ""


def _record_name(inputs: Inputs, name: str) -> str:
    return _text(inputs, "name", name).removesuffix(".").lower()


def _linked_role(inputs: Inputs, _: str) -> str:
    service = _text(inputs, "awsServiceName").partition(".")[0]
    suffix = _text(inputs, "customSuffix")
    return f"AWSServiceRoleFor{service.title().replace('-', '')}{f'_{suffix}' if suffix else ''}"


def _image_recipe(inputs: Inputs, name: str) -> str:
    recipe = _text(inputs, "imageRecipeArn") or _text(inputs, "containerRecipeArn")
    return recipe.partition("/")[2] or name.lower()


_WORDS: Final[Mapping[str, Callable[[Inputs, str], str]]] = {
    "path": _path,
    "bus": _bus,
    "lb": lambda inputs, _: _BALANCERS.get(_text(inputs, "loadBalancerType"), "app"),
    "ecs_cluster": lambda inputs, _: _text(inputs, "cluster", "default").rpartition("/")[2],
    "key": lambda inputs, name: _text(inputs, "key", name),
    "lower_name": lambda _, name: name.lower().replace(" ", "-"),
    "bare_name": lambda _, name: name.removeprefix("/"),
    "machine": lambda inputs, name: _text(inputs, "stateMachineArn", name).rpartition(":")[2],
    "image_recipe": _image_recipe,
    "schedule_group": lambda inputs, _: _text(inputs, "groupName", "default"),
    "glue_registry": lambda inputs, _: _text(inputs, "registryArn", "default-registry").rpartition("/")[2],
    "waf_scope": lambda inputs, _: "global" if inputs.get("scope") == "CLOUDFRONT" else "regional",
    "linked_role": _linked_role,
    "record_name": _record_name,
    "internal": lambda inputs, _: "internal-" if inputs.get("internal") is True else "",
    "port": lambda inputs, _: str(port(inputs)),
    "search_prefix": lambda inputs, _: "vpc" if inputs.get("vpcOptions") else "search",
    "lambda_version": lambda inputs, _: "1" if inputs.get("publish") is True else "$LATEST",
    "api_scheme": lambda inputs, _: "wss" if inputs.get("protocolType") == "WEBSOCKET" else "https",
    "stage_path": lambda _, name: "" if name == "$default" else name,
    "endpoint_service": lambda inputs, _: ".".join(reversed(_text(inputs, "serviceName").split(".")[2:4])),
    "resolver": lambda inputs, _: _DIRECTIONS.get(_text(inputs, "direction"), "in"),
}
