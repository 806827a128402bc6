"""The `gcp` provider: ids, links and e-mail addresses of Google Cloud's own form.

What the table in `answers.toml` does not say comes from the SDK: how ids are built (`ids.csv`), and its types.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from penstock.catalog import regions, tables
from penstock.catalog.answers import answer_forms
from penstock.core.errors import UnknownFact
from penstock.gcp.facts import service_agents
from penstock.gcp.simulate import versions
from penstock.gcp.types import PROJECTS_SERVICE_IDENTITY
from penstock.graph.values import Secret, Unknown
from penstock.simulate import sdk_types
from penstock.simulate.clouds import (
    CreateRequest,
    CreateResponse,
    InvokeResponse,
    any_provider,
    policy_document,
    templates,
)
from penstock.simulate.clouds.identity import auto_name, decimal
from penstock.simulate.clouds.templates import filled

PROJECT = "my-project"
"""The project of every rehearsal that does not name one: the one that Google's own examples use."""

DEFAULT_REGION = "us-central1"

_COMPUTE = "https://www.googleapis.com/compute/v1/"
_WORD = re.compile(r"\{(?:(?:in|end)\[)?(\w+)\]?\}")
_PLACE = ("project", "region", "zone", "location")
_SERVICE_VERSIONS = "gcp:container/getEngineVersions:getEngineVersions"
_IAM_POLICY = "gcp:organizations/getIAMPolicy:getIAMPolicy"


def create(request: CreateRequest) -> CreateResponse:
    """Makes a resource: the table's answers where it has some, values of the SDK's types for the rest."""
    form = answer_forms("gcp").get(request.type, {})
    response = any_provider.create(request)
    outputs, documented = dict(response.outputs), {*response.documented, *templates.documented(form)}
    of_id = _parts_of_id(request.id, identity(request.type))
    words = _words(request.urn, {**of_id, **request.inputs}, request.provider)
    words |= of_id | _of_services(request)
    named = name_property(request.type)
    given = request.inputs.get(named)
    there = of_id.get(named) or of_id.get("name")
    words["name"] = given if isinstance(given, str) else there or _auto_name(request, form)
    if given is None and ("named" in form or (named in outputs and named in _settable(request.type))):
        outputs[named] = words["name"]
        documented.add(named)
    known = [key for key in (*_PLACE, *of_id) if key in outputs and request.inputs.get(key) is None]
    outputs |= {key: words[key] for key in known}
    words["id"] = request.id or _filled_id(request.type, form, words)
    of_every_kind = _of_every_kind(request, outputs, words["id"])
    outputs |= of_every_kind
    documented |= {*of_every_kind, *of_id}
    if identity(request.type):
        documented.add("id")
    if not (request.id or _is_named_in_programs(request.type, form)):
        documented -= {"id", "name", "selfLink"} - form.get("outputs", {}).keys()
    for key, value in form.get("outputs", {}).items():
        given = request.inputs.get(key)
        if given is None or isinstance(given, Mapping | list):
            outputs[key] = filled(value, words, given)
    return CreateResponse(words["id"], outputs, templates.certain(documented, request))


def name_property(type_: str) -> str:
    """The property that bears the name of a resource: the provider makes one up where it may be left out."""
    return str(answer_forms("gcp").get(type_, {}).get("named", "name"))


