"""Texts of AWS' own form by the names of properties: `vpcId` is an id of a VPC, `kmsKeyArn` the ARN of a key."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from penstock.catalog import tables
from penstock.simulate.clouds import forms
from penstock.simulate.clouds.any_provider import Text
from penstock.simulate.clouds.templates import filled

_OF_ENGINE: Final = ("{engine_version}", "{engine_family}")
"""Words of databases and caches, which are empty where the engine has no row."""

_INDEX: Final = re.compile(r"\.\d+")


def texts(owner: str, words: Mapping[str, Any]) -> Text:
    """The texts of one owner, the same each time; `words` is where it is: its region, account and zone."""

    def text(path: str) -> Any:
        template = _template(path)
        if template == "{zone}":
            index = _INDEX.search(path)
            return words["zones"][int(index[0][1:]) % len(words["zones"])] if index else words["zone"]
        return (
            forms.simulated_text(path, owner) if not template else filled(template, {**words, "urn": f"{owner}.{path}"})
        )

    return text


def is_documented(path: str) -> bool:
    """Return whether the texts of a property have a form of AWS' own, and name no place that a program left open."""
    template = _template(path)
    return "{" in template and template not in ("{zone}", "{zone_id}", "{region}", *_OF_ENGINE)


@cache
def _template(path: str) -> str:
    spoken = f" {forms.spoken(_INDEX.sub('', path))}"
    return next((template for end, template in _endings() if spoken.endswith(f" {end}")), "")


@cache
def _endings() -> list[tuple[str, str]]:
    """The forms by the words that a property ends with, the longest first."""
    found = [(row["ends"], row["form"]) for row in tables.rows("aws/property_forms")]
    return sorted(found, key=lambda each: -len(each[0]))
