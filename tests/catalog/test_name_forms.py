"""Names that Google's services accept."""

from __future__ import annotations

import pulumi_gcp  # noqa: F401 - its types are known once it is imported
import pytest

from penstock.catalog.gcp import name_forms
from penstock.catalog.gcp.name_forms import NameForm
from penstock.rehearsal.sdk_types import input_types

FORMS = tuple(name_forms.by_type().values())


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.type)
def test_the_example_is_a_name_and_stands_where_the_resource_has_one(form: NameForm) -> None:
    assert form.allow(form.example)
    assert form.property in (input_types(form.type) or {})


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.type)
def test_what_is_too_long_or_of_another_form_is_no_name(form: NameForm) -> None:
    assert form.allow("a" * form.longest)
    assert not form.allow("a" * (form.longest + 1))
    assert not form.allow("a.b")
    assert not form.allow("")
