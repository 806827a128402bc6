"""Rules on region and account, for Google Cloud alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from penstock.core.wording import quoted
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules.rule import rule

_PROJECT = r"([a-z0-9][-.a-z0-9]*:)?[a-z][-a-z0-9]{4,28}[a-z0-9]"
"""Resource Manager API, Project; the oldest ids follow a domain and a colon."""


@rule("SPEC-035", reads=("cloud",), provider="gcp")
def account_is_a_project(spec: Spec) -> Iterator[Problem]:
    """The account on Google Cloud is the id of a project, which is required."""
    path = ("cloud", "account")
    if spec.cloud.account is None:
        yield Problem(path, "The project is missing.", "Set account to its id, such as my-ai-project.")
    elif not re.fullmatch(_PROJECT, spec.cloud.account):
        hint = "Use 6 to 30 of a-z, 0-9 and '-', such as my-ai-project; neither the project's name nor its number."
        yield Problem(path, f"{quoted(spec.cloud.account)} is not a project id.", hint)
