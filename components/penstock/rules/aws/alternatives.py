"""Properties of which one must be given."""

from __future__ import annotations

from penstock.catalog.aws import alternatives
from penstock.resources.verdict import NOT_APPLICABLE, Verdict, allow
from penstock.resources.view import View
from penstock.rules.rule import rule


@rule("AWS-API-005", on="aws:*", source="EC2 and Auto Scaling API references (catalogue, aws_alternatives)")
def one_of_the_alternatives_is_given(resource: View) -> Verdict:
    """Where AWS needs one of several properties, and any of them will do, one is given."""
    choices = alternatives.by_type().get(resource.type)
    if choices is None:
        return NOT_APPLICABLE
    given = [key for key in choices if key in resource]
    sure = [key for key in given if resource.value(key) not in ("", [])]
    words = f"{', '.join(choices[:-1])} or {choices[-1]}"
    return allow(sure, f"none of {words} is given", hint=f"Give {words}.", path=choices[0])
