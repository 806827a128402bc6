"""The rules on descriptions for the toy cloud alone."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules.rule import rule


@rule("SPEC-900", reads=("name",), provider="toy")
def name_is_no_brand(spec: Spec) -> Iterator[Problem]:
    """The name of a toy platform is no brand."""
    if spec.name == "lego":
        yield Problem(("name",), "lego is a brand.", "Take another name.")


SUBJECTS = (sys.modules[__name__],)
