"""Names and labels, on whatever has them."""

from __future__ import annotations

import re

from penstock.catalog import limits
from penstock.catalog.answers import answer_forms
from penstock.catalog.name_forms import NameForm, name_forms
from penstock.gcp.facts import bucket_names as gcp_bucket_names
from penstock.gcp.model import places
from penstock.gcp.types import (
    COMPUTE_FIREWALL,
    COMPUTE_GLOBAL_ADDRESS,
    COMPUTE_NETWORK,
    COMPUTE_ROUTER,
    COMPUTE_ROUTER_NAT,
    CONTAINER_CLUSTER,
    CONTAINER_NODE_POOL,
    KMS_CRYPTO_KEY,
    KMS_KEY_RING,
    SECRETMANAGER_SECRET,
    SERVICEACCOUNT_ACCOUNT,
    SQL_DATABASE_INSTANCE,
    STORAGE_BUCKET,
)
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow, each, fail
from penstock.graph.view import Site, View
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet
from penstock.rules.taken_names import Called, first_of_each

RULES = RuleSet(Category.PROVIDER)

_FORMS = name_forms("gcp")
_LABELS = ("labels", "resourceLabels", "userLabels")
"""Where resources have the labels that Google bills by; those of `nodeConfig.labels` are Kubernetes'."""
_OTHER_LABELS = ("gcp:cloudidentity/", "gcp:monitoring/")
"""Whose `labels` say something else: the kind of a group, or where a notification goes."""
_KEY, _VALUE = re.compile(r"[^\W\d_A-Z][\w-]*"), re.compile(r"[\w-]*")
_NAMED = {
    STORAGE_BUCKET: "name",
    CONTAINER_NODE_POOL: "name",
    **{type_: form.property for type_, form in _FORMS.items()},
}
_PLAIN = re.compile(r"[a-z]([-a-z0-9]*[a-z0-9])?")
_CALLED_OTHERWISE = {SECRETMANAGER_SECRET: "secretId", SERVICEACCOUNT_ACCOUNT: "accountId"}
_MADE_UP = {
    **{type_: "name" for type_, form in _FORMS.items() if form.property == "name"},
    **dict.fromkeys((STORAGE_BUCKET, CONTAINER_NODE_POOL), "name"),
    **_CALLED_OTHERWISE,
}
"""What Pulumi names where the program does not, by the property that holds the name (pulumi-gcp ed6078a, resources)."""
_SUFFIX = "-0000000"
"""As long as what Pulumi adds to the name of a resource."""
_WITHIN = {
    CONTAINER_NODE_POOL: ("cluster", CONTAINER_CLUSTER),
    COMPUTE_ROUTER_NAT: ("router", COMPUTE_ROUTER),
    KMS_CRYPTO_KEY: ("keyRing", KMS_KEY_RING),
}
"""What the names of a kind are unique in, beside the project and the place."""
_EVERYWHERE = (
    COMPUTE_NETWORK,
    COMPUTE_FIREWALL,
    COMPUTE_GLOBAL_ADDRESS,
    SECRETMANAGER_SECRET,
    SQL_DATABASE_INSTANCE,
)
"""Kinds whose names are unique in a project, wherever they are."""


@RULES.rule(
    on=tuple(_FORMS),
    severity=HIGH,
    rationale="The service rejects other names.",
    fix="Set name to one of the service's form: in Compute Engine a-z, 0-9 and -, a letter first.",
    sources=("the services' APIs (catalogue, gcp_name_forms)",),
)
def gcp_name_form(resource: View) -> Verdict:
    """A name has the form and length that its service takes, in Compute Engine 63 of a-z, 0-9 and hyphens."""
    form = _FORMS[resource.type]
    name = resource.text(form.property)
    if not name:
        return NOT_APPLICABLE
    message = f"{name!r} is not a valid name of a {_kind(resource)}"
    return allow(form.allow(name), message, hint=_advice(form, name), path=form.property)


@RULES.rule(
    on=tuple(_NAMED),
    severity=HIGH,
    rationale="The API answers the second resource with 409 ALREADY_EXISTS.",
    fix="Set name to another one, or leave it out so that Pulumi adds a unique suffix.",
    joins=True,
    sources=("the services' APIs: 409 ALREADY_EXISTS",),
)
def gcp_name_unique(resource: View) -> Verdict:
    """Resources of a kind have different names in a project and location; bucket names are globally unique."""
    path = _NAMED[resource.type]
    if path not in resource or not resource.text(path):
        return NOT_APPLICABLE
    first = resource.site.once(_first)[_called(resource)]
    return allow(
        first == resource.urn,
        f"{resource.site.graph[first].name} has the name {resource.text(path)} already",
        hint="Give it another name, or none: Pulumi then makes one that is unique.",
        path=path,
    )


