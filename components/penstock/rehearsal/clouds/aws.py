"""The `aws` provider: ids, ARNs and endpoints of AWS' own form, from the table in `answers.toml`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from penstock.catalog import machine_zones, regions
from penstock.catalog.answers import answer_forms
from penstock.errors import UnknownFact
from penstock.rehearsal import sdk_types
from penstock.rehearsal.clouds import (
    CreateRequest,
    CreateResponse,
    InvokeResponse,
    any_provider,
    policy_document,
    templates,
)
from penstock.rehearsal.clouds.identity import auto_name
from penstock.rehearsal.clouds.templates import filled

ACCOUNT = "123456789012"
"""The account of every rehearsal that does not name one: the one AWS uses in its own examples."""

DEFAULT_REGION = "us-east-1"

_GLOBAL = ("cloudfront", "globalaccelerator", "iam", "organizations")
"""Services whose ARNs name no region (AWS general reference, ARNs)."""

_POLICY_DOCUMENT = "aws:iam/getPolicyDocument:getPolicyDocument"
_AVAILABILITY_ZONE = "aws:index/getAvailabilityZone:getAvailabilityZone"
_OF_ZONES = ("zone-name", "zone-id")
_AVAILABILITY_ZONES = "aws:index/getAvailabilityZones:getAvailabilityZones"


def create(request: CreateRequest) -> CreateResponse:
    """Makes a resource: the table's answers where it has some, values of the SDK's types for the rest."""
    form = answer_forms("aws").get(request.type, {})
    words = _words(request.urn, request.inputs, request.provider, request.id)
    outputs = {**any_provider.outputs(request), **any_provider.defaults(request), **any_provider.documents(request)}
    documented = {*any_provider.documented(request), *templates.documented(form)}
    named = name_property(request.type)
    given = request.inputs.get(named)
    identity = form.get("id", "{name}")
    there = _name_in(request.id, identity)
    words["name"] = given if isinstance(given, str) else there or auto_name(request.urn, request.name)
    if given is None and ("named" in form or "name" in outputs):
        outputs[named] = words["name"]
        documented.add(named)
    if request.id or identity != "{arn}":
        words["id"] = request.id or filled(identity, words)
    if "arn" in outputs:
        is_arn = request.id.startswith("arn:")
        outputs["arn"] = request.id if is_arn else _arn(form.get("arn", ""), request.type, words)
    words.setdefault("id", outputs.get("arn"))
    for key, value in form.get("outputs", {}).items():
        given = request.inputs.get(key)
        if given is None or isinstance(given, Mapping):
            outputs[key] = filled(value, words, given)
    if "availabilityZoneId" in request.inputs:
        documented.add("availabilityZone")  # one zone always has one name, and no rule compares names with ids
    if "region" not in request.inputs and "region" in (sdk_types.input_types(request.type) or {}):
        outputs["region"] = words["region"]
    if "tagsAll" in outputs:
        outputs["tagsAll"] = request.inputs.get("tags") or {}
        documented.add("tagsAll")
    return CreateResponse(words["id"], outputs, templates.certain(documented, request))


def name_property(type_: str) -> str:
    """The property that bears the name of a resource: the provider makes one up where it may be left out."""
    return str(answer_forms("aws").get(type_, {}).get("named", "name"))


def invoke(token: str, arguments: Mapping[str, Any], provider: Mapping[str, Any]) -> InvokeResponse:
    """Answers a function: the arguments, the table's answers, and values of the SDK's types for the rest."""
    form = answer_forms("aws").get(token, {})
    asked = f"{token}:{sorted(arguments.items())}"
    if token == _AVAILABILITY_ZONE:
        renamed = {"availabilityZone": arguments.get("name"), "availabilityZoneId": arguments.get("zoneId")}
        words = _words(asked, {**arguments, **renamed}, provider, "")
    else:
        words = _words(asked, arguments, provider, str(arguments.get("id") or ""))
    found = any_provider.results(token, sdk_types.sure_result_types(token), arguments)
    words["id"] = arguments.get("id") or filled(form.get("id", found.get("id", "{hex17}")), words)
    known = {"id": words["id"], "region": words["region"]}
    if token == _POLICY_DOCUMENT:
        known["json"] = known["minifiedJson"] = policy_document.rendered(arguments)
    elif "arn" in found:
        known["arn"] = _arn("", token.replace(":get", ":"), words)
    found |= {key: value for key, value in known.items() if key in found}
    if token == _AVAILABILITY_ZONES:
        words |= _listed_zones(words["zones"], words["zone_ids"], arguments)
    found |= {key: filled(value, words) for key, value in form.get("answers", {}).items()}
    documented = {*arguments, *known, *templates.documented(form)}
    return InvokeResponse(found | any_provider.as_provider_reads(token, arguments), frozenset(documented))


def _name_in(id_: str, identity: str) -> str:
    """The physical name that an id shows, where it ends with it: `{in[clusterName]}:{name}`."""
    return id_.rpartition(":")[2] if identity.endswith("{name}") else ""


def _region(inputs: Mapping[str, Any], provider: Mapping[str, Any]) -> str:
    region = inputs.get("region") or provider.get("region")
    return region if isinstance(region, str) else DEFAULT_REGION


def _account(provider: Mapping[str, Any]) -> str:
    allowed = provider.get("allowedAccountIds")
    allowed = json.loads(allowed) if isinstance(allowed, str) else allowed
    return str(allowed[0]) if isinstance(allowed, list) and allowed else ACCOUNT


def _words(urn: str, inputs: Mapping[str, Any], provider: Mapping[str, Any], id_: str) -> dict[str, Any]:
    region = _region(inputs, provider)
    try:
        facts = regions.find_region(region, "aws")
        partition, suffix, zones, zone_ids = facts.partition, facts.dns_suffix, facts.zones, facts.zone_ids
    except UnknownFact:
        partition, suffix, zones = "aws", "amazonaws.com", tuple(f"{region}{letter}" for letter in "abc")
        zone_ids = tuple(f"{region}-az{number}" for number in range(1, 1 + len(zones)))
    local = {each.name: each.zone_id for each in machine_zones.local_zones("aws").values() if each.region == region}
    zone, zone_id = _zone(inputs, id_, {**dict(zip(zones, zone_ids, strict=True)), **local}, len(zones))
    return {
        "urn": urn,
        "in": templates.Inputs(inputs),
        "bare": templates.Bare(inputs),
        "region": region,
        "account": _account(provider),
        "partition": partition,
        "suffix": suffix,
        "zones": zones,
        "zone_ids": zone_ids,
        "zone": zone,
        "zone_id": zone_id,
    }


def _zone(inputs: Mapping[str, Any], id_: str, zones: Mapping[str, str], ordinary: int) -> tuple[str, str]:
    """The name and the id of a resource's zone, of the region's names with their ids, Local Zones behind the others.

    The account of a rehearsal maps names to ids in their order. A subnet that is only looked up is in one zone of the
    region, always the same; the ids that are made up for a list of subnets end in such digits that each has its own.
    """
    given, zone_id = inputs.get("availabilityZone"), inputs.get("availabilityZoneId")
    if isinstance(given, str) and given:
        return given, zones.get(given, "")
    named = next((name for name, other in zones.items() if other == zone_id), None)
    if named is None and isinstance(zone_id, str) and zone_id:
        return "", zone_id  # no zone of this region
    if named is None:
        digit = id_[-1:] if id_.startswith("subnet-") else ""
        named = list(zones)[int(digit, 16) % ordinary if digit in set("123456789abcdef") else 0]
    return named, zones[named]


def _listed_zones(names: Sequence[str], ids: Sequence[str], arguments: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """The zones of a region that a look-up asks for."""
    left_out = {*(arguments.get("excludeNames") or ()), *(arguments.get("excludeZoneIds") or ())}
    wanted = [set(each.get("values") or ()) for each in arguments.get("filters") or () if each.get("name") in _OF_ZONES]
    pairs = [
        pair
        for pair in zip(names, ids, strict=True)
        if left_out.isdisjoint(pair) and not any(values.isdisjoint(pair) for values in wanted)
    ]
    return {"zones": tuple(name for name, _ in pairs), "zone_ids": tuple(zone_id for _, zone_id in pairs)}


def _arn(form: str, type_: str, words: Mapping[str, Any]) -> str:
    """An ARN: the table gives it from the service on (`ec2:vpc/{id}`), the type itself where the table has none."""
    module, _, kind = type_.partition(":")[2].rpartition(":")
    service = module.split("/", 1)[0]
    resource = form or f"{service}:{kind[0].lower()}{kind[1:]}/{{id}}"
    if resource.startswith("arn:"):
        return str(filled(resource, words))
    service, _, rest = resource.partition(":")
    region = "" if service in _GLOBAL else "{region}"
    return str(filled(f"arn:{{partition}}:{service}:{region}:{{account}}:{rest}", words))
