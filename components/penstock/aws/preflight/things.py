"""Things that a program names or searches for: whether they are there, by the table `questions` of the catalogue."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from penstock.aws.preflight.account import AwsAccount, AwsRefused, absent
from penstock.catalog.records import Column, records
from penstock.preconditions.need import NamedNeed, SearchNeed
from penstock.preflight.inquiry import Reply, Status, met, not_asked, not_met


@dataclass(frozen=True, slots=True, kw_only=True)
class AwsQuestion:
    """A read call that shows whether a thing is there.

    Attributes:
        kind: The kind of thing, or the function that searches for it.
        form: The texts that name it in a way that this call takes; None for all.
        service: The service, as boto3 calls it.
        operation: The operation, as boto3 calls it.
        parameters: `Key=value`, `Key[]=value` for a list of one, `Key.name=value` for a filter.
        items: Where the answer has the thing (JMESPath).
        state: Where a thing shows its state (JMESPath); empty where being there is enough.
        good: The states in which it can be used.
        absent: The codes of errors that say that there is none.
    """

    kind: str
    form: re.Pattern[str] | None
    service: str
    operation: str
    parameters: Annotated[tuple[str, ...], Column(separator="; ")]
    items: str
    state: str
    good: tuple[str, ...]
    absent: str
    unverified: tuple[str, ...]
    source: str
    as_of: str


def questions() -> tuple[AwsQuestion, ...]:
    """Return the rows of the table."""
    return records(AwsQuestion, "aws/questions")


def answer_named(account: AwsAccount, need: NamedNeed) -> Reply | None:
    """Return whether a named thing is there and can be used; None where no call shows it."""
    text = need.word("text") or need.word("name")
    asked = [
        each for each in questions() if each.kind == need.kind and (each.form is None or each.form.fullmatch(text))
    ]
    asked = [each for each in asked if each.form is not None] or asked
    owner = need.word("account")
    if asked and asked[0].service == "iam" and owner and owner != account.id:
        return not_asked(f"It belongs to account {owner}, and these credentials to {account.id}.")
    replies = [_answer(account, each, {**dict(need.words), "text": text}, need.word("region"), ()) for each in asked]
    best = [reply for reply in replies if reply.status is Status.MET] or replies[-1:]
    return best[0] if best else None


def answer_search(account: AwsAccount, need: SearchNeed) -> Reply | None:
    """Return whether a look-up finds something; None where no single call shows it."""
    for each in questions():
        if each.kind == need.function:
            return _answer(account, each, {}, need.scope, need.filters)
    return None


def _answer(
    account: AwsAccount,
    question: AwsQuestion,
    words: Mapping[str, str],
    region: str,
    filters: tuple[tuple[str, str], ...],
) -> Reply:
    import jmespath  # comes with the SDK

    given = parameters(question, words)
    given_filters = [*given.pop("Filters", []), *_filters(filters)]
    if given_filters:
        given["Filters"] = given_filters
    try:
        answer = account.call(question.service, question.operation, region, **given)
    except AwsRefused as refusal:
        return absent(refusal, question.absent)
    found = jmespath.search(question.items.format_map(_Quoted(words)), answer)
    if found in (None, [], ""):
        return not_met("There is none.")
    things = found if isinstance(found, list) else [found]
    if not question.state:
        return met("It is there." if len(things) == 1 else f"{len(things)} are there.")
    states = [str(jmespath.search(question.state, thing)) for thing in things]
    good = [state for state in states if state in question.good]
    return met(f"State {good[0]}.") if good else not_met(f"State {states[0]}.")


def parameters(question: AwsQuestion, words: Mapping[str, str]) -> dict[str, Any]:
    """Return the parameters of the call for a thing."""
    found: dict[str, Any] = {}
    for each in question.parameters:
        key, _, template = each.partition("=")
        value: Any = template.format_map(words)
        key, dot, name = key.partition(".")
        if dot and key == "ParameterFilters":
            found.setdefault(key, []).append({"Key": name, "Option": "Equals", "Values": [value]})
        elif dot:
            found.setdefault(key, []).append({"Name": name, "Values": [value]})
        elif key.endswith("[]"):
            found[key.removesuffix("[]")] = [value]
        else:
            found[key] = value == "true" if value in ("true", "false") else value
    return found


def _filters(pairs: tuple[tuple[str, str], ...]) -> list[dict[str, Any]]:
    values: dict[str, list[str]] = {}
    for key, text in pairs:
        values.setdefault(key, []).append(text)
    return [{"Name": key, "Values": texts} for key, texts in values.items()]


class _Quoted(dict[str, str]):
    """Words as texts of JMESPath, in which a quote ends the text."""

    def __getitem__(self, key: str) -> str:
        return super().__getitem__(key).replace("\\", "\\\\").replace("'", "\\'")
