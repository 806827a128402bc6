"""The `aws` provider: ids, ARNs and endpoints of AWS' own form, from the table in `answers.toml`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from penstock.aws.facts.answer_form import AnswerForm, answer_form
from penstock.aws.model.iam_documents import composed_document
from penstock.aws.simulate import choices, texts
from penstock.aws.simulate import words as aws_words
from penstock.catalog import machine_zones, regions
from penstock.catalog.answers import answer_forms
from penstock.core.errors import UnknownFact
from penstock.simulate import sdk_types
from penstock.simulate.clouds import (
    CreateRequest,
    CreateResponse,
    InvokeResponse,
    any_provider,
    policy_document,
    templates,
)
from penstock.simulate.clouds.identity import auto_name
from penstock.simulate.clouds.templates import filled

ACCOUNT = "123456789012"
"""The account of every rehearsal that does not name one: the one AWS uses in its own examples."""

DEFAULT_REGION = "us-east-1"

_GLOBAL = ("cloudfront", "globalaccelerator", "iam", "organizations")
"""Services whose ARNs name no region (AWS general reference, ARNs)."""

_ORDERED = ("fifoQueue", "fifoTopic")

_POLICY_DOCUMENT = "aws:iam/getPolicyDocument:getPolicyDocument"
_AVAILABILITY_ZONE = "aws:index/getAvailabilityZone:getAvailabilityZone"
_OF_ZONES = ("zone-name", "zone-id")
_AVAILABILITY_ZONES = "aws:index/getAvailabilityZones:getAvailabilityZones"
_PARAMETER = "aws:ssm/getParameter:getParameter"
_IMAGE_PARAMETER = re.compile(r"/aws/service/(ami-[\w-]+-latest/.+|.+/(image_id|ami-id))")
"""Public parameters that hold the id of an image (Systems Manager user guide, AMI public parameters)."""


def create(request: CreateRequest) -> CreateResponse:
    """Makes a resource: the tables' answers where they have some, values of the SDK's types for the rest."""
    form = answer_form(request.type)
    there = templates.parts(request.id, form.arn if form.id == "{arn}" else form.id)
    of_id = {word[3:-1]: value for word, value in there.items() if word.startswith("in[")}
    words = _words(request.urn, {**of_id, **request.inputs}, request.provider, request.id)
    text = texts.texts(request.urn, words)
    outputs = {
        **any_provider.outputs(request, text),
        **any_provider.defaults(request, text),
        **any_provider.documents(request),
    }
    outputs |= {key: value for key, value in of_id.items() if key in outputs and request.inputs.get(key) is None}
    documented = {*any_provider.documented(request), *form.documented, *of_id}
    documented |= {key for key in outputs if texts.is_documented(key)}
    named = request.inputs.get(form.named)
    words["name"] = named if isinstance(named, str) else there.get("name") or _auto_name(request)
    words |= aws_words.own_words(request.inputs, words)
    if named is None and (form.is_named or form.named in outputs):
        outputs[form.named] = words["name"]
        documented.add(form.named)
    words |= _identity(request.id, request.type, form, words)
    outputs |= {key: words[key] for key in ("arn",) if key in outputs}
    for key, template in form.outputs.items():
        given = request.inputs.get(key)
        if given is None or isinstance(given, Mapping):
            outputs[key] = filled(choices.chosen(template, request.inputs), words, given)
    if "availabilityZoneId" in request.inputs:
        documented.add("availabilityZone")  # one zone always has one name, and no rule compares names with ids
    if "region" not in request.inputs and "region" in (sdk_types.input_types(request.type) or {}):
        outputs["region"] = words["region"]
    if "tagsAll" in outputs:
        outputs["tagsAll"] = request.inputs.get("tags") or {}
        documented.add("tagsAll")
    return CreateResponse(words["id"], outputs, templates.certain(documented, request))


def _identity(id_: str, type_: str, form: AnswerForm, words: Mapping[str, Any]) -> dict[str, str]:
    """The id and the ARN of a resource, of which one may be the other; `id_` is that of one that is there already."""
    if "{arn}" in form.id:
        is_arn = form.id == "{arn}" and id_.startswith("arn:")
        arn = id_ if is_arn else _arn(form.arn, type_, words)
        return {"id": id_ or str(filled(form.id, {**words, "arn": arn})), "arn": arn}
    id_ = id_ or str(filled(form.id, words))
    return {"id": id_, "arn": _arn(form.arn, type_, {**words, "id": id_})}


def _auto_name(request: CreateRequest) -> str:
    """A name as the provider makes one up; those of queues and topics that keep the order end in `.fifo`."""
    ordered = any(request.inputs.get(key) is True for key in _ORDERED)
    return f"{auto_name(request.urn, request.name)}{'.fifo' if ordered else ''}"


def name_property(type_: str) -> str:
    """The property that bears the name of a resource: the provider makes one up where it may be left out."""
    return str(answer_forms("aws").get(type_, {}).get("named", "name"))


def invoke(token: str, arguments: Mapping[str, Any], provider: Mapping[str, Any]) -> InvokeResponse:
    """Answers a function: the arguments, the tables' answers, and values of the SDK's types for the rest.

    A function that looks up one resource answers as that resource does: `getQueue` as a queue.
    """
    by_hand, form = answer_forms("aws").get(token, {}), answer_form(_looked_up(token))
    asked = f"{token}:{sorted(arguments.items())}"
    if token == _AVAILABILITY_ZONE:
        renamed = {"availabilityZone": arguments.get("name"), "availabilityZoneId": arguments.get("zoneId")}
        words = _words(asked, {**arguments, **renamed}, provider, "")
    else:
        words = _words(asked, arguments, provider, str(arguments.get("id") or ""))
    found = any_provider.results(token, sdk_types.sure_result_types(token), arguments, texts.texts(asked, words))
    named = arguments.get(form.named) or arguments.get("name") or _only_name(arguments)
    words["name"] = named if isinstance(named, str) else f"rehearsal-{words['region']}"
    words |= aws_words.own_words(arguments, words)
    words |= _identity(str(arguments.get("id") or ""), token.replace(":get", ":"), form, words)
    if "id" in by_hand and not arguments.get("id"):
        words["id"] = filled(by_hand["id"], words)
    known = {"id": words["id"], "arn": words["arn"], "region": words["region"]}
    if token == _POLICY_DOCUMENT:
        known["json"] = known["minifiedJson"] = policy_document.rendered(arguments, composed_document)
    known |= {
        key: filled(choices.chosen(template, arguments), words)
        for key, template in form.outputs.items()
        if type(found.get(key)) is type(choices.chosen(template, arguments))
    }
    known |= _preferred(arguments)
    if token == _PARAMETER and _IMAGE_PARAMETER.fullmatch(str(arguments.get("name"))):
        known |= dict.fromkeys(("insecureValue", "value"), filled("ami-{hex17}", words))
    declared = sdk_types.result_types(token)
    # A region may also be a list of them.
    found |= {
        key: value
        for key, value in known.items()
        if declared.get(key) is str or (key in found and not isinstance(value, str))
    }
    if token == _AVAILABILITY_ZONES:
        words |= _listed_zones(words["zones"], words["zone_ids"], arguments)
    found |= {key: filled(value, words) for key, value in by_hand.get("answers", {}).items()}
    documented = {*arguments, *known, *templates.documented(by_hand)}
    return InvokeResponse(found | any_provider.as_provider_reads(token, arguments), frozenset(documented))


def _preferred(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """What a look-up finds of what it prefers: the first."""
    classes = arguments.get("preferredInstanceClasses")
    return {"instanceClass": classes[0]} if isinstance(classes, list) and classes else {}


def _looked_up(token: str) -> str:
    """The type of what a function looks up: `aws:sqs/getQueue:getQueue` finds an `aws:sqs/queue:Queue`."""
    module, _, function = token.partition(":")[2].rpartition(":")
    kind = function.removeprefix("get")
    return f"aws:{module.partition('/')[0]}/{kind[:1].lower()}{kind[1:]}:{kind}"


def _only_name(arguments: Mapping[str, Any]) -> Any:
    """The name among the arguments of a look-up: `functionName`, `clusterIdentifier`, `bucket`."""
    names = (value for key, value in arguments.items() if key.endswith(("Name", "Identifier", "bucket")))
    return next(names, None)


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
        **aws_words.engine_words(inputs),
        "urn": urn,
        "in": templates.Inputs(inputs),
        "end": templates.Ends(inputs),
        "tail": templates.Tails(inputs),
        "lower": templates.Lower(inputs),
        "bare": templates.Bare(inputs),
        "region": region,
        "account": _account(provider),
        "partition": partition,
        "suffix": suffix,
        "regions": [each.name for each in regions.all_regions("aws") if each.partition == partition],
        "zones": zones,
        "three_zones": zones[:3],
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
    resource = form or f"{service}:{kind[0].lower()}{kind[1:]}/{{{'id' if 'id' in words else 'name'}}}"
    if resource.startswith(("arn:", "{")):
        return str(filled(resource, words))
    service, _, rest = resource.partition(":")
    region = "" if service in _GLOBAL else "{region}"
    return str(filled(f"arn:{{partition}}:{service}:{region}:{{account}}:{rest}", words))
