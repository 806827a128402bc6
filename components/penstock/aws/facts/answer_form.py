"""The form of what AWS answers for a resource: the tables of identities and outputs, and what was written by hand."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from penstock.catalog import tables
from penstock.catalog.answers import answer_forms


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """The templates of a type's answers.

    Attributes:
        named: The property that bears the physical name.
        is_named: Whether the answer has the name also where the SDK does not say so.
        id: The id: `vpc-{hex17}`, `{in[clusterName]}:{name}`.
        arn: The ARN, from the service on or whole; empty where it is not known.
        outputs: Other outputs by their names.
        documented: The outputs whose form is AWS' own, `id` and `arn` among them; not what AWS would choose.
    """

    named: str
    is_named: bool
    id: str
    arn: str
    outputs: Mapping[str, Any]
    documented: frozenset[str]


_CHOSEN: Final = re.compile(r"\{(zone|zone_id|three_zones|eks_version)\}|^\d+(\.\d+){3}(/\d+)?$|^\{zone(_id)?s\}$")
"""What a template holds that AWS chooses: a zone, a version, an address."""


@cache
def answer_form(type_: str) -> AnswerForm:
    """The form of a type's answers; what was written by hand goes before what a table says."""
    by_hand, identity = answer_forms("aws").get(type_, {}), _identities().get(type_, {})
    outputs = {**_outputs().get(type_, {}), **by_hand.get("outputs", {})}
    known = {key for key in ("id", "arn") if by_hand.get(key) or identity.get(key)}
    own = {key for key, form in outputs.items() if not (isinstance(form, str) and _CHOSEN.search(form))}
    return AnswerForm(
        named=by_hand.get("named") or identity.get("named") or "name",
        is_named="named" in by_hand,
        id=by_hand.get("id") or identity.get("id") or "{name}",
        arn=by_hand.get("arn") or identity.get("arn") or "",
        outputs=outputs,
        documented=frozenset(known | own),
    )


@cache
def _identities() -> Mapping[str, Mapping[str, str]]:
    return {row["type"]: row for row in tables.rows("aws/identities")}


@cache
def _outputs() -> Mapping[str, Mapping[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for row in tables.rows("aws/outputs"):
        text = row["form"]
        is_text = text[:1] not in ("[", "{") or text[1:2].isalpha()  # {region}, not {"a": 1}
        found.setdefault(row["type"], {})[row["output"]] = text if is_text else json.loads(text)
    return found
