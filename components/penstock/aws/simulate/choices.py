"""Templates of AWS' outputs that depend on what a program gives: addresses by kind, lists by count."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from penstock.aws.simulate.words import port
from penstock.catalog import kubernetes_versions
from penstock.graph.values import Secret, Unknown

Inputs = Mapping[str, Any]

_CACHE: Final = "{name}.{hex6}"
_OF_CACHES: Final = "{region_code}.cache.{suffix}"
_OF_ACTIVEMQ: Final = {"ssl": 61617, "amqp+ssl": 5671, "stomp+ssl": 61614, "mqtt+ssl": 8883, "wss": 61619}
"""Ports of ActiveMQ by scheme (Amazon MQ API reference, BrokerInstance)."""

_VPC_IPV6: Final = ("assignGeneratedIpv6CidrBlock", "ipv6CidrBlock", "ipv6IpamPoolId", "ipv6NetmaskLength")
_SUBNET_IPV6: Final = ("ipv6CidrBlock", "ipv6IpamPoolId", "ipv6NetmaskLength")
"""What asks for addresses of IPv6; AWS' own ranges are of 2600:1f18::/32 and others like it (ip-ranges.json)."""

_MASTER_SECRET: Final = {
    "secretArn": "arn:{partition}:secretsmanager:{region}:{account}:secret:rds!db-{uuid}-{hex6}",
    "secretStatus": "active",
    "kmsKeyId": "arn:{partition}:kms:{region}:{account}:key/{uuid_key}",
}


def chosen(template: Any, inputs: Inputs) -> Any:
    """The template that stands for a word alone, such as `{lb_dns}`; any other stays."""
    choose = _CHOICES.get(template) if isinstance(template, str) else None
    return choose(inputs) if choose is not None else template


def _balancer_name(inputs: Inputs) -> str:
    if inputs.get("loadBalancerType") in ("network", "gateway"):
        return "{name}-{hex16}.elb.{region}.{suffix}"
    return "{internal}{name}-{digits9}.{region}.elb.{suffix}"


def _cache_nodes(inputs: Inputs) -> list[Any]:
    count = _count(inputs, "numCacheNodes", 1)
    names = (f"{_CACHE}.{number:04}.{_OF_CACHES}" for number in range(1, count + 1))
    return [
        {"id": f"{number:04}", "address": name, "port": port(inputs), "availabilityZone": "{zone}", "outpostArn": ""}
        for number, name in enumerate(names, 1)
    ]


def _memcached(ending: str) -> Callable[[Inputs], str]:
    return lambda inputs: f"{_CACHE}.cfg.{_OF_CACHES}{ending}" if inputs.get("engine") == "memcached" else ""


def _is_sharded(inputs: Inputs) -> bool:
    return _count(inputs, "numNodeGroups", 1) > 1 or inputs.get("clusterMode") == "enabled"


def _primary(inputs: Inputs) -> str:
    if _is_sharded(inputs):
        return ""
    is_encrypted = inputs.get("transitEncryptionEnabled") is True
    return f"master.{_CACHE}.{_OF_CACHES}" if is_encrypted else f"{_CACHE}.ng.0001.{_OF_CACHES}"


def _reader(inputs: Inputs) -> str:
    if _is_sharded(inputs):
        return ""
    is_encrypted = inputs.get("transitEncryptionEnabled") is True
    return f"replica.{_CACHE}.{_OF_CACHES}" if is_encrypted else f"{{name}}-ro.{{hex6}}.ng.0001.{_OF_CACHES}"


def _members(inputs: Inputs) -> list[str]:
    if _is_sharded(inputs):
        shards, replicas = _count(inputs, "numNodeGroups", 1), _count(inputs, "replicasPerNodeGroup", 0)
        return [
            f"{{name}}-{shard:04}-{member:03}" for shard in range(1, shards + 1) for member in range(1, replicas + 2)
        ]
    return [f"{{name}}-{member:03}" for member in range(1, _count(inputs, "numCacheClusters", 1) + 1)]


