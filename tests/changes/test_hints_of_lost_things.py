"""Things of a description that a change would lose: the hint and the place name the field that lost them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from tests.changes.change_cases import description_of, graph_of, patched

from penstock import description
from penstock.changes.diff import diff
from penstock.changes.diff_findings import findings_of
from penstock.core.findings import Finding
from penstock.platform import Platform
from penstock.simulate.run import rehearse


def protected(base: str, patch: Mapping[str, Any]) -> Mapping[str, Finding]:
    """The findings on what protection keeps, by the name of the resource."""
    before, after = graph_of(base), description.parse(patched(description_of(base), patch))
    rehearsal = rehearse(lambda: Platform(after), project="penstock", stack="test", before=before)
    found = findings_of(diff(before, rehearsal))
    return {str(each.urn).rpartition("::")[2]: each for each in found if each.code == "DIFF-002"}


@pytest.mark.parametrize(
    ("base", "patch", "name", "field", "hint"),
    [
        ("aws-train", {"storage": {"datasets": None}}, "datasets", "storage", "Keep it under `storage:`"),
        ("gcp-train", {"storage": {"scratch": None}}, "scratch", "storage", "Keep it under `storage:`"),
        (
            "aws-train",
            {"addons": {"secrets": {"names": ["huggingface"]}}},
            "secrets-wandb",
            "addons.secrets.names",
            "Keep it under `addons.secrets.names:`",
        ),
        ("gcp-train", {"cloud": {"account": "another-project"}}, "scratch", "cloud.account", "Leave `cloud.account`"),
        ("gcp-train", {"cloud": {"account": "another-project"}}, "keys-data", "cloud.account", "Leave `cloud.account`"),
    ],
)
def test_the_hint_names_what_lost_it(base: str, patch: Mapping[str, Any], name: str, field: str, hint: str) -> None:
    finding = next(each for urn, each in protected(base, patch).items() if urn.endswith(f"-{name}"))

    assert finding.path == field
    assert finding.hint.startswith(hint)


def test_what_seems_to_be_renamed_is_kept_by_its_name() -> None:
    before = description_of("aws-train")["storage"]
    (old,) = (each for each in before if each["name"] == "datasets")
    renamed = {key: value for key, value in old.items() if key != "name"}

    (finding,) = protected("aws-train", {"storage": {"datasets": None, "corpus": renamed}}).values()

    assert finding.path == "storage"
    assert "-corpus: keep its name in the description" in finding.hint