@RULES.rule(
    on="gcp:*",
    severity=HIGH,
    rationale="The API rejects other labels.",
    fix="Use at most 64 labels, with keys of 1 to 63 of a-z, 0-9, _ and - that start with a letter.",
    sources=("Resource Manager documentation, requirements for labels (catalogue, gcp_limits)",),
)
def gcp_label_limits(resource: View) -> Verdict:
    """A resource has at most 64 labels, with keys and values of at most 63 lower-case letters, digits, _ and -."""
    own = [key for key in _LABELS if key != "labels" or not resource.type.startswith(_OTHER_LABELS)]
    path = next((key for key in own if key in resource), None)
    labels = resource.block(path) if path is not None else None
    if labels is None or path is None:
        return NOT_APPLICABLE
    names = ("labels", "label_key_characters", "label_value_characters")
    most, longest, widest = (limits.find_limit(name, "gcp").most for name in names)
    found = list(labels)
    if len(found) > most:
        return fail(f"{len(found)} labels, where {most} are allowed", hint="Leave some out.", path=path)

    def check(key: str) -> Verdict:
        if not _KEY.fullmatch(key) or key != key.lower() or len(key) > longest:
            hint = f"Use 1 to {longest} of a-z, 0-9, _ and -, a letter first, such as cost_center."
            return fail(f"{key[:longest]!r} is not a key of a label", hint=hint, path=path)
        value = labels.text(key) or ""
        good = _VALUE.fullmatch(value) and value == value.lower() and len(value) <= widest
        hint = f"Use {widest} of a-z, 0-9, _ and - at most."
        return allow(good, f"{value[:widest]!r} is not a value of a label", hint=hint, path=labels.at(key))

    return each(found, check)


@RULES.rule(
    on=tuple(_MADE_UP),
    severity=HIGH,
    rationale="Pulumi appends the suffix, and the service rejects a name that is too long or of another form.",
    fix=(
        "Set name (secretId for secrets, accountId for service accounts), or shorten the resource's name in the "
        "program."
    ),
    sources=("pulumi-gcp ed6078a, automatic names", "the services' APIs"),
)
def gcp_name_autonaming(resource: View) -> Verdict:
    """The Pulumi name of a resource without a name leaves room for Pulumi's suffix of eight characters."""
    path = _MADE_UP[resource.type]
    if resource.text(path) or "namePrefix" in resource:
        return NOT_APPLICABLE
    lower = answer_forms("gcp").get(resource.type, {}).get("lower")
    name = f"{resource.name.lower() if lower else resource.name}{_SUFFIX}"
    longest = _longest(resource.type)
    message = (
        f"Pulumi adds {len(_SUFFIX)} characters to {resource.name!r}, "
        f"which is then not a valid name of a {_kind(resource)}"
    )
    hint = f"Set {path}, or call the resource by {longest - len(_SUFFIX)} of a-z, 0-9 and - at most, a letter first."
    return allow(_takes(resource.type, name) and len(name) <= longest, message, hint=hint, path=path)


def _longest(type_: str) -> int:
    """The most characters of a name of a kind."""
    if type_ in _FORMS:
        return _FORMS[type_].longest
    names = {
        STORAGE_BUCKET: "bucket_name_characters",
        CONTAINER_NODE_POOL: "node_pool_name_characters",
        SERVICEACCOUNT_ACCOUNT: "service_account_id_characters",
    }
    return limits.find_limit(names[type_], "gcp").most


def _takes(type_: str, name: str) -> bool:
    """Return whether a kind takes a name of that form, however long."""
    if type_ == STORAGE_BUCKET:
        return gcp_bucket_names.problem(name) is None
    form = _FORMS[type_].form if type_ in _FORMS else _PLAIN
    return form.fullmatch(name) is not None


def _kind(resource: View) -> str:
    return resource.type.rpartition(":")[2]


def _advice(form: NameForm, name: str) -> str:
    if len(name) > form.longest:
        return f"Use {form.longest} characters at most; this has {len(name)}."
    made_of = "letters, digits, _ and -" if "A-Z" in form.form.pattern else "a-z, 0-9 and -, a letter first"
    return f"Write one such as {form.example}: {made_of}."


def _called(resource: View) -> Called:
    """The scope of a name: the kind, the project, the place and the parent of its resource."""
    name = resource.text(_NAMED[resource.type]) or ""
    if resource.type == STORAGE_BUCKET:
        return resource.type, name
    project = resource.text("project") or resource.resource.provider_urn
    if resource.type in _WITHIN:
        key, type_ = _WITHIN[resource.type]
        owners = resource.found(key, type_)
        return resource.type, project, owners[0].urn if owners else resource.text(key) or "", name
    place = "" if resource.type in _EVERYWHERE else places.place(resource)
    return resource.type, project, place, name


def _first(site: Site) -> dict[Called, str]:
    return first_of_each(site.of_type(*_NAMED), _called)
