"""The `azure-native` provider: ids as Azure Resource Manager builds them, and addresses by the names of resources.

A type's id is in `ids.csv`, or made of what its inputs name: `/subnets/NAME` in the `/virtualNetworks/PARENT` that the
required `virtualNetworkName` names.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final, get_args

from pulumi._types import is_output_type, output_type_types

from penstock.azure.facts.namespaces import namespace_of
from penstock.catalog import tables
from penstock.simulate import sdk_types
from penstock.simulate.clouds import CreateRequest, CreateResponse, InvokeResponse, any_provider, templates
from penstock.simulate.clouds.identity import hexadecimal, uuid
from penstock.simulate.clouds.templates import filled

_TENANT: Final = uuid("azure-native", "tenant")
_CERTIFICATE: Final = "LS0tLS1CRUdJTi0tLS0t"
_GROUP: Final = "resourceGroupName"
_IN_GROUP: Final = "/subscriptions/{subscription}/resourceGroups/{in[resourceGroupName]}/providers"
_LOCATION: Final = "eastus"
_SUFFIX: Final = 8
_SIGNED_IN: Final = "azure-native:authorization:getClientConfig"
_AZURE_CLI: Final = "04b07795-8ddb-461a-bbee-02f9e1bf7b46"
_CREDENTIALS: Final = "azure-native:containerservice:listManagedClusterUserCredentials"


def create(request: CreateRequest) -> CreateResponse:
    """Makes a resource: an id by its path, and outputs that follow from its name."""
    answer = any_provider.create(request)
    type_ = request.type
    named, template = _form(type_)
    given = request.inputs.get(named)
    there = templates.parts(request.id, template.replace("{group}", _IN_GROUP)).get("name")
    name = given if isinstance(given, str) else there or f"{request.name}{hexadecimal(request.urn, _SUFFIX, 'name')}"
    words = _words(request, name)
    words["group"] = filled(_IN_GROUP, words)
    words["id"] = request.id or str(filled(template, words))
    outputs = dict(answer.outputs)
    certain = {
        "name": name,
        "type": _resource_type(words["id"]),
        "location": words["location"],
        "provisioningState": "Succeeded",
        "tenantId": _TENANT,
    }
    certain = {key: value for key, value in certain.items() if key in outputs and request.inputs.get(key) is None}
    outputs |= certain
    for key, form in _outputs().get(type_, {}).items():
        of_program = request.inputs.get(key)
        if of_program is None or isinstance(of_program, Mapping):
            outputs[key] = filled(form, words, of_program)
    outputs |= _with_ids(outputs, request, words["id"])
    documented = {*answer.documented, "id", *_outputs().get(type_, {}), *certain} - {"location"}
    return CreateResponse(words["id"], outputs, templates.certain(documented, request))


def _with_ids(outputs: Mapping[str, Any], request: CreateRequest, id_: str) -> Iterator[tuple[str, Any]]:
    """The lists of named parts, such as the subnets of a network, with the id of each: below that of the resource."""
    declared = sdk_types.output_types(request.type)
    for key, given in request.inputs.items():
        kinds = get_args(declared.get(key))
        if isinstance(given, list) and kinds and is_output_type(kinds[-1]) and "id" in output_type_types(kinds[-1]):
            parts = outputs.get(key, given)
            yield key, [_with_id(part, f"{id_}/{key}") for part in parts]


def _with_id(part: Any, above: str) -> Any:
    name = part.get("name") if isinstance(part, Mapping) else None
    return {"id": f"{above}/{name}", **part} if isinstance(name, str) and not part.get("id") else part


def invoke(token: str, arguments: Mapping[str, Any], provider: Mapping[str, Any]) -> InvokeResponse:
    """Answers by the declared types; who is signed in belongs to the subscription of all ids."""
    answer = _looked_up(token, arguments, provider) or any_provider.invoke(token, arguments, provider)
    if token == _SIGNED_IN:
        person = {"objectId": uuid("azure-native", "person"), "clientId": _AZURE_CLI}
        known = {"subscriptionId": _subscription(provider), "tenantId": _TENANT, **person}
        return InvokeResponse({**answer.results, **known}, answer.documented | known.keys())
    if token == _CREDENTIALS:  # whether this cluster has local accounts, whose credentials are secret, is not known
        given = {
            "kubeconfigs": [{"name": "clusterUser", "value": _kubeconfig(str(arguments.get("resourceName")), provider)}]
        }
        return InvokeResponse({**answer.results, **given}, answer.documented)
    return answer


def _looked_up(token: str, arguments: Mapping[str, Any], provider: Mapping[str, Any]) -> InvokeResponse | None:
    """The answer of a function that gets a resource by its name: what the resource itself would answer."""
    package, module, function = token.split(":")
    type_ = f"{package}:{module}:{function.removeprefix('get')}"
    declared = sdk_types.result_types(token)
    if not function.startswith("get") or not declared or sdk_types.resource_class(type_) is None:
        return None
    called = arguments.get(_form(type_)[0])
    name = called if isinstance(called, str) else function
    urn = f"{token}:{sorted(arguments.items())}"
    found = create(CreateRequest(urn, type_, name, arguments, provider, looked_up=True))
    of_types = any_provider.results(token, declared, arguments)
    known = {key: value for key, value in {**found.outputs, "id": found.id}.items() if key in declared}
    return InvokeResponse({**of_types, **known}, frozenset({*arguments, *found.documented}))


def _kubeconfig(cluster: str, provider: Mapping[str, Any]) -> str:
    """What AKS gives users of a cluster: its address and certificate, and a login where it has local accounts."""
    server = {
        "server": f"https://{cluster}.hcp.{_location(provider)}.azmk8s.io:443",
        "certificate-authority-data": _CERTIFICATE,
    }
    users = [{"name": "clusterUser", "user": {"token": hexadecimal(cluster, 32, "token")}}]
    content = {"apiVersion": "v1", "kind": "Config", "clusters": [{"name": cluster, "cluster": server}], "users": users}
    return base64.b64encode(json.dumps(content).encode()).decode()


def _words(request: CreateRequest, name: str) -> dict[str, Any]:
    given = request.inputs.get("location")
    prefix = request.inputs.get("dnsPrefix")
    return {
        "urn": request.urn,
        "in": templates.Inputs(request.inputs),
        "name": name,
        "lower_name": name.lower(),
        "subscription": _subscription(request.provider),
        "location": _location({"location": given} if given else request.provider),
        "dns_prefix": prefix if isinstance(prefix, str) else name.lower(),
    }


def _location(given: Mapping[str, Any]) -> str:
    location = given.get("location")
    return location.lower().replace(" ", "") if isinstance(location, str) and location else _LOCATION


def _subscription(provider: Mapping[str, Any]) -> str:
    given = provider.get("subscriptionId")
    return given if isinstance(given, str) and given else uuid("azure-native")


@cache
def _form(type_: str) -> tuple[str, str]:
    """The property that bears the name of a type's resources, and the template of their ids."""
    row = _ids().get(type_)
    if row is not None:
        return row["named"] or "name", row["id"]
    _, module, kind = type_.split(":")
    inputs = sdk_types.input_types(type_) or {}
    required = sdk_types.required_inputs(type_)
    named = _own_name(kind, inputs, required)
    path = "".join(f"/{_collection(key.removesuffix('Name'))}/{{in[{key}]}}" for key in _parents(required, named))
    root = "{group}" if _GROUP in inputs else "/subscriptions/{subscription}/providers"
    return named, f"{root}/{namespace_of(module)}{path}/{_collection(kind)}/{{name}}"