def _validations(inputs: Inputs) -> list[Any]:
    """The records by which each domain of a certificate is shown to be its requester's; none for other validations."""
    if inputs.get("validationMethod") != "DNS":
        return []
    domains = [inputs.get("domainName"), *(inputs.get("subjectAlternativeNames") or ())]
    known = dict.fromkeys(str(each) for each in domains if not isinstance(each, Secret | Unknown | None))
    return [
        {
            "domainName": domain,
            "resourceRecordName": f"_{{hex32_{number}}}.{domain.removeprefix('*.')}.",
            "resourceRecordType": "CNAME",
            "resourceRecordValue": f"_{{hex32_v{number}}}.{{hex10}}.acm-validations.aws.",
        }
        for number, domain in enumerate(known)
    ]


def _brokers(inputs: Inputs) -> list[Any]:
    """The machines of a message broker: RabbitMQ's are behind one address."""
    if str(inputs.get("engineType")).lower() == "rabbitmq":
        console, endpoints = "https://{id}.mq.{region}.on.aws", ["amqps://{id}.mq.{region}.on.aws:5671"]
        return [{"consoleUrl": console, "endpoints": endpoints, "ipAddress": ""}]
    hosts = [f"{{id}}-{number}.mq.{{region}}.{{suffix}}" for number in range(1, _machines(inputs) + 1)]
    return [
        {
            "consoleUrl": f"https://{host}:8162",
            "endpoints": [f"{scheme}://{host}:{number}" for scheme, number in _OF_ACTIVEMQ.items()],
            "ipAddress": f"10.0.0.{10 + index}",
        }
        for index, host in enumerate(hosts)
    ]


def _machines(inputs: Inputs) -> int:
    return 2 if inputs.get("deploymentMode") == "ACTIVE_STANDBY_MULTI_AZ" else 1


def _of_ipv6(*keys: str, template: str) -> Callable[[Inputs], str]:
    """What a network has of IPv6 where one of `keys` asks for addresses; an empty text where none does."""
    return lambda inputs: template if any(inputs.get(key) for key in keys) else ""


def _when(key: str, template: Any, otherwise: Any) -> Callable[[Inputs], Any]:
    return lambda inputs: template if inputs.get(key) is True else otherwise


def _count(inputs: Inputs, key: str, otherwise: int) -> int:
    value = inputs.get(key)
    return int(value) if isinstance(value, int | float) else otherwise


_CHOICES: Final[Mapping[str, Callable[[Inputs], Any]]] = {
    "{eks_version}": lambda inputs: inputs.get("version") or kubernetes_versions.default_version("aws"),
    "{lb_dns}": _balancer_name,
    "{port}": port,
    "{master_secrets}": _when("manageMasterUserPassword", [_MASTER_SECRET], []),
    "{cache_nodes}": _cache_nodes,
    "{memcached_address}": _memcached(""),
    "{memcached_endpoint}": _memcached(":{port}"),
    "{cache_primary}": _primary,
    "{cache_reader}": _reader,
    "{cache_configuration}": lambda inputs: f"clustercfg.{_CACHE}.{_OF_CACHES}" if _is_sharded(inputs) else "",
    "{cache_members}": _members,
    "{validation_options}": _validations,
    "{mq_instances}": _brokers,
    "{vpc_ipv6}": _of_ipv6(*_VPC_IPV6, template="2600:1f18:{hex4}:{hex2}00::/56"),
    "{vpc_ipv6_id}": _of_ipv6(*_VPC_IPV6, template="vpc-cidr-assoc-{hex17_ipv6}"),
    "{vpc_ipv6_group}": _of_ipv6(*_VPC_IPV6, template="{region}"),
    "{subnet_ipv6}": _of_ipv6(*_SUBNET_IPV6, template="2600:1f18:{hex4}:{hex4_subnet}::/64"),
    "{subnet_ipv6_id}": _of_ipv6(*_SUBNET_IPV6, template="subnet-cidr-assoc-{hex17_ipv6}"),
    "{stream_arn}": _when("streamEnabled", "{arn}/stream/2026-01-01T00:00:00.000", ""),
    "{stream_label}": _when("streamEnabled", "2026-01-01T00:00:00.000", ""),
}
