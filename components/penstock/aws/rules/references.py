"""References from one resource to another."""

from __future__ import annotations

from typing import Any

from penstock.aws.facts import id_forms
from penstock.aws.facts.id_forms import IdForm
from penstock.aws.facts.own_ids import has_own_id
from penstock.graph.graph import Resource
from penstock.graph.property_path import PropertyPath
from penstock.graph.values import Secret, Unknown
from penstock.graph.verdict import PASS, NotKnown, Verdict, each, fail
from penstock.graph.view import Site, View
from penstock.rules.levels import HIGH, Category
from penstock.rules.references import named_references
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)


@RULES.rule(
    on="aws:*",
    severity=HIGH,
    rationale="AWS rejects an id or ARN of another kind, such as a VPC id where a subnet is expected.",
    fix="Set the property to the id or ARN of a resource of the expected kind.",
    sources=(
        "EC2 API reference, resource IDs (catalogue, aws_id_forms)",
        "IAM user guide, identifiers (catalogue, aws_id_forms)",
    ),
)
def aws_reference_kind(resource: View) -> Verdict:
    """A property that references another resource holds an id or ARN of the expected kind."""
    owners = resource.site.once(_owners)

    def judge(reference: tuple[IdForm, Any, PropertyPath]) -> Verdict:
        form, value, path = reference
        if isinstance(value, Unknown | Secret):
            raise NotKnown
        if form.form.fullmatch(value):
            return PASS
        owner = owners.get(value)
        if owner is not None:
            kind = owner.type.rpartition(":")[2]
            return fail(
                f"the value is the id of the {kind} {owner.name}", hint=f"Such as {form.example}.", path=str(path)
            )
        return fail(
            f"{value!r} is not of the form that this property takes", hint=f"Such as {form.example}.", path=str(path)
        )

    return each(named_references(resource.resource.inputs, id_forms.by_property()), judge)


def _owners(site: Site) -> dict[str, Resource]:
    """The resources of the program whose ids have AWS' own form, by id."""
    return {each.id: each for each in site.graph if each.id and has_own_id(each.type)}
