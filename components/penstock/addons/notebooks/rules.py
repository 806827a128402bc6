"""Rules on notebooks: who uses them."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.addons.notebooks.block import NotebooksSpec
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules.rule import rule


@rule("SPEC-179", reads=("addons",))
def somebody_logs_in(spec: Spec) -> Iterator[Problem]:
    """Somebody may log in to notebooks."""
    notebooks = spec.addons.get(NotebooksSpec)
    if notebooks is not None and not notebooks.users and not notebooks.admins:
        message = "Nobody may log in to the notebooks."
        hint = "Name those who may, or write users: all for everybody whom the provider of the login lets in."
        yield Problem(("addons", "notebooks", "users"), message, hint)
