"""Things that a program names: whether they are there, by the table `questions` of the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from penstock.catalog.records import records
from penstock.gcp.preflight.project import GoogleCloud, absent
from penstock.preconditions.need import NamedNeed
from penstock.preflight.inquiry import Reply, met, not_met
from penstock.preflight.rest import Refused, at, items_at


@dataclass(frozen=True, slots=True, kw_only=True)
class GcpQuestion:
    """A GET that shows whether a thing is there.

    Attributes:
        kind: The kind of thing.
        service: The API.
        path: The template of the path, in the words of a thing.
        items: Where a list has the things; empty where the answer is the thing itself.
        match: The field of an item that has the name, be it at the end of a path.
        state: The field with the state; empty where being there is enough.
        good: The states in which it can be used.
        permission: What the call takes.
    """

    kind: str
    service: str
    path: str
    items: str
    match: str
    state: str
    good: tuple[str, ...]
    permission: str
    unverified: tuple[str, ...]
    source: str
    as_of: str


def questions() -> tuple[GcpQuestion, ...]:
    """Return the rows of the table."""
    return records(GcpQuestion, "gcp/questions")


def question_for(need: NamedNeed) -> GcpQuestion | None:
    """Return the first question that a thing has all words for."""
    words = _Known(need.words)
    for each in questions():
        if each.kind == need.kind:
            words.missing = False
            each.path.format_map(words)
            if not words.missing:
                return each
    return None


def answer_named(cloud: GoogleCloud, need: NamedNeed) -> Reply | None:
    """Return whether a named thing is there and can be used; None where no call shows it."""
    question = question_for(need)
    if question is None:
        return None
    try:
        found = things(cloud, question, need)
    except Refused as refusal:
        return absent(refusal, question.permission)
    if not found:
        return not_met("There is none.")
    if not question.state:
        return met("It is there.")
    states = [str(at(each, question.state)) for each in found]
    good = [state for state in states if state in question.good]
    field = question.state.rpartition(".")[2].capitalize()
    return met(f"{field}: {good[0]}.") if good else not_met(f"{field}: {states[0]}.")


def things(cloud: GoogleCloud, question: GcpQuestion, need: NamedNeed) -> list[Mapping[str, Any]]:
    """Return the things that a question finds; raises as `GoogleCloud.get`."""
    path = question.path.format_map({key: quote(value, safe="@:") for key, value in need.words})
    if not question.items:
        return [cloud.get(question.service, path)]
    pages = cloud.pages(question.service, path)
    items = [each for page in pages for each in items_at(page, question.items)]
    names = (need.word("name"), f"{need.word('name')}.svc.id.goog")
    return [each for each in items if str(each.get(question.match)).rpartition("/")[2] in names]


class _Known(dict[str, str]):
    """Words of a thing, which notes when a template has one more."""

    missing = False

    def __missing__(self, key: str) -> str:
        self.missing = True
        return ""