def invoke(token: str, arguments: Mapping[str, Any], provider: Mapping[str, Any]) -> InvokeResponse:
    """Answers a function: the arguments, the table's answers, and values of the SDK's types for the rest."""
    form = answer_forms("gcp").get(token, {})
    words = _words(f"{token}:{sorted(arguments.items())}", arguments, provider)
    found = any_provider.results(token, sdk_types.result_types(token), arguments)
    words["name"] = arguments.get("name", "default")
    resource = token.replace(":get", ":").replace("/get", "/", 1)
    resource = re.sub(r"/(\w)", lambda match: f"/{match[1].lower()}", resource)
    words["id"] = found.get("id", "") if identity(resource) == "" else _filled_id(resource, {}, words)
    known = {**{key: words[key] for key in _PLACE}, "id": words["id"], "selfLink": f"{_COMPUTE}{words['id']}"}
    found |= {key: value for key, value in known.items() if key in found}
    if token == _IAM_POLICY:
        found["policyData"] = policy_document.rendered(arguments, iam_policy)
    if token == _SERVICE_VERSIONS:
        found |= versions.versions(arguments)
    found |= {key: filled(value, words) for key, value in form.get("answers", {}).items()}
    documented = {*arguments, *known, *templates.documented(form)}
    if token in (_IAM_POLICY, _SERVICE_VERSIONS):
        documented |= found.keys()
    return InvokeResponse(found | any_provider.as_provider_reads(token, arguments), frozenset(documented))


def project(provider: Mapping[str, Any]) -> str:
    """The project of a provider's configuration."""
    given = provider.get("project")
    return given if isinstance(given, str) and given else PROJECT


def number_of(project_id: str) -> str:
    """The made-up number of a project."""
    return decimal(project_id, 12)


def _words(urn: str, inputs: Mapping[str, Any], provider: Mapping[str, Any]) -> dict[str, Any]:
    """The words that templates may use of a resource."""
    where = {key: inputs.get(key) for key in (*_PLACE, "projectId")}
    given = {key: value.rpartition("/")[2] for key, value in where.items() if isinstance(value, str)}
    owner = given.get("project") or given.get("projectId") or project(provider)
    zone = given.get("zone") or _text(provider, "zone")
    location = given.get("location")
    region = given.get("region") or _text(provider, "region") or _region_of(given.get("zone") or location or zone)
    zones = _zones(region)
    domain, _, short = owner.rpartition(":")
    return {
        "urn": urn,
        "in": templates.Inputs(inputs),
        "end": templates.Ends(inputs),
        "project": owner,
        "account_domain": f"{short}.{domain}" if domain else owner,
        "number": number_of(owner),
        "region": region,
        "zone": zone or zones[0],
        "zones": list(zones),
        # A cluster without a location is created in the provider's zone, or else in its region.
        "location": location or zone or region,
    }


def _of_services(request: CreateRequest) -> dict[str, str]:
    """Words that only some services' resources need: a whole version of GKE, the account by which a service acts."""
    if request.type.startswith("gcp:container/"):
        given = request.inputs.get("minMasterVersion") or request.inputs.get("version")
        return {"gke_version": versions.whole(given if isinstance(given, str) else versions.usual())}
    if request.type == PROJECTS_SERVICE_IDENTITY:
        owner, service = request.inputs.get("project"), request.inputs.get("service")
        number = number_of(owner if isinstance(owner, str) else project(request.provider))
        return {"agent": _agent(service if isinstance(service, str) else "service", number)}
    return {}


def _agent(service: str, number: str) -> str:
    name = service.partition(".")[0]
    try:
        return service_agents.email(name, number)
    except UnknownFact:
        return f"service-{number}@gcp-sa-{name}.iam.gserviceaccount.com"


def _zones(region: str) -> tuple[str, ...]:
    try:
        return regions.find_region(region, "gcp").zones
    except UnknownFact:
        return tuple(f"{region}-{letter}" for letter in "abc")


def _region_of(place: str | None) -> str:
    """The region of a zone (`us-central1-a`), or of what is one already."""
    found = re.fullmatch(r"([a-z]+-[a-z]+\d+)(-[a-z])?", place or "")
    return found[1] if found else DEFAULT_REGION


def _text(provider: Mapping[str, Any], key: str) -> str | None:
    value = provider.get(key)
    return value if isinstance(value, str) and value else None


def _is_named_in_programs(type_: str, form: Mapping[str, Any]) -> bool:
    """Return whether the name in an id is one that a program may give; otherwise Google makes it, such as a number."""
    return "id" in form or "{name}" not in identity(type_) or name_property(type_) in _settable(type_)


def _settable(type_: str) -> Mapping[str, Any]:
    return sdk_types.input_types(type_) or {}