def _own_name(kind: str, inputs: Mapping[str, Any], required: frozenset[str]) -> str:
    """The property that names the resource itself: the optional one whose words end the kind."""
    names = [key for key in inputs if key.endswith("Name") and key not in required and key != _GROUP]
    fitting = [key for key in names if kind.lower().endswith(key.removesuffix("Name").lower())]
    return max(fitting, key=len, default="resourceName" if "resourceName" in names else "name")


def _parents(required: frozenset[str], named: str) -> Iterator[str]:
    yield from (key for key in sorted(required) if key.endswith("Name") and key not in (_GROUP, named))


def _collection(kind: str) -> str:
    """The word for all resources of a kind: `storageAccounts` for `StorageAccount`, `registries` for `Registry`."""
    word = kind[:1].lower() + kind[1:]
    if re.search(r"[^aeiou]y$", word):
        return f"{word[:-1]}ies"
    return f"{word}es" if re.search(r"(s|x|ch|sh)$", word) else f"{word}s"


def _resource_type(id_: str) -> str:
    """The type in a path: `Microsoft.Network/virtualNetworks/subnets`."""
    namespace, *path = id_.rpartition("/providers/")[2].split("/")
    return "/".join([namespace, *path[::2]]) if path else "Microsoft.Resources/resourceGroups"


@cache
def _ids() -> Mapping[str, Mapping[str, str]]:
    return {row["type"]: row for row in tables.rows("azure/ids")}


@cache
def _outputs() -> Mapping[str, Mapping[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for row in tables.rows("azure/outputs"):
        text = row["form"]
        is_data = text.startswith(("[", '{"')) or text.isdecimal()
        found.setdefault(row["type"], {})[row["output"]] = json.loads(text) if is_data else text
    return found
