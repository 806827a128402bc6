"""What one resource names another by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from penstock.catalog.answers import has_own_id
from penstock.catalog.aws import id_forms
from penstock.catalog.aws.id_forms import IdForm
from penstock.resources.graph import Resource
from penstock.resources.invented import may_be_invented
from penstock.resources.values import Secret, Unknown
from penstock.resources.verdict import PASS, NotKnown, Verdict, each, fail
from penstock.resources.view import Site, View
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)


@RULES.rule(
    "aws-reference-kind",
    on="aws:*",
    severity=HIGH,
    rationale="AWS rejects an id or ARN of another kind, such as a VPC id where a subnet is expected.",
    fix="Set the property to the id or ARN of a resource of the expected kind.",
    sources=(
        "EC2 API reference, resource IDs (catalogue, aws_id_forms)",
        "IAM user guide, identifiers (catalogue, aws_id_forms)",
    ),
)
def references_are_of_their_kind(resource: View) -> Verdict:
    """A property that references another resource holds an id or ARN of the expected kind."""
    computed = resource.resource.property_dependencies
    owners = resource.site.once(_owners)

    def judge(reference: tuple[IdForm, Any, str, str]) -> Verdict:
        form, value, path, top = reference
        if isinstance(value, Unknown | Secret):
            raise NotKnown
        if form.form.fullmatch(value):
            return PASS
        owner = owners.get(value)
        if owner is not None:
            kind = owner.type.rpartition(":")[2]
            return fail(f"this is the id of the {kind} {owner.name}", hint=f"Such as {form.example}.", path=path)
        if not _names_another_kind(value) and (computed.get(top) or may_be_invented(value)):
            raise NotKnown  # the simulated cloud said so, and knows no id of this kind
        return fail(f"{value!r} does not name what is meant here", hint=f"Such as {form.example}.", path=path)

    return each(_references(resource.resource.inputs), judge)


def _owners(site: Site) -> dict[str, Resource]:
    """The resources of the program whose ids have AWS' own form, by id."""
    return {each.id: each for each in site.graph if each.id and has_own_id(each.type)}


def _references(inputs: Mapping[str, Any]) -> Iterator[tuple[IdForm, Any, str, str]]:
    """Every text under a property whose name tells what it points at, with its path and its first property."""
    for top, value in inputs.items():
        for form, text, path in _below(value, top, id_forms.by_property().get(top)):
            yield form, text, path, top


def _below(value: Any, path: str, form: IdForm | None) -> Iterator[tuple[IdForm, Any, str]]:
    """What is empty counts as not given, as it does for the provider."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _below(item, f"{path}.{key}", id_forms.by_property().get(key))
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _below(item, f"{path}[{index}]", form)
    elif form is not None and (isinstance(value, Unknown | Secret) or (isinstance(value, str) and value)):
        yield form, value, path


def _names_another_kind(value: str) -> bool:
    return any(form.form.fullmatch(value) for form in id_forms.by_property().values())