def _auto_name(request: CreateRequest, form: Mapping[str, Any]) -> str:
    """A name as the provider makes one up: some kinds in small letters, as Google takes no others there."""
    return auto_name(request.urn, request.name.lower() if form.get("lower") else request.name)


def _of_every_kind(request: CreateRequest, outputs: Mapping[str, Any], id_: str) -> dict[str, Any]:
    """The outputs that Google, or its provider, gives for all types alike."""
    settable = _settable(request.type)
    found: dict[str, Any] = {}
    if "selfLink" in outputs:
        found["selfLink"] = f"{_COMPUTE}{id_}"
    if "name" in outputs and "name" not in settable:
        found["name"] = id_
    if outputs.get("deletionPolicy") is not None and request.inputs.get("deletionPolicy") is None:
        found["deletionPolicy"] = "DELETE"
    if "member" in outputs and "member" not in settable and isinstance(outputs.get("email"), str):
        found["member"] = f"serviceAccount:{outputs['email']}"
    if "pulumiLabels" in outputs:
        found["pulumiLabels"] = found["effectiveLabels"] = _labels(request)
    return found


def _labels(request: CreateRequest) -> dict[str, Any]:
    """The labels of a resource, with its provider's and the one by which the provider marks what it made."""
    attributed = request.provider.get("addPulumiAttributionLabel") not in (False, "false")
    mark = {"goog-pulumi-provisioned": "true"} if attributed else {}
    usual = request.provider.get("defaultLabels")
    usual = json.loads(usual) if isinstance(usual, str) else usual  # the engine hands objects to a provider as text
    given = (usual, request.inputs.get("labels") or request.inputs.get("resourceLabels"))
    known = (each for each in given if isinstance(each, Mapping))
    return {**mark, **{key: value for each in known for key, value in each.items()}}


def _filled_id(type_: str, form: Mapping[str, Any], words: Mapping[str, Any]) -> str:
    if "id" in form:
        return str(filled(form["id"], words))
    form_of_id = identity(type_) or "{name}"
    *_, last = _WORD.findall(form_of_id) or [""]
    return _WORD.sub(lambda word: _part(word, words, is_last=word[1] == last), form_of_id)


def _part(word: re.Match[str], words: Mapping[str, Any], *, is_last: bool) -> str:
    """A word of an id: an input, the place, or the resource's name; of a path in the middle of an id, only its end."""
    key = word[1]
    given = dict.get(words["in"], key)
    if given is None or isinstance(given, Secret | Unknown):
        given = words.get(key) or (words["project"] if key == "projectId" else words["name"] if is_last else key)
    in_the_middle = word.start() > 0 and key not in ("role", "member", "name")
    return str(given).rpartition("/")[2] if in_the_middle else str(given)


def _parts_of_id(id_: str, form: str) -> dict[str, str]:
    """The properties that the id of an existing resource contains."""
    seen: set[str] = set()

    def group(word: re.Match[str]) -> str:
        name, known = word[1], word[1] in seen
        seen.add(name)
        return f"(?P={name})" if known else f"(?P<{name}>.+)" if word.start() == 0 else f"(?P<{name}>[^/]+)"

    pattern = _WORD.sub(group, form.replace(".", r"\.").replace("+", r"\+"))
    found = re.fullmatch(pattern, id_) if id_ and form else None
    return found.groupdict() if found else {}


@cache
def identity(type_: str) -> str:
    """The form of a type's ids: from the table, or as the SDK shows it; empty where neither does."""
    return str(answer_forms("gcp").get(type_, {}).get("id") or _ids().get(type_.partition(":")[2], ""))


@cache
def _ids() -> Mapping[str, str]:
    return {row["type"]: row["id"] for row in tables.rows("gcp/ids")}


def iam_policy(arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the policy that `getIAMPolicy` makes of its arguments, which have the names that the API has."""
    return {key: arguments[key] for key in ("bindings", "auditConfigs") if arguments.get(key)}
